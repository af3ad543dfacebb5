import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIVE_TICKET_TTL_MS } from '#browsing/live-view/limits.ts';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { useTestBrowser } from '#support/chromium.ts';
import { startClockedServer } from '#support/clocked-server.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import type { Shown } from '#support/oauth-browser.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { newPerson, newSitePort, sharedServer, signIn } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';

/** A person and a model before the same browser session, for real: `npm start`, an MCP client, and the person's Chromium. */

let site: BrowserSite;
let account: Person;
let model: TestClient;
let person: RealBrowser;
let origin = '';
const WAIT = { interval: 50 };

beforeAll(async () => {
  ({ origin } = await sharedServer());
  [site, account] = await Promise.all([newSitePort().then(startBrowserSite), newPerson('live')]);
  [model, person] = await Promise.all([connectModern(account), startRealBrowser(account)]);
});
afterAll(async () => {
  await person?.close();
  await model?.close();
  await site?.close();
});

describe('a viewer of a session', () => {
  it('sees the session move, and switches its tabs', async () => {
    await model.call('browser_navigate', { session: 'seen', url: `${site.url}/tall` });
    await person.goTo(`${origin}/live/seen`);
    await expect.poll(() => person.see('document.getElementById("canvas").hidden'), WAIT).toBe(false);
    expect(await person.see('document.getElementById("facts").textContent')).toMatch(
      /^Models have control\. Browser open for \d+ min, pauses in \d+ min/,
    );
    await model.call('browser_navigate', { session: 'seen', url: `${site.url}/booking`, new_tab: true });
    await expect.poll(() => person.see('document.querySelectorAll("[role=tab]").length'), WAIT).toBe(2);
    await person.click('[role=tab]:last-child');
    await expect.poll(() => person.see('document.getElementById("address").value'), WAIT).toMatch(/\/booking$/);
    expect(person.complaints).toEqual([]);
    await model.call('browser_close', { session: 'seen' });
  });
});

/** A page of a live view, as its sockets see it: the cookies of its browser and the token of its form. */
type LivePage = { origin: string; session: string; cookie: string; form: string };

function livePage(session: string, browser: Browser, { html }: Shown): LivePage {
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  return { origin: browser.origin, session, cookie, form };
}

async function openPage(session: string): Promise<LivePage> {
  const { browser, page } = await signIn(account.email, `${origin}/live/${session}`);
  return livePage(session, browser, page);
}

async function ticketFor({ origin: at, session, cookie, form }: LivePage, from = at) {
  const answer = await fetch(`${at}/live/${session}`, {
    method: 'POST',
    headers: { cookie, origin: from, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form, wake: '0' }),
  });
  const text = await answer.text();
  const { ticket = '', problem = '' } = text.startsWith('{')
    ? (JSON.parse(text) as { ticket?: string; problem?: string })
    : {};
  return { status: answer.status, ticket, problem };
}

/** Resolves with the status of a refusal, or with the open socket. */
function open(
  { origin: at, session }: Pick<LivePage, 'origin' | 'session'>,
  ticket: string,
  headers: Record<string, string>,
): Promise<number | WebSocket> {
  const url = `${at.replace('http', 'ws')}/live/${session}?ticket=${ticket}&page=${crypto.randomUUID()}`;
  const socket = new WebSocket(url, { headers });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0));
    socket.once('error', reject);
  });
}

async function openLine(page: LivePage): Promise<WebSocket> {
  const { ticket, problem } = await ticketFor(page);
  const socket = await open(page, ticket, { cookie: page.cookie, origin: page.origin });
  if (!(socket instanceof WebSocket)) throw new Error(`no socket: ${socket} ${problem}`);
  return socket;
}

describe('the socket of a live view', () => {
  it('opens only for its user, from a page of this server, with an unused ticket', async () => {
    const session = 'guarded';
    await model.call('browser_navigate', { session, url: site.url });
    const page = await openPage(session);
    const { cookie } = page;
    const own = { cookie, origin };
    const { ticket } = await ticketFor(page);
    expect(ticket).not.toBe('');
    expect(await open(page, ticket, { cookie, origin: 'https://evil.example' })).toBe(403);
    expect(await open(page, ticket, { cookie, origin: 'https://claude.ai' })).toBe(403);
    expect(await open(page, ticket, { cookie })).toBe(403);
    expect(await open(page, ticket, { origin })).toBe(401);
    expect(await open({ origin, session: 'other' }, ticket, own)).toBe(403);
    expect(await open(page, 'made-up', own)).toBe(403);
    const socket = await open(page, ticket, own);
    expect(socket).toBeInstanceOf(WebSocket);
    expect(await open(page, ticket, own)).toBe(403);
    if (socket instanceof WebSocket) {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.send('{"kind":"eval"}');
      expect(await closed).toBe(4004);
    }
    expect(await ticketFor({ ...page, form: 'made-up' })).toMatchObject({ status: 403, ticket: '' });
    expect(await ticketFor({ ...page, cookie: '' })).toMatchObject({ status: 401, ticket: '' });
    expect(await ticketFor(page, 'https://evil.example')).toMatchObject({ status: 403, ticket: '' });
    expect((await fetch(`${origin}/live/nowhere`, { headers: { cookie } })).status).toBe(404);
    await model.call('browser_close', { session });
  });

  it('reports to users that they signed out elsewhere in their browser', async () => {
    const session = 'left-page';
    await model.call('browser_navigate', { session, url: site.url });
    await person.goTo(`${origin}/live/${session}`);
    await expect.poll(() => person.see('document.getElementById("canvas").hidden'), WAIT).toBe(false);
    await person.see(`fetch('/sign-out', { method: 'POST', body: new URLSearchParams(
      new FormData(document.getElementById('ticket'))) }).then(({ status }) => status)`);
    const why = () =>
      person.see(`(({ textContent, hidden }) => [hidden, textContent])(document.getElementById('why'))`);
    await expect.poll(why, WAIT).toEqual([false, expect.stringMatching(/^You are signed out\./)]);
    await person.goTo(`${origin}/console`);
    expect(await person.see('document.querySelector("h1").textContent')).toBe('Sign in');
    await model.call('browser_close', { session });
  });

  it('admits a limited number of viewers and reports their number, and others get the reason', async () => {
    const session = 'crowded';
    await model.call('browser_navigate', { session, url: site.url });
    const page = await openPage(session);
    const sockets: WebSocket[] = [];
    for (let at = 0; at < 8; at += 1) sockets.push(await openLine(page));
    const refusals = await Promise.all(Array.from({ length: 20 }, () => ticketFor(page)));
    expect(new Set(refusals.map(({ status, ticket }) => `${status} ${ticket}`))).toEqual(new Set(['429 ']));
    expect(refusals[0]?.problem).toContain('As many pages show this session as may.');

    const [first, second] = sockets;
    const heard = (driver: string) =>
      new Promise<void>((resolve) => {
        second?.on('message', (data: Buffer, isBinary) => {
          if (!isBinary && data.toString().includes(`"driver":"${driver}"`)) resolve();
        });
      });
    const [elsewhere, you] = [heard('elsewhere'), heard('you')];
    first?.send('{"kind":"take"}');
    const clicked = async () => (await model.call('browser_click', { session, selector: 'a' })).text;
    await expect.poll(clicked, WAIT).toContain('handed_over');
    await elsewhere;
    second?.send('{"kind":"take"}');
    // The same person continues in the second window, and only from there gives the session back.
    await you;
    first?.send('{"kind":"give"}');
    expect(await clicked()).toContain('handed_over');
    second?.send('{"kind":"give"}');
    for (const socket of sockets) socket.close();
    await expect.poll(async () => (await ticketFor(page)).ticket, WAIT).not.toBe('');
    await expect.poll(clicked, WAIT).not.toContain('handed_over');
    await model.call('browser_close', { session });
  });
});

/** Uses a separate server, whose clock the test moves past the half minute after which a page counts as closed. */
describe('the socket of a viewer who lost access', () => {
  it('closes soon, and no other socket does', async () => {
    await useTestBrowser();
    const session = 'left';
    const settings = { OWNER_PASSPHRASE: 'two stilts on one leg', LOCAL_ACCESS_TOKEN: 'a-token-of-the-clocked-server' };
    const hosts = { ALLOWED_PRIVATE_HOSTS: site.host, RENDER_ENABLED: 'true' };
    const server = await startClockedServer({ ...settings, ...hosts });
    const client = await connectModern({ mcpUrl: server.mcpUrl, token: settings.LOCAL_ACCESS_TOKEN });
    expect((await client.call('browser_navigate', { session, url: site.url })).isError).toBe(false);
    const at = new URL(server.mcpUrl).origin;
    const line = async () => {
      const browser = new Browser(at, (url, init) => fetch(url, init));
      const door = pageOf(await browser.get(`${at}/live/${session}`));
      const shown = pageOf(await browser.submit(door, '/sign-in', { passphrase: settings.OWNER_PASSPHRASE }));
      const page = livePage(session, browser, shown);
      const socket = await openLine(page);
      const ended: { code: number | null } = { code: null };
      socket.once('close', (code: number) => (ended.code = code));
      const stay = async () => {
        const next = await ticketFor(page);
        if (next.ticket !== '') socket.send(JSON.stringify({ kind: 'here', ticket: next.ticket }));
        return next;
      };
      return { page, socket, ended, stay };
    };
    const [stays, leaves, replays, silent] = [await line(), await line(), await line(), await line()];
    const { cookie, form } = leaves.page;
    const signOut = await fetch(`${at}/sign-out`, {
      method: 'POST',
      headers: { cookie, origin: at, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form }),
    });
    expect(await signOut.text()).toContain('no longer signed in');
    expect(await leaves.stay()).toMatchObject({ status: 401, ticket: '' });
    // A ticket is good once, for its own person and session.
    const { ticket } = await replays.stay();
    for (let passed = 0; passed < 2; passed += 1) {
      await server.pass(LIVE_TICKET_TTL_MS * 0.6);
      await stays.stay();
      replays.socket.send(JSON.stringify({ kind: 'here', ticket }));
      for (const { socket } of [silent, leaves]) socket.send('{"kind":"here"}');
    }
    await expect.poll(() => [leaves, silent, replays].map(({ ended }) => ended.code), WAIT).toEqual([4005, 4005, 4005]);
    expect(stays.ended.code).toBeNull();
    stays.socket.close();
    await client.close();
    await server.close();
  });
});
