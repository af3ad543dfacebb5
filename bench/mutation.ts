/**
 * Measures what the unit tests catch. Usage: npm run bench:mutation -- [--seed N] [--count N] [--show]
 * Breaks lines of src one at a time (a comparison, a condition, a constant, a call), runs the unit tests that import the file
 * themselves, or those of its folder, and says whether one fails. The seed chooses the lines by their words, so the same seed breaks the same lines of two states of
 * the repository. What runs in pages is left out: it would have to be built each time. --show only lists what would be broken.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

type Mutant = { file: string; line: number; from: string; to: string };

/** What stands in a line and what it becomes. Spaces keep types and arrows out. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ === /u, ' !== '],
  [/ !== /u, ' === '],
  [/ < /u, ' >= '],
  [/ > /u, ' <= '],
  [/ <= /u, ' > '],
  [/ >= /u, ' < '],
  [/ && /u, ' || '],
  [/ \|\| /u, ' && '],
  [/ \+ 1\b/u, ' + 2'],
  [/ - 1\b/u, ' - 2'],
  [/\bif \(!/u, 'if ('],
  [/\breturn true;/u, 'return false;'],
  [/\breturn false;/u, 'return true;'],
  [/^(\s+)(?:await )?[\w.#]+\(.*\);$/u, '$1'],
  [/^(export const [A-Z_]+ = )(\d+)\b/u, '$11$2'],
];
const LEFT_OUT = /in-page|live\/script/u;
/** A mutant may loop for ever. */
const RUN_MS_MAX = 400_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    show: { type: 'boolean', default: false },
  },
});

const mutants = draw(values.seed, Number(values.count));
let caught = 0;
for (const [at, mutant] of mutants.entries()) {
  const verdict = values.show ? 'drawn' : tried(mutant);
  if (verdict === 'caught') caught += 1;
  console.log(`${at + 1}. ${verdict}  ${mutant.file}:${mutant.line}\n   - ${mutant.from}\n   + ${mutant.to}`);
}
if (!values.show) console.log(`seed ${values.seed}: ${caught} of ${mutants.length} caught`);

/** Those that come first by a hash of the seed and their words, one of a file. */
function draw(seed: string, count: number): Mutant[] {
  const rank = ({ file, from, to }: Mutant) =>
    createHash('sha256').update([seed, file, from, to].join('\n')).digest('hex');
  const all = globSync('src/**/*.{ts,tsx}')
    .filter((file) => !LEFT_OUT.test(file) && testsOf(file).length > 0)
    .flatMap(mutantsOf);
  const ranked = all.map((mutant) => ({ mutant, rank: rank(mutant) }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const files = new Set<string>();
  const first = ranked.filter(({ mutant: { file } }) => !files.has(file) && files.add(file));
  return first.slice(0, count).map(({ mutant }) => mutant);
}

function mutantsOf(file: string): Mutant[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((text, at) => {
    if (/^\s*(?:\/?\*|\/\/|import |type )/u.test(text)) return [];
    return CHANGES.filter(([pattern]) => pattern.test(text)).map(([pattern, to]) => ({
      file,
      line: at + 1,
      from: text.trim(),
      to: text.replace(pattern, to).trim(),
    }));
  });
}

function testsOf(file: string): string[] {
  const direct = globSync('test/{unit,contracts}/**/*.test.ts').filter((test) =>
    readFileSync(test, 'utf8').includes(`'${file.replace(/^src\//u, '#')}'`),
  );
  if (direct.length > 0) return direct;
  let folder = dirname(file).replace('src', 'test/unit');
  while (!existsSync(folder)) folder = dirname(folder);
  return folder === 'test/unit' ? [] : [`${folder}/`];
}

function tried({ file, line, from, to }: Mutant): 'caught' | 'missed' | 'timed out' {
  const before = readFileSync(file, 'utf8');
  const lines = before.split('\n');
  lines[line - 1] = (lines[line - 1] ?? '').replace(from, () => to);
  const args = ['run', ...testsOf(file), '--project=worker', '--bail=1', '--reporter=dot'];
  try {
    writeFileSync(file, lines.join('\n'));
    const { status } = spawnSync('vitest', args, { stdio: 'ignore', timeout: RUN_MS_MAX });
    return status === null ? 'timed out' : status === 0 ? 'missed' : 'caught';
  } finally {
    writeFileSync(file, before);
  }
}
