import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { UPSTREAM_BODY_BYTES_MAX, UPSTREAM_SIGN_IN_STEP_MS_MAX } from '#auth/limits.ts';
import { leaksIn } from '#support/leaks.ts';
import type { FakeProvider, Wrongs } from '#support/fake-provider.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import { leftTo, pageOf, textOf } from '#support/oauth-browser.ts';
import { authorizationRequest, register } from '#support/oauth-journey.ts';
import { ANA, deploymentOf, isSignedIn, sentTo, wayOn, world } from '#support/provider-world.ts';

const METADATA = '/.well-known/openid-configuration';
const JSON_TYPE = { 'content-type': 'application/json' };

type Answer = (request: Request) => Response | Promise<Response>;

const json = (body: string, status = 200): Answer => {
  return () => new Response(body, { status, headers: JSON_TYPE });
};

/** The time of all requests together is over as soon as nothing else is left to happen. */
const timeIsOver = () => queueMicrotask(() => vi.advanceTimersByTime(UPSTREAM_SIGN_IN_STEP_MS_MAX));

const silence: Answer = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new TypeError('UNCONTROLLED', { cause: signal.reason })));
    timeIsOver();
  });

const body = (source: UnderlyingSource<Uint8Array>) => new Response(new ReadableStream(source), { headers: JSON_TYPE });
const bytes = (text: string) => new TextEncoder().encode(text);

/** Answers of a faulty provider. */
const INSTEAD: Record<string, Answer> = {
  'cannot be reached': () => Promise.reject(new TypeError('UNCONTROLLED')),
  'is silent': silence,
  // Over the network of the runtime, as what ends there is not ours to end.
  'falls silent in the middle': async ({ signal }) => {
    const begun = await fetch('https://slow.acme.dev/stalled', { signal });
    timeIsOver();
    return begun;
  },
  'breaks off in the middle': () =>
    body({
      start: (controller) => {
        controller.enqueue(bytes('{"iss'));
        controller.error(new TypeError('UNCONTROLLED'));
      },
    }),
  'never ends': () => body({ pull: (controller) => controller.enqueue(bytes('[1],'.repeat(10_000))) }),
  'says too much': json(`{"a":"${'x'.repeat(UPSTREAM_BODY_BYTES_MAX)}"}`),
  'fails with 500': () => new Response('UNCONTROLLED', { status: 500 }),
  'fails with 503 in JSON': json('{"error":"UNCONTROLLED"}', 503),
  'is busy': () => new Response('UNCONTROLLED', { status: 429 }),
  'is not there': () => new Response('UNCONTROLLED', { status: 404 }),
  'leads elsewhere': () => new Response(null, { status: 302, headers: { location: 'https://evil.dev/' } }),
  'answers with a page': () => new Response('<p>UNCONTROLLED', { headers: { 'content-type': 'text/html' } }),
  'says nothing': json(''),
  'answers with half of it': json('{"issuer": "https'),
  'answers with a word': json('"UNCONTROLLED"'),
};

/** Answers in JSON that are not what was asked for. */
const NOT_IT: Record<string, Answer> = {
  'with nothing in it': json('{}'),
  'with null': json('null'),
  'with a list': json('["UNCONTROLLED"]'),
  'with its own error': json('{"error":"UNCONTROLLED text","error_description":"UNCONTROLLED"}', 400),
  'with no to our secret': () =>
    Response.json({ error: 'invalid_client' }, { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
};

type Asked = { path: string; isLeaving?: boolean; isNewHere?: boolean };

/** The requests to a provider, in order. */
const REQUESTS: Record<string, Asked> = {
  'about itself, on the way there': { path: METADATA, isLeaving: true },
  'about itself, on the way back': { path: METADATA, isNewHere: true },
  'for the tokens': { path: '/token' },
  'for its keys': { path: '/keys' },
  'about the person': { path: '/userinfo' },
};

/** Signs a user in for a client, up to a page that explains what went wrong. */
async function wrongAt(
  { path, isLeaving, isNewHere }: Asked,
  made: Wrongs | ((provider: FakeProvider) => Promise<Wrongs>),
) {
  const { provider, at } = await world();
  const wrong = typeof made === 'function' ? await made(provider) : made;
  const browser = at.browser();
  const start = pageOf(await browser.get(asked));
  const submit = () => browser.submit(start, '/sign-in/upstream', { way: 'oidc' });
  if (isLeaving === true) {
    provider.wrongs = wrong;
    return { provider, at, browser, page: pageOf(await submit()) };
  }
  const back = provider.authorize(leftTo(await submit()), { ...ANA, hidden: ['email', 'email_verified'] });
  provider.wrongs = wrong;
  const there = isNewHere === true ? deploymentOf(provider) : at;
  const same = there.browser();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  const page = pageOf(await same.get(back.href));
  expect(provider.asked.get(path)).toBeGreaterThan(0);
  return { provider, at: there, browser: same, page };
}

let asked = '';
beforeAll(async () => {
  asked = (await authorizationRequest(await register())).url;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

/** Checks that nothing of it is stored, and nothing secret or of the provider's own words is shown or logged. */
async function expectNothingLeft({ at, browser, page, provider }: Awaited<ReturnType<typeof wrongAt>>) {
  expect(isSignedIn(browser)).toBe(false);
  expect((await env.OAUTH_KV.list({ prefix: 'grant:' })).keys).toEqual([]);
  expect(at.unexpected).toEqual([]);
  expect(at.refusals).toEqual([expect.stringMatching(/^upstream_\w+:\w+$/)]);
  const told = page.html + at.refusals.join();
  expect(told).not.toMatch(/UNCONTROLLED|sub-ana|ana@acme\.dev|code=|state=/);
  expect(leaksIn(told, { OIDC_CLIENT_SECRET: provider.clientSecret })).toEqual([]);
  expect(page.headers.get('cache-control')).toBe('no-store');
}

/** The link on the page leads over the provider, which is well again, to where the person wanted to go. */
async function expectNextWorks(provider: FakeProvider, browser: Browser, page: Shown) {
  provider.wrongs = {};
  const away = await sentTo(browser, wayOn(page));
  const consent = pageOf(await browser.get(provider.authorize(away, ANA).href));
  expect(consent.url).toBe(asked);
  expect(consent.html).toContain('action="/authorize"');
}

describe.each(Object.entries(REQUESTS))('a provider that is asked %s', (_, request) => {
  it.each(Object.entries(INSTEAD))(
    'leads to a message for the user when it %s, and the next sign-in works',
    async (_kind, answer) => {
      const ended = await wrongAt(request, { answers: { [request.path]: answer } });
      expect([ended.page.status, textOf(ended.page.html)]).toEqual([
        502,
        expect.stringMatching(/(?:does not answer|does not work right now).*Try again in a few minutes/),
      ]);
      await expectNothingLeft(ended);
      await expectNextWorks(ended.provider, ended.browser, ended.page);
    },
  );

  it.each(Object.entries(NOT_IT))(
    'leads to a message for the user when it answers %s, and the next sign-in works',
    async (_kind, answer) => {
      const ended = await wrongAt(request, { answers: { [request.path]: answer } });
      expect([400, 502]).toContain(ended.page.status);
      expect(textOf(ended.page.html)).toMatch(/Try again/);
      await expectNothingLeft(ended);
      await expectNextWorks(ended.provider, ended.browser, ended.page);
    },
  );
});

describe('the metadata of a provider', () => {
  it.each<[string, Record<string, unknown>]>([
    ['nothing about where to sign in', { authorization_endpoint: undefined }],
    ['to sign in nowhere', { authorization_endpoint: 'UNCONTROLLED' }],
    ['to sign in without encryption', { authorization_endpoint: 'http://login.acme.dev/authorize' }],
    ['that it is another', { issuer: 'https://evil.dev' }],
    ['that it is a number', { issuer: 7 }],
  ])('lead to a message for the user when they say %s, and a corrected version works', async (_, metadata) => {
    const ended = await wrongAt({ path: METADATA, isLeaving: true }, { metadata });
    expect([400, 502]).toContain(ended.page.status);
    await expectNothingLeft(ended);
    await expectNextWorks(ended.provider, ended.browser, ended.page);
  });

  it.each<[string, Record<string, unknown>]>([
    ['nothing about where the tokens are', { token_endpoint: undefined }],
    ['nothing about where its keys are', { jwks_uri: undefined }],
    ['that the tokens are nowhere', { token_endpoint: 'UNCONTROLLED' }],
    ['that the tokens are a list', { token_endpoint: ['UNCONTROLLED'] }],
    ['that its keys are where nothing is', { jwks_uri: 'https://login.acme.dev/tenant/nothing' }],
    ['that people are where nothing is', { userinfo_endpoint: 'https://login.acme.dev/tenant/nothing' }],
    ['ways to sign that it does not use', { id_token_signing_alg_values_supported: ['RS256'] }],
    ['ways to sign that are none', { id_token_signing_alg_values_supported: 'UNCONTROLLED' }],
    ['ways to show the secret that are none', { token_endpoint_auth_methods_supported: 7 }],
  ])('lead to a message when they say %s, and are forgotten', async (_, metadata) => {
    const ended = await wrongAt({ path: METADATA, isNewHere: true }, { metadata });
    expect([400, 502]).toContain(ended.page.status);
    await expectNothingLeft(ended);
    await expectNextWorks(ended.provider, ended.browser, ended.page);
  });
});

describe('the keys of a provider', () => {
  it.each<[string, (keys: Record<string, unknown>[]) => unknown]>([
    ['that are none', () => []],
    ['that are no list', () => 'UNCONTROLLED'],
    ['that are words', () => ['UNCONTROLLED']],
    ['that are broken', (keys) => keys.map((key) => ({ ...key, x: 'UNCONTROLLED', y: '' }))],
    ['that are without a curve', (keys) => keys.map(({ kid, use, alg, kty }) => ({ kid, use, alg, kty }))],
    ['that are others under the same name', (keys) => keys.map((key) => ({ ...key, x: key['y'], y: key['x'] }))],
  ])('%s let nobody in, and the right ones work at the next sign-in', async (_, change) => {
    const wrong = async (provider: FakeProvider): Promise<Answer> => {
      const known = await (
        await provider.fetch(`${provider.issuer}/keys`, {})
      ).json<{ keys: Record<string, unknown>[] }>();
      return () => Response.json({ keys: change(known.keys) });
    };
    const ended = await wrongAt({ path: '/keys' }, async (provider) => ({
      answers: { '/keys': await wrong(provider) },
    }));
    expect([400, 502]).toContain(ended.page.status);
    await expectNothingLeft(ended);
    await expectNextWorks(ended.provider, ended.browser, ended.page);
  });
});
