import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './find-line.ts';
import { isPageScript } from './tests-of.ts';
import { runNode, runTests } from './vitest.ts';
import type { Batch, FileResult } from './vitest.ts';

export type Verdict = { verdict: 'caught' | 'missed' | 'not judged'; by: string | null };

/** Includes starts of the runtime, and tests that wait for an event that a mutant prevents. */
const RUN_MS_MIN = 300_000;
/** A mutant that takes this many times as long as the unbroken files is caught: it may loop forever. */
const SLOWER = 3;
const UNBROKEN_MS_MAX = 3_600_000;
const BUILD_MS_MAX = 120_000;
const GENERATED = 'generated';

/** The unbroken runs of test files in this state of the repository. */
export class Unbroken {
  readonly #known = new Map<string, FileResult>();
  readonly #note: (result: FileResult) => void;

  constructor(known: readonly FileResult[], note: (result: FileResult) => void) {
    for (const result of known) this.#known.set(result.file, result);
    this.#note = note;
  }

  /** Runs files that have not run yet. Failed files run again alone, because they may only have been slow. */
  async run({ project, files }: Batch): Promise<void> {
    const unknown = files.filter((file) => !this.#known.has(file));
    if (unknown.length === 0) return;
    const first = await this.#results(project, unknown);
    const failed = first.filter(({ isGreen }) => !isGreen).map(({ file }) => file);
    const second = failed.length > 0 ? await this.#results(project, failed) : [];
    for (const result of [...first.filter(({ isGreen }) => isGreen), ...second]) {
      this.#known.set(result.file, result);
      this.#note(result);
    }
  }

  failing(files: readonly string[]): string[] {
    return files.filter((file) => this.#known.get(file)?.isGreen !== true);
  }

  msMax(files: readonly string[]): number {
    const seconds = files.reduce((sum, file) => sum + (this.#known.get(file)?.seconds ?? 0), 0);
    return RUN_MS_MIN + SLOWER * seconds * 1000;
  }

  async #results(project: string, files: string[]): Promise<FileResult[]> {
    const { results } = await runTests({ project, files }, UNBROKEN_MS_MAX, false);
    if (results === null) throw new Error(`${files.join(', ')} took longer than ${UNBROKEN_MS_MAX / 60_000} minutes`);
    return results;
  }
}

/** Breaks a line and runs the tests until one fails. */
export async function judge(place: Place, to: string, batches: readonly Batch[], unbroken: Unbroken): Promise<Verdict> {
  if (batches.length === 0) return { verdict: 'not judged', by: 'no test was chosen' };
  for (const batch of batches) {
    await unbroken.run(batch);
    const failing = unbroken.failing(batch.files);
    if (failing.length > 0) return { verdict: 'not judged', by: `fails unbroken: ${failing.join(', ')}` };
    const msMax = unbroken.msMax(batch.files);
    const { results } = await whileBroken(place, to, () => runTests(batch, msMax, true));
    if (results === null) {
      const again = await runTests(batch, msMax, true);
      if (again.results === null) return { verdict: 'not judged', by: 'takes too long unbroken, too' };
      return { verdict: 'caught', by: `runs longer than ${Math.round(msMax / 1000)} s` };
    }
    const failed = results.find(({ failure }) => failure !== null);
    if (failed !== undefined) return { verdict: 'caught', by: `${failed.file}: ${failed.failure}` };
    const absent = batch.files.filter((file) => !results.some((result) => result.file === file && result.isGreen));
    if (absent.length > 0) return { verdict: 'not judged', by: `did not run: ${absent.join(', ')}` };
  }
  return { verdict: 'missed', by: null };
}

/** Restores the line afterwards, and also if the process is ended meanwhile. */
async function whileBroken<T>({ file, row }: Place, to: string, use: () => Promise<T>): Promise<T> {
  const scripts = isPageScript(file) ? readdirSync(GENERATED).filter((name) => /^[\w-]+script/u.test(name)) : [];
  const before = [file, ...scripts.map((name) => join(GENERATED, name))].map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }));
  const mend = () => before.forEach(({ path, text }) => writeFileSync(path, text));
  process.once('exit', mend);
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    const [indent = ''] = /^\s*/u.exec(lines[row] ?? '') ?? [];
    lines[row] = `${indent}${to}`;
    writeFileSync(file, lines.join('\n'));
    if (scripts.length > 0) await buildScripts();
    return await use();
  } finally {
    mend();
    process.removeListener('exit', mend);
  }
}

async function buildScripts(): Promise<void> {
  const { output, isOver, code } = await runNode([join('scripts', 'page-scripts.ts')], BUILD_MS_MAX);
  if (isOver || code !== 0) throw new Error(`the page scripts cannot be built: ${output}`);
}
