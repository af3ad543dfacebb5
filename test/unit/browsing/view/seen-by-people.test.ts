import { describe, expect, it } from 'vitest';
import { VIEW_NAME_CHARS_MAX } from '#browsing/view/limits.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';
const pages = recordedPages('view/seen-by-people', () => `<!doctype html><title>T</title><body>${body}`);

function show(html: string) {
  body = html;
  return pages.open('http://site.example/');
}

const shown = async (html: string) => (await (await show(html)).text()).split('\n');

const OVER = 'position: absolute; left: 0; top: 8px; font: 18px sans-serif';
const drawn = (style: string) =>
  `<div style="position: relative; height: 40px"><canvas width="300" height="40"></canvas><span style="${OVER}; ${style}">Harbour dues: 48 EUR</span></div>`;

describe('the visible content of a page', () => {
  it('includes a transparent text that the picture under it draws', async () => {
    expect(await shown(drawn('color: transparent'))).toContain('Harbour dues: 48 EUR');
  });

  it.each([
    ['without opacity', drawn('opacity: 0')],
    [
      'without opacity by a filter, hidden from accessibility',
      '<p aria-hidden="true" style="filter: opacity(0)">Harbour dues</p>',
    ],
    ['without opacity by a filter', '<p style="filter: opacity(0)">Harbour dues</p>'],
    ['in a closed part that is inert', '<div inert style="height: 0; overflow: hidden"><p>Harbour dues</p></div>'],
    ['without size', drawn('font-size: 0')],
    [
      'transparent beside a picture',
      `<canvas width="300" height="40"></canvas><p style="color: transparent">Harbour dues</p>`,
    ],
    [
      'transparent over a small picture',
      `<div style="position: relative"><canvas width="40" height="40"></canvas><span style="${OVER}; color: transparent">Harbour dues</span></div>`,
    ],
    ['left of the page', '<p style="position: absolute; left: -3000px">Harbour dues</p>'],
    ['without opacity, hidden from accessibility', '<p aria-hidden="true" style="opacity: 0">Harbour dues</p>'],
    ['transparent, hidden from accessibility', '<p aria-hidden="true" style="color: transparent">Harbour dues</p>'],
    [
      'cut off, hidden from accessibility',
      '<div style="height: 20px; overflow: hidden"><p style="height: 60px">Dues</p><p aria-hidden="true">Harbour dues</p></div>',
    ],
    ['a title of an icon without size', '<span title="Harbour dues"><svg width="0" height="0"></svg></span>'],
    ['a title of nothing', '<span title="Harbour dues"></span>'],
  ])('excludes a text that is %s', async (_, html) => {
    expect((await shown(`<p>Seen</p>${html}`)).join('\n')).not.toContain('Harbour dues');
  });

  it('includes the text of an inert part', async () => {
    expect(await shown('<p>Seen</p><div inert><h2>Step 2</h2><p>Harbour dues</p></div><p>After</p>')).toEqual([
      'Seen',
      'Step 2',
      'Harbour dues',
      'After',
    ]);
  });

  it('excludes a list that is for assistive technology only, next to the drawn one', async () => {
    const options = (tag: string) =>
      ['Small', 'Large'].map((name) => `<div style="cursor: pointer" ${tag}>${name}</div>`).join('');
    const forEars = `<div role="listbox" style="width: 0; height: 0; overflow: hidden">${options('role="option"')}</div>`;
    expect(await shown(`${forEars}<div>${options('')}</div>`)).toEqual([
      '@e1 clickable "Small"',
      '@e2 clickable "Large"',
    ]);
    expect((await shown(forEars)).filter((line) => line.includes('option'))).toHaveLength(2);
  });

  it('includes a text once when a hidden text precedes other texts of the same part', async () => {
    expect(
      await shown(
        '<div><div aria-hidden="true"><p>Grade</p></div><div><p>Meteor</p></div><ul role="listbox"><li role="option" tabindex="0">Kestrel</li></ul></div>',
      ),
    ).toEqual(['Grade', 'Meteor', '@e1 listbox', ' @e2 option "Kestrel"']);
  });

  it('includes text hidden only from accessibility, line by line, and such text can be a target', async () => {
    const page = await show(`<p>pier.json</p><div><div aria-hidden="true">
      <div><span>1</span></div><div><span>2</span></div><div><span>"pier":</span><span> {</span></div><div>"berths": 60 }</div></div></div><p>Saved</p>`);
    expect((await page.text()).split('\n')).toEqual(['pier.json', '"pier": {', '"berths": 60 }', 'Saved']);
    expect(await page.ask(await page.resolve('text=berths'), 'this.textContent')).toBe('"berths": 60 }');
  });

  it('includes each text once, and no glyphs of icons', async () => {
    expect(
      await shown(`<span style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)">12 euros</span><span aria-hidden="true">€12</span>
      <p>Boats</p><p aria-hidden="true">Boats</p><button aria-label="Close"><span aria-hidden="true">x close</span></button>
      <span aria-hidden="true" style="font-family: Harbour Icons">anchor</span><span aria-hidden="true">·</span>`),
    ).toEqual(['12 euros', 'Boats', '@e1 button "Close"']);
  });

  it('is cut when it is long, and the omitted lines are counted', async () => {
    const lines = Array.from({ length: 70 }, (_, at) => `<div>Line of code ${at}</div>`).join('');
    const text = await shown(`<p>Code</p><div aria-hidden="true">${lines}</div>`);
    expect(text).toContain('Line of code 59');
    expect(text).not.toContain('Line of code 60');
    expect(text[0]).toMatch(/^\(10 more lines .*browser_screenshot/u);
  });

  it('includes an icon in its place, by its title', async () => {
    expect(
      await shown(
        '<p>Boat 1 <span title="Has anchor"><svg width="16" height="16"><path d="M2 2h9v9z"/></svg></span> 4 m</p>',
      ),
    ).toEqual(['Boat 1 ("Has anchor") 4 m']);
  });

  it('includes an interactive drawing, with the text inside it', async () => {
    expect(
      await shown(
        '<svg tabindex="0" width="180" height="60"><g><rect width="90" height="40"/><text x="9" y="30">Casting off</text></g></svg>',
      ),
    ).toEqual(['@e1 clickable "Casting off"']);
    const many = [
      'Casting off',
      'Leaving the harbour',
      'Setting the sails',
      'Dropping the anchor',
      'Reading the chart',
    ];
    const texts = many.map((word, at) => `<text x="9" y="${20 + 20 * at}">${word}</text>`).join('');
    expect(await shown(`<svg tabindex="0" width="180" height="160">${texts}</svg>`)).toEqual([
      '@e1 clickable',
      ...many.map((word) => ` ${word}`),
    ]);
  });

  it('includes parts in a box without size', async () => {
    expect(
      await shown(`<div style="position: absolute; left: 90px; top: 60px; width: 0; height: 0">
      <div draggable="true" title="Add a buoy" style="position: absolute; width: 24px; height: 24px; background: red"></div></div>`),
    ).toEqual(['@e1 group "Add a buoy" draggable']);
  });

  it('includes an empty field with a label, and its placeholder', async () => {
    expect(
      await shown(
        '<label>Built <input placeholder="YYYY"></label><input placeholder="Name"><label>Mast <input placeholder="m" value="9"></label>',
      ),
    ).toEqual(['@e1 textbox "Built" (placeholder "YYYY")', '@e2 textbox "Name"', '@e3 textbox "Mast" = "9"']);
  });

  it('includes parts that the browser renders only when scrolled into view, without an effect that the page can observe', async () => {
    const page = await show(`<div style="height: 4000px">Top</div>
      <footer style="content-visibility: auto"><div style="float: left"><a href="/careers">Careers</a> <b>Since 1998</b></div></footer>
      <script>self.changes = 0; new MutationObserver((all) => { changes += all.length; }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });</script>`);
    expect((await page.text()).split('\n').slice(1)).toEqual(['footer', ' [@e1 Careers] Since 1998']);
    expect(await page.run('self.changes')).toBe(0);
  });

  it('shows the ends of long names that begin alike', async () => {
    const long = `Fold or unfold this part of the list of ${'all boats, with all that is under it, and '.repeat(8)}of the harbour `;
    const text = await shown(
      `<button>${long}north</button><button>${long}south</button><button>Only ${long}east</button>`,
    );
    expect(text[0]).toMatch(/^@e1 button "Fold or unfold .*….*north"$/u);
    expect(text[1]).toMatch(/south"$/u);
    expect(text[2]).toMatch(/…"$/u);
    for (const line of text) expect(line.length).toBeLessThanOrEqual('@e1 button ""'.length + VIEW_NAME_CHARS_MAX);
  });

  it('follows the page’s layout: a label is not joined to the value before it', async () => {
    const block = 'style="display: block"';
    expect(
      await shown(`<div><span ${block}>Labels</span><span ${block}>deep <span>steel</span></span>
      <span ${block}>Harbour</span><span ${block}>North</span><span ${block}>Confidential</span><span ${block}>No</span></div>
      <dl><dt>Built</dt><dd>1998</dd><dt>Mast</dt><dd>9 m</dd></dl>`),
    ).toEqual(['Labels', 'deep steel', 'Harbour', 'North', 'Confidential', 'No', 'Built', '1998', 'Mast', '9 m']);
  });

  it('keeps a label and its value on one line when they are side by side', async () => {
    expect(
      await shown(`<div><span style="display: flex"><span>Harbour</span><span style="margin-left: 9px">North</span></span>
      <span style="display: flex"><span>Dues</span><span style="margin-left: 9px">48 EUR</span></span></div>`),
    ).toEqual(['Harbour North', 'Dues 48 EUR']);
  });

  it('keeps links within their line of text', async () => {
    expect(
      await shown(`<div><span style="display: block"><span style="display: block"><a href="/1">First trip</a></span><span style="display: block">38% done</span></span>
      <span style="display: block"><span style="display: block"><a href="/2">Second trip</a></span><span style="display: block">25% done, <a href="/2/log">log</a></span></span></div>`),
    ).toEqual(['@e1 link "First trip" /1', '38% done', '@e2 link "Second trip" /2', '25% done, [@e3 log]']);
  });

  it('includes text above the scroll position of its box', async () => {
    const page = await show(`<div id="box" style="position: relative; height: 200px; overflow: hidden">
      <div style="position: absolute; top: 20px">Dues of the year</div><div style="height: 2000px"></div></div>`);
    await page.run('box.scrollTop = 900');
    expect(await page.text()).toBe('Dues of the year');
  });
});
