import { beforeAll, describe, expect, it } from 'vitest';
import { DIALOG_RATE, POPUP_RATE } from '#browsing/tabs/limits.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

/**
 * Pages that open endless dialogs or pop-ups, or change their address endlessly. The call ends once that is clear and reports it, and the session
 * continues.
 */

let token = '';
beforeAll(async () => {
  token = await grantFor('ada-in-storms', ['web:read', 'browser:use']);
});

async function call(session: string, tool: string, args: Record<string, unknown> = {}) {
  const { result } = await callTool('modern', tool, { ...args, session }, { token });
  const text = result?.content?.find(({ type }) => type === 'text')?.text ?? '';
  return { text, isError: result?.isError === true };
}

const STORMS = 'http://storms.acme.dev';
const open = (session: string, page = session) => call(session, 'browser_navigate', { url: `${STORMS}/${page}` });
const click = (session: string) => call(session, 'browser_click', { selector: '#go' });

const LOOKS_MAX = 5;

/** The number of dialogs or pop-ups in the loop, from the result. */
const counted = (text: string) => Number(/opened (\d+) (?:dialogs|pop-ups) in a loop/u.exec(text)?.[1]);

describe('a page that opens endless dialogs', () => {
  it.each([
    ['alert-loop', 'alert dialog accepted: "Again"'],
    ['confirm-until', 'confirm dialog dismissed: "Agree?"'],
  ])('is closed if its script cannot be stopped, and the session continues: %s', async (page, event) => {
    await open(page);
    const clicked = await click(page);
    const next = await call(page, 'browser_snapshot');
    const both = clicked.text + next.text;
    expect(both).toContain('could not be stopped');
    expect(counted(both)).toBeGreaterThanOrEqual(DIALOG_RATE.burst);
    expect(both).toContain(event);
    expect(both).not.toContain('Error timeout');
    expect((await open(page, 'calm')).isError).toBe(false);
    expect((await call(page, 'browser_snapshot')).text).toContain('Words of calm');
    await call(page, 'browser_close');
  });

  it.each(['alert-timer', 'alert-focus', 'prompt-chain'])('can be left: %s', async (page) => {
    await open(page);
    await click(page);
    const left = await call(page, 'browser_navigate', { url: `${STORMS}/calm`, snapshot: true });
    expect(left.text).toContain('Words of calm');
    await call(page, 'browser_close');
  });

  it('has its scripts stopped, can still be read, and runs again when it is reloaded', async () => {
    const session = 'stopped';
    let told = (await open(session, 'alert-timer-loads')).text + (await click(session)).text;
    // On a busy machine, this many dialogs take a few calls.
    for (let looks = 0; looks < LOOKS_MAX && !Number.isFinite(counted(told)); looks += 1) {
      told += (await call(session, 'browser_snapshot')).text;
    }
    expect(told).not.toContain('Error timeout');
    expect(counted(told)).toBeGreaterThanOrEqual(DIALOG_RATE.burst);
    expect(told).toContain('alert dialog accepted: "Again"');
    expect((await call(session, 'browser_snapshot')).text).toContain('Words of alert-timer-loads');
    expect((await click(session)).text).toContain('Nothing was done');
    const again = await open(session, 'few-dialogs');
    expect(again.text).not.toContain('scripts are stopped');
    expect((await click(session)).text).toContain('alert dialog accepted: "Step 0"');
    await call(session, 'browser_close');
  });

  it('is distinguished from a page with a few', async () => {
    const session = 'few-dialogs';
    await open(session);
    const clicked = await click(session);
    expect(clicked.text).toContain('"Step 7"');
    expect(clicked.text).not.toContain('in a loop');
    await call(session, 'browser_close');
  });
});

describe('a page that opens endless pop-ups', () => {
  it.each(['popups-loop', 'popups-endless', 'popups-timer', 'popups-of-popups', 'popups-timer-loads'])(
    'is stopped, reported with its tabs, and can be left: %s',
    async (page) => {
      const opened = await open(page);
      const clicked = await click(page);
      const seen = await call(page, 'browser_snapshot');
      const all = opened.text + clicked.text + seen.text;
      expect(all).not.toContain('Error timeout');
      expect(all).toMatch(page === 'popups-timer' ? /tab t3:/u : /opened \d+ pop-ups in a loop/u);
      if (page === 'popups-loop') {
        expect(counted(clicked.text)).toBeGreaterThan(POPUP_RATE.burst);
        expect(seen.text).toContain('tab t20:');
        expect(seen.text).toContain('pop-up refused');
      }
      const calm = await open(page, 'calm');
      expect(calm.isError ? calm.text : '').toBe('');
      expect((await call(page, 'browser_snapshot')).text).toContain('Words of calm');
      await call(page, 'browser_close');
    },
  );

  it('keeps its tab, and opens no more tabs than allowed, if no pop-up waits for another', async () => {
    const session = 'popups-alone';
    await open(session);
    expect((await click(session)).text).toMatch(/opened \d+ pop-ups in a loop, so its scripts were stopped/u);
    const seen = await call(session, 'browser_snapshot');
    expect(seen.text).toContain('Words of popups-alone');
    expect(seen.text).toContain('20 tabs open');
    await call(session, 'browser_close');
  });

  it('is distinguished from a page with a few', async () => {
    const session = 'few-popups';
    await open(session);
    const clicked = await click(session);
    expect(clicked.text).toContain('A new tab opened: t4');
    expect(clicked.text).not.toContain('in a loop');
    await call(session, 'browser_close');
  });
});

describe('a page that changes its address endlessly', () => {
  it('is stopped or closed, which the result says, and the session continues', async () => {
    const session = 'address-loop';
    let told = (await open(session)).text + (await click(session)).text;
    const isTold = () => /changed its address \d+ times in a loop/u.test(told);
    for (let looks = 0; looks < LOOKS_MAX && !isTold(); looks += 1) {
      told += (await call(session, 'browser_snapshot')).text;
    }
    expect(isTold()).toBe(true);
    const left = await call(session, 'browser_navigate', { url: `${STORMS}/calm`, snapshot: true });
    expect(left.text).toContain('Words of calm');
    await call(session, 'browser_close');
  });

  it('is distinguished from a page that changes it often', async () => {
    const session = 'many-addresses';
    await open(session);
    const clicked = await click(session);
    expect(clicked.text).toContain('/many-addresses#499');
    expect(clicked.text).not.toContain('in a loop');
    await call(session, 'browser_close');
  });
});
