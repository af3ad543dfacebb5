import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuestion } from '#ranking/question.ts';
import { PassageRanking } from '#ranking/rank.ts';
import { PASSAGE_BYTES_MAX, UNITS_PER_DOCUMENT_MAX } from '#ranking/limits.ts';
import { stories } from '#support/stories.ts';

type Page = { title?: string; lines: readonly string[]; restStart?: number };

function ranked(question: string, pages: readonly Page[], max = 5) {
  const ranking = new PassageRanking(parseQuestion(question));
  for (const { title, lines, restStart } of pages) {
    const document = ranking.document(title ?? null, restStart ?? null);
    document.add(0, lines);
    document.end();
  }
  return ranking.passages(max).map((passage) => ({
    ...passage,
    text: pages[passage.source]?.lines.slice(passage.lines.start, passage.lines.end + 1) ?? [],
  }));
}

const first = (question: string, ...lines: string[]) => ranked(question, [{ lines }])[0];
const FILLER = Array.from({ length: 30 }, (_, n) => [`Something about other things, number ${n}.`, '']).flat();

describe('passages', () => {
  it('rank an exact identifier first, and not one with the same beginning', () => {
    const lines = [
      ...FILLER,
      'The max time of a time limit is a time.',
      ...FILLER,
      'Use `--max-times` to count.',
      ...FILLER,
      'Use `--max-time` to stop.',
      ...FILLER,
    ];
    for (const [question, wanted] of [
      ['how to set --max-time', '`--max-time`'],
      ['--max-times', '`--max-times`'],
    ] as const) {
      const found = ranked(question, [{ lines }], 1)[0];
      const core = lines.slice(found?.core.start, (found?.core.end ?? 0) + 1).join('\n');
      expect(core).toContain(wanted);
    }
  });

  it('cover each of several questions, and the definition of an identifier', () => {
    const both =
      'The kettle looks at `max_heat`, at `lid_delay` and at the defaults of max_heat and lid_delay together.';
    const lines = [
      ...Array.from({ length: 6 }, (_, n) => [`${both} Case ${n} of many is told here at length.`, '']).flat(),
      ...FILLER,
      '- **`max_heat` (`integer`)**',
      '  How hot the water gets. The default is 95.',
      '- **`min_heat` (`integer`)**',
      '  How cold the water gets. The default is 5.',
      '',
      ...FILLER,
      '- **`lid_delay` (`integer`)**',
      '  How long the lid stays open. The default is 20.',
      '',
      ...FILLER,
      'Water that is hard leaves white stones behind, which vinegar removes.',
    ];
    const question = 'What are the defaults of max_heat and lid_delay, and how do I remove the stones of hard water?';
    const found = ranked(question, [{ lines }], 4).map(({ text }) => text.join('\n'));
    expect(found.some((text) => text.includes('The default is 95.'))).toBe(true);
    expect(found.some((text) => text.includes('The default is 20.'))).toBe(true);
    expect(found.some((text) => text.includes('vinegar'))).toBe(true);
  });

  it('are not taken from a row, an item or code that merely repeats the question, however often', () => {
    const question = 'How often do I remove limescale?';
    const care = { lines: ['# Care', '', '## Removing limescale', '', 'Once a month, boil vinegar and rinse twice.'] };
    const times = (line: string) => Array.from({ length: 2_000 }, () => line);
    for (const lines of [
      times('- how often do I remove limescale'),
      ['| how often | remove limescale |', '| --- | --- |', ...times('| how often | remove limescale |')],
      ['```', ...times('how often remove limescale'), '```'],
      times('- how often do I remove limescale now'),
      times('how often do I remove limescale today here at home').flatMap((line) => [line, '']),
    ]) {
      expect(ranked(question, [{ lines }, care])[0]?.source).toBe(1);
    }
  });

  it('include a term with its definition, and name the term of a long one', () => {
    const near = first('retries default', ...FILLER, '- **retries**', '  How often to try. By default three times.');
    expect(near?.text.join('\n')).toContain('- **retries**');
    const long = Array.from({ length: 30 }, (_, n) => [
      `  Words about this and that, in a row, number ${n}.`,
      '',
    ]).flat();
    const far = first('retries backoff', '- **retries**', ...long, '  The backoff doubles.');
    expect(far?.text.join('\n')).toContain('The backoff doubles.');
    expect(far?.lead).toEqual({ loc: 0, raw: '- **retries**' });
  });

  it('are taken from a line that has an identifier and no other word of the question', () => {
    const found = first('default widget for ColourField', ...FILLER, 'ColourField: ColourInput', '', ...FILLER);
    expect(found?.text.join('\n')).toContain('ColourField: ColourInput');
  });

  it('begin with the lines that define a term, before later paragraphs about it', () => {
    const lines = [
      ...FILLER,
      '- **`max_heat` (`integer`)**',
      '  Sets how hot the water gets. The default is 95.',
      '',
      '  The value of max_heat takes effect at once, and a default of another kettle has no effect on max_heat.',
      '',
      ...FILLER,
    ];
    const [best] = ranked('default of max_heat', [{ lines }]);
    expect(lines.slice(best?.core.start, (best?.core.end ?? 0) + 1).join('\n')).toContain('The default is 95.');
  });

  it('are not decided by an upper-case word, or by the name of the product that the whole page is about', () => {
    const about = Array.from({ length: 12 }, (_, n) => [`The server kettle_perl takes POST in case ${n}.`, '']).flat();
    const answer = 'A body that is too large is refused with the limit of 8 MB.';
    for (const question of ['limit of a large body of POST', 'limit of a large body in kettle_perl'])
      expect(first(question, ...about, ...FILLER, answer, '', ...about)?.text.join('\n')).toContain('8 MB');
  });

  it('may be a paragraph of a long code block, as in a manual page', () => {
    const paragraph = (n: number) => [`       Words about the ${n}th thing that the program does, over a line.`, ''];
    const lines = [
      '```',
      ...Array.from({ length: 20 }, (_, n) => paragraph(n)).flat(),
      '       -q     Removes the queue of old mail, silently.',
      '',
      ...Array.from({ length: 20 }, (_, n) => paragraph(n + 20)).flat(),
      '```',
    ];
    const [best] = ranked('remove old mail from the queue', [{ lines }]);
    expect(best?.core).toMatchObject({ start: expect.any(Number), end: expect.any(Number) });
    expect((best?.core.end ?? 0) - (best?.core.start ?? 0)).toBeLessThan(16);
    expect(best?.text.join('\n')).toContain('-q     Removes');
  });

  it('of JSON include their keys and names', () => {
    const parameter = (name: string, most: number) => [
      '      {',
      `        "name": "${name}",`,
      '        "description": "So many words are needed here that one parameter is as long as a paragraph is in a text, in order to be cut.",',
      '        "more": "And so many words are needed here that it is certain that one parameter is a unit, and the next one another.",',
      '        "schema": {',
      '          "note": "The schema of a parameter says which values it may have, and how large they are at the very most, as in many of these.",',
      '          "detail": "A schema of this kind also says which type a value has, and it has many other fields that do not matter here at all.",',
      `          "max": ${most}`,
      '        }',
      '      },',
    ];
    const lines = [
      '```json',
      '{',
      '  "/kettles": {',
      '    "parameters": [',
      ...parameter('limit', 30),
      ...parameter('page_size', 100),
      '    ]',
      '  }',
      '}',
      '```',
    ];
    const [best] = ranked('max of page_size', [{ lines }]);
    expect(best?.text.join('\n')).toContain('"max": 100');
    expect(best?.text.join('\n')).not.toContain('"max": 30');
    const [deep] = ranked('type and detail of page_size', [{ lines }], 1);
    expect([...(deep?.headings ?? []), ...(deep?.text ?? [])].join(' ')).toContain('page_size');
    expect(deep?.headings.slice(0, 2)).toEqual(['/kettles', 'parameters']);
  });

  it('name the entry in their headings when one page has several manual entries', () => {
    const entry = (name: string, text: string) => [
      '## Name',
      '',
      `${name} — does something to a kettle`,
      '',
      '## Description',
      '',
      text,
      '',
    ];
    const lines = [
      '# Reference',
      '',
      ...entry('kettle-boil', 'It heats the water.'),
      ...entry('kettle-stop', 'It cools the water.'),
    ];
    const found = ranked('what does kettle-stop do to the water', [{ lines }]);
    expect(found[0]?.headings).toEqual(['Reference', 'kettle-stop', 'Description']);
    expect(found[0]?.text.join('\n')).toContain('It cools the water.');
  });

  it('are rows of a table with its header', () => {
    const rows = Array.from({ length: 60 }, (_, n) => `| ${n + 500} | Meaning ${n} | Do something about it |`);
    const found = first('meaning of 533', '| Code | Meaning | What to do |', '| --- | --- | --- |', ...rows);
    expect(found?.text.join('\n')).toContain('| 533 |');
    expect(found?.lead?.raw).toBe('| Code | Meaning | What to do |');
  });

  it('keep a code block whole, with its fences', () => {
    const found = first('frobnicate', ...FILLER, '```sh', 'one', '', 'frobnicate --all', '```', '', ...FILLER);
    expect(found?.text.join('\n')).toContain('```sh\none\n\nfrobnicate --all\n```');
  });

  it('include their headings, and are found by them', () => {
    const lines = ['# Guide', '', '## Removing stains', '', 'Take vinegar.', '', '## Storage', '', 'Keep it dry.'];
    expect(first('how to remove stains', ...lines)).toMatchObject({ headings: ['Guide', 'Removing stains'] });
  });

  it('come from lines that say more than the question rather than lines that repeat it', () => {
    const stuffed = Array.from({ length: 100_000 }, () => 'when does the kettle stop kettle stop when');
    const honest = ['# Kettle', '', 'The kettle stops by itself when the water boils or the lid is opened.'];
    const [best] = ranked('when does the kettle stop', [
      { lines: stuffed.flatMap((line) => [line, '']) },
      { lines: honest },
    ]);
    expect(best?.source).toBe(1);
  });

  it('are not decided by a common word because one page is full of the rare one', () => {
    const flooded = Array.from({ length: 5_000 }, (_, n) => [`A zebra, and a zebra again, number ${n}.`, '']).flat();
    const pages = [
      { lines: flooded },
      ...Array.from({ length: 8 }, (_, n) => ({ lines: [`The colour of thing ${n} is grey.`, '', ...FILLER] })),
      { lines: ['The colour of a zebra is black and white.', '', ...FILLER] },
    ];
    expect(ranked('colour of a zebra', pages)[0]?.source).toBe(9);
  });

  it('are ranked higher if the text around them has other words of the question', () => {
    const close = ['Turn the valve by hand.', '', 'Wait.', '', 'Look.', '', 'Ask.', ''];
    const lines = [
      '# Boats',
      ...close,
      'Paint the hull.',
      '# Lamps',
      ...FILLER,
      '# Pumps',
      ...close,
      'Pressure falls in winter.',
    ];
    const found = ranked('valve pressure winter', [{ lines }]).filter(({ text }) => text.join().includes('valve'));
    expect(found[0]?.lines.start).toBeGreaterThan(FILLER.length);
  });

  it('are ranked higher in the main part than in the rest', () => {
    const lines = [
      'Vinegar removes it, says the maker.',
      '',
      '<!-- the rest -->',
      'Vinegar removes it, says a comment.',
    ];
    expect(ranked('vinegar removes', [{ lines, restStart: 2 }])[0]?.lines.start).toBe(0);
  });

  it('are missing when nothing matches, or when the question has no words', () => {
    expect(first('quantum chromodynamics', ...FILLER)).toBeUndefined();
    expect(first('?!', ...FILLER)).toBeUndefined();
    expect(first('', ...FILLER)).toBeUndefined();
  });

  const word = fc.constantFrom(
    'alarm',
    'wakes',
    'object',
    'the',
    '全文検索',
    'größe',
    'max_size',
    '--flag',
    'über',
    'x',
  );
  const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  const mark = fc.constantFrom('', '# ', '## ', '- ', '  ', '| ', '> ', '```', '1. ', '**');
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.tuple(mark, text).map((parts) => parts.join('')),
  );
  const page = fc.array(line, { minLength: 1, maxLength: 60 });

  it('are separate lines of their page, in order of score, for any pages', () => {
    fc.assert(
      fc.property(text, fc.array(page, { minLength: 1, maxLength: 4 }), (question, pages) => {
        const { wishes } = parseQuestion(question);
        const found = ranked(
          question,
          pages.map((lines) => ({ lines })),
          10,
        );
        for (const [n, { source, lines, core, at, tight, score }] of found.entries()) {
          const last = (pages[source]?.length ?? 0) - 1;
          expect(lines.start).toBeGreaterThanOrEqual(0);
          expect(lines.end).toBeLessThanOrEqual(last);
          for (const part of [core, tight]) {
            expect(part.start).toBeGreaterThanOrEqual(lines.start);
            expect(part.end).toBeGreaterThanOrEqual(part.start);
          }
          expect(at).toBeGreaterThanOrEqual(core.start);
          expect(at).toBeLessThanOrEqual(core.end);
          // After the best come those of each thing that is asked for.
          if (n > 0) expect(score).toBeLessThanOrEqual(found[n > wishes.length + 1 ? n - 1 : 0]?.score ?? 0);
          for (const other of found.slice(0, n).filter((one) => one.source === source)) {
            expect(lines.start > other.lines.end || lines.end < other.lines.start).toBe(true);
          }
        }
      }),
      { numRuns: stories(100) },
    );
  });

  it('have a score of zero on pages that only repeat the question', () => {
    const pages = [['--flag the'], ['max_size größe'], ['']].map((lines) => ({ lines }));
    expect(ranked('größe max_size the --flag', pages).map(({ score }) => score)).toEqual([0, 0]);
  });

  it('are the same however the lines are divided into chunks', () => {
    fc.assert(
      fc.property(text, page, fc.nat(), (question, lines, at) => {
        const cut = at % lines.length;
        const ranking = new PassageRanking(parseQuestion(question));
        const document = ranking.document(null, null);
        document.add(0, lines.slice(0, cut));
        document.add(cut, lines.slice(cut));
        document.end();
        expect(ranked(question, [{ lines }])).toMatchObject(ranking.passages(5));
      }),
      { numRuns: stories(60) },
    );
  });

  it('are short, and come from a bounded number of units, however long the page is', () => {
    const long = Array.from({ length: 200 }, (_, n) => `A walrus sentence that goes on for a while, number ${n}.`);
    const found = ranked('walrus', [{ lines: Array.from({ length: 100 }, () => [...long, '']).flat() }], 10);
    for (const { text: lines } of found) expect(lines.join('\n').length).toBeLessThanOrEqual(PASSAGE_BYTES_MAX);
    expect(found.length).toBeLessThanOrEqual(UNITS_PER_DOCUMENT_MAX);
  });
});
