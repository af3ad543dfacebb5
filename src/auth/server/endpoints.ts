import { OAuthProvider } from '@cloudflare/workers-oauth-provider';
import { CLIENT_METADATA_BYTES_MAX } from '#auth/limits.ts';
import { FORM_BYTES_MAX, SECOND_MS, UNUSED_CLIENT_TTL_SECONDS } from '#core/limits.ts';
import { PATHS, resourceMetadataUrl } from '#core/paths.ts';
import { readBodyText } from '#core/flow/read-capped.ts';
import { runWithFetchGate, isClientMetadataUrl } from './gated-fetch.ts';
import { oauthApi, providerOptions } from './provider.ts';
import type { AuthDeps, OAuthHandlers } from './provider.ts';
import { RefreshTokenRequest, guardOAuthStore } from './refresh-tokens.ts';
import { clientAddress, listRegistrationLimits } from '#auth/people/attempts.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import { findMetadataProblem, dropUnsupportedMetadata } from './client-metadata.ts';
import * as z from 'zod';
import type { SignInObject } from '#auth/people/principal.ts';

/**
 * Serves one public origin with the OAuth library, and adds what clients also need: resource metadata at the root, for
 * clients that do not insert the path (RFC 9728 §3.1), and `/revoke`, because the library revokes tokens at the token
 * endpoint (RFC 7009). Also limits registrations, and checks every address that the library fetches.
 */
export function createAuthorizationServer(deps: AuthDeps, env: Env, guarded: OAuthHandlers) {
  const provider = new OAuthProvider<Env>(providerOptions(deps, guarded));
  return {
    fetch: async (request: Request, ctx: ExecutionContext): Promise<Response> => {
      const url = new URL(request.url);
      const forward = (changed: Request, store: Env = env) =>
        runWithFetchGate(deps.judgeClientUrl, () =>
          provider.fetch(changed, guardOAuthStore(store, deps.grantsOf), ctx),
        );
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
  const sent = await readBodyText(request.body, FORM_BYTES_MAX);
  if (sent === null) return refuse('invalid_request', 'The request is too large', 413);
  const form = new URLSearchParams(sent);
  const body = dropSlash(form) ? form.toString() : sent;
  // A request to `/revoke` may end a token but must not create one.
  if (isRevocation && form.has('grant_type')) return refuse('invalid_request', 'grant_type is not allowed here', 400);
  const clientId = findClientMetadataUrl(form, request.headers.get('authorization'));
  const verdict = clientId === null ? 'allowed' : await deps.judgeClientUrl(clientId);
  if (verdict === 'refused') return refuse('invalid_client', 'Client not found', 401);
  // The client's document cannot be fetched now. After `invalid_client`, clients may discard their connection.
  if (verdict === 'unreachable') return refuse('temporarily_unavailable', 'Try again later', 503);
  const tokens = new RefreshTokenRequest(env, form.get(isRevocation ? 'token' : 'refresh_token'), {
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
      // Another request replaced this refresh token at the same moment.
      return refuse('temporarily_unavailable', 'Try again', 503, SECOND_MS);
  }
}

/**
 * Drops the trailing slash of the `resource` parameter, which some clients send as `…/mcp/`.
 * @param parameters modified in place. @returns true if they changed
 */
function dropSlash(parameters: URLSearchParams): boolean {
  const named = parameters.getAll('resource');
  const plain = named.map((resource) => resource.replace(/\/mcp\/(?=$|\?)/, PATHS.mcp));
  if (plain.every((resource, n) => resource === named[n])) return false;
  parameters.delete('resource');
  for (const resource of plain) parameters.append('resource', resource);
  return true;
}

/** Answers a client registration. Caps the body while reading it, and validates it before the library stores it. */
async function answerRegistration(request: Request, deps: AuthDeps, env: Env, forward: Forward): Promise<Response> {
  const refuse = refuser(deps, request.headers.get('origin'));
  const body = await readBodyText(request.body, CLIENT_METADATA_BYTES_MAX);
  if (body === null) {
    return refuse('invalid_client_metadata', `A registration has at most ${CLIENT_METADATA_BYTES_MAX} bytes`, 413);
  }
  const sent = parseJson(body);
  const tooLarge = findMetadataProblem(sent);
  if (tooLarge !== null) return refuse(tooLarge.error, tooLarge.description, 400);
  // The library itself refuses a body that is not a JSON object.
  const { metadata, problem } = isJsonObject(sent) ? dropUnsupportedMetadata(sent) : { metadata: null, problem: null };
  if (problem !== null) return refuse(problem.error, problem.description, 400);
  const attempt = await deps.signIn.takeAttempt(listRegistrationLimits(clientAddress(request, deps.config)));
  if (!attempt.granted) return refuse('temporarily_unavailable', 'Too many registrations', 429, attempt.retryAfterMs);
  const now = Date.now();
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  const registered = metadata === null ? body : JSON.stringify(metadata);
  const forwarded = new Request(request.url, { method: 'POST', headers, body: registered });
  const answer = await forward(forwarded, withShortRegistration(env, now));
  await noteRegistration(answer, deps.signIn, env.OAUTH_KV, now);
  return answer;
}

/**
 * Builds the function that refuses a request with an OAuth error.
 * @param origin origin of the calling web page, which CORS then allows to read the refusal
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

const registration = z.object({ client_id: z.string() });
const keptClient = z.looseObject({ registrationExpiresAt: z.number().optional() });

/**
 * The environment for a registration, in which an unused client expires after a short time. With the client's first
 * token, the library extends this time to the lifetime of the client's connections.
 */
function withShortRegistration(env: Env, now: number): Env {
  const store = env.OAUTH_KV;
  const expiresAt = Math.floor(now / SECOND_MS) + UNUSED_CLIENT_TTL_SECONDS;
  const short = new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      if (member !== 'put') return value.bind(store);
      return (name: string, record: string) =>
        store.put(name, JSON.stringify({ ...keptClient.parse(JSON.parse(record)), registrationExpiresAt: expiresAt }), {
          expirationTtl: UNUSED_CLIENT_TTL_SECONDS,
        });
    },
  });
  return { ...env, OAUTH_KV: short };
}

async function noteRegistration(answer: Response, signIn: SignInObject, store: KVNamespace, now: number) {
  if (answer.status !== 201) return;
  const { client_id: id } = registration.parse(await answer.clone().json());
  for (const old of await noted(id, signIn, store)) {
    const stored = keptClient.safeParse(await store.get(`client:${old}`, 'json'));
    const unusedUntil = now / SECOND_MS + UNUSED_CLIENT_TTL_SECONDS;
    if ((stored.data?.registrationExpiresAt ?? Infinity) <= unusedUntil) await store.delete(`client:${old}`);
  }
}

/**
 * Records a new client as unused. If that fails, deletes the client.
 * @returns old unused clients that may be deleted
 */
async function noted(id: string, signIn: SignInObject, store: KVNamespace): Promise<string[]> {
  try {
    return await signIn.noteClient(id);
  } catch (error) {
    await store.delete(`client:${id}`).catch(() => undefined);
    throw error;
  }
}

/**
 * URL of the metadata document that the library would fetch for a token or revocation request; `null` if the client ID
 * is not a URL. The client ID may be in the form, in HTTP Basic or in a signed assertion, and is not verified yet.
 * @param authorization the header
 */
function findClientMetadataUrl(form: URLSearchParams, authorization: string | null): string | null {
  const candidates = [...form.getAll('client_id'), basicUser(authorization), issuerOf(form.get('client_assertion'))];
  return candidates.find((id) => id !== null && isClientMetadataUrl(id)) ?? null;
}

/** Reads the client ID from HTTP Basic, where it is form-encoded (RFC 6749 §2.3.1). */
function basicUser(authorization: string | null): string | null {
  const encoded = /^basic\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent((atob(encoded).split(':')[0] ?? '').replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Reads `iss` of a signed client assertion (RFC 7523 §3). */
function issuerOf(assertion: string | null): string | null {
  const payload = assertion?.split('.')[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const issuer: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'iss') : null;
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}
