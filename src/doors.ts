import type { Context, Hono } from 'hono';
import { authPages } from '#web/sign-in/pages.ts';
import { pageDeps } from '#web/sign-in/page-deps.ts';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import { isAdmitted, nameOf } from '#auth/people/account.ts';
import { isSameText } from '#auth/people/cookies.ts';
import { authorizationServer } from '#auth/server/endpoints.ts';
import type { AuthDeps } from '#auth/server/provider.ts';
import { atOnce } from '#client/calls-at-once.ts';
import type { Config } from '#core/config.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { PATHS, resourceMetadataUrl } from '#core/paths.ts';
import type { Slots } from '#core/flow/semaphore.ts';
import { sleep } from '#core/flow/abort.ts';
import { consolePages, personOf } from './console.ts';
import { citationPages } from '#web/public/citation-pages.tsx';
import type { CitationPagesDeps } from '#web/public/citation-pages.tsx';
import { citationsList } from '#web/console/citations-list.tsx';
import { sharedQuotes } from '#web/public/shared-quotes.tsx';
import { healthPage } from '#web/health/health.tsx';
import type { HealthPageDeps, Look } from '#web/health/health.tsx';
import type { Site } from '#web/site.ts';
import { livePages, liveSocket } from '#web/live/live.tsx';
import type { LivePageDeps } from '#web/live/live.tsx';
import { pagesOnce } from '#web/public/pages.tsx';
import { readiness } from '#web/health/readiness.ts';
import type { ReadinessMemory } from '#web/health/readiness.ts';
import { crowded } from '#mcp/run-request.ts';
import { handleMcp } from '#mcp/handler.ts';
import { logRefused, logUnexpected } from '#telemetry/log.ts';
import { authDepsOf, compose, livePortOf, mayShow, partsOf, providersOf } from './compose.ts';
import type { Parts } from './compose.ts';
import { checkHealth, readinessOf } from './probes.ts';

/** Answers every request under one public origin, whose resource identifier is part of every token's audience. */
export type Door = { fetch: (request: Request, ctx: ExecutionContext) => Promise<Response> };

/** The doors of this isolate, by the bindings they use and by their origin. */
const doors = new WeakMap<Env, Map<string, Door>>();
/** A deployment has one or two public names; more means somebody is inventing host headers. */
const ORIGINS_MAX = 8;
const ready: ReadinessMemory = { problem: null, until: 0 };
/** The requests that are at work here, of each person. */
const requests: Slots = new Map();

/** The door of an origin, made when the first request comes to it. */
export function doorOf(origin: string, config: Config, env: Env): Door {
  const known = doors.get(env) ?? new Map<string, Door>();
  doors.set(env, known);
  const door = known.get(origin);
  if (door !== undefined) return door;
  if (known.size >= ORIGINS_MAX) known.clear();
  const made = makeDoor(
    origin,
    () => partsOf(env, config, origin),
    (request, ctx) => doorOf(origin, config, env).fetch(request, ctx),
  );
  known.set(origin, made);
  return made;
}

/**
 * @param parts makes those of one call
 * @param inside asks this door as a client would
 */
function makeDoor(origin: string, parts: () => Parts, inside: Door['fetch']): Door {
  const lasting = parts();
  const { env } = lasting;
  const auth = authDepsOf(lasting, origin);
  const people = once(() => pageDeps(auth, env));
  const site = makeSite(parts, auth, people, inside);
  const live = livePageDeps(parts, auth, people);
  return authorizationServer(auth, env, {
    mcp: (request, principal, ctx) =>
      admitted(principal.subject, request, ctx, () =>
        handleMcp(request, { ...compose(parts(), ctx, principal), resourceMetadataUrl: resourceMetadataUrl(origin) }),
      ),
    pages: async (request, ctx) => (await liveSocket(request, live)) ?? (await site()).fetch(request, { ctx }, ctx),
  });
}

/** What it gives, kept; what cannot be had is asked for again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: T | undefined;
  return async () => (made ??= await make());
}

function livePageDeps(parts: () => Parts, { origin }: AuthDeps, people: () => Promise<PageDeps>) {
  return async (): Promise<LivePageDeps> => {
    const { signIns } = await people();
    return {
      origin,
      ...personOf(signIns),
      sessionsOf: (subject) => livePortOf(parts(), subject),
    };
  };
}

function makeSite(
  parts: () => Parts,
  auth: AuthDeps,
  people: () => Promise<PageDeps>,
  inside: Door['fetch'],
): () => Promise<Hono> {
  const { origin } = auth;
  const reportUnexpected = (error: unknown): string => {
    const id = crypto.randomUUID();
    logUnexpected(id, error);
    return id;
  };
  const isWell = () => readiness(ready, readinessOf(parts(), reportUnexpected));
  return pagesOnce({ origin, mcpUrl: origin + PATHS.mcp, isWell, reportUnexpected }, async () => {
    const deps = await people();
    const check = (look: Look, c: Context<Site>) =>
      checkHealth(look, {
        parts: parts(),
        origin,
        providers: providersOf(parts()),
        inside: (request) => inside(request, c.env.ctx),
        forgetClient: (id) => deps.oauth.deleteClient(id),
        report: reportUnexpected,
      });
    return {
      signIn: authPages(deps),
      more: [
        ownersHealthPage(deps, check),
        livePages(await livePageDeps(parts, auth, people)()),
        ...personsCitations(deps, parts),
        ...consolePages(deps, parts),
      ],
    };
  });
}

function ownersHealthPage({ config, signIns }: PageDeps, check: HealthPageDeps['check']): Hono<Site> {
  return healthPage({
    ...personOf(signIns),
    isLiveCheck: async (key) => config.LIVE_CHECK_KEY !== undefined && isSameText(key, config.LIVE_CHECK_KEY),
    check,
  });
}

function personsCitations({ signIns, config }: PageDeps, parts: () => Parts): Hono<Site>[] {
  const persons: CitationPagesDeps = {
    ...personOf(signIns),
    callsOf: (subject, ctx) => compose(parts(), ctx, { subject, scopes: [] }),
    admitted: (subject, c, answer) => admitted(subject, c.req.raw, c.env.ctx, answer),
  };
  const shared = {
    ...personOf(signIns),
    citations: () => parts().citations,
    mayShow: (url: string) => mayShow(parts(), url),
    isAdmitted: (account: unknown) => isAdmitted(account, config),
    nameOf,
  };
  return [citationPages(persons), citationsList(persons), sharedQuotes(shared)];
}

/** Resolves when there is room for one more request of `who`, or says that there is no room. */
export async function admitted(
  who: string,
  request: Request,
  ctx: ExecutionContext,
  answer: () => Promise<Response>,
): Promise<Response> {
  const waitUntil = (work: Promise<void>) => ctx.waitUntil(work);
  try {
    return await atOnce(
      who,
      { places: requests, clock: { now: Date.now, sleep }, signal: request.signal, waitUntil },
      answer,
    );
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    const refusal = crowded(error.failure);
    logRefused(error.failure.code, refusal.status);
    return refusal;
  }
}
