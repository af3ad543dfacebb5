import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '#core/flow/turns.ts';
import { mainLines } from '#core/document/document.ts';
import { chooseSegments } from '#extract/html/main/choose.ts';
import { findFeatureRanges, parseForest, scoreFeatureRow, pruneForest } from '#extract/html/main/model/forest.ts';
import { FEATURE_NAMES, computeFeatures } from '#extract/html/main/model/features.ts';
import { PAGE_KINDS } from '#extract/html/main/model/kind.ts';
import { KIND_FORESTS } from '#generated/models/kind-model.ts';
import { BIAS, TREES } from '#generated/models/model.ts';
import { FEATURES, KINDS } from '#generated/models/trained-on.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { readPageTraits } from '#extract/html/main/model/traits.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { PAGE_URL, read } from './support.ts';

const SENTENCE =
  'The harbour was built by people who knew the sea, and it has stood through storms that took newer walls away.';
const NAV =
  '<nav class="site-nav"><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop now</a></li><li><a href="/about">About us</a></li></ul></nav>';
const FOOTER =
  '<footer class="site-footer"><p>© 2026 Harbour Press. All rights reserved.</p><a href="/privacy">Privacy policy</a></footer>';

function article(paragraphs: number): string {
  const text = Array.from(
    { length: paragraphs },
    (_, index) => `<p>Paragraph ${index}. ${SENTENCE} ${SENTENCE}</p>`,
  ).join('');
  return `<html lang="en"><head><title>Old walls - Harbour Press</title><meta property="og:type" content="article"></head><body>${NAV}<main><article><h1>Old walls</h1>${text}<img src="/wall.jpg" alt="A wall"></article><aside class="related"><h2>Related stories</h2><a href="/a">Another story</a><a href="/b">One more story</a></aside></main>${FOOTER}</body></html>`;
}

describe('the main content of a page', () => {
  it('is the text and pictures of an article, without navigation, related links and footer', async () => {
    const page = await read('html', article(8), 'readable', 'https://press.example/2026/old-walls-stand');
    const { explanation } = page;
    const text = mainLines(page).join('\n');
    for (let index = 0; index < 8; index += 1) expect(text).toContain(`Paragraph ${index}.`);
    expect(text).toContain('![A wall](https://press.example/wall.jpg)');
    for (const around of ['Shop now', 'Privacy policy', 'Another story', 'All rights reserved'])
      expect(text).not.toContain(around);
    expect(explanation.strategy).toBe('main content of article page');
    expect(explanation.candidates.map((candidate) => candidate.strategy)).toEqual(['main content', 'whole page']);
  });

  it('includes every message of a thread', async () => {
    const post = (name: string, text: string) =>
      `<li class="post"><div class="author"><a href="/u/${name}">${name}</a></div><div class="message"><p>${text} ${SENTENCE}</p></div><ul class="post-actions"><li><a href="#r">Reply</a></li><li><a href="#l">Like</a></li></ul></li>`;
    const page = `<html><head><title>How old are the walls? - Harbour forum</title></head><body>${NAV}<div class="thread"><h1>How old are the walls?</h1><ol class="posts">${['First question.', 'First answer.', 'Second answer.', 'Thanks to all.'].map((text, index) => post(`user${index}`, text)).join('')}</ol></div>${FOOTER}</body></html>`;
    const thread = await read('html', page, 'readable', 'https://forum.example/threads/how-old.12/');
    const text = mainLines(thread).join('\n');
    for (const message of ['First question.', 'First answer.', 'Second answer.', 'Thanks to all.'])
      expect(text).toContain(message);
    expect(text).not.toContain('Privacy policy');
  });

  const comment = (index: number) =>
    `<div class="entry"><p><a href="/u/${index}">Reader ${index}</a> wrote on Monday</p><p>Remark ${index}. I have lived beside it for years. ${SENTENCE} ${SENTENCE}</p></div>`;
  const COMMENTS = Array.from({ length: 12 }, (_, index) => comment(index)).join('');
  const withUnder = (under: string) => article(8).replace('</article>', `</article>${under}`);

  for (const [name, under] of [
    ['in a part that is called so', `<div id="comments"><h2>What you say</h2>${COMMENTS}</div>`],
    ['under a heading that says so', `<div><h2>12 Comments</h2>${COMMENTS}</div>`],
  ] as const) {
    it(`excludes the comments below an article, ${name}; the rest contains them`, async () => {
      const page = await read('html', withUnder(under), 'readable', 'https://press.example/2026/old-walls-stand');
      const text = mainLines(page).join('\n');
      expect(text).toContain('Paragraph 7.');
      expect(text).not.toContain('Remark');
      expect(page.lines.join('\n')).toContain('Remark 11.');
    });
  }

  it('includes the text of an article in a part named after comments', async () => {
    for (const page of [
      article(8).replace('<article>', '<article class="has-comments"><div class="comments-wrapper">'),
      article(8).replace('<p>Paragraph 4.', '<p class="comment">Paragraph 4.'),
    ]) {
      const text = mainLines(await read('html', page, 'readable', 'https://press.example/2026/old-walls')).join('\n');
      for (let index = 0; index < 8; index += 1) expect(text).toContain(`Paragraph ${index}.`);
    }
  });

  it('includes every product of a shop with its price', async () => {
    const products = Array.from(
      { length: 12 },
      (_, index) =>
        `<div class="product-card"><a href="/p/${index}"><img src="/${index}.jpg" alt=""><h3 class="product-title">Rope number ${index}</h3></a><span class="price">$${index}9.00</span></div>`,
    );
    const page = `<html><body>${NAV}<main><h1>Ropes</h1><div class="product-grid">${products.join('')}</div></main>${FOOTER}</body></html>`;
    const shop = await read('html', page, 'readable', 'https://shop.example/collections/ropes');
    const text = mainLines(shop).join('\n');
    for (let index = 0; index < 12; index += 1) expect(text).toContain(`Rope number ${index}`);
    expect(text).toContain('$59.00');
    expect(text).not.toContain('All rights reserved');
  });

  it('is never empty when there is text, however little', async () => {
    for (const page of [
      '<p>Hi.',
      NAV,
      FOOTER,
      '<a href="/x">x</a>',
      '<title>t</title>word',
      '<div aria-label="x">1</div>',
    ]) {
      expect((await read('html', page, 'readable')).lines.join('').length).toBeGreaterThan(0);
    }
  });

  it('is the same for the same page', async () => {
    expect(await read('html', article(40), 'readable')).toEqual(await read('html', article(40), 'readable'));
  });

  it('is a part of the text in raw mode', async () => {
    expect((await read('html', article(5), 'raw')).lines.join('\n')).toContain('Privacy policy');
  });
});

describe('pages that scripts reveal', () => {
  const text = `<p>${`${SENTENCE} `.repeat(8)}</p>`;

  it('are read when nearly all of the text waits to be faded in', async () => {
    const { lines } = await read('html', `<h2>Head</h2><div style="opacity:0">${text}</div>`, 'readable');
    expect(lines.join('\n')).toContain('The harbour');
  });

  it('are read from the parts that React streams', async () => {
    const { lines } = await read('html', `<div>Loading</div><div hidden id="S:0">${text}</div>`, 'readable');
    expect(lines.join('\n')).toContain('The harbour');
  });

  it('have the rows that React streams in their table', async () => {
    const page = `<p>${SENTENCE}</p><table><tr><th>Part<th>Price<tbody><tr><td>Bolt<td>3</tr><!--$?--><template id="B:0"></template><tr><td>Wait<td></tr><!--/$--></tbody></table><table hidden><tbody id="S:0"><tr><td>Nut<td>4</tr></tbody></table>`;
    const { lines } = await read('html', page, 'readable');
    expect(lines.join('\n')).toContain('| Bolt | 3 |\n| Nut | 4 |');
    expect(lines.join('\n')).not.toContain('Wait');
  });

  it('are read from their fallback for browsers without scripts', async () => {
    const { lines } = await read('html', `<div id="app"></div><noscript>${text}</noscript>`, 'readable');
    expect(lines.join('\n')).toContain('The harbour');
  });

  it('are represented by their own description when they contain no text, and a note reports this', async () => {
    const page = `<title>Walls</title><meta name="description" content="${SENTENCE}"><div id="app"></div>`;
    const { lines, cuts } = await read('html', page, 'readable');
    expect(lines).toEqual(['# Walls', '', SENTENCE]);
    expect(cuts).toHaveLength(1);
  });

  it('show no hidden text next to visible text', async () => {
    const hidden = [
      '<div hidden>SECRET</div>',
      '<div style="opacity:0">SECRET</div>',
      '<noscript>SECRET</noscript>',
      '<p aria-hidden="true">SECRET</p>',
    ];
    const { lines } = await read('html', text + hidden.join(''), 'raw');
    expect(lines.join('\n')).not.toContain('SECRET');
  });
});

const WIDTH = FEATURE_NAMES.length + PAGE_KINDS.length;

describe('the extraction model', () => {
  it('was trained on the features and kinds of this code, in the same order', () => {
    expect(FEATURES).toEqual(FEATURE_NAMES);
    expect(KINDS).toEqual(PAGE_KINDS);
  });

  it('names exactly the features of a row, and uses none beyond them and the kinds', () => {
    const prepared = parsePage(article(3), false);
    const document = prepared.document;
    const { segments } = divideIntoSegments(document.body);
    const rows = runToEnd(
      computeFeatures(segments, readPageTraits(document, [], PAGE_URL, { title: '', description: '', ogType: '' })),
    );
    expect(rows).toHaveLength(segments.length);
    expect(rows.every((row) => row.length === FEATURE_NAMES.length && row.every(Number.isFinite))).toBe(true);
    const asked = TREES.flatMap((tree) => [...tree.matchAll(/(\d+):/g)].map((match) => Number(match[1])));
    expect(Math.max(...asked)).toBeLessThan(WIDTH);
    expect(KIND_FORESTS).toHaveLength(PAGE_KINDS.length);
  });

  it('takes the left branch of a tree below the threshold, and otherwise the right one', () => {
    const forest = parseForest(1, ['0:5 1:2 =10 =20 =30', '=0.5']);
    const score = (...row: number[]) => scoreFeatureRow(forest, Float32Array.from(row));
    expect([score(4, 1), score(4, 2), score(5, 0)]).toEqual([11.5, 21.5, 31.5]);
  });

  it('gives rows the same scores when conditions common to all rows are computed once', () => {
    const forest = parseForest(BIAS, TREES);
    const numbers = fc.array(fc.constantFrom(-1, 0, 0.125, 1, 6, 12), { minLength: WIDTH, maxLength: WIDTH });
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 4 }), (lists) => {
        const rows = lists.map((list) => Float32Array.from(list));
        const pruned = pruneForest(forest, findFeatureRanges(rows));
        expect(pruned.values.length).toBeLessThan(forest.values.length);
        for (const row of rows) expect(scoreFeatureRow(pruned, row)).toBe(scoreFeatureRow(forest, row));
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the number of segments with the highest expected F1', () => {
    expect(chooseSegments([0.9, 0.1, 0.8], [10, 10, 10]).keep).toEqual([true, false, true]);
    expect(chooseSegments([0.3, 0.3], [5, 5]).keep).toEqual([true, true]);
    expect(chooseSegments([], []).keep).toEqual([]);
  });

  it('has a threshold that kept segments reach and dropped ones do not', () => {
    const chance = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100);
    fc.assert(
      fc.property(fc.array(chance, { minLength: 1, maxLength: 30 }), (chances) => {
        const { keep, bar } = chooseSegments(
          chances,
          chances.map(() => 7),
        );
        for (const [index, kept] of keep.entries()) {
          if (kept) expect(chances[index]).toBeGreaterThanOrEqual(bar - 1e-9);
          else expect(chances[index]).toBeLessThanOrEqual(bar + 1e-9);
        }
      }),
    );
  });
});
