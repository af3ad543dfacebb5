import { deploymentPart } from '#client/deployment/deployment.ts';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CdpConnection } from '#browsing/cdp/connection.ts';
import { checkBrowserResponds, withBrowserTimeout } from '#browsing/session/active-session.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import { SESSION_TABS_MAX } from '#core/limits.ts';
import { browserOf, endBrowserOf, isGone } from '#support/ended-browser.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

/** The end of a session, its restore, and the state after a failed restore. */

const WHO = 'http://login.acme.dev/who';
const SUBJECT = 'ada-of-lives';
const MINUTE_MS = 60_000;

let token = '';
beforeAll(async () => {
  token = await grantFor(SUBJECT, ['web:read', 'browser:use', 'browser:evaluate']);
});

async function call(tool: string, args: Record<string, unknown>, of = token) {
  const { result } = await callTool('modern', tool, args, { token: of });
  const text = result?.content?.find(({ type }) => type === 'text')?.text ?? '';
  return { text, isError: result?.isError === true, structured: result?.structuredContent ?? {} };
}

const objectOf = (session: string) =>
  env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(SUBJECT, session)));

const openNames = async (subject = SUBJECT) => {
  return (await deploymentPart(env, 'sessions').list(subject)).map(({ name }) => name);
};

async function killBrowser(session: string): Promise<void> {
  await endBrowserOf(objectOf(session), () => call('browser_snapshot', { session }));
}

/** A failed story must not leave its sessions to the next one. */
afterEach(async () => {
  for (const session of await openNames()) await call('browser_close', { session });
});

describe('the life of a session', () => {
  it('includes a restore for a failed call, which the next result reports', async () => {
    const session = 'untold';
    await call('browser_navigate', { url: WHO, session });
    await killBrowser(session);
    const failed = await call('browser_click', { selector: '@e999', session });
    expect(failed.isError).toBe(true);
    expect((await call('browser_snapshot', { session })).structured).toMatchObject({ restored: true });
    expect((await call('browser_snapshot', { session })).structured).toMatchObject({ restored: false });
    await call('browser_close', { session });
  });

  it('includes lost typed text, whose fields are named as page text, whatever their names', async () => {
    const session = 'typed';
    await call('browser_navigate', { url: 'http://app.acme.dev/form', session });
    await call('browser_fill', { selectors: ['#name'], values: ['Ada'], session });
    await killBrowser(session);
    const back = await call('browser_snapshot', { session });
    expect(back.text).toMatch(/Not restored: .*the text typed into the fields below\./u);
    expect(back.text).toMatch(/⟦(\w{16})\n(?:title: .*\n)?lost field: "name"\n[^]*\1⟧/u);
    await call('browser_type', { selector: '#name', key: 'End', session });
    await killBrowser(session);
    expect((await call('browser_snapshot', { session })).text).not.toContain('lost field');
    await call('browser_close', { session });
  });

  it('begins for only one caller if it is started twice in parallel', async () => {
    const session = 'at-once';
    const started = await Promise.all([1, 2, 3].map(() => call('browser_launch', { session })));
    expect(started.filter(({ structured }) => structured['is_new'] === true)).toHaveLength(1);
    await call('browser_close', { session });
  });

  it('continues with its slot, its browser and its limit if it is used while it is being parked', async () => {
    const session = 'in-between';
    await call('browser_navigate', { url: WHO, session });
    const caller = { subject: SUBJECT, ownHosts: [], session };
    await runInDurableObject(objectOf(session), async (instance) => {
      instance.clock = () => Date.now() + 31 * MINUTE_MS;
      const parking = instance.alarm();
      instance.clock = Date.now;
      const used = new Promise((resolve) => setTimeout(resolve, 20)).then(() =>
        instance.call(caller, {}, 'launch', {}),
      );
      await Promise.all([parking, used]);
    });
    expect(await openNames()).toEqual([session]);
    expect(await browserOf(objectOf(session))).not.toBeNull();
    expect((await call('browser_snapshot', { session })).structured).toMatchObject({ tab: { url: WHO } });
    await call('browser_close', { session });
  });

  it('ends with its slot and browser released after a restart of its object, even if nobody uses it', async () => {
    const session = 'deployed';
    await call('browser_navigate', { url: WHO, session });
    await call('browser_snapshot', { session }); // what is kept is kept after the answer
    const browser = await browserOf(objectOf(session));
    const restarted = runInDurableObject(objectOf(session), (_, state) => state.abort('as in a deploy'));
    await restarted.catch(() => undefined);
    expect(await openNames()).toEqual([session]);
    expect(await runDurableObjectAlarm(objectOf(session))).toBe(true);
    expect(await openNames()).toEqual([]);
    await vi.waitFor(async () => expect(await isGone(browser ?? '')).toBe(true), 60_000);
    const back = await call('browser_snapshot', { session });
    expect(back.structured).toMatchObject({ restored: true, tab: { url: WHO } });
    await call('browser_close', { session });
  });

  it('leaves no state behind if the start failed', async () => {
    const session = 'not-started';
    const failed = await runInDurableObject(objectOf(session), (instance) => {
      const binding = { fetch: () => Promise.reject(new Error('no browser today')) };
      Object.assign(instance, { env: { ...env, BROWSER: binding } });
      return instance.call({ subject: SUBJECT, ownHosts: [], session }, {}, 'launch', {});
    });
    expect(failed).toMatchObject({ failure: { code: 'render_failed' } });
    expect(await openNames()).toEqual([]);
    const left = await runInDurableObject(objectOf(session), (_, state) => state.storage.list());
    expect(left.size).toBe(0);
  });

  it('counts, if it is shared, for the user who last restored it, without revealing their other sessions', async () => {
    const bob = await grantFor('bob-of-lives', ['web:read', 'browser:use']);
    await call('browser_navigate', { url: WHO, session: 'shared/relay' });
    await call('browser_launch', { session: 'of-ada' });
    const key = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName('shared/relay'));
    await endBrowserOf(key, () => call('browser_snapshot', { session: 'shared/relay' }));
    const back = await call('browser_launch', { session: 'shared/relay' }, bob);
    expect(back.structured).toMatchObject({ restored: true, open_sessions: ['shared/relay'] });
    expect(await openNames()).toEqual(['of-ada']);
    await call('browser_close', { session: 'shared/relay' }, bob);
    await call('browser_close', { session: 'of-ada' });
  });

  it('includes a maximum number of tabs, and the refusal explains how to open another', async () => {
    const session = 'many';
    for (let tabs = 0; tabs < SESSION_TABS_MAX; tabs += 1) {
      const { isError } = await call('browser_navigate', { url: WHO, new_tab: tabs > 0, session });
      expect(isError).toBe(false);
    }
    const { text } = await call('browser_navigate', { url: WHO, new_tab: true, session });
    expect(text).toContain(`the session already has ${SESSION_TABS_MAX} tabs`);
    await call('browser_close', { tab: 't3', session });
    expect((await call('browser_navigate', { url: WHO, new_tab: true, session })).isError).toBe(false);
    await call('browser_close', { session });
  });
});

describe('a page that navigates every few milliseconds', () => {
  it('is shown within the time of a call, and can be left', async () => {
    const session = 'restless';
    const shown = await call('browser_navigate', { url: 'http://app.acme.dev/restless', session });
    expect(shown).toMatchObject({ isError: false });
    const url = 'http://app.acme.dev/arrived';
    expect((await call('browser_navigate', { url, session })).structured).toMatchObject({ tab: { url } });
    expect((await call('browser_snapshot', { session })).structured).toMatchObject({ tab: { url } });
    await call('browser_close', { session });
  });
});

describe('a browser that hangs', () => {
  function silentBrowser() {
    const [ours, theirs] = Object.values(new WebSocketPair());
    if (ours === undefined || theirs === undefined) throw new Error('no sockets');
    ours.accept();
    theirs.accept();
    return { id: 'silent', connection: new CdpConnection(ours) };
  }

  it('is abandoned when it does not even report its version', async () => {
    const browser = silentBrowser();
    await checkBrowserResponds(browser);
    expect(browser.connection.isOpen).toBe(false);
  });

  it('makes the call that waits for it fail', async () => {
    const browser = silentBrowser();
    const work = withBrowserTimeout(browser, 50, browser.connection.browser.send('Target.getTargets'));
    await expect(work).rejects.toThrow('the browser went away');
  });

  it('is left running when it answers in time', async () => {
    const browser = silentBrowser();
    expect(await withBrowserTimeout(browser, 50, Promise.resolve('done'))).toBe('done');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(browser.connection.isOpen).toBe(true);
  });
});
