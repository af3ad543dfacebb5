import { ConfigError, isLoopbackHost, parseConfig } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { PATHS } from '#core/paths.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { runWithinRequestLimit, findOrCreateDoor } from './doors.ts';

let config: Config | undefined;

/**
 * Checks configuration, `Host` and `Origin` before a request reaches the OAuth server. Turns every thrown error into a
 * response here, because the platform's own error page may quote page text or query parameters.
 */
export async function serve(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    return await answer(request, env, ctx);
  } catch (error) {
    const requestId = crypto.randomUUID();
    logUnexpected(requestId, error);
    return failed(findFailure(error) ?? { code: 'internal', requestId }, request.headers.get('origin'));
  }
}

/** @param origin the request's `Origin` header, which CORS allows to read this response; `null` without the header */
function failed(failure: Failure, origin: string | null): Response {
  const { message, hint } = describeFailure(failure);
  const [error, status] = failure.code === 'internal' ? ['server_error', 500] : ['temporarily_unavailable', 503];
  const later = 'retryAfterSeconds' in failure ? { 'retry-after': String(failure.retryAfterSeconds) } : {};
  const headers = { 'cache-control': 'no-store', ...later, ...shownTo(origin) };
  return Response.json({ error, error_description: `${message} ${hint}` }, { status, headers });
}

function shownTo(origin: string | null): Record<string, string> {
  return origin === null ? {} : { 'access-control-allow-origin': origin, vary: 'origin' };
}

/** True for a compressed body. No handler decompresses bodies, because a small one could become very large. */
function isCompressed({ body, headers }: Request): boolean {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  return body !== null && encoding !== '' && encoding !== 'identity';
}

/** Response to a compressed body. Its `accept-encoding` lists the accepted encodings (RFC 9110 §15.5.16). */
function compressed(origin: string | null): Response {
  const body = { error: 'invalid_request', error_description: 'Send the body without Content-Encoding.' };
  const headers = { 'accept-encoding': 'identity', 'cache-control': 'no-store', ...shownTo(origin) };
  return Response.json(body, { status: 415, headers });
}

async function answer(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    config ??= parseConfig({ ...env });
  } catch (error) {
    if (error instanceof ConfigError) return new Response(error.message, { status: 500 });
    throw error;
  }
  const refusal = findAccessRefusal(request, config);
  if (refusal !== null) return new Response(refusal, { status: 403 });
  if (isCompressed(request)) return compressed(request.headers.get('origin'));
  const encrypted = httpsRedirectUrl(request);
  if (encrypted !== null) return new Response(null, { status: 308, headers: { location: encrypted } });
  const origin = publicOrigin(request, config);
  const door = findOrCreateDoor(origin, config, env);
  const named = underOrigin(request, origin);
  const inside = () => door.fetch(named, ctx);
  // A request with a token waits for a permit before the token is looked up, because the lookup costs as much as a
  // small call.
  const bearer = new URL(named.url).pathname === PATHS.mcp ? request.headers.get('authorization') : null;
  return bearer === null ? inside() : runWithinRequestLimit(`token ${bearer}`, request, ctx, inside);
}

function publicOrigin(request: Request, { PUBLIC_URL }: Config): string {
  const url = new URL(request.url);
  if (isLoopbackHost(url.hostname)) return url.origin;
  return PUBLIC_URL ?? `https://${url.host}`;
}

/**
 * Rewrites a request's URL to the public origin, because a tunnel forwards https as http, but tokens name the public
 * address as issuer and audience. Also drops the trailing slash that some connectors append, as in `/mcp/`.
 */
function underOrigin(request: Request, origin: string): Request {
  const { origin: own, pathname, search } = new URL(request.url);
  const path = MAY_END_IN_SLASH.has(pathname) ? pathname.slice(0, -1) : pathname;
  return own === origin && path === pathname ? request : new Request(origin + path + search, request);
}

const MAY_END_IN_SLASH: ReadonlySet<string> = new Set([`${PATHS.mcp}/`, `${PATHS.resourceMetadata}${PATHS.mcp}/`]);

/** Web apps that call this server from their pages, so their requests have an `Origin` header. */
const CONNECTOR_ORIGINS: readonly string[] = [
  'https://claude.ai',
  'https://claude.com',
  'https://chatgpt.com',
  'https://chat.openai.com',
];

/**
 * Guards against DNS rebinding (MCP transport, "Security warning"): a web page may point its own host name at this
 * server. A request without `Origin` does not come from a web page, so only its token decides. Without `PUBLIC_URL`,
 * every host name that the platform routes here is accepted.
 * @returns the reason for a refusal, or `null`
 */
export function findAccessRefusal(
  request: Request,
  { PUBLIC_URL: publicUrl, ALLOWED_ORIGINS }: Pick<Config, 'PUBLIC_URL' | 'ALLOWED_ORIGINS'>,
): string | null {
  const own = new URL(request.url);
  if (!isNamedByHost(request, own)) return 'This host name is not served here.';
  if (publicUrl !== undefined && !sameHost(own, new URL(publicUrl))) return 'This host name is not served here.';
  const origin = request.headers.get('origin');
  if (origin === null || origin === own.origin) return null;
  if (CONNECTOR_ORIGINS.includes(origin) || ALLOWED_ORIGINS.includes(origin)) return null;
  if (!URL.canParse(origin)) return 'This origin may not call the server.';
  if (isLoopbackHost(own.hostname) && isLoopbackHost(new URL(origin).hostname)) return null;
  return 'This origin may not call the server.';
}

/**
 * The https URL to which a plain http request is redirected, or `null`. Passphrases and tokens must be encrypted,
 * except on a loopback host. A proxy that terminates TLS sets `X-Forwarded-Proto`, as Cloudflare's edge does.
 */
export function httpsRedirectUrl(request: Request): string | null {
  const url = new URL(request.url);
  const isEncrypted = url.protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https';
  if (isEncrypted || isLoopbackHost(url.hostname)) return null;
  url.protocol = 'https:';
  return url.href;
}

/**
 * True if the `Host` header equals the URL's host. A local runtime takes the URL from headers that any web page can
 * set, such as `MF-Original-URL`, but no page can set `Host`. Also true without a `Host`, because requests made by this
 * code have none.
 */
function isNamedByHost(request: Request, own: URL): boolean {
  const host = request.headers.get('host');
  if (host === null) return true;
  const named = `${own.protocol}//${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(named) && new URL(named).host === own.host;
}

function sameHost(a: URL, b: URL): boolean {
  return a.hostname === b.hostname || (isLoopbackHost(a.hostname) && isLoopbackHost(b.hostname));
}
