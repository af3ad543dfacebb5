import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_LINKS } from '#web/console/console-page.tsx';
import { onSession, refOf } from '#support/browser-person.ts';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { troublesOf } from '#support/peoples-pages.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';

/**
 * Every page for users, in Chromium, in light and dark colours, in desktop and phone size, checked with axe. Those of
 * the owner alone are in `pages-in-a-browser.test.ts`.
 */

/** A client's own words: long, with markup and characters that turn text around. */
const CLIENT = `<b>Client</b> "\u202e${'with a very long name '.repeat(3)}`;
const SOON_MS = 60_000;

let site: BrowserSite;
let account: Person;
let model: TestClient;
let person: RealBrowser;
let origin = '';
let callback: ReturnType<typeof createServer>;
let consentPage = '';
let citation = '';
let quote = '';

beforeAll(async () => {
  callback = createServer((_, response) => response.end('back at the client')).listen(0, '127.0.0.1');
  ({ origin } = await sharedServer());
  [site, account, person] = await Promise.all([
    newSitePort().then(startBrowserSite),
    newPerson('pages'),
    startRealBrowser(),
  ]);
  [model, consentPage] = await Promise.all([connectModern(account), authorization(), person.atProvider(account.email)]);
});
afterAll(async () => {
  await person?.close();
  await model?.close();
  await site?.close();
  callback?.close();
});

async function authorization(): Promise<string> {
  const redirect = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  const registered = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: CLIENT, redirect_uris: [redirect], token_endpoint_auth_method: 'none' }),
  });
  const { client_id: clientId } = await registered.json<{ client_id: string }>();
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    resource: account.mcpUrl,
  });
  return `${origin}/authorize?${asked.toString()}`;
}

async function expectWell(path: string): Promise<void> {
  await person.goTo(path.startsWith('http') ? path : origin + path);
  expect(await troublesOf(person)).toEqual([]);
}

const bodyText = () => person.see<string>('document.body.innerText');

/** Waits for the page's text, because a call stores its activity after its answer. */
async function untilItSays(path: string, text: string | RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        await person.goTo(origin + path);
        return bodyText();
      },
      { timeout: SOON_MS, interval: 500 },
    )
    .toMatch(text);
}

const CONSOLE = CONSOLE_LINKS.filter(({ isOwners = false }) => !isOwners).map(({ path }) => path);

describe('the pages for a newcomer', () => {
  it('explain the server, and how to sign in', async () => {
    for (const path of ['/', '/mcp', '/privacy']) await expectWell(path);
    await expectWell('/console/activity');
    expect(await person.see('document.querySelector("h1").textContent')).toBe('Sign in');
    await person.click('button[value=oidc]');
    expect(new URL(await person.address()).pathname).toBe('/console/activity');
  });

  it('show how to connect each client, by keyboard, and copy the text to paste', async () => {
    await person.goTo(`${origin}/`);
    const shown = () =>
      person.see<string>(`[...document.querySelectorAll('.client')].find((one) => one.checkVisibility()).innerText`);
    expect(await shown()).toContain('claude mcp add');
    await person.see(`document.querySelector('[name=client]:checked').focus()`);
    for (const type of ['rawKeyDown', 'keyUp']) {
      await person.input('dispatchKeyEvent', {
        type,
        key: 'ArrowRight',
        code: 'ArrowRight',
        windowsVirtualKeyCode: 39,
      });
    }
    expect(await shown()).toContain('Add to Cursor');
    await person.see(`document.querySelector('button[data-copy]').click()`);
    await expect.poll(() => person.see(`document.querySelector('.said').textContent`)).toMatch(/Copied|Selected/);
    expect(person.complaints).toEqual([]);
  });

  it.each(CONSOLE)('name the first step: %s', async (path) => {
    await expectWell(path);
    expect(person.complaints).toEqual([]);
  });

  it('ask for consent, whatever a client calls itself', async () => {
    await expectWell(consentPage);
    expect(await bodyText()).not.toContain('\u202e');
    await person.click('input[value="cite:share"]');
    await person.click('button[value=allow]');
  });
});

describe('the pages for a user whose models have worked', () => {
  beforeAll(async () => {
    await model.call('search', { query: 'rope <script>alert(1)</script> bell' });
    const { structured } = await model.call('open_url', { url: `${site.url}/` });
    const { text } = await model.call('scroll', { cursor: structured['cursor'], loc: 0 });
    const line = text.split('\n').find((one) => /^L\d+: \S.{20,}/.test(one)) ?? '';
    const cited = await model.call('cite', {
      cursor: structured['cursor'],
      quote: line.replace(/^L\d+: /, '').slice(0, 60),
      share: true,
      note: 'A note',
    });
    citation = String(cited.structured['link']);
    quote = String(cited.structured['share_link']);
    const call = onSession(model, 'watched');
    await call('browser_navigate', { url: `${site.url}/booking` });
    await call('browser_click', { selector: refOf(await call('browser_snapshot'), 'button') });
    await call('browser_scroll', { direction: 'down' });
    await model.call('browser_click', { session: 'watched', selector: '#not-there' });
  });

  it.each(CONSOLE)('are shown without problems: %s', expectWell);

  it('lead from a line of the activity to the result that the model saw', async () => {
    await untilItSays('/console/activity', 'watched');
    expect(await troublesOf(person)).toEqual([]);
    expect(await bodyText()).toContain('<script>alert(1)</script>');
    await person.goTo(citation);
    expect(await troublesOf(person)).toEqual([]);
    await person.goTo(quote);
    expect(await troublesOf(person)).toEqual([]);
  });

  it('show the steps of a session, each with a picture of the page after it', async () => {
    await untilItSays('/console/session?name=watched', /Clicked failed: element not found[\s\S]*Went to 127\.0\.0\.1/);
    expect(await troublesOf(person)).toEqual([]);
    // On a busy machine a page may give no picture in time: then one of the next steps has one.
    await expect
      .poll(
        async () => {
          await model.call('browser_scroll', { session: 'watched', direction: 'up' });
          await person.goTo(`${origin}/console/session?name=watched`);
          return person.see<number>('[...document.images].filter((image) => image.naturalWidth > 100).length');
        },
        { timeout: 3 * SOON_MS, interval: 1_000 },
      )
      .toBeGreaterThan(0);
    expect(person.complaints).toEqual([]);
  });

  it('show a session live, and end it', async () => {
    await expectWell('/live/watched');
    await untilItSays('/console/sessions', /watched\s+open/);
    expect(await troublesOf(person)).toEqual([]);
    await person.click('form[action="/console/sessions"] button');
    expect(await bodyText()).toMatch(/End this session\?\s+watched/);
    expect(await troublesOf(person)).toEqual([]);
    await person.click('form[action="/console/sessions"] button');
    expect(await bodyText()).toMatch(/watched\s+ended/);
    await expect.poll(() => person.see('document.activeElement.textContent')).toMatch(/^The session has ended/);
    expect(await troublesOf(person)).toEqual([]);
    expect((await model.call('browser_snapshot', { session: 'watched' })).text).toContain('unknown_session');
  });
});
