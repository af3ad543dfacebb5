import { runDurableObjectAlarm } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool, rpc, structured } from '#support/mcp-call.ts';
import { connect, ORIGIN, personsBrowser, refresh, register } from '#support/oauth-journey.ts';
import { pageOf } from '#support/oauth-browser.ts';
import { uncountedPause, watchPending } from '#support/pending.ts';
import { ANA, isSignedIn, sentTo, world } from '#support/provider-world.ts';
import { rendererOf } from '#browsing/rendering/port.ts';
import { CATALOG } from '#tools/catalog.ts';

/**
 * An object is paid for as long as a timer of it is pending, or a socket open. What may stay is named in
 * docs/storage.md: the connection of a session to its browser, and that of the renderer to its own.
 */
const SETTLED_MS = 1_500;
const SESSION = { session: 'watched' };
const DOCS = 'https://docs.acme.dev';
const RENDERED = 'http://app.acme.dev/fetches';
const WHO = 'http://login.acme.dev/who';

let watch: ReturnType<typeof watchPending>;
let token = '';
let cursor = '';

beforeAll(async () => {
  token = await grantFor('watched', ['web:read', 'cache:purge', 'browser:use', 'browser:evaluate', 'library:follow']);
  watch = watchPending();
});
afterAll(() => watch.stop());

/** What is still pending when everything that a call leaves to be done after its answer has had its time. */
async function leftBehind() {
  for (let waited = 0; waited < SETTLED_MS && ofObjects().timers.length > 0; waited += 50) await uncountedPause(50);
  return ofObjects();
}

/** The Worker itself waits until it has something to write together, which costs nothing. */
function ofObjects() {
  const { timers, sockets } = watch.pending();
  return { timers: timers.filter((from) => !from.includes('/src/core/flow/write-together.ts')), sockets };
}

const call = async (name: string, args: Record<string, unknown>) => {
  const answer = await callTool('modern', name, args, { token });
  return structured(answer);
};

type Step = [what: string, work: () => Promise<unknown>, sockets: number];

const READING: readonly Step[] = [
  ['open_url', async () => (cursor = String((await call('open_url', { url: `${DOCS}/alarms` }))['cursor'])), 0],
  ['open_url, by two at once', () => Promise.all([0, 1].map(() => call('open_url', { url: `${DOCS}/long` }))), 0],
  ['open_url of a page that is not there', () => callTool('modern', 'open_url', { url: `${DOCS}/none` }, { token }), 0],
  ['scroll', () => call('scroll', { cursor }), 0],
  ['find', () => call('find', { cursor, pattern: 'alarm' }), 0],
  ['cite', () => callTool('modern', 'cite', { cursor, quote: 'alarm' }, { token }), 0],
  ['search', async () => (cursor = String((await call('search', { query: 'durable object alarm' }))['cursor'])), 0],
  ['open_result', () => call('open_result', { cursor, result_id: 1 }), 0],
  ['web_open', () => call('web_open', { url: 'https://guide.acme.dev/start' }), 0],
  ['web_batch_open', () => call('web_batch_open', { urls: [`${DOCS}/alarms`, `${DOCS}/notes.md`] }), 0],
  ['find_passages', () => call('find_passages', { question: 'when does an alarm run', urls: [`${DOCS}/alarms`] }), 0],
  ['web_extract', () => call('web_extract', { html: '<main><p>Some words to read here.</p></main>' }), 0],
  ['web_search', () => call('web_search', { query: 'walrus' }), 0],
  ['cache_get', () => callTool('modern', 'cache_get', { snapshot: 'a'.repeat(64) }, { token }), 0],
  ['cache_purge', () => call('cache_purge', { domain: 'docs.acme.dev' }), 0],
  ['follow', () => call('follow', { url: `${DOCS}/alarms` }), 0],
  ['changes', () => call('changes', {}), 0],
  ['fetch', () => callTool('modern', 'fetch', { id: 'a'.repeat(64) }, { token }), 0],
  ['tools/list', () => rpc('modern', 'tools/list', {}, { token }), 0],
  ['resources/list', () => rpc('modern', 'resources/list', {}, { token }), 0],
  ['prompts/list', () => rpc('modern', 'prompts/list', {}, { token }), 0],
];

const BROWSING: readonly Step[] = [
  ['browser_launch', () => call('browser_launch', SESSION), 1],
  ['browser_navigate', () => call('browser_navigate', { ...SESSION, url: WHO }), 1],
  [
    'browser_navigate, back',
    () => callTool('modern', 'browser_navigate', { ...SESSION, history: 'reload' }, { token }),
    1,
  ],
  ['browser_snapshot', () => call('browser_snapshot', SESSION), 1],
  ['browser_click', () => call('browser_click', { ...SESSION, selector: 'button' }), 1],
  [
    'browser_evaluate',
    () =>
      call('browser_evaluate', {
        ...SESSION,
        script: 'document.body.innerHTML = "<input><p>Some text to read that is long enough.</p>"; return 1',
      }),
    1,
  ],
  ['browser_fill', () => call('browser_fill', { ...SESSION, selectors: ['input'], values: ['pens'] }), 1],
  ['browser_type', () => call('browser_type', { ...SESSION, selector: 'input', text: 'more' }), 1],
  ['browser_do', () => call('browser_do', { ...SESSION, steps: ['press Tab', 'expect text=some'] }), 1],
  ['browser_scroll', () => call('browser_scroll', SESSION), 1],
  ['browser_point', () => call('browser_point', { ...SESSION, action: 'hover', selector: 'input' }), 1],
  ['browser_log', () => call('browser_log', { ...SESSION, kind: 'requests' }), 1],
  ['browser_handoff', () => call('browser_handoff', { ...SESSION, reason: 'Please' }), 1],
  ['browser_files', () => call('browser_files', { action: 'list' }), 1],
  ['browser_wait', () => call('browser_wait', { ...SESSION, text: 'some text' }), 1],
  ['browser_screenshot', () => callTool('modern', 'browser_screenshot', SESSION, { token }), 1],
  ['browser_html', () => call('browser_html', SESSION), 1],
  ['browser_read', () => callTool('modern', 'browser_read', SESSION, { token }), 1],
  ['browser_close', () => call('browser_close', SESSION), 0],
  ['web_open, rendered', () => call('web_open', { url: RENDERED, mode: 'rendered' }), 1],
  ['the end of the renderer’s rest', () => endRest(), 0],
];

async function endRest(): Promise<void> {
  const realNow = Date.now;
  Date.now = () => realNow() + 120_000;
  await runDurableObjectAlarm(env.PAGE_RENDERER.get(env.PAGE_RENDERER.idFromName(rendererOf(RENDERED))));
  Date.now = realNow;
}

const PAGES: readonly Step[] = [
  ...[
    '/',
    '/healthz',
    '/sign-in',
    '/console',
    '/console/citations',
    '/console/health',
    '/.well-known/oauth-protected-resource/mcp',
  ].map((path): Step => [path, () => exports.default.fetch(ORIGIN + path, { redirect: 'manual' }), 0]),
  ['a sign-in that fails', () => signIn('not the passphrase'), 0],
  ['signing in and connecting', async () => refresh(await connect(personsBrowser(), await register())), 0],
  ['signing in at a provider', () => signInAtProvider(), 0],
  ['the health check', () => healthCheck(), 0],
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

describe('no timer is pending and no socket open, but those that the docs name', () => {
  it.each([...READING, ...PAGES, ...BROWSING])('after %s', async (_, work, sockets) => {
    await work();
    expect(await leftBehind()).toEqual({ timers: [], sockets });
  });

  it('and every tool is among these', () => {
    const done = [...READING, ...BROWSING].map(([what]) => what.split(',')[0]);
    expect(CATALOG.map(({ name }) => name).filter((name) => !done.includes(name))).toEqual([]);
  });
});
