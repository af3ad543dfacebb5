import { createScheduledController } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { purgeExpiredGrants } from '#auth/server/connections.ts';
import { abilitiesOf } from '#core/abilities.ts';
import { parseConfig } from '#core/config/config.ts';
import { offeredScopes } from '#tools/catalog.ts';
import { oauthApi } from '../../support/grants.ts';
import worker from '../../../src/index.ts';
import { MCP_URL } from '../../support/mcp-call.ts';
import { leftTo } from '../../support/oauth-browser.ts';
import {
  allow,
  authorizationRequest,
  codeFields,
  consentPage,
  ORIGIN,
  personsBrowser,
  refresh as renew,
  register,
  tokenRequest,
} from '../../support/oauth-journey.ts';

const get = async (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(ORIGIN + path, { headers });

afterEach(() => vi.restoreAllMocks());

describe('discovery', () => {
  it('starts at a bare 401 that names the metadata', async () => {
    const response = await exports.default.fetch(MCP_URL, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toContain(`resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`);
    expect(challenge).toContain('scope="web:read"');
  });

  it('finds the same resource metadata with the path and at the root', async () => {
    const [withPath, root] = await Promise.all(
      ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'].map((path) => get(path)),
    );
    const metadata = await withPath?.json();
    expect(metadata).toEqual({
      resource: MCP_URL,
      authorization_servers: [ORIGIN],
      scopes_supported: ['web:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Periscope',
    });
    expect(await root?.json()).toEqual(metadata);
  });

  it('works with a slash at the end of the address, too', async () => {
    const refused = await exports.default.fetch(`${MCP_URL}/`, { method: 'POST', body: '{}' });
    const metadataUrl = `${ORIGIN}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${metadataUrl}"`);
    expect(await (await get('/.well-known/oauth-protected-resource/mcp/')).json()).toMatchObject({ resource: MCP_URL });

    const client = await register();
    for (const resource of [`${MCP_URL}/`, `${MCP_URL}/?toolsets=web`]) {
      const { url, verifier } = await authorizationRequest(client, { resource });
      const browser = personsBrowser();
      const code = leftTo(await allow(browser, await consentPage(browser, url))).searchParams.get('code') ?? '';
      const exchanged = await tokenRequest({ ...codeFields(client, code, verifier), resource });
      const tokens = await exchanged.json<{ access_token: string; refresh_token: string; resource: string }>();
      expect(tokens.resource).toBe(MCP_URL);
      const renewed = await renew({ ...tokens, scope: '', client }, { resource });
      const authorization = `Bearer ${renewed.access_token}`;
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const headers = {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const called = await exports.default.fetch(`${MCP_URL}/?toolsets=web`, { method: 'POST', headers, body });
      expect(await called.text()).toContain('"web_open"');
    }
  });

  it('refuses another resource', async () => {
    const client = await register();
    for (const resource of [`${MCP_URL}//`, `${ORIGIN}/mcp/x`, `${ORIGIN}/x/mcp/`, 'https://evil.acme.dev/mcp/']) {
      const { url } = await authorizationRequest(client, { resource });
      expect((await exports.default.fetch(url, { redirect: 'manual' })).status).toBe(400);
    }
  });

  it('gives hosts all the facts that they need, with one spelling of the issuer', async () => {
    const metadata = await (await get('/.well-known/oauth-authorization-server')).json<Record<string, string[]>>();
    expect(metadata).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/authorize`,
      token_endpoint: `${ORIGIN}/token`,
      registration_endpoint: `${ORIGIN}/register`,
      revocation_endpoint: `${ORIGIN}/revoke`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      response_types_supported: ['code'],
    });
    expect(metadata['token_endpoint_auth_methods_supported']).toEqual(
      expect.arrayContaining(['none', 'private_key_jwt']),
    );
    expect(metadata['scopes_supported']).toEqual([
      ...offeredScopes(abilitiesOf(parseConfig({ ...env }))),
      'offline_access',
    ]);
    expect(metadata['scopes_supported']).toEqual(expect.arrayContaining(['web:read', 'cache:purge']));
  });

  it.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/token',
    '/revoke',
    '/register',
    '/mcp',
  ])('is open to the web pages of connector hosts: %s', async (path) => {
    const headers = { origin: 'https://claude.ai', 'access-control-request-method': 'POST' };
    const response = await exports.default.fetch(ORIGIN + path, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://claude.ai');
  });

  it('lets the web pages of connector hosts read responses, including refusals and their challenge', async () => {
    const origin = 'https://claude.ai';
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server']) {
      expect((await get(path, { origin })).headers.get('access-control-allow-origin')).toBe(origin);
    }
    const fields = { grant_type: 'refresh_token', refresh_token: 'a:b:c', client_id: 'long-gone' };
    const refused = await tokenRequest(fields, '/token', { origin });
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
    const ours = await tokenRequest({ ...fields, client_id: 'https://127.0.0.1/c.json' }, '/token', { origin });
    expect(ours.headers.get('access-control-allow-origin')).toBe(origin);
    const init = { method: 'POST', headers: { origin }, body: '{}' };
    const challenged = await exports.default.fetch(MCP_URL, init);
    expect(challenged.headers.get('access-control-allow-origin')).toBe(origin);
    expect(challenged.headers.get('access-control-expose-headers')?.toLowerCase()).toMatch(/www-authenticate|\*/);
    const stranger = await exports.default.fetch(MCP_URL, { ...init, headers: { origin: 'https://evil.dev' } });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is the same behind a tunnel that uses http', async () => {
    const challenge = (await exports.default.fetch('http://127.0.0.1/mcp', { method: 'POST', body: '{}' })).headers;
    expect(challenge.get('www-authenticate')).toContain('http://127.0.0.1/.well-known/oauth-protected-resource/mcp');
  });
});

describe('errors of the token endpoint', () => {
  it('are those of OAuth: unknown values are invalid, never an internal error', async () => {
    const client = await register();
    const refused = async (fields: Record<string, string>) => {
      const response = await tokenRequest(fields);
      return `${response.status} ${(await response.json<{ error: string }>()).error}`;
    };
    const refresh = { grant_type: 'refresh_token', refresh_token: 'a:b:c' };
    expect(await refused({ ...refresh, client_id: client.id })).toBe('400 invalid_grant');
    expect(await refused({ ...refresh, client_id: 'long-gone' })).toBe('401 invalid_client');
    expect(await refused({ grant_type: 'password', client_id: client.id })).toBe('400 unsupported_grant_type');
    expect(await refused({ ...refresh, client_id: client.id, state: 'x'.repeat(100_000) })).toBe('413 invalid_request');
    expect(await refused({ ...refresh, client_id: 'https://nowhere.acme.dev/c.json' })).toBe(
      '503 temporarily_unavailable',
    );
  });
});

describe('a client with a secret', () => {
  it('is accepted with its secret, by form or header, and refused without', async () => {
    for (const method of ['client_secret_post', 'client_secret_basic']) {
      const client = await register({ token_endpoint_auth_method: method });
      const { id, secret = '' } = client;
      const { url, verifier } = await authorizationRequest(client);
      const browser = personsBrowser();
      const left = leftTo(await allow(browser, await consentPage(browser, url)));
      const {
        client_id: _,
        client_secret: __,
        ...fields
      } = codeFields(client, left.searchParams.get('code') ?? '', verifier);
      const send = (given: string) =>
        method === 'client_secret_post'
          ? tokenRequest({ ...fields, client_id: id, client_secret: given })
          : tokenRequest(fields, '/token', { authorization: `Basic ${btoa(`${id}:${given}`)}` });
      expect((await send('wrong')).status).toBe(401);
      expect((await tokenRequest({ ...fields, client_id: id })).status).toBe(401);
      expect((await send(secret)).status).toBe(200);
    }
  });
});

describe('the hourly purge', () => {
  it('removes unusable records, in batches, and continues where it stopped', async () => {
    const gone = Math.floor(Date.now() / 1_000) - 1_000;
    const names = Array.from({ length: 150 }, (_, n) => `grant:o_old:g${String(n).padStart(3, '0')}`);
    for (const name of names) {
      await env.OAUTH_KV.put(
        name,
        JSON.stringify({ id: name.slice(-4), userId: 'o_old', clientId: 'none', expiresAt: gone }),
      );
    }
    const left = async () => (await env.OAUTH_KV.list({ prefix: 'grant:o_old:' })).keys.length;
    await purgeExpiredGrants(oauthApi(), env.OAUTH_KV);
    const afterOne = await left();
    expect(afterOne).toBeGreaterThan(0);
    expect(afterOne).toBeLessThan(150);
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await worker.scheduled(createScheduledController(), env);
    expect(await left()).toBe(0);
  });

  it('continues where the previous run stopped, and starts over after the last key', async () => {
    const begun: (string | undefined)[] = [];
    const stops = ['after-a', 'after-b', undefined, undefined];
    const oauth = {
      purgeExpiredData: async ({ cursor }: { cursor?: string } = {}) => {
        begun.push(cursor);
        const stop = stops[begun.length - 1];
        const counts = {
          grantsChecked: 3,
          grantsPurged: 2,
          tokensPurged: 1,
          tokensChecked: 3,
          done: stop === undefined,
        };
        return stop === undefined ? counts : { ...counts, cursor: stop };
      },
    };
    for (const _ of stops) expect(await purgeExpiredGrants(oauth, env.OAUTH_KV)).toBe(3);
    expect(begun).toEqual([undefined, 'after-a', 'after-b', undefined]);
  });
});
