import { describe, expect, it } from 'vitest';
import { runToEnd } from '#core/flow/turns.ts';
import { compareDocuments, findVaryingTexts } from '#library/compare/compare.ts';
import type { BlockChange } from '#library/compare/compare.ts';

describe('a change in a page', () => {
  it('is shown as a sentence with both versions of its words', () => {
    expect(
      changes('# Ferry\n\nIt leaves at eight.\n\nIt is free.', '# Ferry\n\nIt leaves at nine.\n\nIt is free.'),
    ).toEqual([
      {
        kind: 'changed',
        before: { first: 2, last: 2 },
        after: { first: 2, last: 2 },
        section: 'Ferry',
        head: null,
        words: [
          { kind: 'same', text: 'It leaves at ' },
          { kind: 'gone', text: 'eight.' },
          { kind: 'new', text: 'nine.' },
        ],
      },
    ]);
  });

  it('can be that its words are struck out, or raised', () => {
    expect(told(changes('# Rules\n\nDogs may swim here.', '# Rules\n\n~~Dogs may swim here.~~'))).toEqual([
      'changed L2→L2 [-Dogs -][+~~Dogs +]may swim [-here.-][+here.~~+]',
    ]);
    expect(told(changes('| Weight |\n| --- |\n| 106 kg |', '| Weight |\n| --- |\n| 10<sup>6</sup> kg |'))).toEqual([
      'changed L2→L2 [-106 -][+10^6 +]kg',
    ]);
  });

  it('is not that struck-out text continues on the next line', () => {
    expect(told(changes('~~Dogs may swim.\nCats may not.~~', '~~Dogs may swim.~~\n~~Cats may not.~~'))).toEqual([]);
  });

  it('can be one row of a table', () => {
    const table = (price: string) =>
      `| Ticket | Price |\n| --- | --- |\n| Adult | 12 € |\n| Child | ${price} |\n| Dog | 3 € |`;
    expect(told(changes(table('6 €'), table('7 €')))).toEqual(['changed L3→L3 Child | [-6 -][+7 +]€']);
  });

  it('is reported as moved when a section is in another place', () => {
    const one = '## Bread\n\nThe dough of the bread rests for two days.';
    const two = '## Rye\n\nRye rests for three days before it is baked.';
    const three =
      '## Wheat\n\nWheat rests for one day and then goes to the oven.\n\nIt is sold by the loaf and by the slice.';
    expect(told(changes([one, two, three].join('\n\n'), [one, three, two].join('\n\n')))).toEqual([
      'moved L4-L6→L10-L12 Rye\nRye rests for three days before it is baked.',
    ]);
  });

  it('is reported as a removal and an addition, each in its place', () => {
    expect(
      told(
        changes(
          'First of all.\n\nThe old harbour closes.\n\nLast.',
          'First of all.\n\nLast.\n\nA new quay was built there.',
        ),
      ),
    ).toEqual(['removed L2→ [-The old harbour closes.-]', 'added →L4 [+A new quay was built there.+]']);
  });

  it('includes the number of a section, also a plain one', () => {
    expect(told(changes('### 3. Mooring\n\nText.', '### 2. Mooring\n\nText.'))).toEqual([
      'changed L0→L0 [-3. -][+2. +]Mooring',
    ]);
  });

  it.each([
    [
      'how footnotes are marked',
      'It rests.[\\[1\\]](#n1)\n\n\\[[1](#r1)\\]\n\nFor two days.',
      'It rests.[^1]\n\n[^1]: For two days.',
    ],
    ['what became a paragraph', 'First.\n\n```\n49213 525.624 SPEC(1)\n```', 'First.\n\n49213 525.624 SPEC(1)'],
    ['code that stands in a note now', '```\n$ save now\n```', '> ```\n> $ save now\n> ```'],
    ['a footnote in a table', '| Dough | Yes [\\[1\\]](#n1) |\n| --- | --- |', '| Dough | Yes [^1] |\n| --- | --- |'],
    ['a year of a copyright', 'Copyright © 2001–2025 The Ferry Company', 'Copyright © 2001–2026 The Ferry Company'],
    ['a date of the build', 'Last updated on Mar 05, 2025.', 'Last updated on November 24, 2026.'],
    ['a date below its heading', '### Last update:\n\nMay 26, 2026', '### Last update:\n\nNov 11, 2026'],
    ['the time that it took', 'Page generated in 0.31 seconds', 'Page generated in 0.29 seconds'],
    ['how far code is indented', '```\n  a: 1\n    b: 2\n```', '```\na: 1\n  b: 2\n```'],
    ['a counter', '1,204 views · 7 comments', '1,377 views · 9 comments'],
    ['how long ago', '3 hours ago', 'a day ago'],
    [
      'the order of links',
      '- [One](https://a.example/1)\n- [Two](https://a.example/2)',
      '- [Two](https://a.example/2)\n- [One](https://a.example/1)',
    ],
    ['the address of a link', '[Download](https://a.example/?token=1)', '[Download](https://a.example/?token=2)'],
    ['marks of emphasis', 'A **bold** word.', 'A *bold* word.'],
  ])('does not include %s', (_, before, after) => {
    expect(changes(`# Title\n\n${before}`, `# Title\n\n${after}`)).toEqual([]);
  });

  it.each([
    ['The meeting is on 5 May 2027.', 'The meeting is on 6 May 2027.'],
    ['It costs 12 euros.', 'It costs 13 euros.'],
    ['The limit of a page was changed to 30.', 'The limit of a page was changed to 40.'],
    ['Built in 1911 of stone.', 'Built in 1912 of stone.'],
    ['1.30.1', '1.30.2'],
    ['There are 5 views that can be opened.', 'There are 6 views that can be opened.'],
    ['```\nif a:\n  b()\nc()\n```', '```\nif a:\n  b()\n  c()\n```'],
  ])('is reported when the statement differs: %j', (before, after) => {
    expect(changes(before, after)).toMatchObject([{ kind: 'changed' }]);
  });

  it('does not include the rest of the page, nor text that moved to the rest', () => {
    const before = {
      lines: ['Main text.', '', 'Our staff speaks five languages fluently.', '<!-- rest -->', 'Menu one'],
      restStart: 3,
    };
    const after = {
      lines: ['Main text.', '<!-- rest -->', 'Menu two', '', 'Our staff speaks five languages fluently.'],
      restStart: 1,
    };
    expect(runToEnd(compareDocuments(before, after))).toEqual([]);
  });

  it('excludes text that varies with every fetch, and includes a change next to it', () => {
    const page = (served: string, quote: string, price: string) =>
      document(`# Shop\n\nThis page was made in ${served} ms for you.\n\n${quote}\n\nThe lamp costs ${price} euros.`);
    const varying = runToEnd(
      findVaryingTexts(page('12', 'Patience is bitter.', '40'), page('31', 'Every cloud has edges.', '40')),
    );
    expect(varying).toHaveLength(3);
    const now = page('44', 'Still waters run deep.', '45');
    expect(told(runToEnd(compareDocuments(page('12', 'Patience is bitter.', '40'), now, varying)))).toEqual([
      'changed L6→L6 The lamp costs [-40 -][+45 +]euros.',
    ]);
  });
});

function changes(before: string, after: string): BlockChange[] {
  return runToEnd(compareDocuments(document(before), document(after)));
}

function document(text: string) {
  return { lines: text.split('\n'), restStart: null };
}

function told(all: readonly BlockChange[]): string[] {
  return all.map(({ kind, before, after, words }) => {
    const text = words.map((word) =>
      word.kind === 'same' ? word.text : word.kind === 'gone' ? `[-${word.text}-]` : `[+${word.text}+]`,
    );
    return `${kind} ${span(before)}→${span(after)} ${text.join('')}`;
  });
}

function span(lines: BlockChange['before']): string {
  if (lines === null) return '';
  return lines.first === lines.last ? `L${lines.first}` : `L${lines.first}-L${lines.last}`;
}
