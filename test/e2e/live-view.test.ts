import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { storedIn } from '#support/stored-bytes.ts';
import { startVaultSite } from '#support/vault-site.ts';
import type { VaultSite } from '#support/vault-site.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/** A person and a model before the same browser session, for real: `npm start`, an MCP client, and the person's Chromium. */

const PASSPHRASE = 'nine herons on the breakwater';

let site: BrowserSite;
let vault: VaultSite;
let server: TestServer;
let model: TestClient;
let person: RealBrowser;
let origin = '';
/** Everything that models were told. */
const told: string[] = [];

beforeAll(async () => {
  [site, vault] = await Promise.all([startBrowserSite(), startVaultSite()]);
  server = await startServer({
    ALLOWED_PRIVATE_HOSTS: `${site.host},${site.otherHost},${vault.host}`,
    OWNER_PASSPHRASE: PASSPHRASE,
  });
  origin = new URL(server.mcpUrl).origin;
  model = await connectModern(server);
  person = await startRealBrowser();
  await person.goTo(`${origin}/console`);
  await person.type('passphrase', PASSPHRASE);
  await person.click('form[action="/sign-in"] button');
});
afterAll(async () => {
  await person?.close();
  await model?.close();
  await server?.close();
  await Promise.all([site?.close(), vault?.close()]);
});

async function ask(tool: string, args: Record<string, unknown>): Promise<ToolResult> {
  const result = await model.call(tool, args);
  told.push(result.text, JSON.stringify(result.structured), Buffer.from(result.image, 'base64').toString('latin1'));
  return result;
}

async function until<T>(what: string, look: () => Promise<T | null | false>, ms = 15_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (Date.now() > deadline)
      throw new Error(
        `${what}: not within ${ms} ms; the page says ${await person.see<string>('document.body.innerText')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a person who looks', () => {
  it('sees the session move, and switches its tabs', async () => {
    await model.call('browser_navigate', { session: 'seen', url: `${site.url}/tall` });
    await person.goTo(`${origin}/live/seen`);
    await until('a picture', () => person.see<boolean>('!document.getElementById("canvas").hidden'));
    expect(await person.see('document.getElementById("facts").textContent')).toMatch(
      /^Models drive\. Browser open for \d+ min, pauses in \d+ min/,
    );
    await model.call('browser_navigate', { session: 'seen', url: `${site.url}/booking`, new_tab: true });
    await until('a second tab', () => person.see<boolean>('document.querySelectorAll("[role=tab]").length === 2'));
    await person.click('[role=tab]:last-child');
    await until('its address', () =>
      person.see<boolean>('document.getElementById("address").value.endsWith("/booking")'),
    );
    expect(person.complaints).toEqual([]);
  });
});

/** Where something in the session is on the person's screen. */
async function onScreen(x: number, y: number): Promise<{ x: number; y: number }> {
  return person.see(`(() => {
    const { left, top, width, height } = document.getElementById('canvas').getBoundingClientRect();
    return { x: left + (${x} * width) / 1280, y: top + (${y} * height) / 800 };
  })()`);
}

async function clickAt(x: number, y: number): Promise<void> {
  const place = await onScreen(x, y);
  for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
    const button = type === 'mouseMoved' ? 'none' : 'left';
    await person.input('dispatchMouseEvent', { type, ...place, button, clickCount: 1 });
  }
}

async function typeKeys(text: string): Promise<void> {
  for (const key of text) {
    const code = /[a-z]/.test(key) ? `Key${key.toUpperCase()}` : /\d/.test(key) ? `Digit${key}` : 'Minus';
    await person.input('dispatchKeyEvent', { type: 'keyDown', key, code, text: key });
    await person.input('dispatchKeyEvent', { type: 'keyUp', key, code });
  }
}

const driver = () => person.see<string>('document.body.dataset.driver');

/** All that a model can see of a tab. */
async function lookAround(session: string): Promise<void> {
  for (const [tool, args] of [
    ['browser_snapshot', { compact: false }],
    ['browser_screenshot', { overlay: true }],
    ['browser_html', { keep_scripts: true }],
    ['browser_read', {}],
    ['browser_read', { selector: 'input' }],
    ['browser_log', { kind: 'console' }],
    ['browser_log', { kind: 'requests' }],
    ['browser_wait', { selector: 'body' }],
  ] as const) {
    await ask(tool, { session, ...args });
  }
}

describe('a person who takes over', () => {
  it('passes a password and a code while a model waits, which goes on signed in, and knows neither', async () => {
    const session = 'vault';
    const met = await ask('browser_navigate', { session, url: vault.url });
    expect(met.structured['next_steps']).toContainEqual(expect.stringContaining('browser_handoff {"reason":'));
    const asked = await ask('browser_handoff', { session, reason: 'Please sign in to the vault.' });
    expect(asked.structured).toMatchObject({ state: 'waiting', link: `${origin}/live/vault` });

    await person.goTo(String(asked.structured['link']));
    await until('the question', () => person.see<boolean>('!document.getElementById("asked").hidden'));
    expect(await person.see('document.getElementById("reason").textContent')).toBe('Please sign in to the vault.');
    await until('a picture', () => person.see<boolean>('!document.getElementById("canvas").hidden'));
    await person.click('#take');
    await until('the wheel', async () => (await driver()) === 'you');
    expect((await ask('browser_handoff', { session, reason: 'Please sign in.' })).structured).toMatchObject({
      state: 'person_driving',
    });
    for (const [tool, args] of [
      ['browser_click', { selector: 'button' }],
      ['browser_navigate', { url: site.url }],
      ['browser_evaluate', { script: '1' }],
      ['browser_close', {}],
      ['browser_launch', {}],
    ] as const) {
      expect((await ask(tool, { session, ...args })).text).toMatch(/^Error handed_over: A person has been driving/);
    }
    const waiting = ask('browser_handoff', { session, reason: 'Please sign in.' });

    await clickAt(150, 120);
    await typeKeys(vault.password);
    await lookAround(session);
    await clickAt(150, 220);
    await until('the second page', () =>
      person.see<boolean>('document.querySelector("[role=tab]").textContent === "Enter the code"'),
    );
    // A browser drops what is done before it has drawn a page.
    await ask('browser_screenshot', { session });
    await clickAt(150, 120);
    const code = vault.code();
    await person.input('insertText', { text: code });
    await lookAround(session);
    await clickAt(150, 220);
    await until('the vault', () => person.see<boolean>('document.querySelector("[role=tab]").textContent === "Vault"'));
    await waiting;
    const given = ask('browser_handoff', { session, reason: 'Please sign in.' });
    await person.click('#give');
    expect((await given).structured).toMatchObject({ state: 'given_back' });
    expect((await given).text).toContain('it looks as if they signed in');
    expect((await ask('browser_snapshot', { session })).text).toContain('The vault is open');
    expect((await ask('browser_evaluate', { session, script: 'document.title' })).text).toContain('script_blocked');
    await lookAround(session);

    await server.killAndRestart();
    const back = await ask('browser_navigate', { session, history: 'reload', snapshot: true });
    expect(back.structured).toMatchObject({ restored: true });
    expect(back.text).toContain('The vault is open');
    expect((await ask('browser_evaluate', { session, script: 'document.title' })).text).toContain('script_blocked');
    for (const secret of [vault.password, code]) {
      expect(told.filter((text) => text.includes(secret))).toEqual([]);
      expect(server.output()).not.toContain(secret);
      expect([...storedIn(server.home)].filter(([, bytes]) => bytes.includes(secret)).map(([path]) => path)).toEqual(
        [],
      );
    }
    expect(person.complaints).toEqual([]);
  });
});

describe('the socket of a session', () => {
  /** The owner's cookies, and the token of the page's form. */
  async function pageOfOwner(session: string): Promise<{ cookie: string; form: string; page: string }> {
    const browser = new Browser(origin, (url, init) => fetch(url, init));
    const signIn = pageOf(await browser.get(`${origin}/live/${session}`));
    const { html } = pageOf(await browser.submit(signIn, '/sign-in', { passphrase: PASSPHRASE }));
    const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
    return { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '), form, page: html };
  }

  async function ticketFor(session: string, { cookie, form }: { cookie: string; form: string }, own = origin) {
    const answer = await fetch(`${origin}/live/${session}`, {
      method: 'POST',
      headers: { cookie, origin: own, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form, wake: '0' }),
    });
    const text = await answer.text();
    const { ticket = '', problem = '' } = text.startsWith('{')
      ? (JSON.parse(text) as { ticket?: string; problem?: string })
      : {};
    return { status: answer.status, ticket, problem };
  }

  /** Resolves with the status of a refusal, or with the open socket. */
  function open(session: string, ticket: string, headers: Record<string, string>): Promise<number | WebSocket> {
    const url = `${origin.replace('http', 'ws')}/live/${session}?ticket=${ticket}&page=${crypto.randomUUID()}`;
    const socket = new WebSocket(url, { headers });
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(socket));
      socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0));
      socket.once('error', reject);
    });
  }

  it('opens for the person alone, from a page of this server, with a ticket that nobody has used', async () => {
    const session = 'guarded';
    await model.call('browser_navigate', { session, url: site.url });
    const owner = await pageOfOwner(session);
    const { cookie } = owner;
    const own = { cookie, origin };
    const { ticket } = await ticketFor(session, owner);
    expect(ticket).not.toBe('');
    expect(await open(session, ticket, { cookie, origin: 'https://evil.example' })).toBe(403);
    expect(await open(session, ticket, { cookie, origin: 'https://claude.ai' })).toBe(403);
    expect(await open(session, ticket, { cookie })).toBe(403);
    expect(await open(session, ticket, { origin })).toBe(401);
    expect(await open('other', ticket, own)).toBe(403);
    expect(await open(session, 'made-up', own)).toBe(403);
    const socket = await open(session, ticket, own);
    expect(socket).toBeInstanceOf(WebSocket);
    expect(await open(session, ticket, own)).toBe(403);
    if (socket instanceof WebSocket) {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.send('{"kind":"eval"}');
      expect(await closed).toBe(4004);
    }
    expect(await ticketFor(session, { ...owner, form: 'made-up' })).toMatchObject({ status: 403, ticket: '' });
    expect(await ticketFor(session, { ...owner, cookie: '' })).toMatchObject({ status: 401, ticket: '' });
    expect(await ticketFor(session, owner, 'https://evil.example')).toMatchObject({ status: 403, ticket: '' });
    expect((await fetch(`${origin}/live/nowhere`, { headers: { cookie } })).status).toBe(404);
  });

  it('ends soon for who may not look any more, and for nobody else', { timeout: 180_000 }, async () => {
    const session = 'left';
    await model.call('browser_navigate', { session, url: site.url });
    const line = async () => {
      const owner = await pageOfOwner(session);
      const { ticket } = await ticketFor(session, owner);
      const socket = await open(session, ticket, { cookie: owner.cookie, origin });
      if (!(socket instanceof WebSocket)) throw new Error(`no socket: ${socket}`);
      const ended: { code: number | null } = { code: null };
      socket.once('close', (code: number) => (ended.code = code));
      const stay = async () => {
        const next = await ticketFor(session, owner);
        if (next.ticket !== '') socket.send(JSON.stringify({ kind: 'here', ticket: next.ticket }));
        return next;
      };
      return { owner, socket, ended, stay };
    };
    const [stays, leaves, replays, silent] = [await line(), await line(), await line(), await line()];
    const signOut = await fetch(`${origin}/sign-out`, {
      method: 'POST',
      headers: {
        cookie: leaves.owner.cookie,
        origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ form: leaves.owner.form }),
    });
    expect(await signOut.text()).toContain('no longer signed in');
    expect(await leaves.stay()).toMatchObject({ status: 401, ticket: '' });
    // A ticket is good once, for its own person and session.
    const used = await ticketFor(session, replays.owner);
    await until(
      'the end of the lines',
      async () => {
        await stays.stay();
        replays.socket.send(JSON.stringify({ kind: 'here', ticket: used.ticket }));
        for (const { socket } of [silent, leaves]) socket.send('{"kind":"here"}');
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return [leaves, silent, replays].every(({ ended }) => ended.code === 4005);
      },
      120_000,
    );
    expect(stays.ended.code).toBeNull();
    stays.socket.close();
  });

  it('tells a person who signed out elsewhere in their browser', async () => {
    const session = 'left-page';
    await model.call('browser_navigate', { session, url: site.url });
    await person.goTo(`${origin}/live/${session}`);
    await until('a picture', () => person.see<boolean>('!document.getElementById("canvas").hidden'));
    await person.see(`fetch('/sign-out', { method: 'POST', body: new URLSearchParams(
      new FormData(document.getElementById('ticket'))) }).then(({ status }) => status)`);
    await until('the end', () =>
      person.see<boolean>(`document.getElementById('why').checkVisibility()
        && document.getElementById('why').textContent.startsWith('You are signed out.')`),
    );
    await person.goTo(`${origin}/console`);
    expect(await person.see('document.querySelector("h1").textContent')).toBe('Sign in');
    await person.type('passphrase', PASSPHRASE);
    await person.click('form[action="/sign-in"] button');
  });

  it('is there for as many pages as may look, who are told how many they are; the others are told why not', async () => {
    const session = 'crowded';
    await model.call('browser_navigate', { session, url: site.url });
    const owner = await pageOfOwner(session);
    const own = { cookie: owner.cookie, origin };
    const sockets: WebSocket[] = [];
    const refusals: { status: number; problem: string }[] = [];
    for (let at = 0; at < 100; at += 1) {
      const { ticket, status, problem } = await ticketFor(session, owner);
      if (ticket === '') refusals.push({ status, problem });
      else {
        const opened = await open(session, ticket, own);
        if (opened instanceof WebSocket) sockets.push(opened);
      }
    }
    expect(sockets).toHaveLength(8);
    expect(refusals).toHaveLength(92);
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([429]));
    expect(refusals[0]?.problem).toContain('As many pages show this session as may.');

    const [first, second] = sockets;
    const heard = new Promise<string>((resolve) => {
      second?.on('message', (data: Buffer, isBinary) => {
        if (!isBinary && data.toString().includes('"problem"')) resolve(data.toString());
      });
    });
    first?.send('{"kind":"take"}');
    await until('the wheel', async () =>
      (await model.call('browser_click', { session, selector: 'a' })).text.includes('handed_over'),
    );
    second?.send('{"kind":"take"}');
    expect(await heard).toContain('Another page drives the session');
    first?.send('{"kind":"give"}');
    for (const socket of sockets) socket.close();
    await until('room', async () => (await ticketFor(session, owner)).ticket !== '');
  });
});
