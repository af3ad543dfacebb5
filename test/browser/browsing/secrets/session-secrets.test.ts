import { PageRules } from '#browsing/rules/page-rules.ts';
import { SentViewMemory } from '#browsing/session/sent-views.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserLevelGate } from '#browsing/gate/request-gate.ts';
import { ElementRefs } from '#browsing/refs/refs.ts';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { typeInto } from '#browsing/session/operations/act-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import type { SecretVault } from '#browsing/secrets/vault.ts';
import { parseSeed, totpAt } from '#browsing/secrets/totp.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets, testVault } from '#support/test-secrets.ts';

/** Secrets in real Chromium, on pages of several sites. */

const VALUE = 'Kestrel & "quill" <9>';
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const PATIENCE_MS = 110_000;
const NOW = 1_234_567_890_000;

const FORM = '<form method="post"><input id="user"><input id="pass" type="password"><button>Go</button></form>';

/** Pages by host and path. */
const PAGES: Record<string, string> = {
  'bank.example/': `${FORM}<textarea id="note"></textarea><input id="mail" type="email"><input id="phone" type="tel">
    <input id="count" type="number">`,
  'bank.example/heard': `${FORM}<script>heard = [];
    for (const kind of ['keydown', 'beforeinput', 'input', 'change'])
      addEventListener(kind, (event) => heard.push([kind, event.isTrusted]), true)</script>`,
  'bank.example/boxes': `${'<input class="box" maxlength="1">'.repeat(6)}<script>
    const boxes = [...document.querySelectorAll('.box')];
    boxes.forEach((box, at) => box.addEventListener('input', () => setTimeout(() => boxes[at + 1]?.focus(), 30)));</script>`,
  'bank.example/kinds': `<input id="search" type="search"><input id="url" type="url"><div id="rich" contenteditable>x</div>
    <select id="list"><option>one</select><input id="box" type="checkbox"><input id="fixed" readonly><button id="go">Go</button>`,
  'bank.example/framed': `<iframe src="https://bank.example/"></iframe>`,
  'bank.example/hostile-frame': `<iframe src="https://bonk.example/"></iframe>`,
  'bank.example/sandboxed': `<iframe sandbox="allow-scripts" src="https://bank.example/"></iframe>`,
  'bank.example/srcdoc': `<iframe srcdoc='<input id="pass" type="password">'></iframe>`,
  'bank.example/blank': `<iframe></iframe><script>
    document.querySelector('iframe').contentDocument.body.innerHTML = '<input id="pass" type="password">'</script>`,
  'bank.example/sent-away': `<form action="https://bonk.example/take"><input id="pass" type="password"></form>`,
  'bank.example/button-away': `<form><input id="pass" type="password"><input name="action"><input name="elements">
    <button formaction="https://bonk.example/take">Go</button></form>`,
  'bank.example/old-form': `<form action="javascript:void(0)"><input id="pass" type="password"></form>`,
  'bank.example/turns-at-focus': `<form><input id="pass" type="password"></form><script>
    pass.onfocus = () => { document.forms[0].action = 'https://bonk.example/take' }</script>`,
  'bank.example/steals-focus': `<input id="pass" type="password"><input id="other" type="search"><script>
    pass.onfocus = () => other.focus()</script>`,
  'bank.example/moves-in-beforeinput': `<input id="pass" type="password"><iframe src="https://bonk.example/"></iframe><script>
    pass.addEventListener('beforeinput', () => document.querySelector('iframe').focus())</script>`,
  'bank.example/frame-at-focus': `<input id="pass" type="password"><iframe src="https://bonk.example/"></iframe><script>
    pass.onfocus = () => document.querySelector('iframe').focus()</script>`,
  'bank.example/frame-at-key': `<input id="pass" type="password"><iframe src="https://bonk.example/"></iframe><script>
    pass.onkeydown = () => { if (pass.value.length === 3) document.querySelector('iframe').focus() }</script>`,
  'bank.example/frame-after-key': `<input id="pass" type="password"><iframe src="https://bonk.example/"></iframe><script>
    pass.onkeyup = () => { if (pass.value.length === 3) document.querySelector('iframe').focus() }</script>`,
  'bank.example/leaves-at-focus': `<input id="pass" type="password"><script>
    pass.onfocus = () => { location.href = 'https://bonk.example/' }</script>`,
  'bonk.example/': `<input id="pass" type="password" oninput="document.title = this.value">`,
  'bonk.example/frames-bank': `<iframe src="https://bank.example/"></iframe>`,
  'bank.example.bonk.example/': FORM,
};

let browser: TestBrowser;
let contextId = '';
let ada: SecretVault;

beforeAll(async () => {
  browser = await browserWith(({ hostname, pathname }) => {
    const body = PAGES[hostname + pathname];
    return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
  });
  contextId = await browser.openContext();
  ada = testVault('ada-of-secrets');
  const seed = parseSeed(KEY);
  await ada.keep(
    { name: 'bank', sites: ['https://bank.example'], value: VALUE, seed: typeof seed === 'string' ? null : seed },
    false,
    1,
  );
  await ada.keep({ name: 'other', sites: ['https://other.example'], value: 'of another site', seed: null }, false, 1);
});
afterAll(() => browser.close());

let secrets = testSecrets(() => NOW);
beforeEach(() => {
  secrets = testSecrets(() => NOW);
  browser.acquired.connection.mask = () => secrets.mask;
});
afterEach(async () => {
  for (const tab of browser.tabs.all()) await browser.tabs.close(tab);
});

async function workOn(place: string, subject = 'ada-of-secrets'): Promise<OperationWork> {
  const tab = await browser.openReusedTab(contextId, `https://${place}`);
  secrets.beginCall({ subject });
  const active = {
    browser: browser.acquired,
    contextId,
    tabs: browser.tabs,
    gate: browserLevelGate,
    decide: async () => null,
    lastLooks: new WeakMap(),
    sent: new SentViewMemory(),
    downloads: testDownloads(),
    secrets,
    rules: new PageRules(),
    hold: null,
    noteSent: null,
    onHeld: null,
    refs: new ElementRefs(),
    isActing: false,
  };
  return { active, tab, effect: 'act', signal: AbortSignal.timeout(PATIENCE_MS), endsAt: Date.now() + PATIENCE_MS };
}

async function fill(work: OperationWork, selector: string, value: string) {
  const input = { targets: [selector], values: [value], snapshot: false };
  return fillFields(work, input, createFillProgress(input));
}

const type = (work: OperationWork, selector: string | undefined, text: string, submit = false) =>
  typeInto(work, { target: selector, text, submit, snapshot: false });

/** The values of all fields in all documents of the tab. */
async function heldIn({ tab }: OperationWork): Promise<string> {
  const held = tab.frames().map(async (frame) => {
    const { result } = await frame.session.send('Runtime.evaluate', {
      expression: `[document.title, ...[...document.querySelectorAll('input, textarea, [contenteditable]')]
        .map((field) => field.value ?? field.textContent)].join('\\n')`,
      contextId: await tab.world(frame),
    });
    return String(result.value);
  });
  return (await Promise.all(held)).join('\n');
}

describe('a stored secret', () => {
  it.each(['#pass', '#user', '#note'])('is typed into a field of its site: %s', async (field) => {
    const work = await workOn('bank.example/');
    await fill(work, field, 'something before');
    const { fields } = await fill(work, field, 'secret:bank');
    expect(fields).toEqual([
      { target: field, kind: 'text', isSecret: true, value: null, differs: false, isKept: false, isThere: true },
    ]);
    expect(await inPage(work.tab, `document.querySelector('${field}').value`)).toBe(VALUE);
    expect((await ada.list()).find(({ name }) => name === 'bank')?.usedAt).toBe(NOW);
  });

  it.each(['#pass', '#phone', '#count'])('gives the current code: %s', async (field) => {
    const work = await workOn('bank.example/');
    await fill(work, field, 'secret:bank.otp');
    expect(await inPage(work.tab, `document.querySelector('${field}').value`)).toBe('005924');
  });

  it("is typed by an event that the page cannot distinguish from a user's", async () => {
    const work = await workOn('bank.example/heard');
    await fill(work, '#pass', 'secret:bank');
    expect(await inPage(work.tab, 'heard')).toEqual([['input', true]]);
  });

  it('is typed letter by letter, across the boxes of a code, and the form is sent', async () => {
    const boxes = await workOn('bank.example/boxes');
    await type(boxes, '.box:first-of-type', 'secret:bank.otp');
    expect(await inPage(boxes.tab, `[...document.querySelectorAll('.box')].map(({ value }) => value).join('')`)).toBe(
      '005924',
    );
    const work = await workOn('bank.example/');
    await type(work, '#user', 'secret:bank');
    expect(await inPage(work.tab, 'user.value')).toBe(VALUE);
    await inPage(work.tab, `document.forms[0].onsubmit = () => { document.title = 'sent'; return false }`);
    await type(work, '#pass', 'secret:bank', true);
    expect(await inPage(work.tab, 'document.title + pass.value')).toBe(`sent${VALUE}`);
  });

  it.each([
    ['bonk.example/', 'site'],
    ['bank.example.bonk.example/', 'site'],
    ['bonk.example/frames-bank', 'around'],
    ['bank.example/hostile-frame', 'site'],
    ['bank.example/sandboxed', 'opaque'],
    ['bank.example/srcdoc', 'opaque'],
    ['bank.example/blank', 'opaque'],
    ['bank.example/sent-away', 'form'],
    ['bank.example/button-away', 'form'],
    ['bank.example/turns-at-focus', 'form'],
  ])('is not typed on %s', async (place, reason) => {
    for (const attempt of [fill, type]) {
      const work = await workOn(place);
      expect(await failureOf(attempt(work, '#pass', 'secret:bank'))).toMatchObject({
        code: 'secret_refused',
        name: 'bank',
        reason,
        sites: ['https://bank.example'],
      });
      expect(await heldIn(work)).not.toContain('Kestrel');
    }
  });

  it('is typed if its own site frames itself, and if a form only runs a script', async () => {
    for (const place of ['bank.example/framed', 'bank.example/old-form']) {
      const work = await workOn(place);
      await fill(work, '#pass', 'secret:bank');
      expect(await heldIn(work)).toContain(VALUE);
    }
  });

  it.each(['#search', '#url', '#rich', '#list', '#box', '#go'])(
    'is not typed into an element that shows or sends it: %s',
    async (field) => {
      const work = await workOn('bank.example/kinds');
      expect(await failureOf(fill(work, field, 'secret:bank'))).toMatchObject({
        code: 'secret_refused',
        reason: 'field',
      });
      expect(await heldIn(work)).not.toContain('Kestrel');
    },
  );

  it('never reaches another site when the page moves the focus or leaves at the last moment', async () => {
    for (const place of ['steals-focus', 'moves-in-beforeinput', 'leaves-at-focus']) {
      for (const attempt of [fill, type]) {
        const work = await workOn(`bank.example/${place}`);
        await attempt(work, '#pass', 'secret:bank').catch(() => undefined);
        const there = work.tab.frames().filter(({ url }) => url.includes('bonk.example'));
        for (const frame of there) {
          const { result } = await frame.session.send('Runtime.evaluate', {
            expression: 'document.title + pass.value',
            contextId: await work.tab.world(frame),
          });
          expect(result.value).toBe('/');
        }
      }
    }
  });

  it.each([
    ['frame-at-focus', fill],
    ['frame-at-focus', type],
    ['frame-at-key', type],
    ['frame-after-key', type],
  ])('is refused with the frame that took the focus as the reason: %s', async (place, attempt) => {
    const work = await workOn(`bank.example/${place}`);
    const failure = await failureOf(attempt(work, '#pass', 'secret:bank'));
    expect(failure).toMatchObject({ code: 'secret_refused', reason: 'frame' });
    expect(await inPage(work.tab, 'pass.value')).toBe('');
  });

  it('is unavailable to another user, who gets a list of their own secrets', async () => {
    const hers = await workOn('bank.example/');
    expect(await failureOf(fill(hers, '#pass', 'secret:bonk'))).toEqual({
      code: 'unknown_secret',
      name: 'bonk',
      site: 'https://bank.example',
      known: ['secret:bank', 'secret:bank.otp'],
    });
    expect(await failureOf(type(hers, '#pass', 'secret:other.otp'))).toMatchObject({ code: 'unknown_secret' });
    expect(await failureOf(type(hers, undefined, 'secret:bank'))).toMatchObject({ reason: 'place' });
    const his = await workOn('bank.example/', 'bob-of-secrets');
    expect(await failureOf(fill(his, '#pass', 'secret:bank'))).toMatchObject({ code: 'unknown_secret', known: [] });
    expect(await heldIn(his)).not.toContain('secret:');
  });
});

it('codes are those of RFC 6238, appendix B', async () => {
  const of = (algorithm: string, length: number) => {
    const key = btoa32('12345678901234567890'.repeat(4).slice(0, length));
    const seed = parseSeed(`otpauth://totp/x?secret=${key}&algorithm=${algorithm}&digits=8`);
    return typeof seed === 'string' ? fail(seed) : seed;
  };
  for (const [at, sha1, sha256, sha512] of [
    [59, '94287082', '46119246', '90693936'],
    [1_111_111_109, '07081804', '68084774', '25091201'],
    [20_000_000_000, '65353130', '77737706', '47863826'],
  ] as const) {
    expect(await totpAt(of('SHA1', 20), at * 1_000)).toBe(sha1);
    expect(await totpAt(of('SHA256', 32), at * 1_000)).toBe(sha256);
    expect(await totpAt(of('SHA512', 64), at * 1_000)).toBe(sha512);
  }
});

function fail(problem: string): never {
  throw new Error(problem);
}

function btoa32(text: string): string {
  const bits = Array.from(text)
    .map((char) => char.charCodeAt(0).toString(2).padStart(8, '0'))
    .join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}
