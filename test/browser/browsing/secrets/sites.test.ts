import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sessionKey } from '#browsing/session/session-name.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import { parseConfig } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import { readSealingSecret } from '#core/secrets/sealed.ts';
import { endBrowserOf } from '#support/ended-browser.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

/** Scripts of models must not meet secrets: a whole server, and a site that stores typed text. */

const VALUE = 'qX7vbN2lmK9rtZ4w';
const SEALING = readSealingSecret(parseConfig({ ...env })) ?? '';
const BANK = 'http://www.acme.org';
const LOGIN = 'http://login.acme.org';
const ELSEWHERE = 'http://taking-0.dev';
const taking = (at: number) => `http://taking-${at}.dev`;
const BLOCKED = 'script_blocked';

const WAIT = 'const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));';
const OPENS_AND_READS = `${WAIT} const opened = window.open('${BANK}/names'); await wait(1_500); opened.location = '${ELSEWHERE}/';
  let name = ''; for (let at = 0; at < 20 && name === ''; at += 1) { await wait(100); try { name = opened.name } catch { name = '' } }
  return [...name].reverse().join('')`;
const FRAMES_IT = `${WAIT} document.body.append(Object.assign(document.createElement('iframe'), { src: '${BANK}/names' })); await wait(1_000); return 1`;

type Call = (tool: string, args?: Record<string, unknown>) => Promise<string>;

let count = 0;

/** A model of a new user. */
async function model(): Promise<Call & { subject: string }> {
  const subject = `owner-of-drafts-${(count += 1)}`;
  const vault = new SecretVault(partNamed(env.CLIENT, subject, 'secrets'), subject, SEALING);
  await vault.keep({ name: 'bank', sites: [BANK, LOGIN], value: VALUE, seed: null }, true, 1);
  const token = await grantFor(subject, ['web:read', 'browser:use', 'browser:evaluate']);
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    const { result, error } = await callTool('modern', tool, args, { token });
    if (result === undefined) throw new Error(error?.message);
    return (result.content ?? []).map(({ text }) => text).join('\n');
  };
  return Object.assign(call, { subject });
}

const go = (call: Call, url: string, args: Record<string, unknown> = {}) => call('browser_navigate', { url, ...args });
const fill = (call: Call, args: Record<string, unknown> = {}) =>
  call('browser_fill', { selectors: ['#user'], values: ['secret:bank'], ...args });
const evaluate = (call: Call, args: Record<string, unknown> = {}) =>
  call('browser_evaluate', { script: 'document.title', ...args });

function sessionOf({ subject }: { subject: string }) {
  return env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(subject, 'default')));
}

describe('after a secret was typed, a script of a model is blocked', () => {
  it('in the next document, or on another host of the site', async () => {
    const call = await model();
    await go(call, `${LOGIN}/`);
    expect(await fill(call)).toMatch(/^Filled/u);
    expect(await evaluate(call)).toContain(BLOCKED);
    await call('browser_click', { selector: '#go' });
    expect(await evaluate(call)).toContain(BLOCKED);
    expect(await evaluate(call, { selector: '#again' })).toContain(BLOCKED);
    await go(call, `${BANK}/`);
    expect(await evaluate(call)).toContain(BLOCKED);
    expect(await call('browser_navigate', { history: 'reload' })).not.toContain('Error');
    expect(await evaluate(call)).toContain(BLOCKED);
    await go(call, `${ELSEWHERE}/`);
    expect(await evaluate(call)).toContain('Drafts');
    await call('browser_close');
  });

  it('in another tab, even after the first one is closed', async () => {
    const call = await model();
    await go(call, `${BANK}/?on=storage`);
    await go(call, `${LOGIN}/`, { new_tab: true });
    await fill(call, { tab: 't1' });
    expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
    await call('browser_close', { tab: 't1' });
    expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
    await call('browser_close');
  });

  it('in blank windows that pages opened, or in a page that embeds the site in a frame', async () => {
    const call = await model();
    await go(call, `${BANK}/`);
    await call('browser_click', { selector: '#blank' });
    await fill(call, { tab: 't1' });
    expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
    await go(call, `${ELSEWHERE}/framed`, { tab: 't1' });
    expect(await evaluate(call, { tab: 't1' })).toContain(BLOCKED);
    await go(call, `${ELSEWHERE}/`, { tab: 't1' });
    expect(await evaluate(call, { tab: 't1' })).toContain('Drafts');
    await call('browser_close');
  });

  it('on a site that received the secret in a request', async () => {
    const call = await model();
    const ways = ['fetch', 'header', 'post', 'blob', 'beacon', 'picture', 'frame', 'worker', 'referrer'];
    for (const [at, on] of ways.entries()) {
      await go(call, `${BANK}/?${new URLSearchParams({ on, to: taking(at) }).toString()}`);
      await fill(call);
    }
    const ran: string[] = [];
    for (const [at, on] of ways.entries()) {
      await go(call, taking(at));
      if (!(await evaluate(call)).includes(BLOCKED)) ran.push(on);
    }
    expect(ran).toEqual([]);
    await go(call, taking(ways.length));
    expect(await evaluate(call)).not.toContain('Error');
    await call('browser_close');
  });

  it('on a site that received the secret through a link', async () => {
    const call = await model();
    await go(call, `${BANK}/`);
    await fill(call);
    await call('browser_click', { selector: '#go' });
    await call('browser_click', { selector: '#away' });
    expect(await call('browser_snapshot')).toContain('Taken');
    expect(await evaluate(call)).toContain(BLOCKED);
    await call('browser_close');
  });

  it('on a site that still has the secret in the window name', async () => {
    const call = await model();
    await go(call, `${BANK}/?${new URLSearchParams({ on: 'name', to: ELSEWHERE }).toString()}`);
    await fill(call);
    await call('browser_click', { selector: '#leave' });
    expect(await call('browser_snapshot')).toContain('Taken');
    expect(await evaluate(call)).toContain(BLOCKED);
    await call('browser_close');
  });

  it('when it opens the site in a window, brings it back and reads its name', async () => {
    const call = await model();
    await go(call, `${BANK}/?on=storage`);
    await fill(call);
    await go(call, `${ELSEWHERE}/`, { new_tab: true });
    const opened = await evaluate(call, { tab: 't2', script: OPENS_AND_READS, timeout_ms: 10_000 });
    expect(opened).toContain('value: ""');
    expect(await call('browser_snapshot', { tab: 't3' })).toContain('browser_evaluate may still reach this window');
    expect(await evaluate(call, { tab: 't2', script: FRAMES_IT, timeout_ms: 10_000 })).toContain('request refused');
    await call('browser_close');
  });

  it('in a page that has opened the site in a window, before or afterwards', async () => {
    for (const isBefore of [true, false]) {
      const call = await model();
      await go(call, `${BANK}/?on=storage`);
      if (!isBefore) await fill(call);
      await go(call, `${ELSEWHERE}/opens`, { new_tab: true });
      await call('browser_click', { selector: '#open', tab: 't2' });
      if (isBefore) await fill(call, { tab: 't1' });
      expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
      await go(call, `${ELSEWHERE}/`, { tab: 't3' });
      expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
      await call('browser_close');
    }
  });

  it('in a page with a frame that is about to show the site', async () => {
    const call = await model();
    await go(call, `${BANK}/`);
    await fill(call);
    await go(call, `${ELSEWHERE}/frames-late`, { new_tab: true });
    await call('browser_click', { selector: '#frame', tab: 't2' });
    expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
    await go(call, `${ELSEWHERE}/`, { tab: 't2' });
    expect(await evaluate(call, { tab: 't2' })).not.toContain('Error');
    await call('browser_close');
  });

  it('on the error page of a site that did not receive the secret', async () => {
    const call = await model();
    await go(call, `${ELSEWHERE}/`);
    expect(await evaluate(call)).not.toContain('Error');
    await go(call, `${BANK}/?${new URLSearchParams({ on: 'address', to: ELSEWHERE }).toString()}`, { new_tab: true });
    await fill(call, { tab: 't2' });
    await call('browser_click', { selector: '#tell', tab: 't2' });
    expect(await evaluate(call, { script: '[...document.referrer].reverse().join("")', tab: 't2' })).toContain(BLOCKED);
    await call('browser_close');
  });

  it('on a site to whose URL a page has added the secret, without a request', async () => {
    const call = await model();
    await go(call, `${BANK}/?${new URLSearchParams({ on: 'fragment', to: ELSEWHERE }).toString()}`);
    expect(await call('browser_click', { selector: '#open' })).toContain('t2');
    expect(await call('browser_wait', { text: 'Taken', tab: 't2' })).toContain('is there');
    await fill(call, { tab: 't1' });
    expect(await call('browser_snapshot', { tab: 't2' })).toContain('/#••••');
    expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
    await go(call, `${ELSEWHERE}/framed`, { tab: 't2' });
    await go(call, `${ELSEWHERE}/`, { tab: 't2' });
    expect(await evaluate(call, { tab: 't2' })).toContain(BLOCKED);
    await call('browser_close');
  });

  it('when the session is restored', async () => {
    const call = await model();
    await go(call, `${BANK}/?on=storage`);
    await fill(call);
    await endBrowserOf(sessionOf(call), () => call('browser_snapshot'));
    expect(await go(call, `${LOGIN}/`)).toContain('restored');
    expect(await evaluate(call)).toContain(BLOCKED);
    await call('browser_close');
    await go(call, `${LOGIN}/`);
    expect(await evaluate(call)).toContain('Drafts');
    await call('browser_close');
  });
});

describe('after a script of a model has run, a secret is blocked', () => {
  const REFUSED = 'browser_evaluate ran in this session';

  it('on its site, in whichever document, tab or host, until the session ends', async () => {
    const call = await model();
    await go(call, `${BANK}/`);
    await evaluate(call);
    expect(await fill(call)).toContain(REFUSED);
    await go(call, `${LOGIN}/`);
    expect(await fill(call)).toContain(REFUSED);
    await go(call, `${LOGIN}/`, { new_tab: true });
    await call('browser_close', { tab: 't1' });
    expect(await fill(call, { tab: 't2' })).toContain(REFUSED);
    await endBrowserOf(sessionOf(call), () => call('browser_snapshot'));
    await go(call, `${BANK}/`);
    expect(await fill(call)).toContain(REFUSED);
    await call('browser_close');
    await go(call, `${BANK}/`);
    expect(await fill(call)).toMatch(/^Filled/u);
    await call('browser_close');
  });

  it('also if the script ran in a blank window or frame of the site', async () => {
    const call = await model();
    await go(call, `${BANK}/`);
    await call('browser_click', { selector: '#blank' });
    expect(await evaluate(call, { tab: 't2' })).not.toContain('Error');
    expect(await fill(call, { tab: 't1' })).toContain(REFUSED);
    await call('browser_close');
  });

  it('while a window that the script may reach shows the site', async () => {
    const call = await model();
    await go(call, `${ELSEWHERE}/`);
    await evaluate(call, { script: `window.opened = window.open('${BANK}/names'); 1` });
    expect(await call('browser_wait', { text: 'Names', tab: 't2' })).not.toContain('Error');
    await go(call, `${BANK}/?on=storage`, { new_tab: true });
    expect(await fill(call, { tab: 't3' })).toContain(REFUSED);
    await call('browser_close', { tab: 't2' });
    expect(await fill(call, { tab: 't3' })).toMatch(/^Filled/u);
    await call('browser_close');
  });

  it('while a window or frame that the script may reach is about to show the site', async () => {
    const scripts = [`window.opened = window.open('${BANK}/late'); 1`, `document.querySelector('#frame').click()`];
    for (const script of scripts) {
      const call = await model();
      await go(call, `${ELSEWHERE}/frames-late`);
      expect(await evaluate(call, { script })).not.toContain('Error');
      const opened = await go(call, `${BANK}/`, { new_tab: true });
      const tab = /tab (t\d)/u.exec(opened)?.[1];
      expect(await fill(call, { tab })).toContain(REFUSED);
      await go(call, `${ELSEWHERE}/`, { tab: 't1' });
      await call('browser_close');
    }
  });

  it('but not after a script on another site, or a refused script', async () => {
    const call = await model();
    await go(call, `${ELSEWHERE}/`);
    await evaluate(call);
    await go(call, `${BANK}/`);
    expect(await evaluate(call, { script: 'document.cookie' })).toContain(BLOCKED);
    expect(await fill(call)).toMatch(/^Filled/u);
    await call('browser_close');
  });

  it('in every request to its site', async () => {
    const call = await model();
    await go(call, `${ELSEWHERE}/`);
    await evaluate(call);
    await go(call, `${BANK}/?${new URLSearchParams({ on: 'fetch', to: ELSEWHERE }).toString()}`, { new_tab: true });
    expect(await fill(call, { tab: 't2' })).toContain('it carries a secret to a site where browser_evaluate has run');
    await call('browser_close');
  });
});
