import { beforeAll, describe, expect, it, vi } from 'vitest';
import { countedWork, startCounting, workGrowth, WORK_GROWTH_MAX } from '#support/counted-work.ts';

/** The modules as they are loaded after the counting began: code that other tests have compiled before is counted less. */
async function loadModules() {
  await startCounting();
  vi.resetModules();
  const [turns, seen, question, rankModule, compile, find] = await Promise.all([
    import('#core/flow/turns.ts'),
    import('#core/text/seen-text.ts'),
    import('#ranking/question.ts'),
    import('#ranking/rank.ts'),
    import('#reading/find/matcher.ts'),
    import('#reading/find/find-matches.ts'),
  ]);
  return { ...turns, ...seen, ...question, ...rankModule, ...compile, ...find };
}

let modules: Awaited<ReturnType<typeof loadModules>>;
beforeAll(async () => {
  modules = await loadModules();
});

const RANKER = ['/src/ranking/', '/src/core/'];
const FIND = ['/src/reading/find/', '/src/core/'];
const QUESTION = 'How do I set max_heat, and how long does the kettle take to boil?';
const ALSO = [
  'max_heat default',
  'kettle boiling time in minutes',
  'set the greatest heat of the kettle',
  'heat and time',
];

function rank(pages: readonly (readonly string[])[], also: readonly string[] = ALSO, question = QUESTION) {
  const { PassageRanking: Ranking, parseQuestion } = modules;
  const ranking = new Ranking(
    parseQuestion(question),
    also.map((text) => parseQuestion(text)),
  );
  for (const lines of pages) {
    const document = ranking.document('Kettles', null);
    document.add(0, lines);
    document.end();
  }
  ranking.pages();
  return ranking.passages(10, 10);
}

const times = (size: number, make: (n: number) => string | string[]) =>
  Array.from({ length: size }, (_, n) => make(n)).flat();

/** Pages that have a hit in each line. */
const SHAPES: Record<string, (size: number) => string[]> = {
  paragraphs: (size) => times(size, (n) => [`The kettle takes ${n} minutes to boil, and max_heat is set.`, '']),
  'one paragraph': (size) => times(size, (n) => `The kettle takes ${n} minutes to boil.`),
  headings: (size) => times(size, (n) => [`${'#'.repeat(1 + (n % 6))} Heat of kettle ${n}`, '', 'It boils.', '']),
  'items in items': (size) => times(size, (n) => `${' '.repeat(n)}- max_heat of kettle ${n}`.slice(-200)),
  definitions: (size) => times(size, (n) => [`- **max_heat_${n}**`, '  The heat of the kettle.', '']),
  rows: (size) => ['| Kettle | Heat |', '| --- | --- |', ...times(size, (n) => `| kettle ${n} | max_heat |`)],
  code: (size) => ['```', ...times(size, (n) => [`max_heat = ${n}; // of the kettle`, '']), '```'],
  'nested JSON': (size) => ['```json', ...times(size, (n) => `"kettle${n}": {`), '"max_heat": 1', '```'],
  'the same text': (size) => times(size, () => ['The kettle boils at max_heat.', '']),
  'the question': (size) => times(size, () => [[QUESTION, ...ALSO].join(' '), '']),
};

describe('the time for ranking', () => {
  it.each(Object.entries(SHAPES))('is proportional to the text of a page of %s', async (_, make) => {
    expect(await workGrowth((size) => rank([make(size)], []), 200, RANKER)).toBeLessThan(WORK_GROWTH_MAX);
    expect(await workGrowth((size) => rank([make(size)]), 200, RANKER)).toBeLessThan(WORK_GROWTH_MAX);
  });

  it('is proportional to the length of a line', async () => {
    for (const piece of ['kettle max_heat ', '**max_heat** [kettle](x) ', 'max_heat.', '沸騰時間']) {
      const work = (size: number) => rank([[piece.repeat(size)]]);
      expect(await workGrowth(work, 400, RANKER)).toBeLessThan(WORK_GROWTH_MAX);
    }
  });

  it('is proportional to the number of pages', async () => {
    const page = times(100, (n) => [`The kettle takes ${n} minutes to boil, and max_heat is set.`, '']);
    const work = (size: number) => rank(Array.from({ length: size }, () => page));
    expect(await workGrowth(work, 3, RANKER)).toBeLessThan(WORK_GROWTH_MAX);
  });

  it('does not grow with the length of a question beyond the maximum number of words', async () => {
    const page = times(200, (n) => [`The kettle takes ${n} minutes to boil, word${n}.`, '']);
    const question = (size: number) => times(size, (n) => `word${n}`).join(' ');
    const work = (size: number) => rank([page], [], question(size));
    expect(await workGrowth(work, 100, RANKER)).toBeLessThan(2);
  });

  it('with four alternative phrasings is at most three times that of the question alone, if each line has words of all', async () => {
    const page = times(500, (n) => [`The kettle takes ${n} minutes to boil, and max_heat is set.`, '']);
    const alone = await countedWork(() => rank([page], []), RANKER);
    expect((await countedWork(() => rank([page]), RANKER)) / alone).toBeLessThan(3);
  });
});

describe('the time for find', () => {
  const find = async (lines: readonly string[], pattern: string, isRegex: boolean) => {
    const chunks = async function* () {
      for (let at = 0; at < lines.length; at += 1_000) yield { firstLine: at, lines: lines.slice(at, at + 1_000) };
    };
    const { compilePattern, findMatches, toSearchableChunks, noPause } = modules;
    const [matcher] = compilePattern(pattern, isRegex);
    return findMatches({ chunks: toSearchableChunks(chunks(), true), restStart: null }, matcher, noPause);
  };

  it.each(Object.entries(SHAPES))('is proportional to the text of a page of %s', async (_, make) => {
    for (const [pattern, isRegex] of [
      ['kettle', false],
      ['never', false],
      [String.raw`max_\w+`, true],
      [String.raw`kettle\n\n.*boils`, true],
    ] as const) {
      const work = (size: number) => find(make(size), pattern, isRegex);
      expect(await workGrowth(work, 200, FIND)).toBeLessThan(WORK_GROWTH_MAX);
    }
  });
});
