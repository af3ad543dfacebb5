import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import { makeAccessToken } from '#auth/people/access-tokens.ts';
import { HOPS, HOPS_OF_CALLS } from '#scripts/docs/hops.ts';
import type { HopsOfCall } from '#scripts/docs/hops.ts';
import { countPlatform } from '#support/counted-platform.ts';
import { ended, withoutWaiting } from '#support/followed.ts';
import { grantTokens } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';
import { serverWith } from '#support/server-with.ts';
import { accessTokens } from '#support/stored-people.ts';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';

const SITE = 'https://trips.acme.dev';
const SUBJECT = 'u_trips';

declare module 'vitest' {
  interface TaskMeta {
    /** For `npm run bench:hops`. */
    hops?: HopsOfCall & { call: string };
  }
}

const found: { cursor?: unknown; list?: unknown; snapshot?: unknown } = {};

type Call = [
  what: string,
  tool: string,
  args: () => Record<string, unknown>,
  keep?: (answer: Record<string, unknown>) => void,
];

const READING: readonly Call[] = [
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

const CHATGPT: readonly Call[] = [
  ['ChatGPT: `search`, of stored pages', 'search', () => ({ query: 'walrus paragraph' })],
  ['ChatGPT: `fetch`, a stored page', 'fetch', () => ({ id: `${SITE}/alarms` })],
];

const BROWSING: readonly Call[] = [
  ['`browser_launch`', 'browser_launch', () => ({})],
  ['`browser_navigate`', 'browser_navigate', () => ({ url: 'http://trips.acme.dev/form' })],
  ['`browser_snapshot`', 'browser_snapshot', () => ({})],
  ['`browser_click`', 'browser_click', () => ({ selector: '#go' })],
  ['`browser_fill`', 'browser_fill', () => ({ selectors: ['#name'], values: ['Ann'] })],
  ['`browser_type`', 'browser_type', () => ({ selector: '#name', text: 'x' })],
  ['`browser_do`', 'browser_do', () => ({ steps: ['press Tab'] })],
  ['`browser_scroll`', 'browser_scroll', () => ({})],
  ['`browser_wait`', 'browser_wait', () => ({ text: 'Name' })],
  ['`browser_screenshot`', 'browser_screenshot', () => ({})],
  ['`browser_point`', 'browser_point', () => ({ action: 'hover', x: 10, y: 10 })],
  ['`browser_evaluate`', 'browser_evaluate', () => ({ script: 'return 1' })],
  ['`browser_html`', 'browser_html', () => ({})],
  ['`browser_read`', 'browser_read', () => ({})],
  ['`browser_log`', 'browser_log', () => ({ kind: 'console' })],
  ['`browser_files`, list', 'browser_files', () => ({ action: 'list' })],
  ['`browser_handoff`', 'browser_handoff', () => ({ reason: 'Sign in, please.' })],
  ['`browser_close`', 'browser_close', () => ({})],
];

const LIBRARY: readonly Call[] = [
  ['`follow`, a page', 'follow', () => ({ url: `${SITE}/alarms` })],
  ['`changes`', 'changes', () => ({})],
];

let platform: Awaited<ReturnType<typeof countPlatform>>;
let oauth = '';

beforeAll(async () => {
  oauth = (await grantTokens(SUBJECT, ['web:read', 'cache:purge', 'browser:use', 'browser:evaluate', 'library:follow']))
    .access_token;
  await call(['', 'web_extract', () => ({ html: '<p>A page with a sentence.</p>' })]);
  platform = await countPlatform();
});
afterAll(() => platform.stop());

/** A Worker that takes a stored page for fresh, as a deployment does. */
const send = serverWith({ CACHE_TTL_SECONDS: '3600' });

async function call([, tool, args, keep]: Call, query = '', token = oauth): Promise<void> {
  const answer = await callTool('modern', tool, args(), { token, query, send });
  if (answer.result === undefined || answer.result.isError === true) throw new Error(JSON.stringify(answer));
  keep?.(answer.result.structuredContent ?? {});
}

/** What is more than the table of `docs/storage.md` says. */
function excess(what: string, { all, inRow }: HopsOfCall): string[] {
  const stated = HOPS_OF_CALLS[what] ?? { all: {}, inRow: {} };
  return HOPS.flatMap((hop) => [
    ...((all[hop] ?? 0) > (stated.all[hop] ?? 0) ? [`${hop}: ${all[hop]}`] : []),
    ...((inRow[hop] ?? 0) > (stated.inRow[hop] ?? 0) ? [`${hop} in a row: ${inRow[hop]}`] : []),
  ]);
}

describe('a call waits for no more than the table of hops says:', () => {
  it.for([...READING, ...BROWSING])('%s', async (one, { task }) => {
    const hops = await platform.hopsOf(() => call(one));
    task.meta.hops = { call: one[0], ...hops };
    expect(excess(one[0], hops)).toEqual([]);
  });

  it.for(CHATGPT)('%s', async (one, { task }) => {
    const hops = await platform.hopsOf(() => call(one, '?toolsets=chatgpt'));
    task.meta.hops = { call: one[0], ...hops };
    expect(excess(one[0], hops)).toEqual([]);
  });

  it.for(LIBRARY)('%s', async (one, { task }) => {
    // The round that may begin is not part of the call.
    await using rounds = await withoutWaiting();
    const hops = await platform.hopsOf(() => call(one));
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
    const scroll = () => call(['', 'scroll', () => ({ cursor: found.cursor, delta: 1 })], '', made?.token ?? '');
    const hops = await platform.hopsOf(scroll);
    task.meta.hops = { call: task.name, ...hops };
    expect(excess(task.name, hops)).toEqual([]);
  });
});

describe('the table of hops', () => {
  it('has a row for each tool, and none that nobody counts', () => {
    const rows = [...READING, ...LIBRARY, ...BROWSING];
    expect(new Set(rows.map(([, tool]) => tool))).toEqual(new Set(CATALOG.map(({ name }) => name)));
    expect(new Set(CHATGPT.map(([, tool]) => tool))).toEqual(new Set(CHATGPT_CATALOG.map(({ name }) => name)));
  });
});
