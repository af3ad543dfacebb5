import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill } from '#browsing/act/fields/fill.ts';
import type { FillResult } from '#browsing/act/fields/fill.ts';
import { startActing } from '#support/acting.ts';
import { LOGGED } from '#support/logged.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import type { Acting } from '#support/acting.ts';

/** Which values fields take, and which are refused, is tested on recorded pages. */
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
  '/masked': `<input id="expiry"><input id="fixed" value="12/29"><script>
    expiry.addEventListener('input', () => {
      expiry.value = expiry.value.replace(/\\D/g, '').replace(/^(..)(.+)/, '$1/$2');
    });
    fixed.addEventListener('input', () => { fixed.value = '12/29' });</script>`,
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
    ['#date', '2026-02-03', '2026-02-03'],
    ['#one', 'Two words', 'Two words'],
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

  it('is noticed by a page that controls the field', async () => {
    const page = await browser.open('/controlled');
    expect(await fillIn(page, '#field', 'abc')).toMatchObject({ value: 'ABC', differs: true });
    expect(await page.ask('state.textContent')).toBe('abc');
  });

  it('may be repeated where the page formats the value, and is refused only if the page keeps another value', async () => {
    const page = await browser.open('/masked');
    const formatted = { value: '12/29', differs: true, isKept: false };
    expect(await fillIn(page, '#expiry', '1229')).toMatchObject(formatted);
    expect(await fillIn(page, '#expiry', '1229')).toMatchObject(formatted);
    expect(await fillIn(page, '#fixed', '1230')).toMatchObject({ value: '12/29', isKept: true });
    expect(await fillIn(page, '#fixed', '')).toMatchObject({ value: '12/29', isKept: true });
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
  it('is refused with the reason, and nothing changes', async () => {
    const page = await browser.open('/form');
    expect(await failureOf(fillIn(page, '#fixed', 'Three'))).toMatchObject({ reason: 'readonly' });
    expect(await page.log()).toEqual([]);
    expect(await page.ask('text.value')).toBe('old');
  });
});
