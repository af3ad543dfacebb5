import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill } from '#browsing/act/fields/fill.ts';
import type { FillResult } from '#browsing/act/fields/fill.ts';
import { LOGGED, startActing } from '#support/acting.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import type { Acting } from '#support/acting.ts';

const PAGES = {
  '/form': `${LOGGED}<form onsubmit="event.preventDefault()">
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
  '/controlled': `<input id="field"><p id="state"></p><script>
    // As frameworks do: the field has a setter of its own, and only a value that did not come through it is an input.
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    let last = '';
    Object.defineProperty(field, 'value', { get() { return own.get.call(this) }, set(v) { last = v; own.set.call(this, v) } });
    field.addEventListener('input', () => {
      const now = own.get.call(field);
      if (now === last) return;
      state.textContent = now;
      field.value = now.toUpperCase();
    });</script>`,
  '/private': `<input id="code" autocomplete="one-time-code"><input id="csc" autocomplete="cc-csc"><input id="number" autocomplete="cc-number">
    <input name="otp" id="named"><input id="plain" autocomplete="postal-code"><script>
    for (const field of document.querySelectorAll('input'))
      field.oninput = () => { if (!field.value.startsWith('~')) field.value = '~' + field.value };</script>`,
  '/cross': '<input id="outer"><iframe src="http://other.example/form"></iframe>',
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

async function fillIn(page: Acting, selector: string, value: string): Promise<FillResult> {
  return fill(await page.find(selector), value, patience());
}

describe('filling a field', () => {
  it.each([
    ['#text', 'new ✓ 漢字 😀', 'new ✓ 漢字 😀'],
    ['#text', '', ''],
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
    ['#box', 'true', 'true'],
    ['#radio', 'true', 'true'],
    ['#switch', 'true', 'true'],
  ])('sets %s to the requested value: %j', async (selector, value, held) => {
    const page = await browser.open('/form');
    expect(await fillIn(page, selector, value)).toMatchObject({ value: held, differs: false, isSecret: false });
  });

  it('sends the events of an input method, once', async () => {
    const page = await browser.open('/form');
    await fillIn(page, '#text', 'new');
    expect(await page.log()).toEqual(['input:text']);
  });

  it('reports the field’s value if it differs from the requested one', async () => {
    const page = await browser.open('/form');
    expect(await fillIn(page, '#short', 'abcdef')).toMatchObject({ value: 'abc', differs: true });
    expect(await fillIn(page, '#slider', '99')).toMatchObject({ value: '10', differs: true });
  });

  it.each(['#code', '#csc', '#number', '#named'])(
    "never returns the page's version of a private value: %s",
    async (field) => {
      const page = await browser.open('/private');
      expect(await fillIn(page, field, '4711')).toMatchObject({ value: null, isSecret: true, differs: true });
      expect(await fillIn(page, '#plain', '4711')).toMatchObject({ value: '~4711', isSecret: false });
    },
  );

  it('never returns a password', async () => {
    const page = await browser.open('/form');
    expect(await fillIn(page, '#secret', 'hunter2')).toMatchObject({ value: null, isSecret: true, differs: false });
    expect(await page.ask('secret.value')).toBe('hunter2');
  });

  it('is noticed by a page that controls the field', async () => {
    const page = await browser.open('/controlled');
    expect(await fillIn(page, '#field', 'abc')).toMatchObject({ value: 'ABC', differs: true });
    expect(await page.ask('state.textContent')).toBe('abc');
  });

  it('replaces only the named part of rich text', async () => {
    const page = await browser.open('/form');
    await fillIn(page, '#paragraph', 'changed');
    expect(await page.ask('rich.innerHTML')).toBe('Hello <b>world</b><p id="paragraph">changed</p>');
  });

  it('leaves a box unchanged that has the requested state, and can switch it off again', async () => {
    const page = await browser.open('/form');
    await fillIn(page, '#box', 'false');
    expect(await page.log()).toEqual([]);
    await fillIn(page, '#box', 'true');
    expect(await fillIn(page, '#box', 'false')).toMatchObject({ value: 'false', differs: false });
  });

  it('reaches a cross-site frame', async () => {
    const page = await browser.open('/cross');
    expect(await fillIn(page, '#text', 'inside')).toMatchObject({ value: 'inside', differs: false });
    expect(await page.ask('outer.value')).toBe('');
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
  ])('is refused with the reason, and nothing changes: %s', async (selector, failure) => {
    const page = await browser.open('/form');
    expect(await failureOf(fillIn(page, selector, 'Three'))).toMatchObject(failure);
    expect(await page.log()).toEqual([]);
    expect(await page.ask('text.value')).toBe('old');
  });

  it('has its available options listed, in a fence', async () => {
    const page = await browser.open('/form');
    const failure = await failureOf(fillIn(page, '#one', 'Four'));
    expect(failure).toHaveProperty('quoted', expect.stringMatching(/^⟦(\w{16}) One \| Two words \1⟧$/u));
  });
});
