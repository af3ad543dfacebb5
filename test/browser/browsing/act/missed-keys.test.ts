import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeText } from '#browsing/act/fields/type-text.ts';
import { startActing } from '#support/acting.ts';
import { failureOf, patience } from '#support/page-calls.ts';

const PAGES = {
  '/focus': `<input id="field"><button id="button">Save</button><input type="checkbox" id="box"><div id="rich" contenteditable>Rich</div>
    <div id="grid" role="grid" tabindex="0">Grid</div><div id="menu" role="button" tabindex="0">Menu</div><iframe id="frame" srcdoc="<input>"></iframe>`,
};

describe('keys typed into the focused element', () => {
  let browser: Awaited<ReturnType<typeof startActing>>;
  beforeAll(async () => {
    browser = await startActing(PAGES);
  });
  afterAll(() => browser.close());

  it.each([
    ['', { text: 'hello' }, 'nothing'],
    ['', { key: 'j' }, 'nothing'],
    ['', { key: 'Control+A' }, 'nothing'],
    ['', { submit: true }, 'nothing'],
    ['', { key: 'Escape' }, null],
    ['', { key: 'Tab Shift+Tab PageDown' }, null],
    ['button', { text: 'hello' }, 'control'],
    ['box', { text: 'hello' }, 'control'],
    ['button', { key: 'Enter' }, null],
    ['field', { text: 'hello' }, null],
    ['rich', { text: 'hello' }, null],
    ['grid', { text: 'hello' }, null],
    ['menu', { key: 'Enter' }, null],
    ['frame', { text: 'hello' }, null],
  ] as const)('are reported if they missed every field: on "%s", %o', async (id, typing, missed) => {
    const page = await browser.open('/focus');
    if (id !== '') await page.ask(`document.querySelector('#${id}').focus()`);
    expect(await typeText(page.tab, null, typing, patience())).toMatchObject({ missed });
  });

  it('press no button with the spaces of a text', async () => {
    const page = await browser.open('/focus');
    await page.ask(`document.querySelector('#box').focus()`);
    const failure = await failureOf(typeText(page.tab, null, { text: 'Send the minutes' }, patience()));
    expect(failure).toMatchObject({ code: 'invalid_argument', field: 'text' });
    expect(await page.ask(`document.querySelector('#box').checked`)).toBe(false);
  });
});
