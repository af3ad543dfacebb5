import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { browserProcesses, onSession, refOf } from '#support/browser-person.ts';
import type { Call } from '#support/browser-person.ts';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { HostMemory } from '#support/oauth-client.ts';
import { allowAsOwner } from '#support/person.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';
import { startSite } from '#support/site.ts';
import type { Site } from '#support/site.ts';
import { storedIn } from '#support/stored-bytes.ts';
import { startVaultSite } from '#support/vault-site.ts';
import type { VaultSite } from '#support/vault-site.ts';

/**
 * Readers, citations, connections and browser sessions at a server that is killed and started again. It is a server of this
 * file alone, because the kill would end the calls of other files.
 */

const PASSPHRASE = 'nine herons on the breakwater';
const CALLBACK = 'http://localhost:39871/callback';
/** Random citations that are opened again after everything that may happen to their pages. */
const CITATIONS = Number(process.env['CITATIONS'] ?? 10);

let site: Site;
let harbour: BrowserSite;
/** Sites for a person who types, and for a model that types a sealed secret. */
let typed: VaultSite;
let sealed: VaultSite;
let server: TestServer;
let origin = '';
let model: TestClient;
let person: RealBrowser;
/** All answers to models about the vaults. */
const told: string[] = [];
/** Values that must not be found anywhere. */
const secrets: string[] = [];

beforeAll(async () => {
  [site, harbour, typed, sealed] = await Promise.all([
    startSite(),
    startBrowserSite(),
    startVaultSite(),
    startVaultSite(),
  ]);
  const hosts = [site.host, harbour.host, typed.host, sealed.host];
  server = await startServer({
    ALLOWED_PRIVATE_HOSTS: hosts.join(','),
    OWNER_PASSPHRASE: PASSPHRASE,
    CACHE_TTL_SECONDS: '0',
  });
  ({ origin } = new URL(server.mcpUrl));
  [model, person] = await Promise.all([connectModern(server), startRealBrowser()]);
  await person.goTo(`${origin}/console/secrets`);
  await person.type('passphrase', PASSPHRASE);
  await person.click('form[action="/sign-in"] button');
});
afterAll(async () => {
  await person?.close();
  await model?.close();
  await server?.close();
  await Promise.all([site, harbour, typed, sealed].map((one) => one?.close()));
});

async function ask(tool: string, args: Record<string, unknown>): Promise<ToolResult> {
  const result = await model.call(tool, args);
  told.push(result.text, JSON.stringify(result.structured), Buffer.from(result.image, 'base64').toString('latin1'));
  return result;
}

/** Waits as a model does: repeats a call that ends while the user still drives. */
async function untilGiven(session: string): Promise<ToolResult> {
  for (;;) {
    const answer = await ask('browser_handoff', { session, reason: 'Please sign in.' });
    if (answer.structured['state'] !== 'person_driving') return answer;
  }
}

async function ok(result: Promise<ToolResult>): Promise<ToolResult> {
  const answer = await result;
  if (answer.isError) throw new Error(answer.text);
  return answer;
}

/** All that a model can see of a tab. */
async function lookAround(session: string): Promise<void> {
  for (const [tool, args] of [
    ['browser_snapshot', { compact: false }],
    ['browser_screenshot', { overlay: true }],
    ['browser_html', { keep_scripts: true }],
    ['browser_read', { selector: 'body' }],
    ['browser_read', { selector: 'input' }],
    ['browser_log', { kind: 'console' }],
    ['browser_log', { kind: 'requests' }],
    ['browser_wait', { selector: 'body' }],
  ] as const) {
    await ask(tool, { session, ...args });
  }
}

const driver = () => person.see<string>('document.body.dataset.driver');
const firstTab = () => person.see<string>('document.querySelector("[role=tab]").textContent');

async function clickAt(x: number, y: number): Promise<void> {
  const place = await person.see<{ x: number; y: number }>(`(() => {
    const { left, top, width, height } = document.getElementById('canvas').getBoundingClientRect();
    return { x: left + (${x} * width) / 1280, y: top + (${y} * height) / 800 };
  })()`);
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

/** A page that only who is signed in sees so. */
async function signedIn(call: Call): Promise<ToolResult> {
  const page = await call('browser_navigate', { url: `${harbour.url}/account`, snapshot: true });
  expect(page.text).toContain('Signed in as Ada.');
  expect(page.text).toContain('Colours: night');
  return page;
}

describe('a user who takes over', () => {
  it('enters a password and a code while a model waits, and the model continues signed in without seeing them', async () => {
    const session = 'typed';
    const met = await ask('browser_navigate', { session, url: typed.url });
    expect(met.structured['next_steps']).toContainEqual(expect.stringContaining('browser_handoff {"reason":'));
    const asked = await ask('browser_handoff', { session, reason: 'Please sign in to the vault.' });
    expect(asked.structured).toMatchObject({ state: 'waiting', link: `${origin}/live/typed` });

    await person.goTo(String(asked.structured['link']));
    await expect.poll(() => person.see('document.getElementById("asked").hidden')).toBe(false);
    expect(await person.see('document.getElementById("reason").textContent')).toBe('Please sign in to the vault.');
    await expect.poll(() => person.see('document.getElementById("canvas").hidden')).toBe(false);
    await person.click('#take');
    await expect.poll(driver).toBe('you');
    expect((await ask('browser_handoff', { session, reason: 'Please sign in.' })).structured).toMatchObject({
      state: 'person_driving',
    });
    for (const [tool, args] of [
      ['browser_click', { selector: 'button' }],
      ['browser_navigate', { url: typed.url }],
      ['browser_evaluate', { script: '1' }],
      ['browser_close', {}],
      ['browser_launch', {}],
    ] as const) {
      expect((await ask(tool, { session, ...args })).text).toMatch(/^Error handed_over: A person has been driving/);
    }
    const given = untilGiven(session);

    await clickAt(150, 120);
    await typeKeys(typed.password);
    await lookAround(session);
    await clickAt(150, 220);
    await expect.poll(firstTab).toBe('Enter the code');
    // A browser drops input before it has drawn a page.
    await ask('browser_screenshot', { session });
    await clickAt(150, 120);
    const code = typed.code();
    secrets.push(typed.password, code);
    const before = typed.requests.length;
    await person.input('insertText', { text: code });
    await expect.poll(() => typed.requests.slice(before).map(({ path }) => path)).toContain('/heard');
    await lookAround(session);
    await clickAt(150, 220);
    await expect.poll(firstTab).toBe('Vault');
    await person.click('#give');
    expect((await given).structured).toMatchObject({ state: 'given_back' });
    expect((await given).text).toContain('they may have signed in');
    expect((await ask('browser_snapshot', { session })).text).toContain('The vault is open');
    expect((await ask('browser_evaluate', { session, script: 'document.title' })).text).toContain('script_blocked');
    await lookAround(session);
    expect(person.complaints).toEqual([]);
  });
});

describe('a model with a stored secret', () => {
  it('uses a password and a code that only the site and the encrypted secret contain', async () => {
    const session = 'sealed';
    await person.goTo(`${origin}/console/secrets`);
    const fields = { name: 'vault', sites: sealed.url, value: sealed.password, seed: sealed.key };
    for (const [name, text] of Object.entries(fields)) await person.type(name, text);
    await person.click('form[action="/console/secrets"] button');
    expect(await person.see('document.body.textContent')).toContain('secret:vault.otp');
    expect(await person.see('document.documentElement.outerHTML')).not.toContain(sealed.password);
    expect(person.complaints).toEqual([]);

    const met = await ask('browser_navigate', { session, url: sealed.url });
    const step = (value: string) => expect.stringContaining(`browser_fill {"selectors":["…"],"values":["${value}"]`);
    expect(met.structured['next_steps']).toContainEqual(step('secret:vault'));
    await ask('browser_fill', { session, selectors: ['input'], values: ['secret:vault'] });
    await lookAround(session);
    expect((await ask('browser_evaluate', { session, script: 'field.value' })).text).toContain('script_blocked');
    const asked = await ask('browser_click', { session, selector: 'button' });
    expect(asked.text).toContain('Enter the code');
    expect(asked.structured['next_steps']).toContainEqual(step('secret:vault.otp'));
    const codes = [sealed.code()];
    await ask('browser_type', { session, selector: 'input', text: 'secret:vault.otp' });
    codes.push(sealed.code());
    const key = new URL(sealed.key).searchParams.get('secret') ?? '';
    secrets.push(sealed.password, key, ...codes);
    await lookAround(session);
    await ask('browser_click', { session, selector: 'button' });
    expect((await ask('browser_snapshot', { session })).text).toContain('The vault is open');
  });
});

describe('a browser that is killed in the middle of a call', () => {
  it('is replaced by one that is still signed in, and the call reports this', async () => {
    const call = onSession(model, 'home');
    const before = new Set(await browserProcesses());
    const login = await call('browser_navigate', { url: `${harbour.url}/login`, snapshot: true });
    await call('browser_fill', {
      selectors: [refOf(login, '"Name"'), refOf(login, '"Password"')],
      values: ['Ada', 'ebb and flow'],
    });
    const account = await call('browser_click', { selector: refOf(login, 'button "Sign in"'), snapshot: true });
    await call('browser_click', { selector: refOf(account, 'button "Night colours"') });
    await signedIn(call);

    const [pid] = (await browserProcesses()).filter((one) => !before.has(one));
    const killed = model.call('browser_navigate', { session: 'home', url: `${harbour.url}/never` });
    await expect.poll(() => harbour.requests.at(-1)?.path).toBe('/never');
    process.kill(pid ?? Number.NaN, 'SIGKILL');
    expect((await killed).text).toMatch(
      /^Error render_failed: .* it ended during the call; the next call restores the session/,
    );
    const after = await call('browser_snapshot');
    expect(after.structured).toMatchObject({ restored: true, tab: { url: `${harbour.url}/account` } });
    expect(after.text).toContain('Signed in as Ada.');
    expect((await signedIn(call)).structured).toMatchObject({ restored: false });
  });
});

describe('a server that is killed during calls', () => {
  const cursorOf = ({ structured }: ToolResult): string => String(structured['cursor']);
  const textOf = ({ structured }: ToolResult): string => String(structured['text']);
  const host = new HostMemory();
  const pages: ToolResult[] = [];
  const citations: { cursor: string; quote: string; line: number }[] = [];
  let list: ToolResult;
  let listed: ToolResult;
  /** Printed by the killed process. */
  let printed = '';

  const connectHost = async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    const transport = new StreamableHTTPClientTransport(new URL(server.mcpUrl), {
      authProvider: host.provider(CALLBACK),
    });
    const connected = client.connect(transport).then(() => client.listTools());
    return { transport, tools: connected.finally(() => client.close()) };
  };
  const hostTools = async () => (await (await connectHost()).tools).tools.map(({ name }) => name);

  /** @throws when it can be quoted with another word */
  async function citeEdition(n: number): Promise<void> {
    site.edit(`Edition ${n} says that compass number ${n} points to ${(n * 7919) % 360} degrees.`);
    const { structured } = await ok(model.call('open_url', { url: `${site.url}/edited` }));
    const { cursor } = structured;
    const quote = `compass number ${n} points to ${(n * 7919) % 360} degrees`;
    const cited = await ok(model.call('cite', { cursor, quote }));
    citations.push({ cursor: String(cursor), quote, line: Number(cited.structured['L_start']) });
    const changed = await model.call('cite', { cursor, quote: quote.replace('points', 'leads') });
    if (!changed.isError) throw new Error(`cited with another word: ${changed.text}`);
  }

  beforeAll(async () => {
    const { transport, tools } = await connectHost();
    await tools.catch(() => undefined); // refused, and sends the person to sign in
    await transport.finishAuth((await allowAsOwner(host.lastAsked().href, PASSPHRASE)).searchParams);

    for (let n = 0; n < CITATIONS; n += 1) await citeEdition(n);
    await ok(model.call('cache_purge', { domain: '127.0.0.1', dry_run: false }));

    for (const path of ['/lighthouse', '/changing', '/small', '/large.md', '/ferry', '/edited']) {
      pages.push(await ok(model.call('open_url', { url: site.url + path })));
    }
    list = await ok(model.call('search', { query: 'lighthouse ferry' }));
    listed = await ok(model.call('scroll', { cursor: cursorOf(list) }));
    // Kills in the middle of calls: some have their answer, others not.
    const underway = Array.from({ length: 12 }, (_, index) =>
      model.call('open_url', { url: `${site.url}/${index % 2 === 0 ? 'middle' : 'changing'}?${index}` }).then(
        (result) => pages.push(result),
        () => undefined,
      ),
    );
    await Promise.race(underway);
    printed = server.output();
    await server.killAndRestart();
    // A client does not notice, and would wait for answers until its own time-out.
    await model.close();
    await Promise.all(underway);
    model = await connectModern(server);
  }, 3_600_000);

  it('returns the same lines for every cursor it had given out', async () => {
    expect(pages.length).toBeGreaterThan(6);
    for (const page of pages) {
      const { start, end } = page.structured['viewport'] as { start: number; end: number };
      const num_lines = Math.max(20, end - start + 1);
      const again = await ok(model.call('scroll', { cursor: cursorOf(page), loc: start, num_lines }));
      expect(textOf(again)).toBe(textOf(page));
    }
    expect(textOf(await ok(model.call('scroll', { cursor: cursorOf(list) })))).toBe(textOf(listed));
    await ok(model.call('open_result', { cursor: cursorOf(list), result_id: 1 }));
    const found = await ok(model.call('search', { query: 'lighthouse lens rings' }));
    expect((found.structured['results'] as { url: string }[])[0]?.url).toBe(`${site.url}/lighthouse`);
  });

  it('opens citations to the same text after edits and a purge', { timeout: 3_600_000 }, async () => {
    expect(citations).toHaveLength(CITATIONS);
    for (const { cursor, quote, line } of citations) {
      await person.goTo(`${origin}/c/${cursor}/L${line}-L${line}`);
      const marked = await person.see<string>(
        `[...document.querySelectorAll('.text .cited mark')].map((mark) => mark.textContent).join('')`,
      );
      expect(marked).toContain(quote);
    }
  });

  it('accepts the tokens of a connection, and renews them, without its user', async () => {
    host.sentTo = undefined;
    expect(await hostTools()).toContain('open_url');
    host.expireAccess();
    expect(await hostTools()).toContain('open_url');
    expect(host.sentTo).toBeUndefined();
  });

  it('restores a browser session that was signed in', async () => {
    const call = onSession(model, 'home');
    const page = await signedIn(call);
    expect(page.structured).toMatchObject({ restored: true });
    expect(page.text).toContain('The session was restored');
    await call('browser_close');
  });

  it.each(['typed', 'sealed'])('restores a session with a secret, and runs no script in it: %s', async (session) => {
    const back = await ask('browser_navigate', { session, history: 'reload', snapshot: true });
    expect(back.structured).toMatchObject({ restored: true });
    expect(back.text).toContain('The vault is open');
    expect((await ask('browser_evaluate', { session, script: 'document.title' })).text).toContain('script_blocked');
  });

  it('has shown, printed and stored no password and no code', async () => {
    expect(secrets.length).toBeGreaterThanOrEqual(6);
    const stored = [...storedIn(server.home)];
    for (const secret of secrets) {
      expect(told.filter((text) => text.includes(secret))).toEqual([]);
      expect(printed + server.output()).not.toContain(secret);
      expect(stored.filter(([, bytes]) => bytes.includes(secret)).map(([path]) => path)).toEqual([]);
    }
  });
});
