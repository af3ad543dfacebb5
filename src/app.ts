import { ConfigError, isLoopbackHost, parseConfig } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import { describeFailure } from '#core/describe-failure.ts';
import { failureIn } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { PATHS } from '#core/paths.ts';
import { encryptedUrl, refusedAccess } from '#http/access-rules.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { admitted, doorOf } from './doors.ts';

let config: Config | undefined;

/**
 * What every request passes first: configuration, host and origin rules, then the server that guards `/mcp`. Failures
 * of the platform and unexpected errors end here, because the platform's own message may quote a query with its
 * parameters, or a page.
 */
export async function serve(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    return await answer(request, env, ctx);
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
  const refusal = refusedAccess(request, config);
  if (refusal !== null) return new Response(refusal, { status: 403 });
  const encrypted = encryptedUrl(request);
  if (encrypted !== null) return new Response(null, { status: 308, headers: { location: encrypted } });
  const origin = publicOrigin(request, config);
  const door = doorOf(origin, config, env);
  const named = underOrigin(request, origin);
  const inside = () => door.fetch(named, ctx);
  // Looking up a token costs as much as a small call, and the token stands for a person.
  const bearer = new URL(named.url).pathname === PATHS.mcp ? request.headers.get('authorization') : null;
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

/**
 * Behind a tunnel, requests arrive as http, but issuer and audience belong to the address that people use. With a slash
 * at its end, the address of the connector is the same address.
 */
function underOrigin(request: Request, origin: string): Request {
  const { origin: own, pathname, search } = new URL(request.url);
  const path = MAY_END_IN_SLASH.has(pathname) ? pathname.slice(0, -1) : pathname;
  return own === origin && path === pathname ? request : new Request(origin + path + search, request);
}

const MAY_END_IN_SLASH: ReadonlySet<string> = new Set([`${PATHS.mcp}/`, `${PATHS.resourceMetadata}${PATHS.mcp}/`]);
