import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { leftBehind, watchPending } from '#support/pending.ts';
import { chooseRendererObjectName } from '#browsing/rendering/port.ts';
import { CATALOG } from '#tools/catalog.ts';

/**
 * An object is paid for as long as a timer of it is pending, or a socket open. What may stay is named in
 * docs/storage.md: the connection of a session to its browser, and that of the renderer to its own.
 */
const SESSION = { session: 'watched' };
const RENDERED = 'http://app.acme.dev/fetches';
const PICTURE = 'http://app.acme.dev/a.png';
const WHO = 'http://login.acme.dev/who';

let watch: ReturnType<typeof watchPending>;
let token = '';

beforeAll(async () => {
  token = await grantFor('watched', ['web:read', 'browser:use', 'browser:evaluate']);
  watch = watchPending();
});
afterAll(() => watch.stop());

const call = async (name: string, args: Record<string, unknown>) => {
  const answer = await callTool('modern', name, args, { token });
  return structured(answer);
};

type Step = [what: string, work: () => Promise<unknown>, sockets: number];

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
  ['view_image', () => callTool('modern', 'view_image', { url: PICTURE }, { token }), 1],
  ['the end of the renderer’s rest', () => endRest(), 0],
];

async function endRest(): Promise<void> {
  const realNow = Date.now;
  Date.now = () => realNow() + 120_000;
  await runDurableObjectAlarm(env.PAGE_RENDERER.get(env.PAGE_RENDERER.idFromName(chooseRendererObjectName(RENDERED))));
  Date.now = realNow;
}

describe('leftover timers and sockets, except those that the docs name,', () => {
  it.each(BROWSING)('do not exist after %s', async (_, work, sockets) => {
    await work();
    expect(await leftBehind(watch)).toEqual({ timers: [], sockets });
  });

  it('are checked for every browser tool', () => {
    const done = new Set(BROWSING.map(([what]) => what.split(',')[0]));
    expect(CATALOG.filter(({ name }) => name.startsWith('browser_') && !done.has(name))).toEqual([]);
  });
});
