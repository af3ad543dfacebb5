import { getOAuthApi, OAuthError } from '@cloudflare/workers-oauth-provider';
import type { OAuthHelpers, OAuthProviderOptions } from '@cloudflare/workers-oauth-provider';
import { abilitiesOf } from '#core/abilities.ts';
import type { Config } from '#core/config/config.ts';
import { PATHS, resourceMetadataUrl } from '#core/paths.ts';
import { REFRESH_TOKEN_IDLE_TTL_SECONDS } from '#auth/limits.ts';
import { SCOPES } from '#core/principal.ts';
import type { Principal } from '#core/principal.ts';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import { LOCAL_TOKEN_CLIENT_ID, isLocalAccessToken, findAccessTokenProps } from '#auth/people/access-tokens.ts';
import type { AccessTokenStore, PeopleStore } from '#storage/people.ts';
import { resolveCaller, deploymentIdentity, isGrantAlive } from '#auth/people/principal.ts';
import type { JudgeClientUrl } from './gated-fetch.ts';
import { runWithoutFetchGate } from './gated-fetch.ts';
import { OFFLINE_ACCESS } from '#auth/people/scopes.ts';
import { offeredScopes } from '#tools/catalog.ts';
import { guardOAuthStore } from './refresh-tokens.ts';
import type { FindGrants } from './refresh-tokens.ts';
import type { Consents } from '#client/consents.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { SignInObject } from '#auth/people/principal.ts';
import type { UpstreamFetch } from '#auth/people/upstream.ts';

export type AuthDeps = {
  origin: string;
  config: Config;
  /** Logs a refusal: its code and status, never a credential. */
  refused: (code: string, status: number) => void;
  report: (error: unknown) => void;
  consentsOf: (subject: string) => ObjectCalls<Consents>;
  grantsOf: FindGrants;
  signIn: SignInObject;
  tokens: AccessTokenStore;
  people: PeopleStore;
  askUpstream: UpstreamFetch;
  judgeClientUrl: JudgeClientUrl;
};

/**
 * Handlers that the OAuth library calls: `mcp` for requests to `/mcp` with a valid token, `pages` for all other
 * requests that the library does not answer itself.
 */
export type OAuthHandlers = {
  mcp: (request: Request, principal: Principal, ctx: ExecutionContext) => Promise<Response>;
  pages: (request: Request, ctx: ExecutionContext) => Promise<Response>;
};

/**
 * The authorization server and the guard of `/mcp` for one public origin: 401 with `WWW-Authenticate`, protected
 * resource metadata (RFC 9728), authorization server metadata (RFC 8414), PKCE S256, CIMD and DCR, and refresh tokens,
 * whose rotation `refresh-tokens.ts` decides.
 */
export function providerOptions(deps: AuthDeps, guarded: OAuthHandlers): OAuthProviderOptions<Env> {
  const { origin, config, refused } = deps;
  const resource = origin + PATHS.mcp;
  return {
    apiRoute: PATHS.mcp,
    apiHandler: {
      fetch: async (request, _, ctx) => {
        const caller = await resolveCaller(ctx, config, deps.people.admissions);
        if (caller === null) {
          refused('account_not_admitted', 401);
          return invalidToken(resourceMetadataUrl(origin));
        }
        const { principal, account } = caller;
        // The user's visit is recorded after the response, so that it neither delays the call nor makes it fail.
        const met = deps.people.met(principal.subject, account);
        ctx.waitUntil(met.catch(deps.report));
        return runWithoutFetchGate(() => guarded.mcp(request, principal, ctx));
      },
    },
    defaultHandler: { fetch: (request, _, ctx) => runWithoutFetchGate(() => guarded.pages(request, ctx)) },
    authorizeEndpoint: PATHS.authorize,
    tokenEndpoint: PATHS.token,
    clientRegistrationEndpoint: PATHS.register,
    clientIdMetadataDocumentEnabled: true,
    // Safe, because `client-metadata.ts` accepts only known schemes and reversed domain names.
    allowPrivateUseRedirectUris: true,
    accessTokenTTL: config.ACCESS_TOKEN_TTL_SECONDS,
    refreshTokenTTL: REFRESH_TOKEN_IDLE_TTL_SECONDS,
    refreshTokenIdleTTL: REFRESH_TOKEN_IDLE_TTL_SECONDS,
    scopesSupported: [...offeredScopes(abilitiesOf(config)), OFFLINE_ACCESS],
    requiredScopes: ['web:read'],
    resourceMetadata: {
      resource,
      authorization_servers: [origin],
      bearer_methods_supported: ['header'],
      resource_name: 'Periscope',
    },
    onError: ({ code, status }) => refused(code, status),
    // Ends the grant of a user who may no longer sign in. A client understands `invalid_grant` as "sign in again".
    tokenExchangeCallback: async ({ props }) => {
      if (await isGrantAlive(props, config, deps.people.admissions)) return;
      throw new OAuthError('invalid_grant', { description: 'This account may no longer use the server' });
    },
    resolveExternalToken: async ({ token, request }) => {
      const { tokens, people } = deps;
      const own = await findAccessTokenProps(token, { tokens, config, admissions: people.admissions }, Date.now());
      if (own !== null) return { props: own, audience: resource };
      if (!(await isLocalAccessToken(token, config.LOCAL_ACCESS_TOKEN, request.url))) return null;
      const { ownerSubject } = await deploymentIdentity(deps.signIn);
      const given = { subject: ownerSubject, account: PASSPHRASE_ACCOUNT, givenAt: Date.now() };
      const props = { ...given, scopes: [...SCOPES], client: LOCAL_TOKEN_CLIENT_ID };
      return { props, audience: resource };
    },
  };
}

/**
 * The library's API for pages and jobs of this origin. `env.OAUTH_PROVIDER` would always serve the isolate's first
 * origin.
 */
export function oauthApi(deps: AuthDeps, env: Env): OAuthHelpers {
  return getOAuthApi(providerOptions(deps, NOTHING), guardOAuthStore(env, deps.grantsOf));
}

const nothing = async () => new Response(null, { status: 404 });
const NOTHING: OAuthHandlers = { mcp: nothing, pages: nothing };

/** Response to an invalid token, equal to the library's, so that clients react in the same way (RFC 6750 §3.1). */
function invalidToken(metadataUrl: string): Response {
  const header = `Bearer realm="OAuth", resource_metadata="${metadataUrl}", error="invalid_token", scope="web:read"`;
  return Response.json(
    { error: 'invalid_token', error_description: 'Invalid access token' },
    { status: 401, headers: { 'www-authenticate': header, 'cache-control': 'no-store' } },
  );
}
