import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fill } from '#browsing/act/fields/fill.ts';
import { LOGGED } from '#support/logged.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

/** Fixed sizes, because a recording must not depend on the fonts of a machine. Fields may cover each other. */
const AT_ONE_PLACE =
  '<style>form *, input { position: absolute; left: 8px; top: 8px; width: 100px; height: 20px }</style>';

const PAGES: Readonly<Record<string, string>> = {
  '/form': `${LOGGED}${AT_ONE_PLACE}<form onsubmit="event.preventDefault()">
    <input id="text" value="old"><label for="text" id="label">Text</label><input id="secret" type="password">
    <input id="number" type="number"><input id="date" type="date"><input id="color" type="color">
    <input id="slider" type="range" min="0" max="10"><input id="short" maxlength="3"><input id="fixed" readonly value="x">
    <textarea id="long">a\nb</textarea><div id="rich" contenteditable>Hello <b>world</b><p id="paragraph">below</p></div>
    <select id="one"><option value="v1">One</option><option value="v2">Two  words</option><option disabled>Three</select>
    <select id="many" multiple><option>A<option>B<option>C</select>
    <input type="checkbox" id="box"><input type="radio" name="r" id="radio"><input type="file" id="file">
    <div role="switch" tabindex="0" aria-checked="false" id="switch"
      onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Switch</div>
    <input id="thief" onfocus="text.focus()"><button id="button">Button</button></form>`,
  '/private': `${AT_ONE_PLACE}<input id="code" autocomplete="one-time-code"><input id="csc" autocomplete="cc-csc"><input id="number" autocomplete="cc-number">
    <input name="otp" id="named"><input id="plain" autocomplete="postal-code"><script>
    for (const field of document.querySelectorAll('input'))
      field.oninput = () => { if (!field.value.startsWith('~')) field.value = '~' + field.value };</script>`,
};

const pages = recordedPages('act/fill', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
});

/** Each test fills a page of its own: a recording does not know that a script in the page has filled a field. */
async function open(path: string, name: string) {
  const page = await pages.open(`http://site.example${path}?${encodeURIComponent(name)}`);
  return { page, fillIn: async (target: string, value: string) => fill(await page.resolve(target), value, patience()) };
}

// Commands contain the time that is left for them.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('filling a field', () => {
  it.each([
    ['#text', 'new ✓ 漢字 😀', 'new ✓ 漢字 😀'],
    ['#label', 'by its label', 'by its label'],
    ['#number', '12.5', '12.5'],
    ['#date', '2026-02-03', '2026-02-03'],
    ['#color', '#AABBCC', '#aabbcc'],
    ['#slider', '7', '7'],
    ['#long', 'line 1\nline 2', 'line 1\nline 2'],
    ['#rich', 'fresh text', 'fresh text'],
    ['#one', 'Two words', 'Two words'],
    ['#one', 'v2', 'Two words'],
    ['#one', 'two WORDS', 'Two words'],
    ['#many', 'A\nC', 'A\nC'],
  ])('sets %s to the requested value: %j', async (target, value, held) => {
    const { fillIn } = await open('/form', `${target} ${value}`);
    expect(await fillIn(target, value)).toMatchObject({ value: held, differs: false, isSecret: false });
  });

  it.each([
    ['#short', 'abcdef', 'abc'],
    ['#slider', '99', '10'],
  ])('reports the value of %s if it differs from the requested one: %j', async (target, value, held) => {
    const { fillIn } = await open('/form', `${target} ${value}`);
    expect(await fillIn(target, value)).toMatchObject({ value: held, differs: true });
  });

  it.each(['#code', '#csc', '#number', '#named'])(
    "never returns the page's version of a private value: %s",
    async (field) => {
      const { fillIn } = await open('/private', field);
      expect(await fillIn(field, '4711')).toMatchObject({ value: null, isSecret: true, differs: true });
      expect(await fillIn('#plain', '4711')).toMatchObject({ value: '~4711', isSecret: false });
    },
  );

  it('never returns a password', async () => {
    const { page, fillIn } = await open('/form', 'password');
    expect(await fillIn('#secret', 'hunter2')).toMatchObject({ value: null, isSecret: true, differs: false });
    expect(await page.run('secret.value')).toBe('hunter2');
  });
});

describe('a field that cannot be filled', () => {
  it.each([
    ['#fixed', { code: 'element_not_found', reason: 'readonly' }],
    ['#thief', { code: 'element_not_found', reason: 'unfocusable' }],
    ['#button', { code: 'invalid_argument', field: 'selector' }],
    ['#file', { code: 'invalid_argument', field: 'selector' }],
    ['#date', { code: 'invalid_argument', field: 'value', hint: 'Pass it as YYYY-MM-DD.' }],
    ['#box', { code: 'invalid_argument', field: 'value' }],
    ['#one', { code: 'invalid_argument', field: 'value', problem: 'this option of the list is disabled' }],
    ['#many', { code: 'invalid_argument', field: 'value' }],
  ])('is refused with the reason, and nothing changes: %s', async (target, failure) => {
    const { page, fillIn } = await open('/form', `refused ${target}`);
    expect(await failureOf(fillIn(target, 'Three'))).toMatchObject(failure);
    expect(await page.run('window.log')).toEqual([]);
    expect(await page.run('text.value')).toBe('old');
  });

  it('has its available options listed, in a fence', async () => {
    const { fillIn } = await open('/form', 'options');
    const failure = await failureOf(fillIn('#one', 'Four'));
    expect(failure).toHaveProperty('quoted', expect.stringMatching(/^⟦(\w{16}) One \| Two words \1⟧$/u));
  });
});
