import { runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMetadataProblem } from '#auth/server/client-metadata.ts';
import { listRegistrationLimits } from '#auth/people/attempts.ts';
import { CLIENT_METADATA_BYTES_MAX, CLIENT_REGISTRATIONS_MAX, CLIENT_REGISTRATIONS_PER_IP_MAX } from '#auth/limits.ts';
import { UNUSED_OAUTH_CLIENTS_MAX } from '#client/limits.ts';
import { UNUSED_CLIENT_TTL_SECONDS } from '#core/limits.ts';
import { pageOf, textOf } from '../../support/oauth-browser.ts';
import { signInObject } from '../../support/stored-people.ts';
import {
  allow,
  authorizationRequest,
  connect,
  consentPage,
  ORIGIN,
  personsBrowser,
  refresh,
  register,
} from '../../support/oauth-journey.ts';
import { passTime, setTime, useTimeOfDay } from '../../support/wall-clock.ts';

const REDIRECT = 'https://client.acme.dev/callback';
const text = (chars: number) => 'x'.repeat(chars);
const url = (chars: number) => `https://client.acme.dev/${text(chars)}`;

const send = (body: string | ReadableStream) =>
  exports.default.fetch(`${ORIGIN}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
const kept = (id: string) => env.OAUTH_KV.get<{ registrationExpiresAt?: number }>(`client:${id}`, 'json');
const clients = async () => (await env.OAUTH_KV.list({ prefix: 'client:' })).keys.length;

/** Each test has its own month, when limits that other tests used up have expired. */
const START = Date.UTC(2030, 0, 1);
const MONTH_MS = 30 * 86_400_000;
let tests = 0;
beforeEach(() => {
  setTime(START + tests * MONTH_MS);
  tests += 1;
});
afterEach(useTimeOfDay);

describe('a registration', () => {
  it('larger than 16 KB is refused while it is read, whatever its stated length', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1_024;
        controller.enqueue(new TextEncoder().encode(' '.repeat(1_024)));
      },
    });
    const before = await clients();
    const large = JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'x', other: text(875_000) });
    for (const body of [endless, large]) {
      const answer = await send(body);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toEqual({
        error: 'invalid_client_metadata',
        error_description: 'A registration has at most 16384 bytes',
      });
    }
    expect(sent).toBeLessThan(CLIENT_METADATA_BYTES_MAX * 4);
    expect(await clients()).toBe(before);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'many addresses',
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `${REDIRECT}/${n}`) },
      'redirect_uris: at most 20 entries',
    ],
    ['a long address', { redirect_uris: [REDIRECT, url(2_000)] }, 'redirect_uris: at most 2000 characters each'],
    ['a long name', { client_name: text(201) }, 'client_name: at most 200 characters'],
    ['a long name in another language', { 'client_name#de': text(201) }, 'client_name: at most 200 characters'],
    ['a long language', { [`client_name#${text(36)}`]: 'x' }, 'the language of a name: at most 35 characters'],
    [
      'many languages',
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`client_name#l${n}`, 'x'])),
      'names in other languages: 20 at most',
    ],
    ['a long logo', { logo_uri: url(2_000) }, 'logo_uri: at most 2000 characters'],
    ['a long home page', { client_uri: url(2_000) }, 'client_uri: at most 2000 characters'],
    ['long terms', { tos_uri: url(2_000) }, 'tos_uri: at most 2000 characters'],
    ['a long policy', { policy_uri: url(2_000) }, 'policy_uri: at most 2000 characters'],
    ['keys far away', { jwks_uri: url(2_000) }, 'jwks_uri: at most 2000 characters'],
    ['many contacts', { contacts: Array.from({ length: 21 }, () => 'a@acme.dev') }, 'contacts: at most 20 entries'],
    ['a long contact', { contacts: [text(201)] }, 'contacts: at most 200 characters each'],
    ['many grant types', { grant_types: Array.from({ length: 21 }, () => 'x') }, 'grant_types: at most 20 entries'],
    [
      'many response types',
      { response_types: Array.from({ length: 21 }, () => 'x') },
      'response_types: at most 20 entries',
    ],
    ['a long method', { token_endpoint_auth_method: text(201) }, 'token_endpoint_auth_method: at most 200 characters'],
    ['a long software id', { software_id: text(201) }, 'software_id: at most 200 characters'],
    ['long scopes', { scope: text(2_001) }, 'scope: at most 2000 characters'],
  ])('with %s is refused, and the answer names the field and the limit', async (_, changes, description) => {
    const answer = await send(JSON.stringify({ redirect_uris: [REDIRECT], ...changes }));
    expect(answer.status).toBe(400);
    const error = description.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    expect(await answer.json()).toEqual({ error, error_description: description });
  });

  it('with the metadata of real clients is accepted', async () => {
    const editors = {
      client_name: 'Eine Entwicklungsumgebung',
      'client_name#en': 'An editor',
      client_uri: 'https://editor.acme.dev',
      logo_uri: url(500),
      redirect_uris: [33_418, 33_419, 33_420].flatMap((port) => [
        `http://127.0.0.1:${port}/`,
        `http://localhost:${port}/`,
      ]),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      software_version: '1.103.2',
      contacts: ['oauth@editor.acme.dev'],
    };
    expect((await send(JSON.stringify(editors))).status).toBe(201);
  });

  it('stores only fields that the registry names', async () => {
    const { id } = await register({ anything: text(10_000), jwks: { keys: [text(4_000)] } });
    expect(JSON.stringify(await kept(id)).length).toBeLessThan(500);
  });

  it('that is not an object is refused by the library', async () => {
    for (const body of ['', '[]', 'null', '1', '"x"', '{', '['.repeat(8_000)]) {
      expect(findMetadataProblem(body)).toBeNull();
      expect((await send(body)).status).toBe(400);
    }
  });

  it('is limited: 300 in a row, then one every 12 s, and the refusal says when', async () => {
    const { takeAttempt } = signInObject();
    for (let n = 0; n < CLIENT_REGISTRATIONS_MAX; n += 1) await takeAttempt(listRegistrationLimits(null));
    const refused = await send(JSON.stringify({ redirect_uris: [REDIRECT] }));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('12');
    passTime(12_000);
    expect((await register()).id).not.toBe('');
  });

  it('is limited earlier for one address: 60 in a row, then one every 60 s', async () => {
    const { takeAttempt } = signInObject();
    expect(CLIENT_REGISTRATIONS_PER_IP_MAX).toBe(60);
    for (let n = 0; n < CLIENT_REGISTRATIONS_PER_IP_MAX; n += 1) await takeAttempt(listRegistrationLimits('192.0.2.1'));
    expect(await takeAttempt(listRegistrationLimits('192.0.2.1'))).toEqual({ granted: false, retryAfterMs: 60_000 });
    expect(await takeAttempt(listRegistrationLimits('192.0.2.2'))).toEqual({ granted: true });
  });
});

describe('a registered client', () => {
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

  it('that nobody uses is stored for a week, and one in use for as long as its connection', async () => {
    const client = await register();
    const week = (await kept(client.id))?.registrationExpiresAt ?? 0;
    expect(Math.abs(week - inSeconds(UNUSED_CLIENT_TTL_SECONDS))).toBeLessThan(30);
    const { keys } = await env.OAUTH_KV.list({ prefix: `client:${client.id}` });
    expect(keys[0]?.expiration).toBeLessThanOrEqual(inSeconds(UNUSED_CLIENT_TTL_SECONDS));
    const tokens = await connect(personsBrowser(), client);
    expect((await kept(client.id))?.registrationExpiresAt).toBeGreaterThan(inSeconds(80 * 86_400));
    await refresh(tokens);
  });

  it('is dropped when too many newer ones exist, unless it is in use', async () => {
    const [unused, used] = [await register(), await register()];
    const tokens = await connect(personsBrowser(), used);
    const object = env.DEPLOYMENT.get(env.DEPLOYMENT.idFromName('deployment'));
    await runInDurableObject(object, (_, { storage }) => {
      const others = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i FROM n';
      storage.sql.exec(
        `INSERT INTO unused_clients SELECT 'another-' || i, ? FROM (${others})`,
        Date.now(),
        UNUSED_OAUTH_CLIENTS_MAX - 2,
      );
    });
    await register();
    const last = await register();
    expect(await kept(unused.id)).toBeNull();
    expect(await kept(used.id)).not.toBeNull();
    expect(await kept(last.id)).not.toBeNull();
    await refresh(tokens);
  });

  it('that is removed while a person looks at the consent page ends on a page that says so', async () => {
    const client = await register();
    const { url: asked } = await authorizationRequest(client);
    const browser = personsBrowser();
    const consent = await consentPage(browser, asked);
    await env.OAUTH_KV.delete(`client:${client.id}`);
    const shown = pageOf(await allow(browser, consent));
    expect(shown.status).toBe(400);
    expect(textOf(shown.html)).toContain('was deleted because nobody had signed in with it');
  });
});
