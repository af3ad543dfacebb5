import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';

/**
 * Two users of one server, each with a Chromium and a model. Nothing of one is visible to the other unless it is
 * shared.
 */

const WAIT = { interval: 100 };

let site: BrowserSite;
let origin = '';
let ana: Someone;
let bert: Someone;

type Someone = { browser: RealBrowser; model: TestClient };

beforeAll(async () => {
  ({ origin } = await sharedServer());
  site = await startBrowserSite(await newSitePort());
  [ana, bert] = await Promise.all([someone('ana'), someone('bert')]);
});
afterAll(async () => {
  for (const one of [ana, bert]) {
    await one?.browser.close();
    await one?.model.close();
  }
  await site?.close();
});

async function someone(name: string): Promise<Someone> {
  const account = await newPerson(name);
  const [browser, model] = await Promise.all([startRealBrowser(account), connectModern(account)]);
  return { browser, model };
}

const words = ({ browser }: Someone) => browser.see<string>('document.body.innerText');
const driver = ({ browser }: Someone) => browser.see<string>('document.body.dataset.driver');
const address = ({ browser }: Someone) => browser.see<string>('document.getElementById("address").value');

describe('a citation of one user', () => {
  it('opens only for them, and a shared quote for everyone', async () => {
    const opened = await ana.model.call('open_url', { url: `${site.url}/` });
    const { cursor } = opened.structured;
    const quoted = { cursor, quote: 'Welcome to the harbour.' };
    const link = String((await ana.model.call('cite', quoted)).structured['link']);
    await ana.browser.goTo(link);
    expect(await words(ana)).toContain('Welcome to the harbour.');
    await bert.browser.goTo(link);
    expect(await words(bert)).toMatch(/There is no such citation[\s\S]*another account/);
    const quote = String((await ana.model.call('cite', { ...quoted, share: true })).structured['share_link']);
    await bert.browser.goTo(link);
    expect(await bert.browser.address()).toBe(quote);
    expect((await bert.model.call('scroll', { cursor })).text).toContain('unknown_cursor');
    await bert.browser.goTo(quote);
    expect(await words(bert)).toContain('Welcome to the harbour.');
    for (const place of ['citations', 'activity', 'sessions']) {
      await bert.browser.goTo(`${origin}/console/${place}`);
      expect(await words(bert)).not.toMatch(/harbour/i);
    }
  });
});

describe('a session of one user', () => {
  it("is separate from another user's session of the same name", async () => {
    await ana.model.call('browser_navigate', { session: 'desk', url: `${site.url}/booking` });
    await bert.browser.goTo(`${origin}/live/desk`);
    expect(await words(bert)).toContain('You have no browser session named “desk”');
    await bert.model.call('browser_navigate', { session: 'desk', url: `${site.url}/tall` });
    await bert.browser.goTo(`${origin}/live/desk`);
    await ana.browser.goTo(`${origin}/live/desk`);
    await expect.poll(() => address(bert), WAIT).toBe(`${site.url}/tall`);
    await expect.poll(() => address(ana), WAIT).toBe(`${site.url}/booking`);
    for (const { model } of [ana, bert]) await model.call('browser_close', { session: 'desk' });
  });
});

describe('a shared session', () => {
  it('is watched and driven by its members, one at a time, and the models of all members are informed', async () => {
    await ana.model.call('browser_launch', { session: 'quay', shared: true });
    const session = 'shared/quay';
    await ana.model.call('browser_navigate', { session, url: `${site.url}/booking` });
    const asked = await ana.model.call('browser_handoff', { session, reason: 'Somebody please book.' });
    const link = String(asked.structured['link']);
    expect(link).toBe(`${origin}/live/shared/quay`);
    await ana.browser.goTo(`${origin}/console/sessions`);
    expect(await words(ana)).toMatch(/shared\/quay\s+waiting for you[\s\S]*Somebody please book\./);
    await ana.browser.goTo(link);
    await bert.browser.goTo(link);
    for (const one of [ana, bert]) {
      await expect.poll(() => one.browser.see('document.getElementById("canvas").hidden'), WAIT).toBe(false);
      expect(await one.browser.see('document.getElementById("reason").textContent')).toBe('Somebody please book.');
    }
    await bert.browser.click('#take');
    await expect.poll(() => driver(bert), WAIT).toBe('you');
    await expect.poll(() => driver(ana), WAIT).toBe('other');
    expect(await ana.browser.see('document.getElementById("take").disabled')).toBe(true);
    for (const { model } of [ana, bert]) {
      expect((await model.call('browser_click', { session, selector: 'button' })).text).toContain('handed_over');
    }
    await bert.browser.see(`(() => { const field = document.getElementById('address'); field.value = '${site.url}/tall';
      document.getElementById('go').requestSubmit(); })()`);
    await expect.poll(() => address(ana), WAIT).toBe(`${site.url}/tall`);
    await bert.browser.click('#give');
    await expect.poll(() => driver(ana), WAIT).toBe('nobody');
    const heard = await ana.model.call('browser_handoff', { session, reason: 'Somebody please book.' });
    expect(heard.structured).toMatchObject({ state: 'given_back' });
    expect(heard.text).toContain('/tall');
    await bert.browser.goTo(`${origin}/console/session?name=shared/quay`);
    expect(await words(bert)).not.toContain('Went to');
    await bert.model.call('browser_close', { session });
    expect((await ana.model.call('browser_snapshot', { session })).text).toContain('unknown_session');
  });
});
