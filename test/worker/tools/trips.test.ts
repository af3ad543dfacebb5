import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import { makeAccessToken } from '#auth/people/access-tokens.ts';
import { excess, makeCall, needsBrowser } from '#support/counted-calls.ts';
import type { CountedCall } from '#support/counted-calls.ts';
import { countPlatform } from '#support/counted-platform.ts';
import { ended, withoutWaiting } from '#support/followed.ts';
import { grantTokens } from '#support/grants.ts';
import { accessTokens } from '#support/stored-people.ts';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';

const SITE = 'https://trips.acme.dev';
const SUBJECT = 'u_trips';

const found: { cursor?: unknown; list?: unknown; snapshot?: unknown } = {};

const READING: readonly CountedCall[] = [
  [
    '`open_url`, first page of a site',
    'open_url',
    () => ({ url: `${SITE}/alarms` }),
    ({ cursor }) => (found.cursor = cursor),
  ],
  ['`open_url`, next page of a site', 'open_url', () => ({ url: `${SITE}/long` })],
  ['`open_url`, a stored page', 'open_url', () => ({ url: `${SITE}/alarms` })],
  ['`scroll`', 'scroll', () => ({ cursor: found.cursor, delta: 1 })],
  ['`find`', 'find', () => ({ cursor: found.cursor, pattern: 'alarm' })],
  ['`search`, of stored pages', 'search', () => ({ query: 'walrus paragraph' }), ({ cursor }) => (found.list = cursor)],
  ['`open_result`, a stored page', 'open_result', () => ({ cursor: found.list, result_id: 1 })],
  ['`web_search`, of stored pages', 'web_search', () => ({ query: 'walrus paragraph' })],
  [
    '`web_open`, a stored page',
    'web_open',
    () => ({ url: `${SITE}/alarms` }),
    ({ snapshot }) => (found.snapshot = snapshot),
  ],
  ['`web_batch_open`, two stored pages', 'web_batch_open', () => ({ urls: [`${SITE}/alarms`, `${SITE}/long`] })],
  [
    '`find_passages`, one cursor',
    'find_passages',
    () => ({ question: 'What wakes an object?', cursors: [found.cursor] }),
  ],
  ['`web_extract`', 'web_extract', () => ({ html: '<p>A page with a sentence.</p>' })],
  ['`cite`', 'cite', () => ({ cursor: found.cursor, quote: 'An alarm wakes a durable object' })],
  ['`cache_get`', 'cache_get', () => ({ snapshot: found.snapshot })],
  ['`cache_purge`, dry run', 'cache_purge', () => ({ domain: 'trips.acme.dev' })],
];

const CHATGPT: readonly CountedCall[] = [
  ['ChatGPT: `search`, of stored pages', 'search', () => ({ query: 'walrus paragraph' })],
  ['ChatGPT: `fetch`, a stored page', 'fetch', () => ({ id: `${SITE}/alarms` })],
];

const LIBRARY: readonly CountedCall[] = [
  ['`follow`, a page', 'follow', () => ({ url: `${SITE}/alarms` })],
  ['`changes`', 'changes', () => ({})],
];

let platform: Awaited<ReturnType<typeof countPlatform>>;
let oauth = '';

beforeAll(async () => {
  oauth = (await grantTokens(SUBJECT, ['web:read', 'cache:purge', 'library:follow'])).access_token;
  await makeCall(['', 'web_extract', () => ({ html: '<p>A page with a sentence.</p>' })], oauth);
  platform = await countPlatform();
});
afterAll(() => platform.stop());

describe('a call makes no more hops than the table lists:', () => {
  it.for(READING)('%s', async (one, { task }) => {
    const hops = await platform.hopsOf(() => makeCall(one, oauth));
    task.meta.hops = { call: one[0], ...hops };
    expect(excess(one[0], hops)).toEqual([]);
  });

  it.for(CHATGPT)('%s', async (one, { task }) => {
    const hops = await platform.hopsOf(() => makeCall(one, oauth, '?toolsets=chatgpt'));
    task.meta.hops = { call: one[0], ...hops };
    expect(excess(one[0], hops)).toEqual([]);
  });

  it.for(LIBRARY)('%s', async (one, { task }) => {
    // The round that may begin is not part of the call.
    await using rounds = await withoutWaiting();
    const hops = await platform.hopsOf(() => makeCall(one, oauth));
    await ended(rounds);
    task.meta.hops = { call: one[0], ...hops };
    expect(excess(one[0], hops)).toEqual([]);
  });

  it('`scroll`, with an access token of a person', async ({ task }) => {
    const wish = { name: 'trips', scopes: ['web:read'] as const, days: 1 };
    const made = await makeAccessToken(
      accessTokens(),
      { subject: SUBJECT, account: PASSPHRASE_ACCOUNT },
      wish,
      Date.now(),
    );
    const scroll = () => makeCall(['', 'scroll', () => ({ cursor: found.cursor, delta: 1 })], made?.token ?? '');
    const hops = await platform.hopsOf(scroll);
    task.meta.hops = { call: task.name, ...hops };
    expect(excess(task.name, hops)).toEqual([]);
  });
});

describe('the table of hops', () => {
  it('has a row for each tool that needs no browser, and no other rows', () => {
    const names = CATALOG.map(({ name }) => name).filter((name) => !needsBrowser(name));
    expect(new Set([...READING, ...LIBRARY].map(([, tool]) => tool))).toEqual(new Set(names));
    expect(new Set(CHATGPT.map(([, tool]) => tool))).toEqual(new Set(CHATGPT_CATALOG.map(({ name }) => name)));
  });
});
