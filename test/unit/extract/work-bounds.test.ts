import { describe, expect, it } from 'vitest';
import { runToEnd } from '#core/flow/turns.ts';
import { SHEET_COLUMNS_MAX, SPAN_REPEAT_CHARS_MAX } from '#extract/limits.ts';
import { parseDelimited } from '#extract/csv-extractor.ts';
import { findUnbreakableRanges } from '#extract/lines/protected.ts';
import { splitCitableLines } from '#extract/lines/lines.ts';
import { read } from './support.ts';

const OPENINGS = ['![](data:', '[a](', '$$ \\$', '[a](\\(', '`$$', '[[](('];
/** Read for each character of a text, when nothing that is opened in it ever ends. */
const VAIN_TIMES_MAX = 9;

describe('the search for text that must stay on one line', () => {
  for (const opening of OPENINGS) {
    it(`takes time proportional to the length of a text made of ${opening}`, () => {
      const text = opening.repeat(20_000);
      let spent = 0;
      findUnbreakableRanges(text, (chars) => {
        spent += chars;
      });
      expect(spent).toBeLessThanOrEqual(text.length * VAIN_TIMES_MAX);
    });
  }

  it('takes no extra time for links, code and formulas that end', () => {
    let spent = 0;
    const ranges = findUnbreakableRanges(
      '[a](https://lamps.example/(b)) `c` $d$ and $$e$$, ![f](g) '.repeat(2_000),
      (chars) => {
        spent += chars;
      },
    );
    expect(ranges).toHaveLength(10_000);
    expect(spent).toBe(0);
  });

  it('finds links after an opening that never ends', () => {
    const text = `[open]( ${'word '.repeat(30)}[link](https://lamps.example/a)`;
    expect(findUnbreakableRanges(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '[link](https://lamps.example/a)',
    ]);
  });
});

/** Each would take minutes if any of its characters were compared with every other. */
const MARKDOWN: Readonly<Record<string, string>> = {
  'tabs in a line': `a${'\t'.repeat(1_000_000)}needle`,
  'spaces in a line': `a. b${' '.repeat(1_000_000)}needle`,
  'CJK stops before a bracket': `${'。'.repeat(500_000)}」needle`,
  'spaces around a row of dashes': `a|b\n${' '.repeat(500_000)}-${' '.repeat(500_000)}needle`,
  'brackets in a heading': `# ${'['.repeat(1_000_000)}needle`,
  'spaces in a heading': `# a${' '.repeat(1_000_000)}needle`,
};

describe('hostile Markdown', () => {
  for (const [name, source] of Object.entries(MARKDOWN)) {
    it(`is read in one pass: ${name}`, async () => {
      expect((await read('markdown', source)).lines.join('')).toContain('needle');
    });
  }

  it('never repeats an indent beyond the size of the text', () => {
    const source = `${'> '.repeat(5_000)}${'One. Two. '.repeat(5_000)}`;
    const { lines } = runToEnd(splitCitableLines([source]));
    expect(lines.join('').length).toBeLessThanOrEqual(source.length);
  });

  it('keeps the indent of every sentence in lists as people nest them', () => {
    expect(
      runToEnd(splitCitableLines(['> - > 1. One lamp is lit. Two more follow. Then it is day.'])).lines,
    ).toHaveLength(3);
  });

  it('recognises a row of dashes as the header of a table, however it is spaced', () => {
    const table = ['> a. B | c', '> :-- | --: |', '> One. Two. | three'];
    expect(runToEnd(splitCitableLines(table)).lines).toEqual(table);
    expect(runToEnd(splitCitableLines(['One. Two | c', '- - | -'])).lines.length).toBeGreaterThan(2);
  });
});

/** Each would take minutes if any of its characters were compared with every other. */
const HTML: Readonly<Record<string, string>> = {
  'comments in a style': `<p style="${'/* '.repeat(900_000)}">needle</p>`,
  'translations without an end in a style': `<p style="transform:${'translate('.repeat(300_000)}">needle</p>`,
  'no-break spaces in code': `<p><code>a${'\u00a0'.repeat(900_000)}b</code> needle</p>`,
  'a picture that is named like an arrow, with digits': `<p>needle <img alt="go" src="/next${'1'.repeat(100)}x.gif"></p>`,
  'pictures with names like arrows': `<p>needle <img alt="go" src="${'/left-left'.repeat(300_000)}x"></p>`,
  'no-break spaces in preformatted text': `<pre>a${'\u00a0 '.repeat(500_000)}needle</pre>`,
};

describe('hostile HTML', () => {
  for (const [name, source] of Object.entries(HTML)) {
    it(`is read in one pass: ${name}`, async () => {
      expect((await read('html', source)).lines.join('')).toContain('needle');
    });
  }
});

describe('hostile tables', () => {
  it('repeat text for their spans only up to the limit', async () => {
    const word = 'lamp '.repeat(400).trim();
    const html = `<table class="wikitable"><tr><td rowspan="60000" colspan="64">${word}</td><td>x</td></tr>${'<tr><td>needle</td></tr>'.repeat(300)}</table>`;
    const markdown = (await read('html', html)).lines.join('');
    expect(markdown.split('needle')).toHaveLength(301);
    expect(markdown.split('lamp').length * 5).toBeLessThanOrEqual(SPAN_REPEAT_CHARS_MAX + word.length + 10);
  });

  it('are not padded to the length of one long row', async () => {
    const html = `<table class="wikitable"><tr>${'<td>a</td>'.repeat(5_000)}</tr>${'<tr><td>needle</td></tr>'.repeat(1_000)}</table>`;
    const { lines } = await read('html', html);
    expect(lines.at(-1)).toBe('| needle |');
    expect(lines.join('').length).toBeLessThan(5_000 * 20);
  });

  it('keep as many cells of a row of millions as are shown', () => {
    const { rows } = runToEnd(parseDelimited(`${','.repeat(100_000)}\na,b`, ',', 10));
    expect(rows.map((row) => row.length)).toEqual([SHEET_COLUMNS_MAX + 1, 2]);
  });
});
