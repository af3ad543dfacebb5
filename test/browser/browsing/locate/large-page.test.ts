import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

/** Rows of five elements: far more than are read as a whole. */
const ROWS = 4_000;
const PAGE = `<!doctype html><title>T</title><h1>Boats</h1>
<form><label>Port <input></label><span id="l">Fuel</span><input aria-labelledby="l"><input type="submit" value="Send it"></form>
<table>${Array.from({ length: ROWS }, (_, at) => `<tr id="r${at}"><td>Boat <b>${at}</b></td><td><button>Open</button></td></tr>`).join('')}</table>
<div id="app"></div><p>It is <i>late</i> now.</p><button title="Print all"></button>
<p hidden>Nobody sees this</p>
<script>document.querySelector('#app').attachShadow({ mode: 'open' }).innerHTML = '<button>In <b>the</b> shadow</button>'</script>`;

let browser: TestBrowser;
let page: PageWithRefs;

beforeAll(async () => {
  browser = await browserWith(() => PAGE);
  page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
});

afterAll(() => browser.close());

const at = async (target: string) =>
  page.ask(
    await page.resolve(target),
    "this.closest('tr')?.id || this.title || this.value || this.textContent || this.parentElement.textContent",
  );

describe('a name on a page with very many elements', () => {
  it.each([
    ['a text over several elements', 'text=Boat 2500', 'r2500'],
    ['a part of a sentence', 'text=late', 'late'],
    ['a button in a shadow tree', 'button "In the shadow"', 'In the shadow'],
    ['a field with a label', 'textbox "Port"', 'Port '],
    ['a button that sends a form', 'button "Send it"', 'Send it'],
    ['a tooltip', 'button "Print all"', 'Print all'],
    ['a heading', 'heading "Boats"', 'Boats'],
  ])('resolves to its element: %s', async (_, target, found) => {
    expect(await at(target)).toBe(found);
  });

  it.each([
    ['in a row near the end', 'boat 3998', '| Boat 3998 | [@e'],
    ['in the name of a field', 'fuel', 'textbox "Fuel"'],
    ['by words of ours', 'textbox', 'textbox "Port"'],
  ])('is found by a search of the page %s', async (_, find, line) => {
    const sent = vi.spyOn(page.tab.session, 'send');
    expect(await page.text({ find })).toContain(line);
    expect(sent.mock.calls.map(([method]) => method)).not.toContain('Accessibility.getFullAXTree');
  });

  it('is found without a browser description of all elements', async () => {
    const sent = vi.spyOn(page.tab.session, 'send');
    await page.resolve('text=Boat 3999');
    const methods = sent.mock.calls.map(([method]) => method);
    expect(methods).toContain('Accessibility.queryAXTree');
    expect(methods).not.toContain('Accessibility.getFullAXTree');
  });

  it('is refused if very many elements have it, with the first of them and their refs, or a way to distinguish them', async () => {
    expect(await page.failure('button "Open"')).toMatchObject({
      code: 'invalid_argument',
      problem: 'matches at least 40 elements, but must match exactly one',
      quoted: expect.stringMatching(/@e\d+ button "Open"/u),
    });
    expect(await page.failure('button "Open" nth=900')).toMatchObject({
      problem: expect.stringContaining('too many elements of this very large page'),
    });
    expect(await page.failure('link "Boat"')).toMatchObject({
      problem: expect.stringContaining('too many elements of this very large page'),
    });
  });

  it('is not found if no visible element has it', async () => {
    expect(await page.failure('text=Nobody sees this')).toMatchObject({ code: 'element_not_found' });
    expect(await page.failure('button "Boats"')).toMatchObject({ code: 'element_not_found' });
  });

  it('is also refused by a selector if several elements have it, with their refs', async () => {
    expect(await page.failure('td button')).toMatchObject({
      problem: `matches ${ROWS} elements, but must match exactly one`,
      quoted: expect.stringMatching(/@e\d+ button "Open"/u),
    });
  });
});
