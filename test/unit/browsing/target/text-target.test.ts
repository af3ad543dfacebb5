import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const PAGE = `<!doctype html><title>T</title>
<div id="editor" tabindex="0"><pre><span role="presentation"><span class="key">"scale"</span>: <span class="number">5000</span>,</span></pre>
  <pre><span role="presentation"><span class="key">"unit"</span>: <span class="word">"feet"</span></span></pre></div>
<div contenteditable="true" role="textbox" aria-label="Note"><p>Call <b>Ada</b> on <i>Monday</i></p></div>
<p>The price is <span class="price">12 €</span> for one and <span class="more">20 € for</span> two.</p>
<button>Save <span class="late">changes</span></button>
<input aria-label="City" value="Paris">
<table><tr><td onclick="1"><a href="/17">17</a></td><td onclick="1"><a href="/18">18</a></td></tr></table>`;

let browser: TestBrowser;
let page: PageWithRefs;

beforeAll(async () => {
  browser = await browserWith(() => PAGE);
  page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
});

afterAll(() => browser.close());

const at = async (target: string) => page.ask(await page.resolve(target), 'this.className || this.localName');

describe('a text as a target', () => {
  it.each([
    ['a word of a line in an editor', 'text=5000', 'number'],
    ['a part of one', 'text=feet', 'word'],
    ['a word in rich text', 'text=Monday', 'i'],
    ['a word in a sentence', 'text=12 €', 'price'],
    ['a part of the text of a sentence', 'text=20 €', 'more'],
    ['a text over several elements', 'text=Call Ada on', 'p'],
    ['the link in a cell that reacts, too', 'text=17', 'a'],
    ['a part of the name of a button', 'text=Save', 'button'],
  ])('leads to the smallest element that has it: %s', async (_, target, found) => {
    expect(await at(target)).toBe(found);
  });

  it('is refused when several elements have it, with what is around each', async () => {
    expect(await page.failure('text=€')).toMatchObject({ problem: expect.stringContaining('matches 2 elements') });
  });
});
