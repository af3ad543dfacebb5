import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill } from '#browsing/act/fields/fill.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import { expectOnPage } from '#browsing/locate/expect.ts';
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

async function shown(html: string): Promise<string[]> {
  return (await (await openPage(html)).text()).split('\n');
}

const NOW = AbortSignal.timeout(60_000);

describe('the value of a field', () => {
  it('keeps its line breaks', async () => {
    expect(await shown('<textarea aria-label="Notes">one\ntwo</textarea>')).toEqual([
      '@e1 textbox "Notes" = "one⏎two"',
    ]);
    expect(await shown('<div contenteditable role="textbox" aria-label="Text"><p>one</p><p>two</p></div>')).toEqual([
      '@e1 textbox "Text" = "one⏎two"',
    ]);
  });

  it.each([
    [
      'among its text',
      '<p><span contenteditable="false" style="position:absolute;pointer-events:none">Say it</span><span>\uFEFF<br></span></p>',
      '',
    ],
    ['as a widget', '<div><b contenteditable="false" style="user-select:none">Say it</b><br></div>', ''],
    ['in an attribute of its first line', '<p data-placeholder="Say it"><br></p>', ''],
    ['in an attribute of its own', '<p><br></p>', 'data-placeholder="Say it"'],
  ])('is not the placeholder that an editor stores %s', async (_, inner, attribute) => {
    const editor = `<div contenteditable role="textbox" aria-label="Message" ${attribute}>${inner}</div>`;
    expect(await shown(editor)).toEqual(['@e1 textbox "Message" (placeholder "Say it")']);
  });

  it('is shown next to a part that cannot be edited', async () => {
    const editor =
      '<div contenteditable role="textbox" aria-label="Message">To <b contenteditable="false" style="user-select:none">Ada</b></div>';
    expect(await shown(editor)).toEqual(['@e1 textbox "Message" = "To Ada"']);
  });

  it('is a short number even if Chromium stores a long one', async () => {
    expect(await shown('<meter value="0.7"></meter>')).toEqual(['meter = 0.7 (0–1)']);
  });
});

describe('a box without a name', () => {
  it('is named by the words next to it, and found by them', async () => {
    const page = await openPage(
      '<div><span><input type="checkbox"></span><span>Act on it</span></div><p><input type="checkbox"> Plain<br><input type="checkbox"> Other</p>',
    );
    expect((await page.text()).split('\n').filter((line) => line.startsWith('@'))).toEqual([
      '@e1 checkbox (beside "Act on it")',
      '@e2 checkbox (beside "Plain")',
      '@e3 checkbox (beside "Other")',
    ]);
    for (const [target, place] of [
      ['"Act on it"', 0],
      ['checkbox "Other"', 2],
    ] as const) {
      const found = await page.resolve(target);
      expect(await page.ask(found, `[...document.querySelectorAll('input')].indexOf(this)`)).toBe(place);
    }
  });

  it('is named by the words before it, where labels are placed there', async () => {
    const lines = await shown('<p>First <input type="radio"> Second <input type="radio"></p>');
    expect(lines.join('\n')).toContain('radio (beside "Second")');
    expect(lines.join('\n')).toContain('radio (beside "First")');
  });

  it('is not identified by words that may belong to another', async () => {
    const lines = await shown('<p>Send <input type="checkbox"> daily</p>');
    expect(lines.join('\n')).not.toContain('beside');
  });
});

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
    expect(await expectOnPage({ target: 'textbox "Program"', asked }, tabs, page.refs, NOW)).toBe(null);
  });
});
