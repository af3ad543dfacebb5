import { fork, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { collect } from './expressions/collect.ts';
import type { Found } from './expressions/collect.ts';
import { COMPUTED, UNPROVEN } from './expressions/exceptions.ts';

/**
 * Checks that no text makes a regular expression slow: a step of the gate. An expression has to take time in proportion to the
 * text, whatever the text is, or to be listed with a reason in `scripts/expressions/exceptions.ts`.
 *
 *     node scripts/check-expressions.ts [FOLDER]
 */

const ROOT = join(import.meta.dirname, '..');
const TOOLS = 'scripts/expressions';
const PROCESSES_MAX = 4;

const [folder = join(ROOT, 'src')] = process.argv.slice(2);
installTools();
const { found, computed } = collect(folder);
const problems = [...unlisted(), ...(await doubts(found.filter((one) => !isListed(one)))), ...stale()];
for (const problem of problems) console.error(problem);
console.log(`${found.length} expressions, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Only this step needs these tools, so `npm ci` of the project leaves them out. */
function installTools(): void {
  if (existsSync(join(ROOT, TOOLS, 'node_modules/recheck'))) return;
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', ['ci', '--prefix', TOOLS, ...options], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci --prefix ${TOOLS} failed.`);
}

function pathOf(file: string): string {
  return relative(ROOT, file).replaceAll('\\', '/');
}

function isListed({ file, source, flags }: Found): boolean {
  return UNPROVEN.some(
    (one) => one.file === pathOf(file) && one.expressions.some((given) => isMeant(given, `/${source}/${flags}`)),
  );
}

/** A long expression may be named by its beginning. */
function isMeant(given: RegExp | string, expression: string): boolean {
  return typeof given === 'string' ? expression.startsWith(`/${given}`) : String(given) === expression;
}

function unlisted(): string[] {
  return computed
    .filter(({ file, code }) => !COMPUTED.some((one) => one.file === pathOf(file) && one.code === code))
    .map(
      ({ file, line, code }) => `${pathOf(file)}:${line}: ${code} is made while the program runs, and is not listed`,
    );
}

/** Exceptions that match no expression any more. Only `src` has exceptions. */
function stale(): string[] {
  if (process.argv.length > 2) return [];
  const ofExpressions = UNPROVEN.flatMap(({ file, expressions }) =>
    expressions
      .filter((given) => {
        const meant = found.filter((one) => pathOf(one.file) === file && isMeant(given, `/${one.source}/${one.flags}`));
        return new Set(meant.map(({ source, flags }) => `/${source}/${flags}`)).size !== 1;
      })
      .map((given) => `${file}: the exception ${String(given)} does not stand for one expression`),
  );
  const ofCalls = COMPUTED.filter(
    (one) => !computed.some(({ file, code }) => pathOf(file) === one.file && code === one.code),
  );
  return [...ofExpressions, ...ofCalls.map(({ file, code }) => `${file}: the exception ${code} is not needed`)];
}

/** Checks each distinct expression once, in several processes. */
async function doubts(expressions: readonly Found[]): Promise<string[]> {
  const all = [...new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one])).values()];
  const doubted: string[] = [];
  let next = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const prover = fork(join(ROOT, TOOLS, 'prover.ts'));
      let asked: Found | undefined;
      prover.on('error', reject);
      prover.on('exit', (code) =>
        asked === undefined ? resolve() : reject(new Error(`A prover ended with ${code}.`)),
      );
      prover.on('message', (doubt) => {
        if (asked !== undefined && doubt !== '')
          doubted.push(
            `${pathOf(asked.file)}:${asked.line}: /${asked.source}/${asked.flags} is not proven: ${JSON.stringify(doubt)}`,
          );
        asked = all[next];
        next += 1;
        if (asked === undefined) prover.disconnect();
        else prover.send({ source: asked.source, flags: asked.flags });
      });
    });
  await Promise.all(Array.from({ length: Math.min(PROCESSES_MAX, availableParallelism()) }, work));
  return doubted.toSorted();
}
