import { HOUR_MS } from '#core/limits.ts';
import * as oauth from 'oauth4webapi';
import type { Config } from '#core/config/config.ts';
import type { UpstreamAccount } from './account.ts';
import { oneLine } from '#core/text/text.ts';
import { createBoundedFetch, runUpstreamSignIn, hasAllowedEmailEntries, UpstreamError } from './upstream.ts';
import type { SignInFlow, Upstream, UpstreamFetch } from './upstream.ts';

/** Maximum characters of the name of an account, because accounts are stored in cookies. */
const ACCOUNT_NAME_CHARS_MAX = 60;
/** Cache lifetime of a provider's metadata, whose endpoints rarely change. The library caches keys for five minutes. */
const UPSTREAM_METADATA_TTL_MS = 1 * HOUR_MS;
const UPSTREAM_CLOCK_AHEAD_SECONDS = 60;

/** Public-key algorithms only. With `none` or an HMAC, anyone who knows the client ID or public key could sign. */
const SIGNATURES: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

type Provider = { issuer: string; clientId: string; clientSecret: string };
type CachedProvider = { server: oauth.AuthorizationServer; keys: oauth.JWKSCacheInput; until: number };

/**
 * Sign-in at an OpenID Connect provider: discovery, authorization code with PKCE, and an ID token whose signature and
 * claims are verified (OpenID Connect Core §3.1.3.7). `null` if not configured.
 */
export function createOidcUpstream(config: Config, fetch: UpstreamFetch, now: () => number): Upstream | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const provider: Provider = { issuer, clientId, clientSecret };
  const hasEmails = hasAllowedEmailEntries(config);
  let cached: CachedProvider | undefined;
  const learn = async (requests: Options): Promise<CachedProvider> => {
    if (cached === undefined || cached.until <= now()) cached = await discover(provider, requests, now());
    return cached;
  };
  /** Runs work at the provider. A failure clears the cached metadata, because outdated metadata may be the cause. */
  const orForget = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await runUpstreamSignIn(work);
    } catch (error) {
      cached = undefined;
      throw error;
    }
  };
  return {
    way: 'oidc',
    label: new URL(issuer).host,
    authorizationUrl: (flow) =>
      orForget(async (signal) => {
        const { server } = await learn(options(provider, fetch, signal));
        const { authorization_endpoint: endpoint = '' } = server;
        if (!URL.canParse(endpoint)) throw new UpstreamError('unreadable', 'no_authorization_endpoint');
        const url = new URL(endpoint);
        oauth.checkProtocol(url, !isInsecure(provider));
        const challenge = await oauth.calculatePKCECodeChallenge(flow.verifier);
        for (const [name, value] of Object.entries({
          response_type: 'code',
          client_id: clientId,
          redirect_uri: flow.redirectUri,
          scope: hasEmails ? 'openid email profile' : 'openid profile',
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        })) {
          url.searchParams.set(name, value);
        }
        return url;
      }),
    identify: (answer, flow) =>
      orForget(async (signal) => {
        const requests = options(provider, fetch, signal);
        return identify(provider, await learn(requests), answer, flow, hasEmails, requests, now());
      }),
  };
}

type Options = ReturnType<typeof options>;

function options(provider: Provider, fetch: UpstreamFetch, signal: AbortSignal) {
  return {
    [oauth.customFetch]: createBoundedFetch(fetch, signal),
    [oauth.allowInsecureRequests]: isInsecure(provider),
  };
}

/** True for a provider on http. The configuration allows this only on a loopback host, for development. */
function isInsecure({ issuer }: Provider): boolean {
  return issuer.startsWith('http:');
}

async function discover(provider: Provider, requests: Options, now: number): Promise<CachedProvider> {
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, { ...requests, algorithm: 'oidc' });
  const server = await metadataIn(issuer, response);
  // The issuer must match exactly (OpenID Connect Discovery §4.3), because tokens name this issuer, and sessions are
  // checked against the configured one.
  if (server.issuer !== provider.issuer) throw new UpstreamError('refused', 'issuer_is_spelled_otherwise');
  const offered = server.id_token_signing_alg_values_supported ?? ['RS256'];
  const signatures = offered.filter((name) => SIGNATURES.includes(name));
  return {
    server: { ...server, id_token_signing_alg_values_supported: signatures },
    keys: {},
    until: now + UPSTREAM_METADATA_TTL_MS,
  };
}

/** Parses a provider's metadata. Malformed metadata is reported as `unreadable`, not as a failed proof of identity. */
async function metadataIn(issuer: URL, response: Response): Promise<oauth.AuthorizationServer> {
  try {
    return await oauth.processDiscoveryResponse(issuer, response);
  } catch (error) {
    const isFormless = error instanceof oauth.OperationProcessingError && error.code === oauth.INVALID_RESPONSE;
    if (!isFormless) throw error;
    throw new UpstreamError('unreadable', 'no_metadata', { cause: error });
  }
}

async function identify(
  provider: Provider,
  source: CachedProvider,
  answer: URLSearchParams,
  { redirectUri, state, nonce, verifier }: SignInFlow,
  hasEmails: boolean,
  requests: Options,
  now: number,
): Promise<UpstreamAccount> {
  const { server } = source;
  const client: oauth.Client = { client_id: provider.clientId };
  // Before the code is used, checks that the response has our `state` and the provider's `iss` (RFC 9207).
  const code = oauth.validateAuthResponse(server, client, answer, state);
  const auth = clientAuth(server, provider.clientSecret);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    code,
    redirectUri,
    verifier,
    requests,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await verifySignature(source, response, requests);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new UpstreamError('refused', 'no_id_token');
  if (claims.iat > now / 1000 + UPSTREAM_CLOCK_AHEAD_SECONDS)
    throw new UpstreamError('refused', 'issued_in_the_future');
  const facts =
    server.userinfo_endpoint === undefined
      ? claims
      : await completeClaims(claims, hasEmails, () =>
          userInfo(server, client, tokens.access_token, claims.sub, requests),
        );
  const emails = verifiedEmails(facts['email'], facts['email_verified']);
  const name = nameIn(facts) ?? emails[0];
  return { way: 'oidc', issuer: provider.issuer, id: claims.sub, emails, ...(name === undefined ? {} : { name }) };
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * The ID token's claims; or those of the user info, if the token lacks the address, and the address is needed or the
 * token also lacks every name.
 * @param needsEmail false if the claims are only shown: then a failed request does not prevent the sign-in
 */
async function completeClaims(claims: Claims, needsEmail: boolean, ask: () => Promise<Claims>): Promise<Claims> {
  if (claims['email'] !== undefined) return claims;
  if (needsEmail) return ask();
  return nameIn(claims) === undefined ? ask().catch(() => claims) : claims;
}

/** A name to show. Names like an e-mail address are ignored, because users can enter any name at their provider. */
function nameIn(claims: Claims): string | undefined {
  return [claims['name'], claims['preferred_username']]
    .map((claim) => (typeof claim === 'string' ? oneLine(claim, ACCOUNT_NAME_CHARS_MAX) : ''))
    .find((name) => name !== '' && !name.includes('@'));
}

/** Fetches claims that the ID token lacks, such as e-mail addresses, for the token's `sub` (OIDC Core §5.3.2). */
async function userInfo(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  accessToken: string,
  subject: string,
  requests: Options,
) {
  const response = await oauth.userInfoRequest(server, client, accessToken, requests);
  return oauth.processUserInfoResponse(server, client, subject, response);
}

/** Verified addresses only, because users can enter any address at their provider. */
function verifiedEmails(email: unknown, verified: unknown): string[] {
  return typeof email === 'string' && verified === true ? [email.toLowerCase()] : [];
}

/**
 * Verifies the ID token's signature with the provider's cached keys. If none of them has the token's key ID, the keys
 * are fetched once again, because providers rotate keys without notice.
 */
async function verifySignature(source: CachedProvider, response: Response, requests: Options): Promise<void> {
  const verify = () =>
    // A copy of the metadata, because the library caches keys by this object and would delay fetching newer keys.
    oauth.validateApplicationLevelSignature({ ...source.server }, response, {
      ...requests,
      [oauth.jwksCache]: source.keys,
    });
  const hadKeys = 'jwks' in source.keys;
  try {
    await verify();
  } catch (error) {
    const isUnknownKey = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!hadKeys || !isUnknownKey) throw error;
    source.keys = {};
    await verify();
  }
}

function clientAuth(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  // A provider that lists no method expects `client_secret_basic` (OpenID Connect Discovery §3). If both are listed,
  // the secret goes in the body, because not every provider decodes the form-encoded secret of a Basic header (RFC 6749
  // §2.3.1).
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_post') ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}
