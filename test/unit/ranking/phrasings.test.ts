import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PASSAGE_BYTES_WITHOUT_REWORDINGS, PASSAGE_BYTES_WITH_REWORDINGS } from '#ranking/limits.ts';
import { parseQuestion } from '#ranking/question.ts';
import { PassageRanking } from '#ranking/rank.ts';
import { stories } from '#support/stories.ts';

type Page = { lines: readonly string[] };

function ranked(question: string, also: readonly string[], pages: readonly Page[], max = 5) {
  const ranking = new PassageRanking(
    parseQuestion(question),
    also.map((text) => parseQuestion(text)),
  );
  for (const { lines } of pages) {
    const document = ranking.document(null, null);
    document.add(0, lines);
    document.end();
  }
  return ranking.passages(max).map((passage) => ({
    ...passage,
    text: (pages[passage.source]?.lines.slice(passage.lines.start, passage.lines.end + 1) ?? []).join('\n'),
  }));
}

const times = (count: number, make: (n: number) => string[]) => Array.from({ length: count }, (_, n) => make(n)).flat();
const FILLER = Array.from({ length: 30 }, (_, n) => [`Something about other things, number ${n}.`, '']).flat();
const CARE = ['# Care', '', '## Limescale', '', 'Boil half a litre of vinegar, wait ten minutes, and rinse twice.', ''];
const QUESTION = 'How do I get rid of the white crust?';
const ALSO = ['remove limescale', 'descale the kettle with vinegar', 'kettle care: boil vinegar and rinse'];

describe('a question with alternative phrasings', () => {
  it('finds a passage that contains words of the phrasings only', () => {
    const pages = [{ lines: [...FILLER, ...CARE, ...FILLER] }];
    expect(ranked(QUESTION, [], pages)).toEqual([]);
    expect(ranked(QUESTION, ALSO, pages)[0]?.text).toContain('half a litre of vinegar');
  });

  it('shows the best passage of the question itself, even if all phrasings are about other things', () => {
    const wrong = ['roses in the garden', 'cut roses in spring', 'garden roses and their thorns'];
    const roses = Array.from({ length: 20 }, (_, n) => [
      `## Roses ${n}`,
      '',
      `Cut the roses of your garden in spring, and mind thorns of kind ${n}.`,
      '',
    ]).flat();
    const pages = [{ lines: [...roses, ...CARE, ...FILLER] }];
    for (const max of [2, 5, 10]) {
      const found = ranked('boil vinegar how long?', wrong, pages, max);
      expect(found.length).toBe(max);
      expect(found.some(({ text }) => text.includes('half a litre of vinegar'))).toBe(true);
    }
  });

  it('answers each part, if the question has several parts and its phrasings are about different ones', () => {
    const lines = [
      '# Kettle',
      ...Array.from(
        { length: 9 },
        (_, n) => `## Descaling ${n}\n\nDescale kettle ${n} with vinegar and remove limescale.`,
      ),
      '## Warranty',
      '',
      'The guarantee covers a defective heating element for two years.',
    ].flatMap((text) => text.split('\n'));
    const question = 'How do I remove limescale, and who pays for a broken heater?';
    const also = [
      'descale with vinegar',
      'remove limescale from the kettle',
      'guarantee for a defective heating element',
    ];
    const texts = ranked(question, also, [{ lines }]).map(({ text }) => text);
    expect(texts.join('\n')).toContain('The guarantee covers');
    expect(texts[0]).toContain('limescale');
  });

  it('is answered by the sentence that a rewording quotes', () => {
    const lines = [
      ...FILLER,
      '- **--follow**',
      '  Continue listing the history of a file beyond renames (works only for a single file).',
      '- **--decorate**',
      '  Print out the ref names of any commits that are shown in the log of the file history.',
      ...FILLER,
    ];
    const question = 'Which option continues listing the history of a file beyond renames?';
    const quote = '--follow Continue listing the history of a file beyond renames (works only for a single file)';
    expect(ranked(question, [quote], [{ lines }])[0]?.text).toContain('--follow');
    const prose = [...FILLER, 'The keeper closes the valve when the steam is low.', '', ...FILLER];
    const found = ranked(
      'Who shuts it at little pressure?',
      ['The keeper closes the valve when the steam is low'],
      [{ lines: prose }],
    );
    expect(found[0]?.text).toContain('The keeper closes');
  });

  it('is answered by the sentence that a rewording quotes, although its words are also those of the question', () => {
    const lines = [
      ...FILLER,
      '## `lift`',
      '',
      'Takes the lid off the kettle, leaving an opening in its place.',
      '',
      '### Examples of `lift`',
      '',
      '```',
      'let lid = kettle.lift();',
      'assert(kettle.opening);',
      'assert(lid.place === null);',
      '```',
      ...FILLER,
    ];
    const question =
      'Which method takes the lid off the kettle and leaves an opening in its place, and which one puts a new lid on?';
    const quote = 'Takes the lid off the kettle, leaving an opening in its place';
    for (const also of [[quote], [quote, 'puts a new lid on the kettle'], [quote, quote]])
      expect(ranked(question, also, [{ lines }])[0]?.text).toContain('Takes the lid off');
  });

  it('is not answered by a page that repeats all phrasings', () => {
    const repeated = [QUESTION, ...ALSO].join('. ');
    const honest = { lines: [...FILLER, ...CARE, ...FILLER] };
    for (const lines of [
      Array.from({ length: 300 }, () => [repeated, '']).flat(),
      [repeated],
      [QUESTION, ...ALSO].map((line) => `- ${line}`),
      ['```', QUESTION, ...ALSO, '```'],
      ['| One | Two |', '| --- | --- |', `| ${repeated} | ${repeated} |`],
    ]) {
      expect(ranked(QUESTION, ALSO, [{ lines }, honest])[0]?.source).toBe(1);
    }
  });

  it('gives a long phrasing no more weight than a short one', () => {
    const long =
      'garden roses spring thorns water soil sun shade cut bind feed plant grow bloom leaf root stem bud seed pot';
    const lines = [...FILLER, `All of it: ${long}, says the book.`, '', ...CARE, ...FILLER];
    const found = ranked('vinegar limescale', ['limescale: boil vinegar', long], [{ lines }]);
    expect(found[0]?.text).toContain('half a litre of vinegar');
  });

  it('returns shorter passages than the question alone, which has neighbours of an answer more often', () => {
    const lines = times(12, (n) => [`Vinegar ${n}: ${'pour it in and wait for a while. '.repeat(6)}`, '']);
    const bytes = (also: readonly string[]) => ranked('vinegar 5', also, [{ lines }], 1)[0]?.text.length ?? 0;
    expect(bytes(['vinegar number 5'])).toBeLessThanOrEqual(PASSAGE_BYTES_WITH_REWORDINGS);
    expect(bytes([])).toBeGreaterThan(PASSAGE_BYTES_WITH_REWORDINGS);
    expect(bytes([])).toBeLessThanOrEqual(PASSAGE_BYTES_WITHOUT_REWORDINGS);
  });

  it('prefers the page that covers more of the question, in each of its passages', () => {
    const one = [
      '# Kettles',
      '',
      'Vinegar boils.',
      '',
      'Wait for the crust to come off.',
      '',
      'Rinse the crust off.',
      '',
    ];
    const other = ['# Gardens', '', 'Vinegar boils.', '', ...FILLER];
    const found = ranked('vinegar crust', [], [{ lines: other }, { lines: one }]);
    expect(found[0]?.source).toBe(1);
  });

  it('ranks pages by the matches of each phrasing, if they are in several places', () => {
    const ranking = new PassageRanking(
      parseQuestion('white crust'),
      ['remove limescale', 'boil vinegar'].map((text) => parseQuestion(text)),
    );
    const apart = ['A white crust grows.', '', 'To remove limescale, rinse.', '', 'Boil the vinegar for an hour.', ''];
    const single = ['The white crust and limescale are the same thing to all who own a kettle, says the book.', ''];
    for (const lines of [
      [...FILLER, ...single],
      [...FILLER, ...apart],
    ]) {
      const document = ranking.document(null, null);
      document.add(0, lines);
      document.end();
    }
    const scores = [0, 1].map((source) => ranking.pages().get(source)?.score ?? 0);
    expect(scores[1]).toBeGreaterThan(scores[0] ?? 0);
  });

  const word = fc.constantFrom('alarm', 'wakes', 'object', 'the', '全文検索', 'größe', 'max_size', '--flag', 'x');
  const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  const mark = fc.constantFrom('', '# ', '- ', '  ', '| ', '```', '**');
  const line = fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    fc.tuple(mark, text).map((parts) => parts.join('')),
  );
  const page = fc.array(line, { minLength: 1, maxLength: 60 });

  it('has separate passages, and the same best lines when the same phrasing is given twice', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(text, { maxLength: 4 }),
        fc.array(page, { minLength: 1, maxLength: 3 }),
        (...given) => {
          const [question, also, lines] = given;
          const pages = lines.map((one) => ({ lines: one }));
          const found = ranked(question, also, pages);
          for (const [n, one] of found.entries()) {
            for (const other of found.slice(0, n).filter(({ source }) => source === one.source))
              expect(one.lines.start > other.lines.end || one.lines.end < other.lines.start).toBe(true);
          }
          const [once] = ranked(question, [], pages);
          const [twice] = ranked(question, [question], pages);
          expect([twice?.source, twice?.core]).toEqual([once?.source, once?.core]);
        },
      ),
      { numRuns: stories(100) },
    );
  });
});
