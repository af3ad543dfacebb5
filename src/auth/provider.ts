import { OAuthError } from '@cloudflare/workers-oauth-provider';
import type { OAuthProviderOptions } from '@cloudflare/workers-oauth-provider';
import type { Config } from '#core/config.ts';
import { ACCESS_TOKEN_TTL_SECONDS, REFRESH_TOKEN_IDLE_TTL_SECONDS } from './limits.ts';
import { SCOPES } from '#core/principal.ts';
import type { Principal } from '#core/principal.ts';
import { propsOfAccessToken } from './access-tokens.ts';
import type { AccessTokenRows } from '#storage/access-tokens.ts';
import { invalidToken, isStillAdmitted, principalOf } from './caller.ts';
import type { JudgeClientUrl } from './client-id.ts';
import { outsideLibrary } from './library-fetch.ts';
import { isLocalAccessToken } from './local-token.ts';
import { OFFLINE_ACCESS, offeredScopes } from './scopes.ts';
import { deploymentIdentity } from './sign-in-port.ts';
import type { SignInObject } from './sign-in-port.ts';
import type { UpstreamFetch } from './upstream.ts';

export const MCP_PATH = '/mcp';
export const AUTHORIZE_PATH = '/authorize';
export const TOKEN_PATH = '/token';
export const REGISTER_PATH = '/register';
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Where the protected resource metadata of this origin is. */
export function resourceMetadataUrl(origin: string): string {
  return origin + RESOURCE_METADATA_PATH + MCP_PATH;
}

type Handler = { fetch: (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response> };

/** What the door needs: the MCP endpoint with its caller, every other page, and what the door itself asks. */
export type Doors = {
  /** Logs a refusal: its code and status, never a credential. */
  refused: (code: string, status: number) => void;
  mcp: (request: Request, principal: Principal, env: Env, ctx: ExecutionContext) => Promise<Response>;
  pages: Handler;
  signIn: SignInObject;
  tokens: AccessTokenRows;
  /** How to reach the providers that people sign in with. */
  askUpstream: UpstreamFetch;
  judgeClientUrl: JudgeClientUrl;
};

/**
 * The authorization server and the guard of `/mcp` for one public origin: 401 with `WWW-Authenticate`, protected
 * resource metadata (RFC 9728), authorization server metadata (RFC 8414), PKCE S256, CIMD and DCR, rotating refresh
 * tokens of which the last-but-one still works until its successor is used.
 */
export function providerOptions(origin: string, config: Config, doors: Doors): OAuthProviderOptions<Env> {
  const resource = origin + MCP_PATH;
  return {
    apiRoute: MCP_PATH,
    apiHandler: {
      fetch: (request, env, ctx) => {
        const principal = principalOf(ctx, config);
        if (principal === null) {
          doors.refused('account_not_admitted', 401);
          return invalidToken(resourceMetadataUrl(origin));
        }
        return outsideLibrary(() => doors.mcp(request, principal, env, ctx));
      },
    },
    defaultHandler: { fetch: (request, env, ctx) => outsideLibrary(() => doors.pages.fetch(request, env, ctx)) },
    authorizeEndpoint: AUTHORIZE_PATH,
    tokenEndpoint: TOKEN_PATH,
    clientRegistrationEndpoint: REGISTER_PATH,
    clientIdMetadataDocumentEnabled: true,
    accessTokenTTL: ACCESS_TOKEN_TTL_SECONDS,
    refreshTokenTTL: REFRESH_TOKEN_IDLE_TTL_SECONDS,
    refreshTokenIdleTTL: REFRESH_TOKEN_IDLE_TTL_SECONDS,
    scopesSupported: [...offeredScopes(config), OFFLINE_ACCESS],
    requiredScopes: ['web:read'],
    resourceMetadata: {
      resource,
      authorization_servers: [origin],
      bearer_methods_supported: ['header'],
      resource_name: 'Periscope',
    },
    onError: ({ code, status }) => doors.refused(code, status),
    // Ends the grant of a person who may no longer sign in; to clients, `invalid_grant` means "sign in again".
    tokenExchangeCallback: ({ props }) => {
      if (isStillAdmitted(props, config)) return;
      throw new OAuthError('invalid_grant', { description: 'This account may no longer use the server' });
    },
    resolveExternalToken: async ({ token, request }) => {
      const made = await propsOfAccessToken(token, doors.tokens, config, Date.now());
      if (made !== null) return { props: made, audience: resource };
      if (!(await isLocalAccessToken(token, config.LOCAL_ACCESS_TOKEN, request.url))) return null;
      const { ownerSubject } = await deploymentIdentity(doors.signIn);
      return { props: { subject: ownerSubject, scopes: [...SCOPES] }, audience: resource };
    },
  };
}
