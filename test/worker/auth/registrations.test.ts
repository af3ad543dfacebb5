import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ORIGIN } from '../../support/oauth-journey.ts';

const SITE = 'https://client.acme.dev/callback';
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';
const JWT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

type Registered = Record<string, unknown> & { client_id: string };

let address = 0;
/** Sends each registration from a separate address, so that none uses up the limit of another. */
async function send(metadata: Record<string, unknown>, body = JSON.stringify({ redirect_uris: [SITE], ...metadata })) {
  address += 1;
  const answer = await exports.default.fetch(`${ORIGIN}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `198.51.100.${address}` },
    body,
  });
  return { status: answer.status, answer: await answer.json<Registered>() };
}

describe('a registration', () => {
  it.each<[string, unknown, string[]]>([
    ['what Claude sends', ['authorization_code', 'refresh_token', JWT], ['authorization_code', 'refresh_token']],
    ['what VS Code sends', ['authorization_code', 'refresh_token', DEVICE], ['authorization_code', 'refresh_token']],
    ['a grant and nothing that gives one', ['refresh_token'], ['authorization_code', 'refresh_token']],
    ['no list', null, ['authorization_code']],
    ['an empty list', [], ['authorization_code']],
    ['nothing in a list', [null, ''], ['authorization_code']],
  ])('keeps the grant types that this server has: %s', async (_, sent, kept) => {
    const { status, answer } = await send({ grant_types: sent });
    expect([status, answer['grant_types'], answer['response_types']]).toEqual([201, kept, ['code']]);
  });

  it.each([[['client_credentials']], [[JWT, DEVICE]], [['implicit']]])(
    'without any of them is refused, with a list of them: %j',
    async (sent) => {
      const { status, answer } = await send({ grant_types: sent });
      expect([status, answer]).toEqual([
        400,
        { error: 'invalid_client_metadata', error_description: 'grant_types: authorization_code, refresh_token' },
      ]);
    },
  );

  it.each([[['code', 'token']], [['code id_token', 'none']], [['token']], [[]], [null]])(
    'gets the only response type: %j',
    async (sent) => {
      const { status, answer } = await send({ response_types: sent });
      expect([status, answer['response_types']]).toEqual([201, ['code']]);
    },
  );

  it.each([[null], [''], [[]]])('may have %j for any optional field', async (nothing) => {
    const names =
      'client_name client_uri logo_uri policy_uri tos_uri jwks_uri jwks contacts scope software_id software_version application_type token_endpoint_auth_method client_name#de logo_uri#de';
    const { status, answer } = await send(Object.fromEntries(names.split(' ').map((name) => [name, nothing])));
    expect([status, answer['redirect_uris']]).toEqual([201, [SITE]]);
    expect(await env.OAUTH_KV.get(`client:${answer.client_id}`)).not.toContain('null');
  });

  it('is stored without addresses that no browser can open', async () => {
    const { status, answer } = await send({ logo_uri: 'data:image/png;base64,x', client_uri: 'acme', tos_uri: SITE });
    expect([status, answer['logo_uri'], answer['client_uri'], answer['tos_uri']]).toEqual([
      201,
      undefined,
      undefined,
      SITE,
    ]);
  });

  it.each([CURSOR, 'vscode://saoudrizwan.claude-dev/cb', 'com.example:/', 'com.example.app:/oauth2redirect'])(
    'may name an app on the device: %s',
    async (uri) => {
      const { status, answer } = await send({ redirect_uris: [uri] });
      expect([status, answer['redirect_uris']]).toEqual([201, [uri]]);
    },
  );

  it('keeps the addresses to which this server would redirect', async () => {
    const sent = [CURSOR, SITE, 'http://localhost:8787/callback', 'http://acme.dev/cb', 'myapp://cb', null, ''];
    const { status, answer } = await send({ redirect_uris: sent });
    expect([status, answer['redirect_uris']]).toEqual([201, [CURSOR, SITE, 'http://localhost:8787/callback']]);
  });

  it.each([['http://acme.dev/cb'], ['javascript:alert(1)'], ['myapp://cb'], ['intent://x/y'], ['not an address']])(
    'with no other address is refused, with a list of accepted ones: %s',
    async (uri) => {
      for (const uris of uri.startsWith('javascript') ? [[uri], [SITE, uri]] : [[uri]]) {
        const { status, answer } = await send({ redirect_uris: uris });
        expect([status, answer['error']]).toEqual([400, 'invalid_redirect_uri']);
        expect(answer['error_description']).toContain('com.example.app:/callback');
      }
    },
  );

  it.each([[undefined], [null], [[]], [SITE], [{ 0: SITE }], [[[SITE]]], [[7]]])(
    'without a list of addresses is refused: %j',
    async (uris) => {
      expect((await send({ redirect_uris: uris })).status).toBe(400);
    },
  );

  it.each([
    ['grant_types', 'authorization_code'],
    ['grant_types', [7]],
    ['response_types', 'code'],
    ['contacts', 'x'],
    ['client_name', 7],
  ])('with a wrong type for %s is refused: %j', async (name, value) => {
    expect((await send({ [name]: value })).status).toBe(400);
  });

  it('is not confused by names that objects have', async () => {
    const body = `{"__proto__":{"redirect_uris":["${CURSOR}"]},"constructor":1,"toString#de":"x","redirect_uris":["${SITE}"]}`;
    const { status, answer } = await send({}, body);
    expect([status, answer['redirect_uris']]).toEqual([201, [SITE]]);
  });
});
