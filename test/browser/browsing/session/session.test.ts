import { deploymentPart } from '#client/deployment/deployment.ts';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { sessionKey } from '#browsing/session/session-name.ts';
import type { Scope } from '#core/principal.ts';
import { endBrowserOf } from '#support/ended-browser.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const SCOPES: readonly Scope[] = ['web:read', 'browser:use', 'browser:evaluate'];
const MINUTE_MS = 60_000;
const WHO = 'http://login.acme.dev/who';

/** One person with a token of their own, calling browser tools. */
type Person = { subject: string; token: string };

async function person(subject: string): Promise<Person> {
  return { subject, token: await grantFor(subject, SCOPES) };
}

async function call({ token }: Person, tool: string, args: Record<string, unknown> = {}) {
  const { result } = await callTool('modern', tool, args, { token });
  const text = result?.content?.find(({ type }) => type === 'text')?.text ?? '';
  return { text, isError: result?.isError === true, structured: result?.structuredContent ?? {} };
}

function objectOf({ subject }: Person, session: string) {
  return env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(subject, session)));
}

async function killBrowser(who: Person, session: string): Promise<void> {
  await endBrowserOf(objectOf(who, session), () => call(who, 'browser_snapshot', { session }));
}

describe('a browser session', () => {
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    ada = await person('ada-of-sessions');
    bob = await person('bob-of-sessions');
  });

  it('opens a page and shows it with refs', async () => {
    const { text, structured } = await call(ada, 'browser_navigate', { url: WHO, snapshot: true });
    expect(structured).toMatchObject({ status: 200, session: 'default', tab: { id: 't1', title: 'Who' } });
    expect(text).toMatch(/@e\d+ button "Ask"/);
    await call(ada, 'browser_close');
  });

  it('does not exist before it is started, or after it was closed', async () => {
    for (const tool of ['browser_snapshot', 'browser_close']) {
      const { text, isError } = await call(ada, tool, { session: 'never' });
      expect(isError).toBe(true);
      expect(text).toContain('unknown_session');
    }
    await call(ada, 'browser_launch', { session: 'once' });
    await call(ada, 'browser_close', { session: 'once' });
    expect((await call(ada, 'browser_snapshot', { session: 'once' })).text).toContain('unknown_session');
    const left = await runInDurableObject(objectOf(ada, 'once'), (_, state) => state.storage.list());
    expect(left.size).toBe(0);
  });

  it('is private: another user with the same session name has separate cookies and storage', async () => {
    await call(ada, 'browser_navigate', { url: 'http://login.acme.dev/' });
    const hers = await call(ada, 'browser_navigate', { url: WHO, snapshot: true });
    const his = await call(bob, 'browser_navigate', { url: WHO, snapshot: true });
    expect(hers.text).toContain('session=abc-of-the-test');
    expect(hers.text).toContain('Cart: 3 pens');
    expect(his.text).not.toContain('abc-of-the-test');
    expect(his.text).toContain('Cart: empty');
    const second = await call(ada, 'browser_navigate', { url: WHO, snapshot: true, session: 'second' });
    expect(second.text).not.toContain('abc-of-the-test');
    for (const session of ['default', 'second']) await call(ada, 'browser_close', { session });
    await call(bob, 'browser_close');
  });

  it('is shared only if it is started as shared', async () => {
    await call(ada, 'browser_launch', { session: 'team', shared: true });
    await call(ada, 'browser_navigate', { url: 'http://login.acme.dev/', session: 'shared/team' });
    const his = await call(bob, 'browser_navigate', { url: WHO, snapshot: true, session: 'shared/team' });
    expect(his.text).toContain('session=abc-of-the-test');
    expect((await call(bob, 'browser_snapshot', { session: 'team' })).text).toContain('unknown_session');
    await call(bob, 'browser_close', { session: 'shared/team' });
  });

  it('keeps its window, language and time zone when restored, and changes them on request', async () => {
    const session = 'elsewhere';
    const wanted = {
      width: 390,
      height: 700,
      device: 'phone',
      color_scheme: 'dark',
      locale: 'fr-FR',
      timezone: 'Asia/Tokyo',
      geolocation: '52.52, 13.4',
    };
    const shown = { ...wanted, geolocation: { latitude: 52.52, longitude: 13.4 } };
    const started = await call(ada, 'browser_launch', { session, ...wanted });
    expect(started.structured).toMatchObject({ is_new: true, settings: shown });
    expect(started.text).toContain(
      'Pages see a phone with 390 × 700 px, dark, fr-FR, Asia/Tokyo, the place 52.52, 13.4.',
    );
    await call(ada, 'browser_navigate', { url: WHO, session });
    await killBrowser(ada, session);
    const script =
      '[matchMedia("(prefers-color-scheme: dark)").matches, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, screen.width, /Android.*Mobile/.test(navigator.userAgent)].join()';
    const after = await call(ada, 'browser_evaluate', { script, session });
    expect(after.structured).toMatchObject({ restored: true, value: '"true,fr-FR,Asia/Tokyo,390,true"' });
    const changed = await call(ada, 'browser_launch', { session, width: 800 });
    expect(changed.structured).toMatchObject({ is_new: false, settings: { ...shown, width: 800 } });
    await call(ada, 'browser_close', { session });
    const anew = await call(ada, 'browser_launch', { session });
    expect(anew.structured['settings']).toEqual({ width: 1280, height: 800, device: 'desktop' });
    await call(ada, 'browser_close', { session });
  });

  it.each([
    [{ width: 10 }, 'width'],
    [{ locale: 'not a locale' }, 'locale'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+02:00' }, 'timezone'],
    [{ device: 'watch' }, 'device'],
    [{ geolocation: '91,0' }, 'geolocation'],
    [{ geolocation: '0,-181' }, 'geolocation'],
    [{ geolocation: 'Berlin' }, 'geolocation'],
  ])('cannot be started with %j', async (args, field) => {
    const { structured } = await call(ada, 'browser_launch', { session: 'never', ...args });
    expect(structured).toMatchObject({ error: 'invalid_argument', field });
  });

  it('is restored as signed in after its browser was killed, and reports this', async () => {
    await call(ada, 'browser_navigate', { url: 'http://login.acme.dev/', session: 'killed' });
    const before = await call(ada, 'browser_navigate', { url: WHO, snapshot: true, session: 'killed' });
    const ref = /@e\d+(?= button "Ask")/.exec(before.text)?.[0] ?? '';
    await killBrowser(ada, 'killed');
    const after = await call(ada, 'browser_snapshot', { session: 'killed' });
    expect(after.structured).toMatchObject({ restored: true, tab: { id: 't1', url: WHO } });
    expect(after.text).toContain('The session was restored');
    expect(after.text).toContain('session=abc-of-the-test');
    expect(after.text).toContain('Cart: 3 pens');
    // The same words on a page that looks the same, and still not the element the ref was made for.
    expect(after.text).not.toContain(`${ref} button`);
    expect((await call(ada, 'browser_click', { selector: ref, session: 'killed' })).text).toContain('stale_ref');
    expect((await call(ada, 'browser_snapshot', { session: 'killed' })).structured).toMatchObject({ restored: false });
    await call(ada, 'browser_close', { session: 'killed' });
  });

  it('stores its state encrypted', async () => {
    await call(ada, 'browser_navigate', { url: 'http://login.acme.dev/', session: 'sealed' });
    await call(ada, 'browser_snapshot', { session: 'sealed' });
    const stored = await runInDurableObject(objectOf(ada, 'sealed'), (_, state) => state.storage.list());
    const state = stored.get('state');
    expect(state).toBeInstanceOf(Uint8Array);
    const all = [...stored.values()].map((value) => {
      return value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : JSON.stringify(value);
    });
    expect(all.join('\n')).not.toMatch(/abc-of-the-test|3 pens|login\.acme/);
    await call(ada, 'browser_close', { session: 'sealed' });
  });

  it('is parked after its idle time, and restored when it is used', async () => {
    await call(ada, 'browser_navigate', { url: WHO, session: 'idle' });
    const object = objectOf(ada, 'idle');
    await runDurableObjectAlarm(object);
    expect((await call(ada, 'browser_snapshot', { session: 'idle' })).structured).toMatchObject({ restored: false });
    await vi.waitFor(async () => {
      await runInDurableObject(object, async (instance) => {
        instance.clock = () => Date.now() + 31 * MINUTE_MS;
        await instance.alarm();
        instance.clock = Date.now;
      });
      expect(await deploymentPart(env, 'sessions').list(ada.subject)).toEqual([]);
    }, 60_000);
    const back = await call(ada, 'browser_snapshot', { session: 'idle' });
    expect(back.structured).toMatchObject({ restored: true, tab: { url: WHO } });
    await call(ada, 'browser_close', { session: 'idle' });
  });

  it('answers dialogs as the call specifies, and reports their texts', async () => {
    const session = 'dialogs';
    await call(ada, 'browser_navigate', { url: WHO, session });
    const dismissed = await call(ada, 'browser_click', { selector: 'button', session });
    expect(dismissed.structured).toMatchObject({ events: ['confirm dialog dismissed: "Sure?"'], tab: { title: 'no' } });
    const accepted = await call(ada, 'browser_click', { selector: 'button', dialog: 'accept', session });
    expect(accepted.structured).toMatchObject({ events: ['confirm dialog accepted: "Sure?"'], tab: { title: 'yes' } });
    await call(ada, 'browser_close', { session });
  });

  it('answers a dialog that opens after an act as the call specified, and reports it once', async () => {
    const session = 'late-dialogs';
    await call(ada, 'browser_navigate', { url: WHO, session });
    const asked = async () => z.int().parse(await (await fetch(new URL('/asked', WHO))).json());
    const before = await asked();
    const clicked = await call(ada, 'browser_click', { selector: '#later', dialog: 'accept', session });
    // Nothing is asked of the session until the dialog has come and gone.
    await expect.poll(asked).toBeGreaterThan(before);
    const next = await call(ada, 'browser_snapshot', { session });
    expect(next.structured).toMatchObject({ tab: { title: 'yes' } });
    // On a busy machine the click may still wait for the page when the dialog comes.
    const events = [clicked, next].flatMap(({ structured }) => structured['events']);
    expect(events).toEqual(['confirm dialog accepted: "Still?"']);
    expect((await call(ada, 'browser_snapshot', { session })).structured).toMatchObject({ events: [] });
    await call(ada, 'browser_close', { session });
  });

  it('answers dialogs in the tab of a ref, and reports only new events there', async () => {
    const session = 'dialogs-elsewhere';
    await call(ada, 'browser_navigate', { url: WHO, session });
    const other = await call(ada, 'browser_navigate', { url: WHO, new_tab: true, snapshot: true, session });
    const ask = /@e\d+(?= button "Ask")/u.exec(other.text)?.[0];
    const events = ['confirm dialog accepted: "Sure?"'];
    for (let times = 0; times < 2; times += 1) {
      const accepted = await call(ada, 'browser_click', { selector: ask, dialog: 'accept', session });
      expect(accepted.structured).toMatchObject({ events, tab: { id: 't2', title: 'yes' } });
    }
    await call(ada, 'browser_close', { session });
  });

  it('names the tabs that a page opens, and works in the tab of the call', async () => {
    const session = 'tabs';
    await call(ada, 'browser_navigate', { url: WHO, session });
    const clicked = await call(ada, 'browser_click', { selector: 'a', session });
    expect(clicked.structured).toMatchObject({
      tab: { id: 't1' },
      tabs: [{ id: 't1' }, { id: 't2', url: `${WHO}?tab` }],
    });
    expect(clicked.text).toContain('A new tab opened: t2');
    const other = await call(ada, 'browser_snapshot', { session, tab: 't2' });
    expect(other.structured).toMatchObject({ tab: { id: 't2', url: `${WHO}?tab` } });
    await call(ada, 'browser_close', { session, tab: 't2' });
    const gone = await call(ada, 'browser_snapshot', { session, tab: 't2' });
    expect(gone.text).toContain('is not an open tab; the open tabs are t1');
    await call(ada, 'browser_close', { session });
  });

  it('goes back and forward in its history without requesting a page again', async () => {
    const session = 'history';
    await call(ada, 'browser_navigate', { url: WHO, session });
    await call(ada, 'browser_navigate', { url: `${WHO}?2`, session });
    const back = await call(ada, 'browser_navigate', { history: 'back', session });
    expect(back.structured).toMatchObject({ tab: { url: WHO }, status: 200, still_loading: false });
    const forward = await call(ada, 'browser_navigate', { history: 'forward', session });
    expect(forward.structured).toMatchObject({ tab: { url: `${WHO}?2` } });
    const further = await call(ada, 'browser_navigate', { history: 'forward', session });
    expect(further.text).toContain('there is no page to go forward to');
    await call(ada, 'browser_close', { session });
  });

  it('is usable again after a page began to hang', async () => {
    const session = 'hangs';
    await call(ada, 'browser_navigate', { url: WHO, session });
    await runInDurableObject(objectOf(ada, session), (instance) => {
      instance.callMs = 3_000;
    });
    const script = 'setTimeout(() => { while (true) {} }, 50)';
    const hung = await call(ada, 'browser_evaluate', { script, session });
    expect(hung.text).toContain('Error timeout');
    const next = await call(ada, 'browser_navigate', { url: `${WHO}?after`, session });
    expect(next.structured).toMatchObject({ status: 200 });
    await call(ada, 'browser_close', { session });
  });

  it('refuses non-public URLs and invalid names', async () => {
    for (const url of ['http://127.0.0.1/', 'http://inside.acme.dev/', 'file:///etc/passwd', 'http://localhost/mcp']) {
      const { text, isError } = await call(ada, 'browser_navigate', { url, session: 'refused' });
      expect([url, isError]).toEqual([url, true]);
      expect(text).toMatch(/ssrf_blocked|invalid_url/);
    }
    const nowhere = await call(ada, 'browser_navigate', { url: 'http://no-such-host.acme.dev/', session: 'refused' });
    expect(nowhere.text).toContain('Error fetch_failed');
    expect((await call(ada, 'browser_launch', { session: '../x' })).text).toContain('invalid_argument: session');
    await call(ada, 'browser_close', { session: 'refused' });
  });

  it('keeps its open page when an address is refused, and reports the refusal once', async () => {
    const session = 'stays';
    await call(ada, 'browser_navigate', { url: WHO, session });
    for (const url of ['http://10.0.0.1/', 'http://inside.acme.dev/', 'http://no-such-host.acme.dev/']) {
      const refused = await call(ada, 'browser_navigate', { url, new_tab: true, session });
      expect(refused.isError).toBe(true);
      await call(ada, 'browser_navigate', { url, session });
      const after = await call(ada, 'browser_snapshot', { session });
      expect(after.structured).toMatchObject({ tab: { id: 't1', url: WHO } });
      expect(after.structured).not.toHaveProperty('tabs');
      expect(after.text).not.toContain('request refused');
    }
    await call(ada, 'browser_close', { session });
  });

  it('keeps its open page when an address of its history is refused', async () => {
    const session = 'stays-in-history';
    await call(ada, 'browser_navigate', { url: WHO, session });
    await call(ada, 'browser_evaluate', { script: "location = 'http://10.0.0.1/'", session });
    const reload = await call(ada, 'browser_navigate', { history: 'reload', session });
    expect(reload.text).toContain('Error ssrf_blocked: http://10.0.0.1/ is not allowed');
    const back = await call(ada, 'browser_navigate', { history: 'back', session });
    expect(back.structured).toMatchObject({ tab: { url: WHO } });
    const forward = await call(ada, 'browser_navigate', { history: 'forward', session });
    expect(forward.text).toContain('Error ssrf_blocked: http://10.0.0.1/ is not allowed');
    const after = await call(ada, 'browser_snapshot', { session });
    expect(after.structured).toMatchObject({ tab: { url: WHO } });
    expect(after.text).not.toContain('request refused');
    await call(ada, 'browser_close', { session });
  });
});
