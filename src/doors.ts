import type { Hono } from 'hono';
import { pageDeps } from '#web/sign-in/page-deps.ts';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import { isSameSecret } from '#auth/people/cookies.ts';
import { createAuthorizationServer } from '#auth/server/endpoints.ts';
import type { AuthDeps } from '#auth/server/provider.ts';
import { withCallPermit } from '#client/calls-at-once.ts';
import type { Config } from '#core/config/config.ts';
import { describeWebSearch } from '#core/search-engines.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { PATHS, resourceMetadataUrl } from '#core/paths.ts';
import { acceptsExplicitly } from '#core/text/accept.ts';
import { drainBody } from '#core/flow/read-capped.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import { sleep } from '#core/flow/abort.ts';
import { personPages, siteDeps, sitePages } from './person-pages.ts';
import type { SiteDeps } from '#web/site-deps.ts';
import { healthPage } from '#web/health/health.tsx';
import type { HealthPageDeps, HealthCheckScope } from '#web/health/health.tsx';
import type { SiteEnv } from '#web/page-response.ts';
import { acceptLiveViewSocket } from '#web/live/live.tsx';
import type { LivePageDeps } from '#web/live/live.tsx';
import { buildPagesOnce } from '#web/public/pages.tsx';
import { findReadinessProblem } from '#web/health/health-check.ts';
import type { ReadinessMemory } from '#web/health/health-check.ts';
import { overloadedResponse } from '#mcp/run/run-other-request.ts';
import { handleMcp } from '#mcp/handler.ts';
import { REQUEST_BODY_BYTES_MAX } from '#mcp/limits.ts';
import { logAuthRefusal, logUnexpected } from '#telemetry/log.ts';
import { handleBackupRequest } from '#account/backup.ts';
import {
  createAuthDeps,
  composeServices,
  livePortOf,
  createCallParts,
  createCallSearchProviders,
  listWaitingRequests,
} from './compose.ts';
import type { CallParts } from './compose.ts';
import { checkHealth, readinessDeps } from '#web/health/probes.ts';

type Door = { fetch: (request: Request, ctx: ExecutionContext) => Promise<Response> };

const doors = new WeakMap<Env, Map<string, Door>>();
/**
 * Maximum public origins that an isolate caches. A deployment has one or two; further ones come from forged `Host`
 * headers.
 */
const ORIGINS_MAX = 8;
const ready = new WeakMap<Env, ReadinessMemory>();
const requests: Permits = new Map();

export function findOrCreateDoor(origin: string, config: Config, env: Env): Door {
  const known = doors.get(env) ?? new Map<string, Door>();
  doors.set(env, known);
  const door = known.get(origin);
  if (door !== undefined) return door;
  if (known.size >= ORIGINS_MAX) known.clear();
  const made = makeDoor(origin, () => createCallParts(env, config, origin));
  known.set(origin, made);
  return made;
}

function makeDoor(origin: string, parts: () => CallParts): Door {
  const initialParts = parts();
  const { env } = initialParts;
  const auth = createAuthDeps(initialParts, origin);
  const people = once(() => pageDeps(auth, env));
  const site = makeSite(parts, auth, people);
  const live = livePageDeps(parts, auth, people);
  const pages = async (request: Request, ctx: ExecutionContext) =>
    (await acceptLiveViewSocket(request, live)) ??
    (await site()).fetch(request, { ctx, waitingFor: (subject: string) => listWaitingRequests(parts(), subject) }, ctx);
  const server = createAuthorizationServer(auth, env, {
    mcp: (request, principal, ctx) =>
      runWithinRequestLimit(principal.subject, request, ctx, () =>
        handleMcp(request, {
          ...composeServices(parts(), ctx, principal),
          resourceMetadataUrl: resourceMetadataUrl(origin),
        }),
      ),
    pages,
  });
  return {
    fetch: async (request, ctx) =>
      isVisit(request)
        ? pages(request, ctx)
        : ((await handleBackupRequest(request, env, initialParts.config)) ?? server.fetch(request, ctx)),
  };
}

/** True if a person opens the connector URL in a browser. MCP clients send a token, or accept JSON or events only. */
function isVisit({ method, url, headers }: Request): boolean {
  if (method !== 'GET' || new URL(url).pathname !== PATHS.mcp || headers.has('authorization')) return false;
  const accept = headers.get('accept');
  return acceptsExplicitly(accept, 'text/html') && !acceptsExplicitly(accept, 'text/event-stream');
}

/** Caches the result of `make`. A failure is not cached: the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: T | undefined;
  return async () => (made ??= await make());
}

function livePageDeps(parts: () => CallParts, { origin }: AuthDeps, people: () => Promise<PageDeps>) {
  return async (): Promise<LivePageDeps> => {
    const { signIns } = await people();
    return { origin, signIns, sessionsOf: (subject) => livePortOf(parts(), subject) };
  };
}

function memoryOfReadiness(env: Env): ReadinessMemory {
  const memory = ready.get(env) ?? { problem: null, until: 0 };
  ready.set(env, memory);
  return memory;
}

function makeSite(parts: () => CallParts, auth: AuthDeps, people: () => Promise<PageDeps>): () => Promise<Hono> {
  const { origin } = auth;
  const { config } = auth;
  const kept = {
    activityDays: config.ACTIVITY_DAYS,
    wholeUrls: config.LOG_URLS,
    webSearch: describeWebSearch(config),
  };
  const reportUnexpected = (error: unknown): string => {
    const id = crypto.randomUUID();
    logUnexpected(id, error);
    return id;
  };
  const isWell = () => {
    const now = parts();
    return findReadinessProblem(memoryOfReadiness(now.env), readinessDeps(now, reportUnexpected));
  };
  return buildPagesOnce({ origin, mcpUrl: origin + PATHS.mcp, kept, isWell, reportUnexpected }, async () => {
    const deps = await people();
    const check = (look: HealthCheckScope) =>
      checkHealth(look, {
        parts: parts(),
        origin,
        providers: createCallSearchProviders(parts()),
        report: reportUnexpected,
      });
    return [...personPages(deps), ownersHealthPage(deps, check), ...sitePages(siteDeps(deps, parts, ofPerson), parts)];
  });
}

function ownersHealthPage({ config, signIns }: PageDeps, check: HealthPageDeps['check']): Hono<SiteEnv> {
  return healthPage({
    signIns,
    isLiveCheck: async (key) => config.LIVE_CHECK_KEY !== undefined && isSameSecret(key, config.LIVE_CHECK_KEY),
    check,
  });
}

const ofPerson: SiteDeps['withinRequestLimit'] = (subject, c, answer) =>
  runWithinRequestLimit(subject, c.req.raw, c.env.ctx, answer);

export async function runWithinRequestLimit(
  who: string,
  request: Request,
  ctx: ExecutionContext,
  answer: () => Promise<Response>,
): Promise<Response> {
  const waitUntil = (work: Promise<void>) => ctx.waitUntil(work);
  try {
    return await withCallPermit(
      who,
      { permits: requests, clock: { now: Date.now, sleep }, signal: request.signal, waitUntil },
      answer,
    );
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    const refusal = overloadedResponse(error.failure);
    // Reads the remaining body first, because a client that is still sending does not read a response.
    await drainBody(request.body, REQUEST_BODY_BYTES_MAX);
    logAuthRefusal(error.failure.code, refusal.status);
    return refusal;
  }
}
