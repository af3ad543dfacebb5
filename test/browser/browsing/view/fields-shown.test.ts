import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill } from '#browsing/act/fields/fill.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import { waitForExpectation } from '#browsing/locate/expect.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
let context: string;
let body = '';

beforeAll(async () => {
  browser = await browserWith(() => `<!doctype html><meta charset="utf-8"><title>T</title><body>${body}`);
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function openPage(html: string): Promise<PageWithRefs> {
  body = html;
  return new PageWithRefs(await browser.openTab(context, 'http://site.example/'));
}

const NOW = AbortSignal.timeout(60_000);

/** Draws itself, as code editors do. */
const EDITOR = `<style>#box { position: relative; width: 300px; height: 80px } #keys { position: absolute; width: 0; height: 0 }</style>
  <div id="box"><div id="keys" role="textbox" aria-label="Program" tabindex="0"></div><div id="lines" aria-hidden="true" style="white-space:pre"></div></div>
  <script>
    const context = new EditContext();
    keys.editContext = context;
    let text = 'let a;\\nlet b;';
    const draw = () => lines.replaceChildren(...text.split('\\n').map((one) => Object.assign(document.createElement('div'), { textContent: one })));
    context.addEventListener('textupdate', (event) => {
      text = text.slice(0, event.updateRangeStart) + event.text + text.slice(event.updateRangeEnd);
      draw();
    });
    context.updateText(0, 0, text);
    context.updateSelection(text.length, text.length);
    draw();
  </script>`;

describe('an editor that draws its own text', () => {
  it('can be filled, typed into, and read', async () => {
    const page = await openPage(EDITOR);
    expect(await page.text()).toContain('let a;\nlet b;');
    const field = await page.resolve('textbox "Program"');
    const filled = await fill(field, 'let c;', NOW);
    expect(filled).toMatchObject({ differs: false, value: 'let c;' });
    await typeText(page.tab, field, { text: '!' }, NOW);
    expect(await page.run('text')).toBe('let c;!');
    const asked = { of: 'value', is: 'let c;!', isNot: false } as const;
    const tabs = { tab: page.tab, byId: () => page.tab };
    expect(await waitForExpectation({ target: 'textbox "Program"', asked }, tabs, page.refs, NOW)).toBe(null);
  });
});

describe('a list of options', () => {
  const typedOn = async (html: string, choice = '') => {
    const page = await openPage(html);
    await page.run(choice);
    return callIn(page.tab, page.tab.main(), pageScripts.listUnsavedFields, [9], NOW);
  };

  it.each([
    ['the first option, chosen by the browser', '<select name="size"><option>S<option>M</select>'],
    ['the option that the page chose', '<select name="size"><option>S<option selected>M</select>'],
    ['no option', '<select name="size" multiple><option>S<option>M</select>'],
  ])('has no unsaved input while it has %s', async (_, html) => {
    expect(await typedOn(html)).toEqual([]);
    const [chosen] = await typedOn(html, `document.querySelector('select').options[1].selected ^= true`);
    expect(chosen).toBe('size');
  });
});
