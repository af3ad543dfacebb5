import { fork, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { collect } from './expressions/collect.ts';
import type { Found } from './expressions/collect.ts';
import { COMPUTED, UNPROVEN } from './expressions/exceptions.ts';

/**
 * Checks that no text makes a regular expression slow: a step of the gate. An expression has to take time in proportion to the
 * text, whatever the text is, or to be listed with a reason in `scripts/expressions/exceptions.ts`.
 *
 *     node scripts/check-expressions.ts [FOLDER] [--write]
 *
 * A proof of all expressions takes minutes, so `scripts/expressions/proven.txt` lists the hashes of the proven ones, below a
 * hash of the prover. Only the others are proven, or all of them if the prover has changed. `--write` writes the list.
 */

const ROOT = join(import.meta.dirname, '..');
const TOOLS = 'scripts/expressions';
const PROVEN = join(ROOT, TOOLS, 'proven.txt');
const PROCESSES_MAX = 4;

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true });
const [folder = join(ROOT, 'src')] = positionals;
installTools();
const { found, computed } = collect(folder);
const wanted = found.filter((one) => !isListed(one));
const proven = readProven();
const doubtful = await doubts(wanted.filter((one) => !proven.has(hashOf(one))));
if (values.write === true && doubtful.length === 0) writeProven();
const problems = [...unlisted(), ...doubtful, ...stale()];
for (const problem of problems) console.error(problem);
console.log(`${found.length} expressions, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function hashOf({ source, flags }: Found): string {
  return shortHash(`/${source}/${flags}`);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** Changes with every file that takes part in a proof, and with the version of recheck. */
function hashOfProver(): string {
  const files = readdirSync(join(ROOT, TOOLS)).filter(
    (file) => /\.ts$|^package-lock/.test(file) && file !== 'exceptions.ts',
  );
  return shortHash(
    files
      .toSorted()
      .map((file) => readFileSync(join(ROOT, TOOLS, file), 'utf8').replaceAll('\r', ''))
      .join(''),
  );
}

/** Hashes of the expressions that this version of the prover has proven. */
function readProven(): ReadonlySet<string> {
  const [prover, ...hashes] = existsSync(PROVEN) ? readFileSync(PROVEN, 'utf8').split(/\r?\n/) : [];
  return new Set(prover === hashOfProver() ? hashes : []);
}

function writeProven(): void {
  writeFileSync(PROVEN, [hashOfProver(), ...[...new Set(wanted.map(hashOf))].toSorted(), ''].join('\n'));
}

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
  if (positionals.length > 0) return [];
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
