import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeText } from '#browsing/act/fields/type-text.ts';
import type { TypeOptions } from '#browsing/act/fields/type-text.ts';
import { startActing } from '#support/acting.ts';
import { LOGGED } from '#support/logged.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import type { Acting } from '#support/acting.ts';

const PAGES = {
  '/required': '<form action="/sent"><label>Mail <input id="mail" type="email" required></label></form>',
  '/keys': `${LOGGED}<input id="text" value="hello"><form onsubmit="event.preventDefault(); window.sent = query.value">
    <input id="query"></form><input id="fixed" readonly><textarea id="long"></textarea><p id="plain">plain</p>`,
  '/editor': `<div id="ed" contenteditable>alpha beta gamma</div><p id="made"></p><script>let seen = '';
    document.addEventListener('selectionchange', () => { seen = String(getSelection()) });
    ed.onkeydown = (event) => { if (event.ctrlKey && event.key === 'b') { event.preventDefault(); made.textContent = seen } }</script>`,
  '/code': [0, 1, 2, 3]
    .map((at) => `<input id="box${at}" maxlength="1" oninput="this.nextElementSibling?.focus()">`)
    .join(''),
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

async function type(page: Acting, selector: string | null, typing: TypeOptions): Promise<void> {
  await typeText(page.tab, selector === null ? null : await page.find(selector), typing, patience());
}

describe('typing', () => {
  it('appends any character to the existing text', async () => {
    const page = await browser.open('/keys');
    await type(page, '#text', { text: ' World! {}~"<é漢😀' });
    expect(await page.ask("document.querySelector('#text').value")).toBe('hello World! {}~"<é漢😀');
  });

  it('sends a key down, an input and a key up for each character', async () => {
    const page = await browser.open('/keys');
    await type(page, '#query', { text: 'aB' });
    expect(await page.log()).toEqual(['keydown:query:a', 'input:query', 'keydown:query:B', 'input:query']);
  });

  it('presses keys by name, together or in sequence', async () => {
    const page = await browser.open('/keys');
    await type(page, '#text', { key: 'Control+A Backspace' });
    expect(await page.ask("document.querySelector('#text').value")).toBe('');
    await type(page, null, { text: 'ac', key: 'ArrowLeft b' });
    expect(await page.ask("document.querySelector('#text').value")).toBe('abc');
    await type(page, null, { key: 'Tab' });
    expect(await page.ask('document.activeElement.id')).toBe('query');
  });

  it('lets the page see the selection of one key before it presses the next', async () => {
    const page = await browser.open('/editor');
    await type(page, '#ed', { key: 'Home Control+Shift+ArrowRight Control+b' });
    expect(await page.ask("document.querySelector('#made').textContent.trim()")).toBe('alpha');
  });

  it('reports the fields for which Enter did not submit a form', async () => {
    const page = await browser.open('/required');
    const element = await page.find('#mail');
    const typed = await typeText(page.tab, element, { text: 'ada', submit: true }, patience());
    expect(typed.invalid).toEqual([{ name: 'Mail', problem: expect.stringContaining('@') }]);
    expect(await page.ask('location.pathname')).toBe('/required');
  });

  it('submits with Enter', async () => {
    const page = await browser.open('/keys');
    await type(page, '#query', { text: 'lamps', submit: true });
    expect(await page.ask('window.sent')).toBe('lamps');
  });

  it('follows the focus when the page moves it', async () => {
    const page = await browser.open('/code');
    await type(page, '#box0', { text: '1234' });
    expect(await page.ask("[...document.querySelectorAll('input')].map((box) => box.value).join('')")).toBe('1234');
  });

  it('inserts line breaks where they are possible', async () => {
    const page = await browser.open('/keys');
    await type(page, '#long', { text: 'one\ntwo' });
    expect(await page.ask('document.querySelector("#long").value')).toBe('one\ntwo');
  });

  it.each([
    ['#text', { key: 'Hyper' }, { code: 'invalid_argument', field: 'key' }],
    ['#text', { key: 'Control+V' }, { code: 'invalid_argument', field: 'key' }],
    ['#text', { key: 'Shift+Insert' }, { code: 'invalid_argument', field: 'key' }],
    ['#fixed', { text: 'x' }, { code: 'element_not_found', reason: 'readonly' }],
    ['#plain', { text: 'x' }, { code: 'element_not_found', reason: 'unfocusable' }],
  ])('refuses in %s %j before anything is typed', async (selector, typing, failure) => {
    const page = await browser.open('/keys');
    expect(await failureOf(type(page, selector, typing))).toMatchObject(failure);
    expect(await page.log()).toEqual([]);
  });
});
