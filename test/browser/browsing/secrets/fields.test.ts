import { PageRules } from '#browsing/rules/page-rules.ts';
import { SentViewMemory } from '#browsing/session/sent-views.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecretMask, MASK_TEXT } from '#browsing/secrets/mask.ts';
import { browserLevelGate } from '#browsing/gate/request-gate.ts';
import { ElementRefs } from '#browsing/refs/refs.ts';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { clickElement, typeInto } from '#browsing/session/operations/act-operations.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { parseSeed } from '#browsing/secrets/totp.ts';
import { failureOf, inPage } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets, testVault } from '#support/test-secrets.ts';

/** Fields that a secret is typed into, in real Chromium: forms of many shapes, and pages that change typed text. */

const VALUE = 'qX7v+bN2lmK9-rtZ4w';
const USER = 'ada.lovelace@bank.example';
const NOW = 1_234_567_890_000;
const OWNER = 'ada-of-fields';
const PATIENCE_MS = 110_000;
const BANK = 'https://bank.example';
const LOGIN = 'https://login.bank.example';

/** A step of a form. `type` types letter by letter. */
type Step = { fill: Record<string, string> } | { type: [selector: string, value: string] } | { click: string };

const field = (script: string, attributes = '') =>
  `<form action="/in"><input id="pass" name="pass" ${attributes}><button id="go">Go</button></form>
   <p id="told"></p><script>${script}</script>`;

/** Forms of a sign-in, by the first page. */
const FORMS: Record<string, { pages: Record<string, string>; steps: Step[] }> = {
  'in two steps': {
    pages: {
      '/': '<form action="/second"><input id="user" name="user" autocomplete="username"><button id="go">Next</button></form>',
      '/second': field('', 'type="password"'),
    },
    steps: [{ fill: { '#user': 'ada' } }, { click: '#go' }, { fill: { '#pass': 'secret:bank' } }, { click: '#go' }],
  },
  'with one field at a time': {
    pages: {
      '/': `<div id="box"><label>Name <input id="user"></label></div><button id="go">Next</button><script>
        go.onclick = () => {
          const pass = document.querySelector('#pass');
          if (pass) return void (location = '/in?' + new URLSearchParams({ pass: pass.value }));
          setTimeout(() => { box.innerHTML = '<label>Password <input id="pass" type="password"></label>' }, 50);
        }</script>`,
    },
    steps: [
      { fill: { '#user': 'secret:user' } },
      { click: '#go' },
      { fill: { '#pass': 'secret:bank' } },
      { click: '#go' },
    ],
  },
  'that shows the password in another field': {
    pages: {
      '/': field(
        `eye.onclick = () => { const shown = pass.cloneNode(); shown.type = 'text'; shown.value = pass.value; pass.replaceWith(shown) }`,
        'type="password"><button id="eye" type="button">Show</button',
      ),
    },
    steps: [{ fill: { '#pass': 'secret:bank' } }, { click: '#eye' }, { click: '#go' }],
  },
  'where nothing is pasted': {
    pages: {
      '/': field(
        `pass.onpaste = (event) => event.preventDefault();
         pass.addEventListener('beforeinput', (event) => { if (event.inputType !== 'insertText') event.preventDefault() })`,
        'type="password"',
      ),
    },
    steps: [{ fill: { '#pass': 'secret:bank' } }, { click: '#go' }],
  },
  'with a box for each digit of a code': {
    pages: {
      '/': `<form action="/in"><input id="code" type="hidden" name="pass">
        ${'<input class="box" inputmode="numeric" maxlength="1">'.repeat(6)}</form><script>
        const boxes = [...document.querySelectorAll('.box')];
        boxes.forEach((box, at) => {
          box.onkeydown = (event) => {
            if (!/^\\d$/.test(event.key)) return;
            event.preventDefault();
            box.value = event.key;
            boxes[at + 1]?.focus();
            code.value = boxes.map(({ value }) => value).join('');
            if (code.value.length === 6) setTimeout(() => document.forms[0].requestSubmit(), 30);
          };
        })</script>`,
    },
    steps: [{ type: ['.box:nth-of-type(2)', 'secret:bank.otp'] }],
  },
  'in a frame': {
    pages: { '/': '<iframe src="/form" width="400" height="300"></iframe>', '/form': field('', 'type="password"') },
    steps: [{ fill: { '#pass': 'secret:bank' } }, { click: '#go' }],
  },
  'whose user name and password are both secret': {
    pages: {
      '/': '<form action="/in"><input id="user" name="user" type="email"><input id="pass" name="pass" type="password"><button id="go">Go</button></form>',
    },
    steps: [{ fill: { '#user': 'secret:user', '#pass': 'secret:bank' } }, { click: '#go' }],
  },
  'that a framework controls': {
    pages: {
      // Like React: the value comes from a state, and typed text is reset until the state contains it.
      '/': field(
        `let state = '';
         const { set, get } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
         const render = () => { set.call(pass, state); told.textContent = state.length + ' letters' };
         pass.addEventListener('input', () => { const now = get.call(pass); set.call(pass, state); state = now; queueMicrotask(render) });
         pass.addEventListener('blur', render)`,
        'type="password"',
      ),
    },
    steps: [{ type: ['#pass', 'secret:bank'] }, { click: '#go' }],
  },
  'that sends itself by fetch': {
    pages: {
      '/': field(
        `document.forms[0].onsubmit = (event) => {
           event.preventDefault();
           fetch('/in?' + new URLSearchParams({ pass: pass.value })).then(() => { pass.value = ''; told.textContent = 'Welcome' });
         }`,
        'type="password"',
      ),
    },
    steps: [{ fill: { '#pass': 'secret:bank' } }, { click: '#go' }],
  },
  'that goes on at another host of its site': {
    pages: { '/': field('').replace('action="/in"', `action="${BANK}/in"`) },
    steps: [{ fill: { '#pass': 'secret:bank' } }, { click: '#go' }],
  },
};

/** Changes that a page makes to a field, and its attributes. */
const CHANGES: Record<string, string> = {
  'shortens it': field(`pass.oninput = () => { pass.value = pass.value.slice(0, 10); told.textContent = pass.value }`),
  'takes out signs': field(`pass.oninput = () => { pass.value = pass.value.replace(/[^a-z0-9]/gi, '') }`),
  'drops keys that are no letters': field(`pass.onkeydown = (event) => /[a-z0-9]/i.test(event.key)`),
  'shortens it a moment later': field(
    `pass.oninput = () => setTimeout(() => { if (pass.value.length > 10) pass.value = pass.value.slice(0, 10) }, 20)`,
  ),
  'puts more before a number': field(
    `pass.oninput = () => { if (pass.value !== '' && !pass.value.startsWith('49')) pass.value = '49' + pass.value }`,
  ),
};

/** Pages that end the typing after nine letters. */
const HALFWAY: Record<string, string> = {
  'makes the field read-only': field(`pass.oninput = () => { pass.readOnly = pass.value.length >= 9 }`),
  'puts a copy in its place': field(`document.addEventListener('input', () => {
    const old = document.querySelector('#pass');
    if (old.value.length === 9) { const copy = old.cloneNode(true); old.replaceWith(copy); copy.focus() } })`),
  'takes it away': field(`pass.oninput = () => { if (pass.value.length === 9) pass.remove() }`),
  'sends itself': field(`pass.oninput = () => { if (pass.value.length === 9) document.forms[0].submit() }`),
};

/** Forms of a value that results know again. */
const FORMATS: Record<string, [script: string, value: string]> = {
  'in groups': [`pass.value = pass.value.replace(/ /g, '').replace(/(.{4})(?=.)/g, '$1 ')`, 'secret:bank'],
  'in capitals': [`pass.value = pass.value.toUpperCase()`, 'secret:bank'],
  'as a code with a space': [
    `pass.value = pass.value.replace(/\\D/g, '').replace(/^(\\d{3})(\\d)/, '$1 $2')`,
    'secret:bank.otp',
  ],
  'with more behind it': [
    `if (!pass.value.endsWith('@x')) pass.value = pass.value.replace('@', '') + '@x'`,
    'secret:bank',
  ],
  'as dots, with the value elsewhere': [
    `self.kept = (self.kept ?? '') + (pass.value.replaceAll('•', '')); pass.value = '•'.repeat(pass.value.length)`,
    'secret:bank',
  ],
};

let browser: TestBrowser;
let contextId = '';
let pages: Record<string, string> = {};
/** Addresses that the site was asked for. */
const asked: URL[] = [];

beforeAll(async () => {
  browser = await browserWith((url) => {
    asked.push(url);
    const body = url.pathname === '/in' ? 'Welcome' : pages[url.pathname];
    return body === undefined ? null : `<!doctype html><title>t</title><body>${body}</body>`;
  });
  contextId = await browser.openContext();
  const seed = parseSeed('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const vault = testVault(OWNER);
  const sites = [BANK, LOGIN];
  await vault.keep({ name: 'bank', sites, value: VALUE, seed: typeof seed === 'string' ? null : seed }, false, 1);
  await vault.keep({ name: 'user', sites, value: USER, seed: null }, false, 1);
});
afterAll(() => browser.close());

let secrets = testSecrets(() => NOW);
beforeEach(() => {
  secrets = testSecrets(() => NOW);
  browser.acquired.connection.mask = () => secrets.mask;
  asked.length = 0;
});

async function openForm(site: Record<string, string>, callMs = PATIENCE_MS): Promise<OperationWork> {
  pages = site;
  for (const tab of browser.tabs.all()) await browser.tabs.close(tab);
  const tab = await browser.openReusedTab(contextId, `${LOGIN}/`);
  secrets.beginCall({ subject: OWNER });
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
  return { active, tab, effect: 'act', signal: AbortSignal.timeout(PATIENCE_MS), endsAt: Date.now() + callMs };
}

async function fill(work: OperationWork, values: Record<string, string>) {
  const input = { targets: Object.keys(values), values: Object.values(values), snapshot: false };
  return fillFields(work, input, createFillProgress(input));
}

const type = (work: OperationWork, selector: string, text: string, more: { key?: string; slowly?: boolean } = {}) =>
  typeInto(work, { target: selector, text, snapshot: false, ...more });

const press = (work: OperationWork, key: string) => typeInto(work, { target: '#pass', key, snapshot: false });

const click = (work: OperationWork, selector: string) =>
  clickElement(work, { target: selector, button: 'left', clickCount: 1, modifiers: [], snapshot: false });

async function take(work: OperationWork, step: Step): Promise<void> {
  if ('fill' in step) await fill(work, step.fill);
  else if ('type' in step) await type(work, ...step.type);
  else await click(work, step.click);
}

/** The values of the page's fields. */
const held = (work: OperationWork) =>
  inPage(work.tab, `[...document.querySelectorAll('input')].map(({ value }) => value).join('')`);

/** The password that the site received. */
const sent = () => asked.findLast(({ pathname }) => pathname === '/in')?.searchParams;

const REFUSED = { code: 'secret_refused', reason: 'full', name: 'bank' };

describe('a form with a secret', () => {
  it.each(Object.keys(FORMS))('is filled and sent: %s', async (name) => {
    const { pages: own, steps } = FORMS[name] ?? { pages: {}, steps: [] };
    const work = await openForm(own);
    for (const step of steps) await take(work, step);
    const isCode = steps.some((step) => 'type' in step && step.type[1].endsWith('.otp'));
    await expect.poll(() => sent()?.get('pass')).toBe(isCode ? '005924' : VALUE);
    expect(sent()?.get('user') ?? USER).toBe(USER);
  });
});

describe('a page that changes a typed secret', () => {
  it.each(Object.keys(CHANGES))('has the field emptied and the call refused when it %s', async (name) => {
    const value = name.includes('number') ? 'secret:bank.otp' : 'secret:bank';
    const isOfKeys = name.includes('keys');
    for (const attempt of [fill, (work: OperationWork) => type(work, '#pass', value)]) {
      if (isOfKeys && attempt === fill) continue;
      const work = await openForm({ '/': CHANGES[name] ?? '' });
      expect(await failureOf(attempt(work, { '#pass': value }))).toMatchObject(REFUSED);
      expect(await held(work)).not.toMatch(SOMETHING);
      await click(work, '#go');
      expect(sent()?.get('pass') ?? '').not.toMatch(SOMETHING);
    }
  });

  it.each(['focusout', 'submit'])('on blur or on submit (%s) sends no part of it', async (event) => {
    const cut = `document.querySelector('#pass').value = document.querySelector('#pass').value.slice(0, 10)`;
    const work = await openForm({ '/': field(`document.addEventListener('${event}', () => { ${cut} })`) });
    await fill(work, { '#pass': 'secret:bank' });
    await click(work, '#go');
    expect(await held(work)).not.toMatch(SOMETHING);
    expect(sent()?.get('pass') ?? '').not.toMatch(SOMETHING);
  });

  it.each(Object.keys(HALFWAY))('during typing has the field emptied and the call refused: %s', async (name) => {
    const work = await openForm({ '/': HALFWAY[name] ?? '' });
    expect(await failureOf(type(work, '#pass', 'secret:bank'))).toMatchObject(REFUSED);
    if (name !== 'sends itself') expect(sent()).toBeUndefined();
    expect(await held(work)).not.toMatch(SOMETHING);
  });

  it.each(Object.keys(FORMATS))('only in format keeps the secret: %s', async (name) => {
    const [script, value] = FORMATS[name] ?? ['', ''];
    const text = value.endsWith('.otp') ? '005924' : VALUE;
    for (const attempt of [fill, (work: OperationWork) => type(work, '#pass', value)]) {
      // The caret is after the text that the page has added.
      if (name.includes('more') && attempt !== fill) continue;
      const work = await openForm({ '/': field(`pass.oninput = () => { ${script} }`) });
      await attempt(work, { '#pass': value });
      const shown = String(await inPage(work.tab, 'pass.value'));
      expect(shown).not.toBe('');
      if (name.includes('dots')) expect(shown).toBe('•'.repeat(text.length));
      else expect(createSecretMask([text])?.from(shown).replace('@x', '')).toBe(MASK_TEXT);
    }
  });
});

describe('a copy of a field', () => {
  it('is also protected as a whole if the page puts it in place of the field', async () => {
    for (const keys of ['Home Delete', 'End Backspace']) {
      const work = await openForm({
        '/': field(`pass.onblur = () => { const copy = pass.cloneNode(true); pass.replaceWith(copy) }`),
      });
      await fill(work, { '#pass': 'secret:bank' });
      await inPage(work.tab, 'pass.blur()');
      await press(work, keys);
      expect(await held(work)).toBe('');
    }
  });
});

describe('a secret that is split across several boxes', () => {
  it.each(['all of it', 'a part'])(
    'is masked as in each of them, also when the session is restored: %s',
    async (typed) => {
      // "N2lmK9" is a middle part of the value: neither its beginning nor its end.
      const boxes = '<input class="box">'.repeat(3);
      const script = `const all = [...document.querySelectorAll('.box')];
      const show = () => { told.innerHTML = all.map(({ value }) => '<i>' + value + '</i>').join('<br>') };
      all.forEach((box, at) => { box.oninput = () => { show(); if (box.value.length === 6) all[at + 1]?.focus() } });
      ${typed === 'all of it' ? '' : `all[2].addEventListener('input', () => { all[2].readOnly = true })`}`;
      const work = await openForm({ '/': `${boxes}<p id="told"></p><script>${script}</script>` });
      const typing = type(work, '.box:nth-of-type(1)', 'secret:bank');
      if (typed === 'all of it') await typing;
      else expect(await failureOf(typing)).toMatchObject(REFUSED);
      await inPage(work.tab, `told.innerHTML = 'It was <i>N2lmK9</i> and <b>Welcome</b>'`);
      const { text } = await viewTabOnRequest(work, {});
      expect(text).toContain('Welcome');
      expect(JSON.stringify(text)).not.toContain('N2lmK9');
      await secrets.restore();
      expect(secrets.mask?.from('N2lmK9 and N2lmK')).toBe(`${MASK_TEXT} and N2lmK`);
    },
  );
});

describe('a field that makes the browser refuse its form', () => {
  it.each([
    ['in words of the browser', '', 'type="email"'],
    ['in words of the page', `pass.oninput = () => pass.setCustomValidity('Not known: ' + pass.value)`, ''],
    [
      'in words of the page, without the beginning',
      `pass.oninput = () => pass.setCustomValidity('Not known: …' + pass.value.slice(3))`,
      '',
    ],
  ])('is listed without its value, %s', async (_, script, attributes) => {
    const work = await openForm({ '/': field(script, attributes) });
    await fill(work, { '#pass': 'secret:bank' });
    const answer = JSON.stringify([await click(work, '#go'), work.tab.log.since(0), await viewTabOnRequest(work, {})]);
    expect(answer).toContain(MASK_TEXT);
    expect(answer).not.toContain('bN2lmK9');
  });
});

describe('a page that composes typed text, as an input method does', () => {
  it('shows no part of the secret', async () => {
    const script = `pass.onkeydown = (event) => {
      event.preventDefault();
      const fire = (type, data) => pass.dispatchEvent(new CompositionEvent(type, { bubbles: true, data }));
      fire('compositionstart', '');
      fire('compositionupdate', event.key);
      pass.value += event.key;
      pass.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertCompositionText', data: event.key, isComposing: true }));
      fire('compositionend', event.key);
      told.textContent = 'Composed ' + pass.value;
    }`;
    const work = await openForm({ '/': field(script) });
    await type(work, '#pass', 'secret:bank');
    expect(await held(work)).toBe(VALUE);
    const { text } = await viewTabOnRequest(work, {});
    expect(text).toContain(`Composed ${MASK_TEXT}`);
  });
});

describe('a field of several lines', () => {
  it('is sent unwrapped if the browser would wrap a secret in it', async () => {
    for (const attempt of [fill, (work: OperationWork) => type(work, '#pass', 'secret:bank')]) {
      const form =
        '<form action="/in"><textarea id="pass" name="pass" wrap="hard" cols="5"></textarea><button id="go">Go</button></form>';
      const work = await openForm({ '/': form });
      await attempt(work, { '#pass': 'secret:bank' });
      await click(work, '#go');
      await expect.poll(() => sent()?.get('pass')).toBe(VALUE);
      asked.length = 0;
    }
  });
});

describe('typing a secret letter by letter', () => {
  it('is not started if the call would end first', async () => {
    const work = await openForm({ '/': field('') }, 3_000);
    const slow = await failureOf(type(work, '#pass', 'secret:bank', { slowly: true }));
    expect(slow).toMatchObject({
      code: 'invalid_argument',
      field: 'slowly',
      hint: expect.stringContaining('browser_fill'),
    });
    expect(await held(work)).toBe('');
    const patient = await openForm({ '/': field('') });
    await type(patient, '#pass', 'secret:bank', { slowly: true });
    expect(await held(patient)).toBe(VALUE);
  });
});

const SOMETHING = /[a-z0-9]/iu;

describe('a list of steps', () => {
  async function takeAll(work: OperationWork, lines: readonly string[]) {
    const input = { steps: parseStepLines(lines), snapshot: true, expectsDialog: false };
    const progress = createStepListProgress(input);
    const result = await runSteps(work, input, progress, () => false);
    return { ...result, failure: progress.failure };
  }

  it('types a secret like the other tools, and shows no part of it', async () => {
    const work = await openForm({ '/': field('', 'type="password"') });
    const { done, ...shown } = await takeAll(work, ['fill #pass = secret:bank', 'click button "Go"']);
    expect(done).toBe(2);
    await expect.poll(() => sent()?.get('pass')).toBe(VALUE);
    expect(JSON.stringify(shown)).not.toContain(VALUE);
  });

  it.each([
    ['what the field holds', (part: string) => `expect #pass = ${part}`],
    ['words in the field', (part: string) => `expect #pass has "${part}"`],
    ['words that the page copies', (part: string) => `expect #told has "${part}"`],
    ['a text anywhere', (part: string) => `expect text=${part}`],
    ['words that an expression matches', (part: string) => `expect #told has "/^${part}/"`],
    ['a text that an expression matches', (part: string) => `expect text=/\\b${part}/`],
  ])('cannot guess a secret part by part, by expecting %s', async (_, line) => {
    const copies = 'pass.oninput = () => { told.textContent = pass.value }';
    const work = await openForm({ '/': field(copies, 'type="password"') });
    await takeAll(work, ['fill #pass = secret:bank']);
    // In parallel, because each waits for its whole time limit.
    const parts = [VALUE, VALUE.slice(0, 3), VALUE.slice(0, 1)];
    for (const { done, stopped } of await Promise.all(parts.map((part) => takeAll(work, [line(part)])))) {
      expect({ done, why: stopped?.why }).toEqual({ done: 0, why: 'unmet' });
      expect(JSON.stringify(stopped)).not.toContain(VALUE);
    }
  });

  it('refuses a secret where its tools refuse it, and takes no further step', async () => {
    const work = await openForm({ '/': field('') });
    const { done, failure } = await takeAll(work, ['type secret:bank', 'click button "Go"']);
    expect({ done, failure }).toMatchObject({ done: 0, failure: { code: 'secret_refused', reason: 'place' } });
    expect(sent()).toBeUndefined();
  });
});
