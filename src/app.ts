import { forgetClient } from '#auth/forget-client.ts';
import { authorizationServer } from '#auth/endpoints.ts';
import { authPages } from '#auth/pages.ts';
import { MCP_PATH, resourceMetadataUrl } from '#auth/provider.ts';
import type { Doors } from '#auth/provider.ts';
import { isSameText } from '#auth/same-text.ts';
import { pageForms, signedIn, signInPath } from '#auth/signed-in.ts';
import { ConfigError, isLoopbackHost, parseConfig } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import { describeFailure, failureIn } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { encryptedUrl, refusedAccess } from '#http/access-rules.ts';
import { checkBrowser } from '#http/health-browser.ts';
import { checkConnecting } from '#http/health-connect.ts';
import { checkParts } from '#http/health-parts.ts';
import { HEALTH_PATH, healthPage } from '#http/health.tsx';
import { pages } from '#http/pages.tsx';
import { readiness } from '#http/readiness.ts';
import type { ReadinessMemory } from '#http/readiness.ts';
import { handleMcp } from '#mcp/handler.ts';
import { logRefused, logUnexpected } from '#telemetry/log.ts';
import { objectNamed } from '#core/objects.ts';
import { AccessTokenRows } from '#storage/access-tokens.ts';
import { openDb } from '#storage/db.ts';
import { carefulStore } from '#storage/careful-store.ts';
import { browserTrial, connectProbes, partProbes, readinessProbe } from './probes.ts';
import { admitted, clientUrlJudge, compose } from './compose.ts';

type Server = ReturnType<typeof authorizationServer>;

/** One per public origin: its resource identifier is part of every token's audience. */
const servers = new Map<string, Server>();
/** A deployment has one or two public names; more means somebody is inventing host headers. */
const ORIGINS_MAX = 8;
let config: Config | undefined;
const ready: ReadinessMemory = { problem: null, until: 0 };

/**
 * What every request passes first: configuration, host and origin rules, then the server that guards `/mcp`. Failures
 * of the platform and unexpected errors end here, because the platform's own message may quote a query with its
 * parameters, or a page.
 */
export async function serve(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    return await answer(request, { ...env, OAUTH_KV: carefulStore(env.OAUTH_KV) }, ctx);
  } catch (error) {
    const requestId = crypto.randomUUID();
    logUnexpected(requestId, error);
    return failed(failureIn(error) ?? { code: 'internal', requestId }, request.headers.get('origin'));
  }
}

/** @param origin the origin of the web page that asks, already allowed: it may read this answer like any other */
function failed(failure: Failure, origin: string | null): Response {
  const { message, hint } = describeFailure(failure);
  const [error, status] = failure.code === 'internal' ? ['server_error', 500] : ['temporarily_unavailable', 503];
  const later = 'retryAfterSeconds' in failure ? { 'retry-after': String(failure.retryAfterSeconds) } : {};
  const shown = origin === null ? {} : { 'access-control-allow-origin': origin, vary: 'origin' };
  const headers = { 'cache-control': 'no-store', ...later, ...shown };
  return Response.json({ error, error_description: `${message} ${hint}` }, { status, headers });
}

async function answer(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    config ??= parseConfig({ ...env });
  } catch (error) {
    if (error instanceof ConfigError) return new Response(error.message, { status: 500 });
    throw error;
  }
  const refusal = refusedAccess(request, config.PUBLIC_URL ?? null);
  if (refusal !== null) return new Response(refusal, { status: 403 });
  const encrypted = encryptedUrl(request);
  if (encrypted !== null) return new Response(null, { status: 308, headers: { location: encrypted } });
  const origin = publicOrigin(request, config);
  const settled = config;
  const inside = () => server(origin, settled, env).fetch(underOrigin(request, origin), env, ctx);
  // Looking up a token costs as much as a small call, and the token stands for a person.
  const bearer = new URL(request.url).pathname === MCP_PATH ? request.headers.get('authorization') : null;
  return bearer === null ? inside() : admitted(`token ${bearer}`, request, ctx, inside);
}

/**
 * A loopback host is served under the name it was asked by; otherwise `PUBLIC_URL` counts, or else the platform's host.
 */
function publicOrigin(request: Request, { PUBLIC_URL }: Config): string {
  const url = new URL(request.url);
  if (isLoopbackHost(url.hostname)) return url.origin;
  return PUBLIC_URL ?? `https://${url.host}`;
}

/** Behind a tunnel, requests arrive as http, but issuer and audience belong to the address that people use. */
function underOrigin(request: Request, origin: string): Request {
  const { origin: own, pathname, search } = new URL(request.url);
  return own === origin ? request : new Request(origin + pathname + search, request);
}

function server(origin: string, settings: Config, env: Env): Server {
  const known = servers.get(origin);
  if (known !== undefined) return known;
  if (servers.size >= ORIGINS_MAX) servers.clear();
  const made = authorizationServer(origin, settings, doors(origin, settings, env));
  servers.set(origin, made);
  return made;
}

function doors(origin: string, settings: Config, bindings: Env): Doors {
  const ownHost = new URL(origin).hostname;
  const own: Doors = {
    mcp: (request, principal, env, ctx) => {
      const callEnv = compose(env, ctx, settings, ownHost, principal);
      const handle = () => handleMcp(request, { ...callEnv, resourceMetadataUrl: resourceMetadataUrl(origin) });
      return admitted(principal.subject, request, ctx, handle);
    },
    refused: logRefused,
    signIn: objectNamed(bindings.SIGN_IN, 'deployment'),
    tokens: new AccessTokenRows(openDb(bindings.DB)),
    askUpstream: (url, init) => fetch(url, init),
    judgeClientUrl: clientUrlJudge(bindings, settings, ownHost),
    pages: {
      fetch: async (request, env, ctx) => {
        const app = await pages({
          origin,
          mcpUrl: origin + MCP_PATH,
          signIn: await authPages(origin, settings, own, env),
          health: health(origin, settings, own, env, ctx),
          isWell: () => readiness(ready, readinessProbe(env)),
          reportUnexpected: (error) => logUnexpected(crypto.randomUUID(), error),
        });
        return app.fetch(request, env, ctx);
      },
    },
  };
  return own;
}

function health(origin: string, settings: Config, own: Doors, env: Env, ctx: ExecutionContext) {
  const inside = (request: Request) => server(origin, settings, env).fetch(request, env, ctx);
  const connect = connectProbes(origin, inside, (id) => forgetClient(id, origin, settings, own, env));
  const report = (error: unknown): string => {
    const id = crypto.randomUUID();
    logUnexpected(id, error);
    return id;
  };
  return healthPage({
    signedIn: (request) => signedIn(request, origin, settings, own.signIn),
    signInUrl: signInPath(HEALTH_PATH),
    forms: pageForms(origin, settings, own.signIn),
    isLiveCheck: async (key) => settings.LIVE_CHECK_KEY !== undefined && isSameText(key, settings.LIVE_CHECK_KEY),
    check: async (look) => {
      if (look === 'browser') {
        const trial = 'BROWSER' in env ? browserTrial(env, settings, origin, report) : null;
        return checkBrowser({ config: settings, trial });
      }
      const parts = checkParts(partProbes(env, settings, origin), look === 'paid', report);
      return (await Promise.all([checkConnecting(connect, report), parts])).flat();
    },
  });
}
