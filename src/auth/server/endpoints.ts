import { OAuthProvider } from '@cloudflare/workers-oauth-provider';
import { REGISTRATION_BYTES_MAX } from '#auth/limits.ts';
import { FORM_BYTES_MAX } from '#core/limits.ts';
import { PATHS, resourceMetadataUrl } from '#core/paths.ts';
import { readCapped } from '#core/read-capped.ts';
import { claimedClientId } from './client-id.ts';
import { libraryStore } from './grant-store.ts';
import { withLibraryGated } from './library-fetch.ts';
import { oauthApi, providerOptions } from './provider.ts';
import type { AuthDeps, Guarded } from './provider.ts';
import { metadataProblem, noteRegistration, withShortRegistration } from './registration.ts';
import { TokenRequest } from './refresh-tokens.ts';
import { addressOf, registrationBuckets } from '#auth/people/attempts.ts';
import { SECOND_MS } from '#core/units.ts';
import { parseJson } from '#core/json.ts';

/**
 * Everything under one public origin: the OAuth library, and what clients need beyond it: the resource metadata at the
 * root too, for clients that do not insert the path (RFC 9728 §3.1); `/revoke`, which the library answers at the token
 * endpoint (RFC 7009); limits on what is registered; and the address gate before whatever it fetches.
 */
export function authorizationServer(deps: AuthDeps, env: Env, guarded: Guarded) {
  const provider = new OAuthProvider<Env>(providerOptions(deps, guarded));
  return {
    fetch: async (request: Request, ctx: ExecutionContext): Promise<Response> => {
      const url = new URL(request.url);
      const forward = (changed: Request, store: Env = env) =>
        withLibraryGated(deps.judgeClientUrl, () => provider.fetch(changed, libraryStore(store, deps.grantsOf), ctx));
      if (url.pathname === PATHS.resourceMetadata) {
        return forward(new Request(resourceMetadataUrl(url.origin), request));
      }
      if (url.pathname === PATHS.authorize && dropSlash(url.searchParams)) return forward(new Request(url, request));
      if (url.pathname === PATHS.serverMetadata) return withRevocation(await forward(request), deps.origin);
      if (url.pathname === PATHS.token || url.pathname === PATHS.revoke) {
        return answerForm(request, url, deps, env, forward);
      }
      if (url.pathname === PATHS.register && request.method === 'POST') {
        return answerRegistration(request, deps, env, forward);
      }
      return forward(request);
    },
  };
}

async function withRevocation(response: Response, origin: string): Promise<Response> {
  if (response.status !== 200 || response.body === null) return response;
  const metadata = await response.json<Record<string, unknown>>();
  return Response.json({ ...metadata, revocation_endpoint: origin + PATHS.revoke }, { headers: response.headers });
}

type Forward = (request: Request, env?: Env) => Promise<Response>;

async function answerForm(request: Request, url: URL, deps: AuthDeps, env: Env, forward: Forward): Promise<Response> {
  const refuse = refuser(deps, request.headers.get('origin'));
  const isRevocation = url.pathname === PATHS.revoke;
  const target = url.origin + PATHS.token;
  if (request.method !== 'POST') return forward(new Request(target, request));
  const sent = await readCapped(request.body, FORM_BYTES_MAX);
  if (sent === null) return refuse('invalid_request', 'The request is too large', 413);
  const form = new URLSearchParams(sent);
  const body = dropSlash(form) ? form.toString() : sent;
  // A request to /revoke can end a token, but never create one.
  if (isRevocation && form.has('grant_type')) return refuse('invalid_request', 'grant_type is not allowed here', 400);
  const clientId = claimedClientId(form, request.headers.get('authorization'));
  const verdict = clientId === null ? 'allowed' : await deps.judgeClientUrl(clientId);
  if (verdict === 'refused') return refuse('invalid_client', 'Client not found', 401);
  // Not `invalid_client`, on which a client may discard its connection.
  if (verdict === 'unreachable') return refuse('temporarily_unavailable', 'Try again later', 503);
  const tokens = new TokenRequest(env, form.get(isRevocation ? 'token' : 'refresh_token'), {
    grantsOf: deps.grantsOf,
    graceSeconds: deps.config.REFRESH_GRACE_SECONDS,
    now: Date.now,
    report: deps.report,
  });
  const forwarded = new Request(target, { method: 'POST', headers: request.headers, body });
  const outcome = await tokens.settle(await forward(forwarded, tokens.env));
  switch (outcome.kind) {
    case 'answer':
      return outcome.answer;
    case 'replayed':
      await oauthApi(deps, env).revokeGrant(outcome.grant, outcome.subject);
      return refuse('invalid_grant', 'This token was used before, so its connection was ended. Sign in again', 400);
    case 'ended':
      return refuse('invalid_grant', 'This connection was ended. Sign in again', 400);
    case 'busy':
      // Another request replaced the token at the same moment.
      return refuse('temporarily_unavailable', 'Try again', 503, SECOND_MS);
  }
}

/**
 * Some clients name the resource with a slash at its end. It is the same resource.
 * @param parameters of a request, which are changed. @returns whether they were
 */
function dropSlash(parameters: URLSearchParams): boolean {
  const named = parameters.getAll('resource');
  const plain = named.map((resource) => resource.replace(/\/mcp\/(?=$|\?)/, PATHS.mcp));
  if (plain.every((resource, n) => resource === named[n])) return false;
  parameters.delete('resource');
  for (const resource of plain) parameters.append('resource', resource);
  return true;
}

/** The body is capped while it is read, and checked before the library stores any of it. */
async function answerRegistration(request: Request, deps: AuthDeps, env: Env, forward: Forward): Promise<Response> {
  const refuse = refuser(deps, request.headers.get('origin'));
  const body = await readCapped(request.body, REGISTRATION_BYTES_MAX);
  if (body === null) {
    return refuse('invalid_client_metadata', `A registration has at most ${REGISTRATION_BYTES_MAX} bytes`, 413);
  }
  // What is not JSON is left to the library, which reports it.
  const problem = metadataProblem(parseJson(body));
  if (problem !== null) return refuse(problem.error, problem.description, 400);
  const attempt = await deps.signIn.takeTurn(registrationBuckets(addressOf(request, deps.config)));
  if (!attempt.granted) return refuse('temporarily_unavailable', 'Too many registrations', 429, attempt.retryAfterMs);
  const now = Date.now();
  const forwarded = new Request(request.url, { method: 'POST', headers: request.headers, body });
  const answer = await forward(forwarded, withShortRegistration(env, now));
  await noteRegistration(answer, deps.signIn, env.OAUTH_KV, now);
  return answer;
}

/**
 * @param origin the origin of the web page that asks, already allowed: it may read this answer, as it may read the
 *   library's
 */
function refuser(deps: AuthDeps, origin: string | null) {
  const shown = origin === null ? {} : { 'access-control-allow-origin': origin, vary: 'origin' };
  return (error: string, description: string, status: number, retryAfterMs?: number): Response => {
    deps.refused(error, status);
    const later = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / SECOND_MS)) };
    const headers = { 'cache-control': 'no-store', ...later, ...shown };
    return Response.json({ error, error_description: description }, { status, headers });
  };
}
