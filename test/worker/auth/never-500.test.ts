import { exports } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MCP_URL } from '../../support/mcp-call.ts';
import { ORIGIN, REDIRECT, register } from '../../support/oauth-journey.ts';
import { stories } from '#support/stories.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };

const ask = (path: string, init: RequestInit = {}) =>
  exports.default.fetch(ORIGIN + path, { redirect: 'manual', ...init });

/** Strange values for a URL, an id or a text. */
const STRANGE = [
  '',
  ' ',
  '%',
  '%00',
  '\u0000',
  'https://',
  'https://[',
  'https://a',
  'https://docs.acme.dev/%zz',
  'https://docs.acme.dev/c.json#f',
  'https://user:pass@docs.acme.dev/c.json',
  'https://docs.acme.dev/../c.json',
  'javascript:alert(1)',
  'a:b:c',
  '::',
  '💥',
  'x'.repeat(10_000),
  `${'x'.repeat(600)}:b:c`,
  `a:${'x'.repeat(600)}:c`,
];

describe('a request of a client never causes an internal error', () => {
  it.each(['client_id', 'redirect_uri', 'resource', 'scope', 'state', 'code_challenge', 'response_type', 'prompt'])(
    'at /authorize with a strange %s',
    async (name) => {
      const { id } = await register();
      for (const strange of STRANGE) {
        const query = new URLSearchParams({
          response_type: 'code',
          client_id: id,
          redirect_uri: REDIRECT,
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
          resource: MCP_URL,
          [name]: strange,
        });
        expect((await ask(`/authorize?${query.toString()}`)).status).toBeLessThan(500);
        expect((await ask(`/authorize?${query.toString()}&${name}=again`)).status).toBeLessThan(500);
      }
    },
  );

  it.each(['client_id', 'code', 'code_verifier', 'refresh_token', 'token', 'client_assertion', 'resource', 'scope'])(
    'at /token and /revoke with a strange %s',
    async (name) => {
      const { id } = await register();
      for (const strange of STRANGE) {
        for (const grant of [
          'authorization_code',
          'refresh_token',
          'urn:ietf:params:oauth:grant-type:token-exchange',
        ]) {
          const fields = new URLSearchParams({ grant_type: grant, client_id: id, [name]: strange }).toString();
          const answer = await ask('/token', { method: 'POST', headers: FORM, body: fields });
          // 503: clients must keep the connection if a document cannot be loaded now.
          expect([400, 401, 503]).toContain(answer.status);
          expect(typeof (await answer.json<{ error: unknown }>()).error).toBe('string');
        }
        const body = new URLSearchParams({ client_id: id, [name]: strange }).toString();
        expect([200, 400, 401, 503]).toContain((await ask('/revoke', { method: 'POST', headers: FORM, body })).status);
      }
    },
  );

  it('at /token with invalid headers', async () => {
    for (const authorization of ['Basic', 'Basic !', 'Basic JTp4', `Basic ${btoa('%:%')}`, 'Bearer x', 'Basic Og==']) {
      const headers = { ...FORM, authorization };
      const answer = await ask('/token', { method: 'POST', headers, body: 'grant_type=refresh_token&refresh_token=x' });
      expect(answer.status).toBeLessThan(500);
    }
    for (const headers of [JSON_BODY, { 'content-type': 'multipart/form-data' }, { 'content-type': 'x' }]) {
      expect((await ask('/token', { method: 'POST', headers, body: '{}' })).status).toBeLessThan(500);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await ask('/token', { method })).status).toBeLessThan(500);
  });

  it('at /mcp, with any value in place of a token', async () => {
    for (const strange of STRANGE.filter((text) => /^[\x21-\x7e]+$/.test(text))) {
      const headers = { ...JSON_BODY, authorization: `Bearer ${strange}` };
      expect((await ask('/mcp', { method: 'POST', headers, body: '{}' })).status).toBe(401);
    }
  });

  it('at /register, with any metadata', async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record(
          {
            redirect_uris: fc.oneof(fc.array(fc.oneof(fc.constantFrom(...STRANGE), fc.webUrl())), fc.jsonValue()),
            client_name: fc.oneof(fc.string(), fc.jsonValue()),
            token_endpoint_auth_method: fc.oneof(fc.constantFrom('none', 'client_secret_post'), fc.jsonValue()),
            grant_types: fc.jsonValue(),
            jwks: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((metadata) => JSON.stringify(metadata)),
    );
    let address = 0;
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        address += 1;
        const headers = { ...JSON_BODY, 'cf-connecting-ip': `198.18.0.${address % 250}` };
        const answer = await ask('/register', { method: 'POST', headers, body: text });
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: stories(25) },
    );
  });
});
