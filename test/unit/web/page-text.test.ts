import { describe, expect, it } from 'vitest';
import { inlineRuns } from '#web/page-text/inline-runs.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { asBibtex, asMarkdown, textFragmentLink } from '#reading/cite/citation-texts.ts';
import { blockLines, textBlocks } from '#web/page-text/blocks.ts';
import { quotedRanges } from '#web/page-text/quoted.ts';

const LINES = [
  'Plain words.',
  'Some **strong**, *slanted* and ~~struck~~ words, `code **as it is**` and ``a ` tick``.',
  '***Both*** and **strong *inside* it**, snake_case_names, 2 * 3, and \\*no\\* marks.',
  'A [link](https://a.dev/x_(y)) and [one with **strong** `code`](https://a.dev/), [no link], [broken](',
  'H<sub>2</sub>O, 10<sup>6</sup>, a<br>break, <b>raw</b> &amp; <script>alert(1)</script>',
  '![A moon](https://a.dev/moon.png), [![Inside](https://a.dev/i.png)](https://a.dev/), wow! [a](b)',
  '#hashtag, trailing backslash\\',
  '**unclosed and ` a tick',
];

describe('the text runs of a line', () => {
  it.each(LINES)('match the visible text: %s', (line) => {
    const said = inlineRuns(line)
      .map(({ text }) => text)
      .join('');
    expect(said.replace(/\s+/g, '')).toBe(visibleText(line).replace(/\s+/g, ''));
  });

  it('keep the formatting of words and the destinations of links', () => {
    const [before, strong, , em] = inlineRuns('a **b** *c*');
    expect([before?.isStrong, strong?.text, strong?.isStrong, em?.isEm]).toEqual([false, 'b', true, true]);
    const runs = inlineRuns('[![alt](pic.png) x](https://a.dev/)');
    expect(runs.map(({ text, link, picture }) => [text, link, picture])).toEqual([
      ['alt', 'https://a.dev/', 'pic.png'],
      [' x', 'https://a.dev/', null],
    ]);
  });

  it('are found in time that grows only with the line', () => {
    const nested = inlineRuns('[a'.repeat(20_000) + '](b)'.repeat(20_000));
    expect(nested.map(({ text }) => text)).toEqual(['a'.repeat(20_000)]);
    for (const piece of ['[', '](', '*', '`', '<sup>', '[a](b', '!['])
      expect(
        inlineRuns(`${piece.repeat(20_000)} x`)
          .at(-1)
          ?.text.endsWith('x'),
      ).toBe(true);
  });
});

describe('the blocks of a document', () => {
  it('are headings without gaps, lists by depth, code, tables, rules, and notes of the server', () => {
    const lines = [
      '### A',
      '',
      '- one',
      '  - [x] two',
      '3. three',
      '> said',
      '',
      '```js',
      '# no',
      '```',
      '',
      '---',
      '| a\\|b | |',
      '| --- | --- |',
      '| `x \\| y` | 2 |',
      '',
      '| alone |',
      '<!-- page 2 -->',
      '###### B',
    ];
    const blocks = textBlocks(lines, 10, null);
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'line',
      'list',
      'line',
      'code',
      'line',
      'table',
      'table',
      'line',
      'line',
    ]);
    const [heading, list, quote, code, , table] = blocks;
    expect(heading).toMatchObject({ line: { number: 10, kind: 'heading', rank: 2 } });
    expect(blocks.at(-1)).toMatchObject({ line: { rank: 3 } });
    expect(list).toMatchObject({
      lines: [
        { number: 12, marker: '•', depth: 0 },
        { number: 13, marker: '☑', depth: 1 },
        { number: 14, marker: '3.', depth: 0 },
      ],
    });
    expect(quote).toMatchObject({ line: { isQuote: true, runs: [{ text: 'said' }] } });
    expect(code).toMatchObject({ lines: [{ number: 18, runs: [{ text: '# no' }] }] });
    expect(table).toMatchObject({
      rows: [
        { number: 22, isHead: true, cells: [[{ text: 'a|b' }], []] },
        { number: 24, isHead: false, cells: [[{ text: 'x | y' }], [{ text: '2' }]] },
      ],
    });
  });

  it('begin within code if a fence is open above them', () => {
    expect(textBlocks(['# no', '```', '# yes'], 5, '```').map(({ kind }) => kind)).toEqual(['code', 'line']);
  });
});

describe('a highlighted quote', () => {
  const marked = (lines: string[], ...quotes: { quote: string; lead?: string }[]) => {
    const shown = blockLines(textBlocks(lines, 0, null));
    const ranges = quotedRanges(
      shown,
      quotes.map(({ quote, lead = '' }) => ({ quote, around: { lead } })),
    );
    return [...ranges].flatMap(([run, own]) => own.map(([from, to]) => run.text.slice(from, to))).join('|');
  };

  it('covers the quote across marks, lines and cells, in its place', () => {
    expect(marked(['one **two** three'], { quote: 'two three' })).toBe('two| three');
    expect(marked(['a b c d e'], { quote: 'd e' }, { quote: 'a b' }, { quote: 'b c' })).toBe('a b c d e');
    expect(marked(['a b c d e'], { quote: 'e' }, { quote: 'a b' })).toBe('a b|e');
    expect(marked(['a cat, a dog', '', 'a hen'], { quote: 'a dog\na hen' })).toBe('a dog|a hen');
    expect(marked(['to be or not to be'], { quote: 'to be', lead: 'to be or not ' })).toBe('to be');
    expect(marked(['| 10<sup>6</sup> | m |'], { quote: '10^6 m' })).toBe('10|6|m');
  });

  it('covers the whole line if the words are not found in it, or nothing is quoted', () => {
    expect(marked(['one two'], { quote: 'three' })).toBe('one two');
    expect(marked(['one two'])).toBe('one two');
  });
});

describe('a quote to share', () => {
  const cited = {
    quote: 'Is it *so*?\n> Yes, it – is.',
    title: 'A [title] with {braces} & 50% #1',
    url: 'https://a.dev/x_(y)?q={z}',
    fetchedAt: Date.UTC(2026, 10, 26),
    link: 'https://p.dev/q/abc',
  };

  it('links to its words in the page, and by their ends if they are many', () => {
    expect(textFragmentLink('https://a.dev/', 'A well-known, short & sweet one')).toBe(
      'https://a.dev/#:~:text=A%20well%2Dknown%2C%20short%20%26%20sweet%20one',
    );
    expect(textFragmentLink('https://a.dev/', 'Now ~~50 €~~ 40 €')).toBe(
      'https://a.dev/#:~:text=Now%2050%20%E2%82%AC%2040%20%E2%82%AC',
    );
    expect(textFragmentLink('https://a.dev/', 'x = ~~y')).toBe('https://a.dev/#:~:text=x%20%3D%20~~y');
    expect(textFragmentLink('https://a.dev/#part', 'one two three four five six seven eight nine')).toBe(
      'https://a.dev/#part:~:text=one%20two%20three%20four,six%20seven%20eight%20nine',
    );
    expect(textFragmentLink('https://a.dev/#:~:text=x', 'word')).toBe('https://a.dev/#:~:text=x');
    expect(textFragmentLink('file:///x', 'word')).toBe('file:///x');
    expect(textFragmentLink('https://a.dev/', 'broken \ud800')).toContain('text=broken%20%EF%BF%BD');
  });

  it('is Markdown that shows exactly the words', () => {
    expect(asMarkdown(cited).split('\n')).toEqual([
      '> Is it \\*so\\*?',
      '> \\> Yes, it – is.',
      '>',
      '> [A \\[title\\] with {braces} \\& 50% \\#1](https://a.dev/x_%28y%29?q={z}#:~:text=Is%20it%20*so*%3F,Yes%2C%20it%20%E2%80%93%20is.), [read 2026-11-26](https://p.dev/q/abc)',
    ]);
  });

  it('is BibTeX that no title or URL breaks', () => {
    const text = asBibtex(cited);
    expect(text).toContain('title = {A [title] with \\textbraceleft braces\\textbraceright  \\& 50\\% \\#1},');
    const hostile = asBibtex({ ...cited, title: 'x}, author = "Ada", a = {' });
    // Counts braces as BibTeX does, which has no backslash escapes.
    expect(hostile.replace(/\s+/g, ' ')).toMatch(/^@misc\{\w+, title = \{[^{}]*\}, howpublished = \{/);
    expect(text).toContain('\\url{https://a.dev/x_(y)?q=%7Bz%7D}');
    expect(text.startsWith('@misc{adev20261126,\n')).toBe(true);
  });
});
