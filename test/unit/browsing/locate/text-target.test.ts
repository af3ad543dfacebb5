import { beforeAll, describe, expect, it } from 'vitest';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

const PAGE = `<!doctype html><title>T</title>
<div id="editor" tabindex="0"><pre><span role="presentation"><span class="key">"scale"</span>: <span class="number">5000</span>,</span></pre>
  <pre><span role="presentation"><span class="key">"unit"</span>: <span class="word">"feet"</span></span></pre></div>
<div contenteditable="true" role="textbox" aria-label="Note"><p>Call <b>Ada</b> on <i>Monday</i></p></div>
<p>The price is <span class="price">12 €</span> for one and <span class="more">20 € for</span> two.</p>
<p id="long" style="width:600px">From morning it rained, and at noon the ferry left for the islands without us.</p>
<button>Save <span class="late">changes</span></button>
<input aria-label="City" value="Paris">
<ul><li class="menu">File<ul hidden><li>Export</ul></li></ul><button class="tab">Files</button>
<table><tr><td onclick="1"><a href="/17">17</a></td><td onclick="1"><a href="/18">18</a></td></tr></table>`;

const pages = recordedPages('locate/text-target', ({ host }) => (host === 'form.example' ? FORM : PAGE));
let page: PageWithRefs<RecordedTab>;

beforeAll(async () => {
  page = await pages.open('http://site.example/');
});

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
    ['the whole text, and no button whose name only contains it', 'text=File', 'menu'],
  ])('leads to the smallest element that has it: %s', async (_, target, found) => {
    expect(await at(target)).toBe(found);
  });

  it('is refused when several elements have it, with the surroundings of each', async () => {
    expect(await page.failure('text=€')).toMatchObject({ problem: expect.stringContaining('matches 2 elements') });
  });
});

const FORM = `<!doctype html><title>F</title>
<form><label>Born <input id="born" placeholder="DD.MM.YYYY"></label><label>First name: <input id="first"></label>
  <div class="row"><div>Allow download</div><span><input id="allow" type="checkbox"></span></div>
  <label>Name <input id="name"></label></form>
<p>Born in the north</p><button>Name</button>
<div class="menu"><div class="it" onclick="1"><span class="inner">Epics</span></div></div>
<div id="bare"><input class="a1"><input class="a2"><input class="a3"></div>
<table><tr><td>Apples<td><button class="d1">Delete</button><tr><td>Pears<td><button class="d2">Delete</button></table>
<section>${['Touch key', 'Touch key 2', 'Phone'].map((name, row) => `<div><div>${name}</div><div>May ${row}</div><input type="checkbox" class="k${row}"><button class="r${row}">Remove</button></div>`).join('')}<div><div>Old key</div><div>Used</div></div></section>
<input type="range" id="volume"><label>Interests <input id="tags" placeholder="Add a topic"></label>
<p><button id="later">I will get back to you</button><button id="arrow" title="Back">←</button><button id="bin"><i class="fa fa-trash"></i></button></p>
<table><tr><td>Order 17<td><button class="o17">Refund</button><tr><td>注文一二<td><button class="o12">Refund</button></table>
<section><label>Town <input id="town"></label><div class="opener" onclick="1">Pick a size</div></section>
<section><h3>Plan</h3><div><span>Pro</span><a href="/pro" class="up">Upgrade</a></div><div><span>Basic</span></div></section>`;

describe('a target by label, name or place', () => {
  let form: PageWithRefs<RecordedTab>;
  const found = async (target: string) =>
    form.ask(await form.resolve(target), 'this.id || this.className || this.localName');

  beforeAll(async () => {
    form = await pages.open('http://form.example/');
  });

  it.each([
    ['"Born"', 'born'],
    ['Born', 'born'],
    ['First name', 'first'],
    ['"Add a topic"', 'tags'],
    ['first name', 'first'],
    ['"Allow download"', 'allow'],
    ['Name', 'name'],
    ['text=Born in', 'p'],
    ['clickable "Epics"', 'it'],
    ['button "Back"', 'arrow'],
    ['button "get back"', 'later'],
    ['button "trash"', 'bin'],
    ['button "Delete" nth=2', 'd2'],
    ['button "Delete" in "Pears"', 'd2'],
    ['button "Remove" in "Touch key"', 'r0'],
    ['text="Remove" in the row "touch key 2"', 'r1'],
    ['checkbox in "Phone"', 'k2'],
    ['link "Upgrade" in "Pro"', 'up'],
    ['button "Refund" in "order 17"', 'o17'],
    ['button "Refund" in "注文"', 'o12'],
    ['"Pick a size"', 'opener'],
    ['slider', 'volume'],
    ['"slider"', 'volume'],
  ])('finds the element that a person would mean: %s', async (target, id) => {
    expect(await found(target)).toBe(id);
  });

  it.each([
    'button "Remove" in "Old key"',
    'button "Remove" in "May"',
    'link "Upgrade" in "Basic"',
    'link "Upgrade" in "Plan"',
    'button "Refund" in "Order 1"',
    'button "Refund" in "der 17"',
  ])('is refused where no row, or more than one, has both: %s', async (target) => {
    expect(['element_not_found', 'invalid_argument']).toContain((await form.failure(target)).code);
  });

  it('leads to the place that a view shows for an element without a name', async () => {
    const { text } = await form.snapshot({});
    const places = [...text.matchAll(/textbox (\(\d\w\w of \d[^)]*\))/gu)].map(([, place]) => place);
    expect(places).toHaveLength(3);
    const ids: unknown[] = [];
    for (const place of places) ids.push(await found(`textbox ${place}`));
    expect(ids).toEqual(['a1', 'a2', 'a3']);
    expect(await found('textbox nth=3')).toBe('a3');
  });

  it('is refused with the row of each when several match', async () => {
    const failure = await form.failure('button "Delete"');
    const quoted = 'quoted' in failure ? failure.quoted : '';
    expect(quoted).toMatch(/button "Delete" in: Apples.*\n.*button "Delete" in: Pears/u);
  });

  it('that is stale lists the elements with this name now, and its row, without the whole page', async () => {
    const ref = await form.refOf('button "Name"');
    await form.run(
      `(() => { const named = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Name'); named.after(named.cloneNode(true)); named.outerHTML = named.outerHTML; })()`,
    );
    const failure = await form.failure(ref);
    expect(failure).toMatchObject({ code: 'stale_ref', alike: expect.stringMatching(/@e\d+ button "Name"/u) });
    expect(JSON.stringify(failure)).not.toContain('Apples');
  });

  it('of another role lists the elements with this name now', async () => {
    const failure = await form.failure('link "Epics"');
    expect(failure).toMatchObject({ code: 'element_not_found', alike: expect.stringContaining('"Epics"') });
    expect(JSON.stringify(await form.failure('link "Nothing of it"'))).not.toContain('Apples');
  });
});
