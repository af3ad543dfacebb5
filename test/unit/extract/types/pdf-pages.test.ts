import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { column, inline, makePdf } from '#support/make-pdf.ts';
import type { PdfPage, PdfText } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';
import { stories } from '#support/stories.ts';

const textOf = (pages: readonly PdfPage[]) => markdownOf(readBytes('pdf', makePdf(pages)));
/** A line that fills the column of these pages. */
const full = (text: string) => `${text} ${'and on and on '.repeat(8)}`.slice(0, 96);
const page = (...texts: PdfText[]): PdfPage => ({ texts });
const body = (lines: readonly string[], y = 600) => column(lines, 60, y);
/** Different on each page, so that only intended repetitions repeat. */
const filler = (index: number) =>
  body([`The text of page ${'abcdefghijklmnopqrstuvwxyz'[index]} is like no other.`], 400);
const END = body(['A new paragraph', 'of three lines', 'ends the page.'], 600);
const many = (count: number, texts: (index: number) => PdfText[]) =>
  Array.from({ length: count }, (_, index) => page(...texts(index), ...filler(index)));
const line = (y: number, text: string, more: Partial<PdfText> = {}): PdfText => ({ x: 60, y, text, ...more });

describe('a paragraph that continues on the next page', () => {
  it('is shown whole on the page where it begins', async () => {
    const text = await textOf([
      page(...body([full('A sentence that begins here'), full('goes on')])),
      page(...body(['and ends over the leaf. Another one.'], 700), ...END),
    ]);
    const [first = '', second = ''] = text.split('<!-- page 2 -->');
    expect(first.replaceAll('\n', ' ')).toContain('and ends over the leaf. Another one.');
    expect(second.trim()).toBe('A new paragraph of three lines ends the page.');
  });

  it('joins a word that is broken between the pages', async () => {
    const text = await textOf([page(...body(['A word that is bro-'])), page(...body(['ken at the leaf.'], 700))]);
    expect(text).toContain('A word that is broken at the leaf.');
  });

  it('continues after a name in the middle of a full line, and after the footnotes', async () => {
    const text = await textOf([
      page(
        ...body([full('Long ago the keeper of the lamp on the rock was'), full('known to everybody as')]),
        line(60, '1 A note at the foot of the page.', { size: 7 }),
      ),
      page(...body([full('Martha of the rock, who kept it for forty years')], 700)),
    ]);
    expect(text.replaceAll('\n', ' ')).toMatch(/on and on( an?d?)? Martha of the rock/u);
    expect(text.indexOf('Martha')).toBeLessThan(text.indexOf('A note at the foot'));
    expect(text).toContain('<!-- page 2 -->');
  });

  it('continues after a page that it fills', async () => {
    const text = await textOf([
      page(...body(['one that goes'])),
      page(...body(['on and on over'], 700)),
      page(...body(['two leaves.'], 700), ...END),
    ]);
    expect(text).toContain('one that goes on and on over two leaves.');
    expect(text.split('<!-- page 3 -->')[1]?.trim()).toBe('A new paragraph of three lines ends the page.');
  });

  it('leaves the text of a page that it fills on that page, so that citations name the page', async () => {
    const names = (index: number) =>
      Array.from({ length: 12 }, (_, row) => `Section ${index}.${row}: the lamps of pier`);
    const prose = (name: string) =>
      Array.from({ length: 6 }, (_, row) => full(`${row === 0 ? name : 'and it'} goes on`));
    for (const lines of [names, (index: number) => prose(['One', 'Two', 'three'][index] ?? '')]) {
      const text = await textOf([0, 1, 2].map((index) => page(...body(lines(index), 700))));
      for (const [index, part] of text
        .split(/<!-- page \d -->/u)
        .slice(1)
        .entries()) {
        expect(part).toContain((lines(index)[0] ?? '').slice(0, 20));
        expect(part).toContain((lines(index).at(-1) ?? '').slice(0, 20));
      }
    }
  });

  it.each([
    [
      'narrow lines, such as a list of names, and the next names',
      [
        'Anna of the Harbour Light',
        'Berta of the Old West Pier',
        'Clara of the Northern Rock',
        'Dora of the Southern Rock',
        'Erika of the Small Islands',
      ],
      ['Frieda of the Harbour Light', 'Gerda of the Old West Pier', 'Hanna of the Northern Rock.', '• a bell'],
    ],
    ['a sentence that has ended', ['It ends here.'], ['lower case begins this one']],
    ['a short line before a capital', ['Contents'], ['A first chapter about lamps']],
    ['a line that leads to a list', ['There are three:'], ['• a bell']],
    ['a heading in capitals', [full('It goes on'), full('and on')], ['THE NEXT CHAPTER']],
  ])('is not formed of %s and the text after it', async (_, before, after) => {
    const text = await textOf([page(...body(before)), page(...body(after, 700))]);
    expect(text.split('<!-- page 2 -->')[1]?.trim()).toContain((after[0] ?? '').replace('•', '-'));
  });
});

describe('entries whose labels have the same word', () => {
  it('are lines of a list, not of a paragraph', async () => {
    const text = await textOf([
      page(...body(['Section 1.1: the lamps', 'Section 1.2: the wicks', 'Section 1.3: the oil'])),
    ]);
    expect(text).toContain('Section 1.1: the lamps\n\nSection 1.2: the wicks\n\nSection 1.3: the oil');
  });
});

describe('text that pages repeat in their margins', () => {
  it.each([
    ['Annual report of the harbour', ' - page #'],
    ['Annual Report 2023', ' #'],
    ['24 Hours of the Harbour', ' | #'],
    ['Harbour Handbook (EU)', ''],
  ])('is the title of a document without a heading: %s', async (name, number) => {
    const pages = many(4, (index) => [line(780, name + number.replace('#', String(index + 1)))]);
    const { lines, title } = await readBytes('pdf', makePdf(pages));
    expect(title).toBe(name);
    expect(lines.join('\n')).not.toContain(name);
  });

  it('is removed when it is the same except for the page number, in one place or on every second page', async () => {
    const text = await textOf(
      many(6, (index) => [
        line(780, index % 2 === 0 ? 'The Book of Lamps, Release 4.6.2' : `Chapter ${index < 3 ? 'one' : 'two'}`),
        line(20, `Page ${index + 1} of 6`),
      ]),
    );
    expect(text).not.toMatch(/Book of Lamps|Page \d of/u);
    expect(text.match(/like no other/gu)).toHaveLength(6);
  });

  it.each([
    (n: number) => [line(42, `Page ${n} of 6`, { size: 8 }), line(32, 'Company Ltd, Canal Street 5', { size: 8 })],
    (n: number) => [line(42, 'Company Ltd, Canal Street 5', { size: 8 }), line(32, `Page ${n} of 6`, { size: 8 })],
    (n: number) => [line(42, `Company Ltd | ${n}`, { size: 8 }), line(32, 'Canal Street 5, Leeds', { size: 8 })],
  ])('is removed when it has two lines, with the number of the page in one: %#', async (footer) => {
    expect(await textOf(many(6, (index) => footer(index + 1)))).not.toMatch(/Page|Company|Canal/u);
  });

  it('is removed when it names a chapter on only a few pages, next to text that differs on each', async () => {
    const chapter = (index: number) =>
      `CHAPTER ${Math.floor(index / 4) + 1}. ${['OIL', 'WICK', 'GLASS'][Math.floor(index / 4)]} AND ALL`;
    const text = await textOf(
      many(12, (index) => [line(780, chapter(index)), line(780, `SECTION ${'abcdefghijkl'[index]}`, { x: 400 })]),
    );
    expect(text).not.toMatch(/CHAPTER|SECTION/u);
  });

  it('is kept if it is a heading, a table header, a separate number or on two pages only', async () => {
    const text = await textOf([
      ...many(4, (index) => [line(770, `Exercise ${index * 7 + 3}`), line(740, 'What to do', { size: 16 })]),
      ...Array.from({ length: 4 }, (_, index) =>
        page(
          line(770, 'Name of it'),
          line(770, 'What it is', { x: 300 }),
          line(756, `Lamp ${'abcd'[index]}`),
          line(756, `Kind ${'efgh'[index]}`, { x: 300 }),
        ),
      ),
      ...many(2, () => [line(780, 'Only twice.')]),
    ]);
    for (const number of [3, 10, 17, 24]) expect(text).toContain(`Exercise ${number}`);
    expect(text.match(/What to do/gu)).toHaveLength(4);
    expect(text.match(/Name of it {3}What it is/gu)).toHaveLength(4);
    expect(text.match(/Only twice\./gu)).toHaveLength(2);
  });

  it('is no note or exponent with the number of its page, and no line of a paragraph', async () => {
    const names = ['oil', 'wick', 'glass'];
    const text = await textOf(
      names.map((name, index) =>
        page(
          ...inline(60, 740, [{ text: `The ${name} has 40 m` }, { text: String(index + 1), size: 6, rise: 3.6 }]),
          ...body([`Of the ${name} there is more`, `below, in the ${name} of ${index + 1}.`], 88),
          ...inline(60, 60, [
            { text: String(index + 1), size: 6, rise: 3 },
            { text: `Note on ${name}.`, size: 8 },
          ]),
          line(20, String(index + 1), { x: 300 }),
        ),
      ),
    );
    for (const [index, name] of names.entries()) {
      expect(text).toContain(`The ${name} has 40 m<sup>${index + 1}</sup>`);
      expect(text).toContain(`below, in the ${name} of ${index + 1}.`);
      expect(text).toContain(`<sup>[${index + 1}]</sup>Note on ${name}.`);
    }
    expect(text).not.toMatch(/^\d$/mu);
  });

  it('is no note with the number of its page, even if its number is not raised', async () => {
    const names = ['oil', 'wick', 'glass'];
    const text = await textOf(
      names.map((name, index) =>
        page(
          ...inline(60, 600, [{ text: `Known for its ${name}` }, { text: String(index + 1), size: 6, rise: 3.6 }]),
          line(60, `${index + 1} Note on ${name}.`, { size: 8 }),
          line(20, String(index + 1), { x: 300 }),
        ),
      ),
    );
    for (const [index, name] of names.entries()) expect(text).toContain(`${index + 1} Note on ${name}.`);
    expect(text).not.toMatch(/^\d$/mu);
  });

  it('is the only text that is removed: words that are not repeated stay', async () => {
    const word = fc.stringMatching(/^[a-z]{4,9}$/u);
    const words = fc.array(word, { minLength: 3, maxLength: 9 }).map((some) => some.join(' '));
    const pages = fc.array(fc.array(words, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(pages, async (given) => {
        const once = given.flat().filter((text, at, all) => all.indexOf(text) === at && all.lastIndexOf(text) === at);
        const text = await textOf(given.map((lines) => page(...column(lines, 60, 770))));
        const whole = text.replaceAll(/\s+/gu, ' ');
        for (const part of once) expect(whole).toContain(part);
      }),
      { numRuns: stories(8) },
    );
  });
});
