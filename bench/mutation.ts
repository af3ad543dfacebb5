/**
 * Measures what the tests catch: breaks lines of `src` one at a time (a comparison, a condition, a constant, a call), and runs the
 * tests that import the file, or those of its folder, the cheapest layer first, until one fails. Code that runs in pages is built for each mutant.
 *
 *   npm run bench:mutation -- [--list] [--only 3,17] [--from 20] [--results FILE] [--wide] [--tests FILE,FILE]
 *   npm run bench:mutation -- --draw --seed 4 --count 80
 *   npm run bench:mutation -- --redraw --seed 4
 *
 * The lines are those of `bench/mutation/sample.json`, which `--draw` wrote once, so that two states of the repository can be compared. A
 * line is found by its words and the lines around it, wherever it has moved. `--redraw` keeps the lines that are found and draws new ones,
 * in the same order, for those that are gone: numbers 20, 22, 23, 32, 33, 34, 46, 47, 63, 69, 70 and 78 are of November 29, and 80 is of November 30. `caught` is a mutant
 * with which a test fails that passes without it, or whose tests do not end. `--list` only shows lines and tests. `--results` appends each
 * verdict to a file of JSON lines, from which a later run takes unbroken results of the same commit. With `--wide`, tests of the folder run
 * after those that import the file. `--tests` replaces the choice of tests.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { judge, Unbroken } from './mutation/judge.ts';
import type { Verdict } from './mutation/judge.ts';
import { findLine } from './mutation/find-line.ts';
import type { Mutant, Place } from './mutation/find-line.ts';
import { allSources, drawSample, readSample, redrawGone } from './mutation/sample.ts';
import { chooseTests } from './mutation/tests-of.ts';
import { listTests } from './mutation/vitest.ts';
import type { Batch, FileResult } from './mutation/vitest.ts';

type Task = { number: number; mutant: Mutant; place: Place | null; batches: Batch[] };

const { values } = parseArgs({
  options: {
    draw: { type: 'boolean', default: false },
    redraw: { type: 'boolean', default: false },
    seed: { type: 'string', default: '4' },
    count: { type: 'string', default: '80' },
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
    from: { type: 'string', default: '1' },
    results: { type: 'string' },
    wide: { type: 'boolean', default: false },
    tests: { type: 'string' },
  },
});
const noted = z.object({
  commit: z.string(),
  unbroken: z.object({ file: z.string(), isGreen: z.boolean(), seconds: z.number(), failure: z.string().nullable() }),
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));
if (values.draw || values.redraw) {
  const drawn = values.draw ? drawSample(values.seed, Number(values.count)) : redrawGone(readSample(), values.seed);
  writeFileSync(join(import.meta.dirname, 'mutation', 'sample.json'), `${JSON.stringify(drawn, null, 2)}\n`);
} else {
  await measure();
}

async function measure(): Promise<void> {
  const tasks = await chosenTasks();
  if (values.list) return tasks.forEach((task) => console.log(describe(task)));
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const note = (entry: object) => {
    if (values.results !== undefined) appendFileSync(values.results, `${JSON.stringify({ commit, ...entry })}\n`);
  };
  const unbroken = new Unbroken(earlierResults(commit), (result) => note({ unbroken: result }));
  for (const batch of firstBatches(tasks)) {
    // Each mutant repeats the unbroken runs that are missing, and is not judged if they fail again.
    await unbroken.run(batch).catch((error: unknown) => console.error(String(error)));
  }
  const counts = { caught: 0, missed: 0, 'not judged': 0, gone: 0 };
  for (const task of tasks) {
    const begun = performance.now();
    const { verdict, by } = await verdictOn(task, unbroken);
    counts[verdict] += 1;
    const seconds = Math.round((performance.now() - begun) / 1000);
    const { number, mutant, place } = task;
    note({ number, verdict, by, file: place?.file ?? mutant.file, from: mutant.from, to: mutant.to, seconds });
    console.log(`${verdict}  ${describe(task)}\n   ${by ?? ''} (${seconds} s)`);
  }
  const judged = counts.caught + counts.missed;
  console.log(`${counts.caught} of ${judged} caught; ${counts['not judged']} not judged, ${counts.gone} gone`);
  if (counts['not judged'] > 0) process.exitCode = 1;
}

async function chosenTasks(): Promise<Task[]> {
  const only = values.only?.split(',').map(Number);
  const sources = allSources();
  const choice = {
    tests: await listTests(),
    sources: sources.map(({ file, lines }) => ({ file, text: lines.join('\n') })),
    isWide: values.wide,
  };
  return readSample()
    .map((mutant, at) => ({ number: at + 1, mutant, place: findLine(mutant, sources) }))
    .filter(({ number }) => (only === undefined ? number >= Number(values.from) : only.includes(number)))
    .map((task) => ({ ...task, batches: task.place === null ? [] : batchesFor(task.place.file, choice) }));
}

function batchesFor(file: string, choice: Parameters<typeof chooseTests>[1]): Batch[] {
  const given = values.tests?.split(',');
  if (given === undefined) return chooseTests(file, choice);
  const tests = choice.tests.filter((test) => given.includes(test.file));
  const projects = new Set(tests.map(({ project }) => project));
  return [...projects].map((project) => ({
    project,
    files: tests.flatMap((test) => (test.project === project ? [test.file] : [])),
  }));
}

/** The first batches of all mutants, in one run per project, because most of a run's time is its start. */
function firstBatches(tasks: readonly Task[]): Batch[] {
  const firsts = tasks.flatMap(({ batches }) => batches.slice(0, 1));
  const projects = [...new Set(firsts.map(({ project }) => project))];
  return projects.map((project) => {
    const files = firsts.filter((batch) => batch.project === project).flatMap((batch) => batch.files);
    return { project, files: [...new Set(files)] };
  });
}

async function verdictOn(
  { mutant, place, batches }: Task,
  unbroken: Unbroken,
): Promise<Verdict | { verdict: 'gone'; by: null }> {
  if (place === null) return { verdict: 'gone', by: null };
  return judge(place, mutant.to, batches, unbroken).catch((error: unknown) => ({
    verdict: 'not judged' as const,
    by: String(error),
  }));
}

function earlierResults(commit: string): FileResult[] {
  if (values.results === undefined || !existsSync(values.results)) return [];
  const lines = readFileSync(values.results, 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const { data } = noted.safeParse(JSON.parse(line));
    return data !== undefined && data.commit === commit ? [data.unbroken] : [];
  });
}

function describe({ number, mutant: { file, from, to }, place, batches }: Task): string {
  const where = place === null ? `${file} (gone)` : `${place.file}:${place.row + 1}`;
  const tests = batches.map(({ project, files }) => `   ${project}: ${files.join(' ')}\n`).join('');
  return `${number}. ${where}\n   - ${from}\n   + ${to}\n${tests}`.trimEnd();
}
