import { describe, expect, it } from 'vitest';
import { divideSource } from '#extract/html/divide-source.ts';
import { HTML_PART_ELEMENTS_MAX } from '#extract/limits.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractedText } from '#extract/extractor.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { PAGE_URL } from './support.ts';

async function partsOf(html: string, kind: BodyKind = 'html'): Promise<ExtractedText[]> {
  const read = (firstPage?: number) =>
    extract({ kind, text: html, bytes: new Uint8Array(), url: PAGE_URL, mode: 'raw', firstPage });
  const first = await read();
  const parts = [first];
  for (let page = 2; page <= (first.pages?.total ?? 1); page += 1) parts.push(await read(page));
  return parts;
}

const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join('');
const linesOf = (parts: readonly ExtractedText[]) => parts.flatMap(({ lines }) => lines);

describe('a page with too many elements', () => {
  it('is divided before a heading, and an unnamed paragraph is never alone after one', async () => {
    const html = many(
      3_400,
      (n) =>
        `<h2><a id="t${n}"></a>Tide ${n}</h2><p>High <b>at</b> <i>${n}</i> and <u>low</u>.</p><p>Low <b>x</b>.</p>`,
    );
    const parts = await partsOf(`<main>${html}</main>`);
    expect(parts.length).toBeGreaterThan(1);
    for (const { lines } of parts) expect(lines[0]).toMatch(/^## Tide/);
    expect(linesOf(parts).filter((line) => line.startsWith('## '))).toHaveLength(3_400);
  });

  it('keeps the anchor before a heading with the heading', async () => {
    const parts = await partsOf(
      `<main>${many(6_800, (n) => `<a id="n${n}"></a><h3>Knot ${n}</h3><p>It <b>holds</b>.</p>`)}</main>`,
    );
    const [first, second] = parts;
    const name = /Knot (\d+)/.exec(second?.lines[0] ?? '')?.[1];
    expect(second?.anchors?.get(`n${name}`)).toBe(0);
    expect(first?.anchors?.has(`n${name}`)).toBe(false);
    expect(first?.laterAnchors?.pages.get(`n${name}`)).toBe(2);
  });

  it('continues the numbers of a list, and repeats the header of a table', async () => {
    const list = await partsOf(`<ol start="5">${many(9_000, (n) => `<li><b>x</b> <i>step ${n}</i></li>`)}</ol>`);
    expect(
      linesOf(list)
        .filter((line) => line !== '')
        .map((line) => Number.parseInt(line, 10)),
    ).toEqual(Array.from({ length: 9_000 }, (_, n) => n + 5));
    const rows = many(9_000, (n) => `<tr><td>${n}</td><td>b</td></tr>`);
    const table = await partsOf(
      `<table><thead><tr><th>No</th><th>Name</th></tr></thead><tbody>${rows}</tbody></table>`,
    );
    expect(table.length).toBeGreaterThan(1);
    for (const { lines } of table) expect(lines[0]).toBe('| No | Name |');
    expect(linesOf(table).filter((line) => /^\| \d+ \|/.test(line))).toHaveLength(9_000);
  });

  it('divides code after a line without changing a byte, and keeps its language', async () => {
    const code = Array.from({ length: 16_000 }, (_, n) => (n % 7 === 0 ? '' : `  <span>let</span> <b>x${n}</b>;`)).join(
      '\n',
    );
    const parts = await partsOf(`<pre><code class="language-js">${code}</code></pre>`);
    expect(parts.length).toBeGreaterThan(1);
    for (const { lines } of parts) expect(lines[0]).toBe('```js');
    const text = parts.map(({ lines }) => lines.slice(1, -1).join('\n')).join('\n');
    expect(text).toBe(code.replace(/<[^>]*>/g, ''));
  });

  it('keeps hidden text hidden in every part', async () => {
    const hidden = `<div hidden>${many(13_500, () => '<p>never <b>shown</b></p>')}</div>`;
    const parts = await partsOf(`<p>Seen at first.</p>${hidden}<p>Seen at last.</p>`);
    expect(linesOf(parts).join('\n')).not.toContain('never');
  });

  it('never shows the content of a comment, a script or a drawing', async () => {
    const unseen = '<p>unseen</p>'.repeat(30);
    const around = [
      `<!-- ${unseen} -->`,
      `<script>"<!-- <script>" + '${unseen}</script>' + "-->"</script>`,
      `<svg><text>${unseen.replaceAll('p>', 'g>')}</text></svg>`,
      `<p title="> ${unseen}">x</p>`,
    ];
    const parts = await partsOf(many(13_500, (n) => `<p>word <b>${n}</b></p>${n % 50 === 0 ? around.join('') : ''}`));
    expect(parts.length).toBeGreaterThan(1);
    expect(linesOf(parts).join('\n')).not.toContain('unseen');
  });

  it('is divided the same way when end tags are left out', async () => {
    const parts = await partsOf(
      `<dl>${many(5_400, (n) => `<dt id=d${n}><b>Term ${n}</b><dd>Means <i>${n}</i><p>and more`)}</dl>`,
    );
    const text = linesOf(parts).join('\n');
    expect(parts.length).toBeGreaterThan(1);
    for (const { lines } of parts) expect(lines[0]).toContain('Term');
    for (const n of [0, 2_444, 5_399]) expect(text).toContain(`Means *${n}*`);
  });

  it('is divided if it is XHTML, too', async () => {
    const body = many(13_500, (n) => `<p id="x${n}"><a id="y${n}"/>Paragraph ${n}</p>`);
    const parts = await partsOf(
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body>${body}</body></html>`,
      'xhtml',
    );
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every(({ title }) => title === 'T')).toBe(true);
    expect(linesOf(parts).filter((line) => line.startsWith('Paragraph'))).toHaveLength(13_500);
  });

  it('is one page if it can be read at once', async () => {
    const [whole, ...others] = await partsOf('<p>word</p>'.repeat(HTML_PART_ELEMENTS_MAX));
    expect(others).toEqual([]);
    expect(whole?.pages).toBeUndefined();
  });
});

/** Sources whose division must be bounded. */
const HOSTILE: Readonly<Record<string, string>> = {
  '200,000 nested elements': '<div>'.repeat(200_000),
  '200,000 nested elements with end tags for others': '<div>'.repeat(100_000) + '</section>'.repeat(100_000),
  '300,000 unclosed formats': '<b><i>'.repeat(150_000),
  'a million names': many(250_000, (n) => `<a id=a${n} name=b${n}>x</a>`),
  'quotes without ends': '<a b="'.repeat(300_000),
  'tags without ends': '<a b'.repeat(300_000),
  'numbered lists in each other': '<ol start=7><li>'.repeat(60_000),
  'texts without spaces': many(60_000, (n) => `<b>${'y'.repeat(n % 50)}</b>`),
  'comments without ends': '<!--'.repeat(500_000),
  'scripts in comments in scripts': '<script><!--<script>'.repeat(100_000),
};

describe('dividing a hostile source', () => {
  for (const [name, html] of Object.entries(HOSTILE)) {
    it(`keeps every character of ${name} in one page`, () => {
      const { total, source, later } = divideSource(html, false);
      const lengths = Array.from({ length: total }, (_, n) => source(n + 1).length);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThanOrEqual(html.length);
      expect(later.pages.size).toBeLessThan(100_000);
    });
  }
});
