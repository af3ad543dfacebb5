import { getOAuthApi } from '@cloudflare/workers-oauth-provider';
import { env, exports } from 'cloudflare:workers';
import { providerOptions } from '#auth/provider.ts';
import { parseConfig } from '#core/config.ts';
import type { Scope } from '#core/principal.ts';
import { MCP_URL } from './mcp-call.ts';

const ORIGIN = 'http://localhost';
const REDIRECT = 'https://client.acme.dev/callback';

/**
 * An access token as a client gets it: registration, authorization code with PKCE, exchange – all at the real endpoints;
 * only the person's consent is given in code.
 */
export async function grantFor(subject: string, scopes: readonly Scope[]): Promise<string> {
  const registered = await exports.default.fetch(`${ORIGIN}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A test client',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id: clientId } = await registered.json<{ client_id: string }>();
  const verifier = 'v'.repeat(64);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: scopes.join(' '),
    state: 'state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: MCP_URL,
  });
  const nowhere = { fetch: () => new Response('not used') };
  const api = getOAuthApi(
    providerOptions(ORIGIN, parseConfig({ ...env }), {
      mcp: async () => new Response('not used'),
      pages: nowhere,
      refused: () => undefined,
    }),
    env,
  );
  const request = await api.parseAuthRequest(new Request(`${ORIGIN}/authorize?${query.toString()}`));
  const { redirectTo } = await api.completeAuthorization({
    request,
    userId: subject,
    metadata: {},
    scope: [...scopes],
    props: { subject, scopes: [...scopes] },
  });
  const exchanged = await exports.default.fetch(`${ORIGIN}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code: new URL(redirectTo).searchParams.get('code') ?? '',
      code_verifier: verifier,
      resource: MCP_URL,
    }),
  });
  const { access_token: token } = await exchanged.json<{ access_token: string }>();
  return token;
}
