import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countPlatform } from '#support/counted-platform.ts';
import { grantTokens } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const SITE = 'https://trips.acme.dev';
let platform: Awaited<ReturnType<typeof countPlatform>>;
let token: string;
/** What a call left to be done behind its answer. */
const SETTLE_MS = 300;

beforeAll(async () => {
  token = (await grantTokens('u_trips', ['web:read', 'cache:purge', 'browser:use', 'browser:evaluate'])).access_token;
  await call('web_extract', { html: '<p>A page with a sentence.</p>' });
  await scheduler.wait(SETTLE_MS);
  platform = await countPlatform();
});
afterAll(() => platform.stop());

async function call(name: string, args: Record<string, unknown>, query = '') {
  const answer = await callTool('modern', name, args, { token, query });
  if (answer.result?.isError === true || answer.result === undefined) throw new Error(JSON.stringify(answer));
  return answer.result.structuredContent ?? {};
}

let cursor: unknown;
let list: unknown;
let snapshot: unknown;

type Row = [
  what: string,
  tool: string,
  args: () => Record<string, unknown>,
  keep?: (found: Record<string, unknown>) => void,
];
const ROWS: Row[] = [
  [
    'open_url, first page of a site',
    'open_url',
    () => ({ url: `${SITE}/alarms` }),
    (found) => (cursor = found['cursor']),
  ],
  ['open_url, next page of a site', 'open_url', () => ({ url: `${SITE}/long` })],
  [
    'web_open, a stored page',
    'web_open',
    () => ({ url: `${SITE}/alarms`, max_age_seconds: 600 }),
    (found) => (snapshot = found['snapshot']),
  ],
  [
    'web_batch_open, two stored pages',
    'web_batch_open',
    () => ({ urls: [`${SITE}/alarms`, `${SITE}/long`], max_age_seconds: 600 }),
  ],
  ['scroll', 'scroll', () => ({ cursor, delta: 1 })],
  ['find', 'find', () => ({ cursor, pattern: 'alarm' })],
  ['search', 'search', () => ({ query: 'walrus paragraph' }), (found) => (list = found['cursor'])],
  ['web_search', 'web_search', () => ({ query: 'walrus paragraph' })],
  ['open_result', 'open_result', () => ({ cursor: list, result_id: 1 })],
  ['find_passages', 'find_passages', () => ({ question: 'what wakes an object?', cursors: [cursor] })],
  ['cite', 'cite', () => ({ cursor, quote: 'An alarm wakes a durable object' })],
  ['cache_get', 'cache_get', () => ({ snapshot })],
  ['cache_purge', 'cache_purge', () => ({ domain: 'nothing.acme.dev' })],
  ['web_extract', 'web_extract', () => ({ html: '<p>A page with a sentence.</p>' })],
  ['browser_launch', 'browser_launch', () => ({})],
  ['browser_navigate', 'browser_navigate', () => ({ url: 'http://login.acme.dev/who' })],
  ['browser_snapshot', 'browser_snapshot', () => ({})],
  ['browser_click', 'browser_click', () => ({ selector: '#cart' })],
  ['browser_close', 'browser_close', () => ({})],
];

describe('what a call waits for', () => {
  it.each(ROWS)('%s', async (_, tool, args, keep) => {
    const hops = await platform.hopsOf(async () => {
      const found = await call(tool, args());
      keep?.(found);
    });
    console.log('HOPS', _, JSON.stringify(hops));
    await scheduler.wait(SETTLE_MS);
    expect(1).toBe(1);
  });
});
