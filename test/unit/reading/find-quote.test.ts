import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noPause } from '#core/flow/turns.ts';
import { splitIntoChunks } from '#reading/find/find-matches.ts';
import { findQuote } from '#reading/cite/quote-text.ts';
import { findNearestPassage } from '#reading/cite/citation-page.ts';
import { stories } from '#support/stories.ts';

const PAGE = [
  '# The **Tide** Tables',
  '',
  'The harbour does not close—not even in winter—and ships can’t wait.',
  'It opens at 1.5 m, or at −5 °C; see the [harbour office](https://harbour.acme.dev/office "Office").',
  '',
  '- First the pilot, then the tug.',
  '- Loads up to 10<sup>6</sup> kg are non-toxic.',
  '',
  '| Day | High tide |',
  '| --- | --- |',
  '| Monday | 4:15 |',
  '',
  '```js',
  'const depth = tide_at("Monday") * 2; // **not** emphasis',
  '```',
  '',
  '港は冬も閉まらない。',
  '船は待てない。',
  'She said “no” – twice – and x² grew to 100 m².',
];

const find = (quote: string, lines: readonly string[] = PAGE) =>
  findQuote(quote, () => splitIntoChunks(lines), noPause);
const linesOf = async (quote: string) => (await find(quote))?.lines ?? null;

describe('a quote', () => {
  it.each([
    ['as it is read', 'ships can’t wait', 2, 2],
    ['with other quotes, dashes and spaces', "does  not close - not even\nin winter -- and ships can't wait.", 2, 2],
    ['with soft hyphens and in other case', 'THE HAR\u00adBOUR does not', 2, 2],
    ['with and without the marks of Markdown', 'the **Tide** Tables', 0, 0],
    ['of the words of a link', 'see the harbour office.', 3, 3],
    ['of a link with its address', '[harbour office](https://harbour.acme.dev/office "Office").', 3, 3],
    ['over the ends of lines', "ships can't wait. It opens at 1.5 m", 2, 3],
    ['over blocks', 'The Tide Tables The harbour does not close', 0, 2],
    ['of list items', 'then the tug. Loads up to', 5, 6],
    ['of cells of a table', 'Monday 4:15', 10, 10],
    ['of a row with its bars', '| Monday | 4:15 |', 10, 10],
    ['of code', 'tide_at("Monday") * 2; // **not** emphasis', 13, 13],
    ['copied with the numbers of its lines', 'L5: - First the pilot, then the tug.\nL6: - Loads up to', 5, 6],
    ['with a raised number', 'up to 10⁶ kg', 6, 6],
    ['in a script without spaces, from anywhere in it', '閉まらない。船は', 16, 17],
    ['with invisible characters', 'the pi\u200blot', 5, 5],
  ])('is found at its lines: %s', async (_, quote, start, end) => {
    expect(await linesOf(quote)).toEqual({ start, end });
  });

  it.each([
    ['price 50', 'Old ', '~~price 50~~', ' now 40, `~~` it is.'],
    ['Old price', '', 'Old ~~price~~', '~~ 50~~ now 40, `~~` it is.'],
    ['50 now 40', 'Old ~~price ~~', '~~50~~ now 40', ', `~~` it is.'],
    ['~~50~~ now 40', 'Old ~~price ~~', '~~50~~ now 40', ', `~~` it is.'],
    ['it is', 'Old ~~price 50~~ now 40, ~~ ', 'it is', '.'],
  ])('with struck-out words is found without their marks, and shows them: %s', async (quote, lead, text, tail) => {
    const plain = (one: string) => one.replaceAll('`', '');
    expect(await find(quote, ['Old ~~price 50~~ now 40, `~~` it is.'])).toEqual({
      lines: { start: 0, end: 0 },
      lead,
      text,
      tail: plain(tail),
    });
  });

  it.each([
    ['a word changed', 'ships can’t sail'],
    ['a word left out', 'does close'],
    ['a word put in', 'does really not close'],
    ['words in another order', 'the tug, then the pilot'],
    ['half a word at its end', 'harbour does no'],
    ['half a word at its beginning', 'arbour does not close'],
    ['a word cut at its apostrophe', 'ships can'],
    ['a word without its prefix', 'toxic'],
    ['a number cut at its point', '5 m, or at'],
    ['a number cut before its end', 'opens at 1'],
    ['a number without its sign', '5 °C'],
    ['a raised number brought down', 'up to 106 kg'],
    ['a raised number left out', 'up to 10'],
    ['nothing', ' \n '],
  ])('is refused with %s', async (_, quote) => {
    expect(await linesOf(quote)).toBeNull();
  });

  it('is returned in the words of the page, with the rest of its lines', async () => {
    expect(await find('IT OPENS at 1.5 m')).toEqual({
      lines: { start: 3, end: 3 },
      lead: '',
      text: 'It opens at 1.5 m',
      tail: ', or at −5 °C; see the harbour office.',
    });
    expect(await find('said "no" - twice - and')).toMatchObject({ lead: 'She ', text: 'said “no” – twice – and' });
    expect(await find('not even in winter - and')).toMatchObject({
      lead: 'The harbour does not close—',
      text: 'not even in winter—and',
    });
    expect(await find('閉まらない。船は')).toMatchObject({ lead: '港は冬も', text: '閉まらない。\n船は' });
  });
});

const WORDS = [
  ...'the harbour opens at dawn and closes when fog comes in from sea'.split(' '),
  ...'1.5 −5 2,000 can’t non-toxic **bold** [link](https://a.dev/x_y) `a_b*c` “so” — naïve ﬁne Straße ΣΟΦΟΣ'.split(' '),
  ...'10<sup>2</sup> 🙂 C++ #1 a|b \\*'.split(' '),
];
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '# ', '- ', '1. ', '> '),
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }),
  )
  .map(([mark, words]) => mark + words.join(' '));
const document = fc.array(fc.oneof({ weight: 6, arbitrary: line }, fc.constant('')), { minLength: 1, maxLength: 25 });

describe('quotes of any document', () => {
  it('are found in their place, or where the same words occur earlier', async () => {
    await fc.assert(
      fc.asyncProperty(document, fc.nat(), fc.nat(), async (lines, from, length) => {
        const text = lines.join('\n');
        const starts = [...text.matchAll(/(?<=^|\s)\S+/g)].map(({ index, 0: word }) => [index, index + word.length]);
        const first = starts[from % starts.length];
        const last = starts[Math.min((from % starts.length) + (length % 12), starts.length - 1)];
        if (first === undefined || last === undefined) return;
        const quote = text.slice(first[0], last[1]);
        if (!/[\p{L}\p{N}]/u.test(quote)) return;
        const place = await find(quote, lines);
        if (place === null) throw new Error(`not found: ${quote}`);
        const above = text.slice(0, first[0]).split('\n').length - 1;
        expect(place.lines.start).toBeLessThanOrEqual(above);
      }),
      { numRuns: stories(60) },
    );
  });

  it('are refused with one changed word, and the error names their passage', async () => {
    const words = Array.from({ length: 400 }, (_, n) => `word${(n * 7919) % 997}`);
    const lines = Array.from({ length: 40 }, (_, n) => words.slice(n * 10, n * 10 + 10).join(' '));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 380 }), fc.nat({ max: 7 }), async (at, changed) => {
        const quote = words.slice(at, at + 8).map((word, n) => (n === changed ? `${word}x` : word));
        expect(await find(quote.join(' '), lines)).toBeNull();
        const near = await findNearestPassage(quote.join(' '), () => splitIntoChunks(lines), noPause);
        const kept = changed === 0 ? at + 1 : at;
        expect(near?.lines.start).toBeLessThanOrEqual(Math.floor(kept / 10));
        expect(near?.lines.end).toBeGreaterThanOrEqual(Math.floor(kept / 10));
        expect(near?.text).toContain(words[kept]);
      }),
      { numRuns: stories(25) },
    );
  });
});

describe('the nearest passage', () => {
  it('is missing if nothing resembles the quote', async () => {
    expect(
      await findNearestPassage('quantum chromodynamics of gluons', () => splitIntoChunks(PAGE), noPause),
    ).toBeNull();
  });
});
