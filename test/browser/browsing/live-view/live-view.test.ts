import { describe, expect, it, vi } from 'vitest';
import { LIVE_PASTED_CHARS_MAX } from '#browsing/live-view/limits.ts';
import { LiveViewers, readMessage } from '#browsing/live-view/live-view.ts';
import type { TakeoverControl } from '#browsing/live-view/live-view.ts';
import { browserWith } from '#support/pretend-sites.ts';

const mouse = { kind: 'mouse', type: 'down', button: 'left', clicks: 1, held: 0, x: 0.5, y: 1 };

describe('a message of the live view page', () => {
  it('is parsed unchanged', () => {
    const text = { kind: 'text', text: '"'.repeat(LIVE_PASTED_CHARS_MAX) };
    for (const message of [mouse, text, { kind: 'here' }, { kind: 'go', url: 'javascript:alert(1)' }]) {
      expect(readMessage(JSON.stringify(message))).toEqual(message);
    }
  });

  it.each([
    ['no JSON', 'mouse'],
    ['bytes', new ArrayBuffer(2)],
    ['a kind that there is not', { kind: 'eval', script: '1' }],
    ['a key that there is not', { ...mouse, target: 't2' }],
    ['a place outside of the picture', { ...mouse, x: 1.01 }],
    ['no number', { ...mouse, y: null }],
    ['fingers of nobody', { kind: 'touch', type: 'start', points: Array.from({ length: 11 }, () => ({ x: 0, y: 0 })) }],
    ['more text than is taken', { kind: 'text', text: 'x'.repeat(LIVE_PASTED_CHARS_MAX + 1) }],
    ['a list', [mouse]],
  ])('is refused when it is %s', (_, message) => {
    const isRaw = typeof message === 'string' || message instanceof ArrayBuffer;
    expect(readMessage(isRaw ? message : JSON.stringify(message))).toBeNull();
  });
});

const NOBODY_DRIVES: TakeoverControl = {
  driver: null,
  request: null,
  question: null,
  requestedTab: null,
  take: async () => null,
  giveBack: async () => undefined,
  decline: async () => undefined,
  connected: () => undefined,
  disconnected: () => undefined,
  noteUse: () => undefined,
  endIfAbandoned: async () => undefined,
};

describe('a live view page that requests another tab a thousand times at once', () => {
  it('is shown the last one, with only a few calls to the browser', async () => {
    const browser = await browserWith(() => null);
    const contextId = await browser.openContext();
    const open = () => browser.tabs.open(contextId);
    const [first, last] = [await open(), await open()];
    const { browser: session } = browser.acquired.connection;
    const shown = { tabs: browser.tabs, browser: session, open, setActing: () => undefined };
    const view = new LiveViewers(
      () => shown,
      () => ({ openSince: 0, restsAt: 0 }),
      NOBODY_DRIVES,
      () => null,
    );
    const asked = vi.spyOn(session, 'send');
    const { 0: page, 1: own } = new WebSocketPair();
    const told: string[] = [];
    page.addEventListener('message', ({ data }) => void (typeof data === 'string' && told.push(data)));
    for (const end of [page, own]) end.accept();
    view.admit(own, crypto.randomUUID(), 'ada');
    for (let n = 1; n <= 1_000; n += 1) {
      page.send(JSON.stringify({ kind: 'look', tab: n % 2 === 0 ? last.id : first.id }));
    }
    page.send(JSON.stringify({ kind: 'look', tab: last.id }));
    await expect.poll(() => told.at(-1), { timeout: 20_000 }).toContain(`"shown":"${last.id}"`);
    expect(asked.mock.calls.filter(([method]) => method === 'Target.getTargets').length).toBeLessThan(50);
    view.end(1000, 'over');
    await browser.close();
  });
});

describe('a live view page in control', () => {
  it('switches to a tab that opens, and back to the previous one when it closes', async () => {
    const browser = await browserWith(() => null);
    const contextId = await browser.openContext();
    const open = () => browser.tabs.open(contextId);
    const first = await open();
    const { browser: session } = browser.acquired.connection;
    const shown = { tabs: browser.tabs, browser: session, open, setActing: () => undefined };
    const name = crypto.randomUUID();
    const view = new LiveViewers(
      () => shown,
      () => ({ openSince: 0, restsAt: 0 }),
      { ...NOBODY_DRIVES, driver: { page: name, person: 'ada', isReady: true } },
      () => null,
    );
    const { 0: page, 1: own } = new WebSocketPair();
    const told: string[] = [];
    page.addEventListener('message', ({ data }) => void (typeof data === 'string' && told.push(data)));
    for (const end of [page, own]) end.accept();
    view.admit(own, name, 'ada');
    const isShown = (id: string) =>
      expect
        .poll(() => told.findLast((one) => one.includes('"shown"')), { timeout: 20_000 })
        .toContain(`"shown":"${id}"`);
    await isShown(first.id);
    const opened = await open();
    await isShown(opened.id);
    const before = browser.tabs.settings;
    page.send(JSON.stringify({ kind: 'screen', phone: 700 }));
    await expect
      .poll(() => browser.tabs.settings, { timeout: 20_000 })
      .toMatchObject({ width: 390, height: 700, mobile: true });
    page.send(JSON.stringify({ kind: 'shut', tab: opened.id }));
    await isShown(first.id);
    page.send(JSON.stringify({ kind: 'shut', tab: first.id }));
    await expect.poll(() => told.at(-1), { timeout: 20_000 }).toContain('The last tab of a session stays open.');
    await view.rest();
    expect(browser.tabs.settings).toEqual(before);
    view.end(1000, 'over');
    await browser.close();
  });
});
