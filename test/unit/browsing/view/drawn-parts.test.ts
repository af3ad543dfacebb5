import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';

const INNER: Readonly<Record<string, string>> = {
  '/game': '<canvas width="300" height="150"></canvas>',
  '/chart': '<svg width="100" height="100"><rect width="90" height="90"/></svg>',
  '/empty': '',
};

const pages = recordedPages(
  'view/drawn-parts',
  ({ pathname }) => `<!doctype html><meta charset="utf-8"><body>${INNER[pathname] ?? body}`,
);

function openPage(html: string) {
  body = html;
  return pages.open('http://site.example/');
}

async function shown(html: string): Promise<string[]> {
  return (await (await openPage(html)).text()).split('\n');
}

describe('a drawn part without words', () => {
  it('has a line where people see a canvas, in the page and in a frame', async () => {
    expect(await shown('<p>Play</p><canvas width="300" height="150"></canvas><iframe src="/game"></iframe>')).toEqual([
      'Play',
      'canvas',
      '@e1 iframe',
      ' canvas',
    ]);
  });

  it('is shown as the frame that contains it', async () => {
    expect(await shown('<p>Sales</p><iframe src="/chart"></iframe>')).toEqual(['Sales', '@e1 iframe']);
  });

  it('is omitted if it is empty or too small to be seen', async () => {
    const frames =
      '<iframe src="/empty"></iframe><iframe src="/chart" width="1" height="1"></iframe><canvas width="1" height="1"></canvas>';
    expect(await shown(`<p>Text</p>${frames}`)).toEqual(['Text']);
  });

  it('is shown as a file in the page, with the call that reads it', async () => {
    const files =
      '<p>Report</p><embed src="/a.pdf" type="application/pdf"><object data="/b.pdf" type="application/pdf"></object><embed src="/c.pdf" type="application/pdf">';
    const page = await openPage(files);
    page.tab.files.set('http://site.example/a.pdf', 'f_1234567890abcdef').set('http://site.example/b.pdf', 'f_2');
    expect((await page.text()).split('\n')).toEqual([
      'Report',
      'embed (a file: open_url {"url":"periscope-file:f_1234567890abcdef"})',
      'object (a file: open_url {"url":"periscope-file:f_2"})',
    ]);
  });

  it('is described by its class when nothing else distinguishes it', async () => {
    const handles = `<style>.end { width: 9px; height: 9px; cursor: crosshair }</style>
      <div class="end source"></div><div class="end target"></div><svg width="60" height="20"><circle class="low" r="5" tabindex="0"/><circle class="high" r="5" tabindex="0"/></svg>
      <script>for (const one of document.querySelectorAll('.end')) one.addEventListener('mousedown', () => {})</script>`;
    expect(await shown(handles)).toEqual([
      '@e1 clickable (class "source")',
      '@e2 clickable (class "target")',
      '@e3 shape (class "low")',
      '@e4 shape (class "high")',
    ]);
  });
});

describe('lines of a program that only people see', () => {
  it('keep their spaces, their indents and their brackets', async () => {
    const line = (html: string) => `<div>${html}</div>`;
    const code = `<div aria-hidden="true" style="white-space:pre">${line('<b>if</b><i> </i><b>(done)</b><i> {</i>')}${line('<i>\u00a0\u00a0</i><b>stop</b><i>();</i>')}${line('<i>}</i>')}</div>`;
    expect(await shown(`<p>Code</p>${code}`)).toEqual(['Code', 'if (done) {', '  stop();', '}']);
  });

  it('have spaces between words that other elements hold', async () => {
    expect(await shown('<p>Size</p><div aria-hidden="true"><b>12</b> <i>kg</i></div>')).toEqual(['Size', '12 kg']);
  });

  it('exclude lines of separators', async () => {
    expect(await shown('<p>A</p><p aria-hidden="true">·</p><p>B</p>')).toEqual(['A', 'B']);
  });
});
