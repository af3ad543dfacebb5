import { deploymentPart } from '#client/deployment/deployment.ts';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sessionKey } from '#browsing/session/session-name.ts';
import { atEverySite, isPassing, turnsOf, unclear } from '#support/every-call-site.ts';
import type { Ended } from '#support/every-call-site.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const SUBJECT = 'somebody-browsing-with-faults';
const WHO = 'http://login.acme.dev/who';
const MINUTE_MS = 60_000;
const session = 'faulty';

let token = '';
beforeAll(async () => {
  token = await grantFor(SUBJECT, ['web:read', 'browser:use', 'browser:evaluate']);
});

async function tool(name: string, args: Record<string, unknown> = {}): Promise<Ended> {
  const answer = await callTool('modern', name, { session, ...args }, { token });
  return { ok: answer.result !== undefined && answer.result.isError !== true, text: JSON.stringify(answer) };
}

const object = () => env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(SUBJECT, session)));
const registry = () => deploymentPart(env, 'sessions');

let aheadMs = 0;

/** A minute that is paid for would hide the call that pays. */
async function unpaid(): Promise<void> {
  aheadMs += 2 * MINUTE_MS;
  await runInDurableObject(object(), (instance) => {
    instance.clock = () => Date.now() + aheadMs;
  });
}

async function parked(): Promise<void> {
  await open();
  await runInDurableObject(object(), async (instance) => {
    instance.clock = () => Date.now() + aheadMs + 31 * MINUTE_MS;
    // Work after the answer ends before the session is parked.
    while (!(await state()).isParked) await instance.alarm();
    instance.clock = Date.now;
  });
}

async function open(): Promise<void> {
  await runInDurableObject(object(), (instance) => {
    instance.clock = () => Date.now() + aheadMs;
  });
  const { exists, isParked } = await state();
  if (exists && !isParked) return;
  expect(await tool('browser_navigate', { url: WHO })).toMatchObject({ ok: true });
}

async function state() {
  const listed = (await registry().list(SUBJECT)).length;
  const { kept } = await runInDurableObject(object(), async (_, { storage }) => ({
    kept: await storage.get<{ browserId: string | null }>('record'),
  }));
  return { listed, exists: kept !== undefined, isParked: kept !== undefined && kept.browserId === null };
}

/** The tab that is closed: another one stays, as a new browser for each would cost most of the time. */
let tab = '';

async function openTab(): Promise<void> {
  await open();
  if (tab !== '' && (await tool('browser_snapshot', { tab })).ok) return;
  const opened = await callTool('modern', 'browser_navigate', { session, url: WHO, new_tab: true }, { token });
  tab = z.object({ tab: z.object({ id: z.string() }) }).parse(opened.result?.structuredContent).tab.id;
}

type Deed = { prepare: () => Promise<void>; run: () => Promise<Ended>; acts?: boolean };

/** Created before a fault, because a fault returns no usable stub. */
let awake = object();

const openAndUnpaid = async () => {
  await open();
  await unpaid();
  awake = object();
};

const DEEDS: Record<string, Deed> = {
  'starting a session': { prepare: close, run: () => tool('browser_launch') },
  'starting one with a page': { prepare: close, run: () => tool('browser_navigate', { url: WHO }), acts: true },
  'bringing one back': { prepare: parked, run: () => tool('browser_snapshot') },
  'a look': { prepare: openAndUnpaid, run: () => tool('browser_snapshot') },
  'a picture': { prepare: openAndUnpaid, run: () => tool('browser_screenshot') },
  'reading what it shows': { prepare: openAndUnpaid, run: () => tool('browser_read') },
  'a click': { prepare: openAndUnpaid, run: () => tool('browser_click', { selector: 'button' }), acts: true },
  'pressing a key': {
    prepare: openAndUnpaid,
    run: () => tool('browser_type', { selector: 'button', key: 'Tab' }),
    acts: true,
  },
  'filling a field': {
    prepare: async () => {
      await open();
      const script = `document.querySelector('#note') || document.body.insertAdjacentHTML('beforeend', '<input id="note">')`;
      expect(await tool('browser_evaluate', { script })).toMatchObject({ ok: true });
      await openAndUnpaid();
    },
    run: () => tool('browser_fill', { selectors: ['#note'], values: ['x'] }),
    acts: true,
  },
  scrolling: { prepare: openAndUnpaid, run: () => tool('browser_scroll'), acts: true },
  'its HTML': { prepare: openAndUnpaid, run: () => tool('browser_html') },
  'a script': { prepare: openAndUnpaid, run: () => tool('browser_evaluate', { script: '1' }), acts: true },
  'closing it': { prepare: open, run: () => tool('browser_close') },
  'closing a tab': { prepare: openTab, run: () => tool('browser_close', { tab }), acts: true },
  'the tick that keeps it alive': {
    prepare: openAndUnpaid,
    run: async () => {
      await runDurableObjectAlarm(awake);
      return { ok: true, text: '' };
    },
  },
  'the tick that parks it': {
    prepare: async () => {
      await open();
      awake = object();
      await runInDurableObject(awake, (instance) => {
        instance.clock = () => Date.now() + aheadMs + 31 * MINUTE_MS;
      });
    },
    run: async () => {
      await runDurableObjectAlarm(awake);
      return { ok: true, text: '' };
    },
  },
};

/**
 * The inconsistency of the stored state, if any: a session without a browser must not be listed, and one with a browser
 * must have its next tick.
 */
async function halfStored(): Promise<string | null> {
  const { listed, exists, isParked } = await state();
  if (listed > 0 && !exists) return 'a session is listed that is not there';
  const alarm = await runInDurableObject(object(), (_, { storage }) => storage.getAlarm());
  if (exists && alarm === null) return 'nothing will ever end this session';
  return isParked && listed > 0 ? 'a session is listed that has no browser' : null;
}

async function close(): Promise<void> {
  await runInDurableObject(object(), (instance) => {
    instance.clock = Date.now;
  });
  const { ok, text } = await tool('browser_close');
  expect(ok || text.includes('unknown_session')).toBe(true);
  expect(await state()).toEqual({ listed: 0, exists: false, isParked: false });
}

// Each test opens or closes the session that the previous one left.
afterAll(close);

const IN_TURN = Object.entries(DEEDS).map(([kind, deed], at) => [kind, deed, at] as const);

describe.each(IN_TURN)('%s, with a fault at every call to a binding in turn', (_kind, deed, at) => {
  it.each(turnsOf(at))('works or explains what to do, and stores nothing by halves: %s', async (_, turn) => {
    const wrong: unknown[] = [];
    const left: (string | null)[] = [];
    await deed.prepare();
    const answers = await atEverySite(deed.run, turn, async (hit) => {
      // The next tick releases what could not be released before.
      if ((await halfStored()) !== null) await runDurableObjectAlarm(object());
      const what = await halfStored();
      if (hit !== null) left.push(what);
      // It works again immediately, or does not exist.
      const next = await tool('browser_snapshot');
      if (!next.ok && !next.text.includes('unknown_session')) wrong.push(['the next call', next.text]);
      await deed.prepare();
    });
    for (const [n, { hit, result }] of answers.entries()) {
      const why = unclear(result);
      if (why !== null) wrong.push([hit, why, result.text]);
      const what = left[n];
      if (what !== null) wrong.push([hit, what]);
      const mayFail = deed.acts === true && result.text.includes('browser_snapshot before you try again');
      if (isPassing(turn.fault) && !result.ok && !mayFail) wrong.push([hit, 'fails though it passes', result.text]);
    }
    expect(wrong).toEqual([]);
  });
});
