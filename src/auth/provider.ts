import { OAuthProvider } from '@cloudflare/workers-oauth-provider';
import type { OAuthProviderOptions } from '@cloudflare/workers-oauth-provider';
import * as z from 'zod';
import type { Config } from '#core/config.ts';
import { SCOPES } from '#core/principal.ts';
import type { Principal } from '#core/principal.ts';
import { isLocalAccessToken } from './local-token.ts';

export const MCP_PATH = '/mcp';

/** The subject behind `LOCAL_ACCESS_TOKEN`: the one person at the laptop. */
const LOCAL_SUBJECT = 'local-owner';

const principalProps = z.object({ subject: z.string().min(1), scopes: z.array(z.enum(SCOPES)) });

type Handler = { fetch: (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response> };

/** What stands behind the door: the MCP endpoint with its caller, and every other page. */
export type Doors = {
  /** Takes what the provider refused, for the log: its code and our reason, never a credential. */
  refused: (code: string, status: number) => void;
  mcp: (request: Request, principal: Principal, env: Env, ctx: ExecutionContext) => Promise<Response>;
  pages: Handler;
};

/**
 * The authorization server and the guard of `/mcp` for one public origin: 401 with `WWW-Authenticate`, protected
 * resource metadata (RFC 9728, path-inserted), authorization server metadata (RFC 8414), PKCE S256 only, CIMD and DCR.
 */
export function oauthProvider(origin: string, config: Config, doors: Doors): OAuthProvider<Env> {
  return new OAuthProvider<Env>(providerOptions(origin, config, doors));
}

export function providerOptions(origin: string, config: Config, doors: Doors): OAuthProviderOptions<Env> {
  const resource = origin + MCP_PATH;
  return {
    apiRoute: MCP_PATH,
    apiHandler: {
      fetch: (request, env, ctx) => {
        // What the provider hands over is our own `props`, but it comes as untyped data: parse it like any input.
        const principal = principalProps.safeParse(Reflect.get(ctx, 'props'));
        if (!principal.success) return new Response('The grant is not valid here.', { status: 403 });
        return doors.mcp(request, principal.data, env, ctx);
      },
    },
    defaultHandler: doors.pages,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/token',
    clientRegistrationEndpoint: '/register',
    clientIdMetadataDocumentEnabled: true,
    scopesSupported: [...SCOPES, 'offline_access'],
    requiredScopes: ['web:read'],
    resourceMetadata: {
      resource,
      authorization_servers: [origin],
      bearer_methods_supported: ['header'],
      resource_name: 'Periscope',
    },
    onError: ({ code, status }) => doors.refused(code, status),
    resolveExternalToken: async ({ token, request }) => {
      if (!(await isLocalAccessToken(token, config.LOCAL_ACCESS_TOKEN, request.url))) return null;
      return { props: { subject: LOCAL_SUBJECT, scopes: [...SCOPES] }, audience: resource };
    },
  };
}
