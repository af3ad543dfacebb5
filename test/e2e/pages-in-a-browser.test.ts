import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { troublesOf } from '#support/peoples-pages.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { newEmail, sharedServer } from '#support/shared.ts';
import type { SharedServer } from '#support/shared.ts';

/** The pages that people see, in Chromium: with its own idea of cookies, policies and what a form may do. */

let server: SharedServer;
let origin: string;
let browser: RealBrowser;
let callback: ReturnType<typeof createServer>;

beforeAll(async () => {
  callback = createServer(anotherSite).listen(0, '127.0.0.1');
  [server, browser] = await Promise.all([sharedServer(), startRealBrowser()]);
  ({ origin } = server);
  await browser.atProvider(await newEmail('pages'));
});
afterAll(async () => {
  await browser?.close();
  callback?.close();
});

/** A client's address to come back to, and a page that puts ours in a frame. */
function anotherSite({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const framed = new URL(url, 'http://site.invalid').searchParams.get('frame');
  if (framed === null) return void response.end('back at the client');
  const source = framed.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>A prize</title><iframe src="${source}" width="600" height="600"></iframe>`);
}

const heading = () => browser.see<string>(`document.querySelector('h1').textContent`);

const troublesHere = () => troublesOf(browser);

/** A client that has registered asks for access. @returns the page to open */
async function authorization(): Promise<string> {
  const redirect = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  const registered = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'A client', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }),
  });
  const { client_id: clientId } = await registered.json<{ client_id: string }>();
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    state: 'the-state',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    resource: server.mcpUrl,
  });
  return `${origin}/authorize?${asked.toString()}`;
}

describe('in Chromium,', () => {
  it('signing in with the passphrase leads through consent back to the client, despite form-action', async () => {
    await browser.goTo(await authorization());
    expect(await heading()).toBe('Sign in');
    expect(await troublesHere()).toEqual([]);
    await browser.type('passphrase', `${server.passphrase}, but wrong`);
    await browser.click('form[action="/sign-in"] button');
    expect(await browser.see('document.body.textContent')).toContain('That is not the passphrase.');
    expect(await troublesHere()).toEqual([]);
    await browser.type('passphrase', server.passphrase);
    await browser.click('form[action="/sign-in"] button');
    expect(await heading()).toBe('Give access to a program on your computer?');
    expect(await browser.see(`document.querySelector('.claimed').textContent`)).toContain('A client');
    expect(await troublesHere()).toEqual([]);
    await browser.click('button[value=allow]');
    const back = new URL(await browser.address());
    expect(back.pathname).toBe('/callback');
    expect(back.searchParams.get('state')).toBe('the-state');
    expect(back.searchParams.get('code')).not.toBeNull();
    for (const [path, title] of [
      ['/console', 'Overview'],
      ['/console/citations', 'Citations'],
      ['/console/secrets', 'Secrets'],
      ['/console/people', 'People'],
      ['/console/health', 'Health check'],
    ]) {
      await browser.goTo(origin + path);
      expect(await heading()).toBe(title);
      expect(await troublesHere()).toEqual([]);
    }
    await browser.click('form[action="/console/health"] button');
    expect(await heading()).toBe('Health check');
    await browser.goTo(`${origin}/console/tokens`);
    await browser.click('form[action="/sign-out"] button');
    expect(await heading()).toBe('Signed out');
  });

  it('signing in with a provider leads to the requested page, where a token is created, shown once, and revoked', async () => {
    await browser.goTo(`${origin}/console/tokens`);
    expect(await heading()).toBe('Sign in');
    await browser.click('button[value=oidc]');
    expect(await browser.address()).toBe(`${origin}/console/tokens`);
    expect(await troublesHere()).toEqual([]);
    await browser.type('name', 'an agent with a long name that goes on');
    await browser.click('form[action="/console/tokens"] button');
    expect(await browser.see('document.querySelector(".copy code").textContent')).toMatch(/^psc_[\w-]{43}$/);
    expect(await troublesHere()).toEqual([]);
    await browser.goTo(`${origin}/console/tokens`);
    expect(await browser.see('document.body.textContent')).toContain('an agent with a long name that goes on');
    expect(await browser.see('document.body.innerHTML')).not.toContain('psc_');
    expect(await troublesHere()).toEqual([]);
    await browser.click('form[action="/console/tokens/revoke"] button');
    expect(await heading()).toBe('Revoke this token?');
    expect(await troublesHere()).toEqual([]);
    await browser.click('form[action="/console/tokens/revoke"] button');
    expect(await browser.address()).toBe(`${origin}/console/tokens?done=revoked`);
    expect(await browser.see('document.body.textContent')).toContain('No tokens yet.');
    await browser.click('form[action="/sign-out"] button');
  });

  it('a user uploads a file, sees it on any screen, and deletes it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'periscope-files-'));
    const path = join(folder, `${'a-long-name-without-a-space-'.repeat(3)}.csv`);
    writeFileSync(path, 'a,b\n1,2\n');
    await browser.goTo(`${origin}/console/files`);
    await browser.click('button[value=oidc]');
    expect(await heading()).toBe('Files');
    expect(await browser.see('document.body.textContent')).toContain('No files yet.');
    expect(await troublesHere()).toEqual([]);
    await browser.choose('file', path);
    await browser.click('form[action="/console/files"] button');
    expect(await browser.address()).toBe(`${origin}/console/files?done=uploaded`);
    expect(await browser.see('document.body.textContent')).toMatch(/-\.csv.*text\/csv 8 B.*periscope-file:f_\w{32}/su);
    expect(await troublesHere()).toEqual([]);
    await browser.click('form[action="/console/files/delete"] button');
    expect(await heading()).toBe('Delete this file?');
    expect(await troublesHere()).toEqual([]);
    await browser.click('form[action="/console/files/delete"] button');
    expect(await browser.address()).toBe(`${origin}/console/files?done=deleted`);
    expect(await browser.see('document.body.textContent')).toContain('No files yet.');
    await browser.click('form[action="/sign-out"] button');
    rmSync(folder, { recursive: true });
  });

  it('signing in with an uninvited account ends on a page that reports this', async () => {
    await browser.atProvider('mallory@evil.dev');
    await browser.goTo(`${origin}/sign-in`);
    await browser.click('button[value=oidc]');
    expect(await heading()).toBe('This account has no access');
    expect(await troublesHere()).toEqual([]);
  });

  it('the start page fits every screen, and no page violates its own policy', async () => {
    await browser.goTo(`${origin}/`);
    expect(await troublesHere()).toEqual([]);
    expect(browser.complaints).toEqual([]);
    const page =
      await browser.see<string>(`(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';
      document.body.append(s); return String(window.ran); })()`);
    expect(page).toBe('undefined');
    await expect.poll(() => browser.complaints.length).toBeGreaterThan(0);
  });

  it('the consent page cannot be put into a frame of another site for clickjacking', async () => {
    const elsewhere = `http://127.0.0.1:${(callback.address() as AddressInfo).port}`;
    for (const framed of [await authorization(), `${origin}/console/tokens`]) {
      browser.complaints.splice(0);
      await browser.goTo(`${elsewhere}/?frame=${encodeURIComponent(framed)}`);
      await expect.poll(() => browser.complaints.join()).toContain('frame-ancestors');
    }
  });
});
