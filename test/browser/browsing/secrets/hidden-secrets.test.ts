import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unsealState } from '#browsing/park/sealed-state.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import { parseConfig } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import { readSealingSecret } from '#core/secrets/sealed.ts';
import { parseSeed, totpAt } from '#browsing/secrets/totp.ts';
import { endBrowserOf } from '#support/ended-browser.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

/** A site that mirrors typed text, a whole server, and everything that a model receives or that is stored. */

const SITE = 'http://mirror.acme.dev';
const VALUE = 'Kestrel&wing+7 <quill>';
const SEED = 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=8';
const SEALING = readSealingSecret(parseConfig({ ...env })) ?? '';

const told: string[] = [];
const logged: string[] = [];
const begun = Date.now();

beforeEach(() => {
  for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
    const was = console[method].bind(console);
    vi.spyOn(console, method).mockImplementation((...said) => {
      logged.push(said.map(String).join(' '));
      was(...said);
    });
  }
});
afterEach(() => void vi.restoreAllMocks());

function vaultOf(subject: string): SecretVault {
  return new SecretVault(partNamed(env.CLIENT, subject, 'secrets'), subject, SEALING);
}

async function person(subject: string, value = VALUE) {
  const seed = parseSeed(SEED);
  if (typeof seed === 'string') throw new Error(seed);
  await vaultOf(subject).keep({ name: 'mirror', sites: [SITE], value, seed }, true, 1);
  const token = await grantFor(subject, ['web:read', 'browser:use', 'browser:evaluate']);
  return async (tool: string, args: Record<string, unknown> = {}) => {
    const { result } = await callTool('modern', tool, args, { token });
    const parts = result?.content ?? [];
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    const image = parts.flatMap((part) => (part.type === 'image' ? [String(Reflect.get(part, 'data'))] : [])).join('');
    told.push(text, JSON.stringify(result?.structuredContent ?? {}));
    return { text, image, isError: result?.isError === true };
  };
}

type Call = Awaited<ReturnType<typeof person>>;

async function lookAround(call: Call): Promise<void> {
  for (const [tool, args] of [
    ['browser_snapshot', { compact: false }],
    ['browser_snapshot', { find: '/./' }],
    ['browser_screenshot', { text: true, overlay: true }],
    ['browser_html', { keep_scripts: true }],
    ['browser_html', { selector: 'body', max_bytes: 1_000 }],
    ['browser_read', {}],
    ['browser_read', { selector: 'body' }],
    ['browser_log', { kind: 'console' }],
    ['browser_log', { kind: 'requests' }],
    ['browser_wait', { text: 'nothing of that kind', timeout_ms: 100 }],
    ['browser_click', { selector: '.none' }],
    ['browser_evaluate', { script: 'document.documentElement.outerHTML + localStorage.typed + document.cookie' }],
    ['browser_handoff', { reason: 'Please look' }],
  ] as const) {
    await call(tool, args);
  }
}

/** The value, the codes of this test and the key, in the forms in which pages, addresses and programs write them. */
async function needles(): Promise<string[]> {
  const seed = parseSeed(SEED);
  if (typeof seed === 'string') throw new Error(seed);
  const codes: string[] = [];
  for (let at = begun; at < Date.now() + 30_000; at += 30_000) codes.push(await totpAt(seed, at));
  const values = [VALUE, ...codes, 'GEZDGNBVGY3TQOJQ'];
  return values.flatMap((value) => [
    value,
    encodeURIComponent(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    Array.from(value).join('\u200b'),
    btoa(value),
  ]);
}

async function expectNoneIn(texts: readonly string[]): Promise<void> {
  const wanted = await needles();
  for (const text of texts) for (const needle of wanted) expect(text).not.toContain(needle);
}

async function storedText(subject: string): Promise<string[]> {
  const session = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(subject, 'default')));
  const ofSession = await runInDurableObject(session, async (_, { storage, id }) => {
    const all = await storage.list();
    const sealed: unknown = all.get('state');
    const state = sealed instanceof Uint8Array ? await unsealState(SEALING, id.toString(), sealed) : null;
    return [...[...all.values()].map(asText), JSON.stringify(state)];
  });
  const client = env.CLIENT.get(env.CLIENT.idFromName(subject));
  const ofClient = await runInDurableObject(client, (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`).toArray();
    return tables
      .filter(({ name }) => !name.startsWith('_cf'))
      .flatMap(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray())
      .flatMap((row) => Object.values(row).map(asText));
  });
  const { results: tables } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`,
  ).all<{ name: string }>();
  const rows = await Promise.all(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()));
  return [...ofSession, ...ofClient, ...rows.flatMap(({ results }) => results.map((row) => JSON.stringify(row)))];
}

function asText(value: unknown): string {
  if (value instanceof ArrayBuffer) return asText(new Uint8Array(value));
  return value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : JSON.stringify(value);
}

describe('a secret that a page mirrors wherever possible', () => {
  it('is in no result, log line, row or object, before and after the session is restored', async () => {
    const subject = 'ada-of-mirrors';
    const call = await person(subject);
    const opened = await call('browser_navigate', { url: `${SITE}/` });
    expect(opened.text).toContain('Next: browser_fill {"selectors":["…"],"values":["secret:mirror"]}');
    expect(opened.text).toContain('Next: browser_handoff');
    const filled = await call('browser_fill', {
      selectors: ['#user', '#pass', '#code'],
      values: ['secret:mirror', 'secret:mirror', 'secret:mirror.otp'],
      snapshot: true,
    });
    expect(filled.text).toMatch(/^Filled 3 fields\./);
    expect(filled.text).toContain('You typed ••••');
    await lookAround(call);
    expect((await call('browser_evaluate', { script: '1' })).text).toContain('script_blocked');
    expect((await call('browser_click', { selector: '#user[value^="K"]' })).text).toContain('compares a part');

    const moved = await call('browser_type', { selector: '#user', text: 'secret:mirror', submit: true });
    expect(moved.isError).toBe(false);
    const greeted = await call('browser_snapshot');
    expect(greeted.text).toContain('Hello, ••••');
    await lookAround(call);

    const object = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(subject, 'default')));
    await endBrowserOf(object, () => call('browser_snapshot'));
    const again = await call('browser_navigate', { url: `${SITE}/greet?user=${encodeURIComponent(VALUE)}&code=1` });
    expect(again.text).toContain('The session was restored');
    expect((await call('browser_snapshot')).text).toContain('Hello, ••••');
    await lookAround(call);
    // The address that the test itself has passed is no finding, and is not reported.
    await expectNoneIn(told);
    await expectNoneIn(logged);
    await expectNoneIn(await storedText(subject));
    await call('browser_close');
  });

  it('does not change a screenshot, whatever its value', async () => {
    const calls = [await person('ada-of-pictures', 'Kestrel-7'), await person('bob-of-pictures', 'Harrier-4')];
    for (const call of calls) {
      await call('browser_navigate', { url: `${SITE}/` });
      await call('browser_type', { selector: '#user', text: 'secret:mirror', submit: true });
      await call('browser_wait', { text: 'Hello' });
    }
    // A page that was shown a moment ago may be drawn again.
    await expect
      .poll(async () => {
        const pictures = await Promise.all(calls.map((call) => call('browser_screenshot')));
        const [first, second] = pictures.map(({ image }) => image);
        return first !== '' && first === second;
      })
      .toBe(true);
    for (const call of calls) await call('browser_close');
  });

  it('is useless to others who share the session, and masked for them', async () => {
    const ada = await person('ada-of-sharing');
    const bob = await person('bob-of-sharing', 'another value');
    const session = 'shared/mirror';
    await ada('browser_launch', { session: 'mirror', shared: true });
    await ada('browser_navigate', { session, url: `${SITE}/` });
    await ada('browser_fill', { session, selectors: ['#user'], values: ['secret:mirror'] });
    expect((await bob('browser_snapshot', { session })).text).toContain('You typed ••••');
    await bob('browser_fill', { session, selectors: ['#user'], values: ['secret:mirror'] });
    expect((await bob('browser_snapshot', { session })).text).toContain('You typed ••••');
    await expectNoneIn(told);
    expect(told.join('\n')).not.toContain('another value');
    await ada('browser_close', { session });
  });
});
