import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followed } from '#support/followed.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, rpc, structured } from '#support/mcp-call.ts';
import { connect, ORIGIN, personsBrowser, refresh, register } from '#support/oauth-journey.ts';
import { pageOf } from '#support/oauth-browser.ts';
import { leftBehind, watchPending } from '#support/pending.ts';
import { ANA, isSignedIn, sentTo, world } from '#support/provider-world.ts';
import { CATALOG } from '#tools/catalog.ts';

/** An object is paid for as long as a timer of it is pending, or a socket open. */
const DOCS = 'https://docs.acme.dev';

let watch: ReturnType<typeof watchPending>;
let token = '';
let cursor = '';

beforeAll(async () => {
  token = await grantFor('watched', ['web:read', 'cache:purge', 'library:follow']);
  watch = watchPending();
});
afterAll(() => watch.stop());

const call = async (name: string, args: Record<string, unknown>) => {
  const answer = await callTool('modern', name, args, { token });
  return structured(answer);
};

type Step = [what: string, work: () => Promise<unknown>];

const READING: readonly Step[] = [
  ['open_url', async () => (cursor = String((await call('open_url', { url: `${DOCS}/alarms` }))['cursor']))],
  ['open_url, by two at once', () => Promise.all([0, 1].map(() => call('open_url', { url: `${DOCS}/long` })))],
  ['open_url of a page that is not there', () => callTool('modern', 'open_url', { url: `${DOCS}/none` }, { token })],
  ['scroll', () => call('scroll', { cursor })],
  ['find', () => call('find', { cursor, pattern: 'alarm' })],
  ['cite', () => callTool('modern', 'cite', { cursor, quote: 'alarm' }, { token })],
  ['search', async () => (cursor = String((await call('search', { query: 'durable object alarm' }))['cursor']))],
  ['open_result', () => call('open_result', { cursor, result_id: 1 })],
  ['web_open', () => call('web_open', { url: 'https://guide.acme.dev/start' })],
  ['web_batch_open', () => call('web_batch_open', { urls: [`${DOCS}/alarms`, `${DOCS}/notes.md`] })],
  ['find_passages', () => call('find_passages', { question: 'when does an alarm run', urls: [`${DOCS}/alarms`] })],
  ['web_extract', () => call('web_extract', { html: '<main><p>Some words to read here.</p></main>' })],
  ['view_image', () => callTool('modern', 'view_image', { url: `${DOCS}/alarms` }, { token })],
  ['web_search', () => call('web_search', { query: 'walrus' })],
  ['cache_get', () => callTool('modern', 'cache_get', { snapshot: 'a'.repeat(64) }, { token })],
  ['cache_purge', () => call('cache_purge', { domain: 'docs.acme.dev' })],
  ['follow, and its first round', () => followed({ url: `${DOCS}/alarms` }, { token })],
  ['changes', () => call('changes', {})],
  ['fetch', () => callTool('modern', 'fetch', { id: 'a'.repeat(64) }, { token })],
  ['tools/list', () => rpc('modern', 'tools/list', {}, { token })],
  ['resources/list', () => rpc('modern', 'resources/list', {}, { token })],
  ['prompts/list', () => rpc('modern', 'prompts/list', {}, { token })],
];

const PAGES: readonly Step[] = [
  ...[
    '/',
    '/healthz',
    '/sign-in',
    '/console',
    '/console/citations',
    '/console/health',
    '/.well-known/oauth-protected-resource/mcp',
  ].map((path): Step => [path, () => exports.default.fetch(ORIGIN + path, { redirect: 'manual' })]),
  ['a sign-in that fails', () => signIn('not the passphrase')],
  ['signing in and connecting', async () => refresh(await connect(personsBrowser(), await register()))],
  ['signing in at a provider', () => signInAtProvider()],
  ['the health check', () => healthCheck()],
];

async function signIn(passphrase: string) {
  const browser = personsBrowser();
  const form = pageOf(await browser.get(`${ORIGIN}/sign-in`));
  await browser.submit(form, '/sign-in', { passphrase });
  return browser;
}

async function signInAtProvider(): Promise<void> {
  const { provider, at } = await world();
  const browser = at.browser();
  await browser.get(provider.authorize(await sentTo(browser), ANA).href);
  expect(isSignedIn(browser)).toBe(true);
}

async function healthCheck(): Promise<void> {
  const browser = await signIn('a passphrase made for tests only');
  const page = await browser.get(`${ORIGIN}/console/health`);
  expect(JSON.stringify(page)).toContain('Database');
}

describe('leftover timers and sockets', () => {
  it.each([...READING, ...PAGES])('do not exist after %s', async (_, work) => {
    await work();
    expect(await leftBehind(watch)).toEqual({ timers: [], sockets: 0 });
  });

  it('are checked for every tool except the browser tools', () => {
    const done = new Set(READING.map(([what]) => what.split(',')[0]));
    expect(CATALOG.filter(({ name }) => !name.startsWith('browser_') && !done.has(name))).toEqual([]);
  });
});
