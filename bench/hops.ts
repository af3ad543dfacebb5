import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { cellOf, HOP_MS, HOP_NAMES, HOPS, waitingMs } from '#scripts/docs/hops.ts';
import type { HopsOfCall } from '#scripts/docs/hops.ts';

/**
 * `npm run bench:hops [-- --kv 5 --objects 15 --d1 20 --dns 20 --site 50 --pages 50] [--write]`: counts the hops of
 * each tool's calls on the real runtime, and adds up their time if each hop takes the given milliseconds. With
 * `--write`, the counts become those of `docs/storage.md` (`npm run docs`), which `trips.test.ts` in
 * `test/worker/tools` and `test/browser/tools` checks.
 */

const ROOT = join(import.meta.dirname, '..');
const COUNTS = 'scripts/docs/measured-hops.ts';
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { kv: text, objects: text, d1: text, dns: text, site: text, pages: text, write: { type: 'boolean' } },
});
const each = { ...HOP_MS };
for (const hop of HOPS) each[hop] = values[hop] === undefined ? HOP_MS[hop] : z.coerce.number().parse(values[hop]);

const counts = z.record(z.string(), z.number());
const report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          title: z.string(),
          meta: z.object({ hops: z.object({ call: z.string(), all: counts, inRow: counts }).optional() }),
        }),
      ),
    }),
  ),
});

const calls = counted();
console.table(
  calls.map(({ call, ...hops }) => ({
    call: call.replaceAll('`', ''),
    ...Object.fromEntries(HOPS.map((hop) => [HOP_NAMES[hop], cellOf(hops, hop)])),
    'waiting, ms': waitingMs(hops.inRow, each),
  })),
);
if (values.write === true) write();

function counted(): (HopsOfCall & { call: string })[] {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-hops-'));
  const file = join(folder, 'hops.json');
  try {
    const run = ['vitest', 'run', '--project', 'worker', '--project', 'browser', 'tools/trips.test.ts'];
    const options = ['--reporter=json', `--outputFile=${file}`];
    spawnSync('npx', [...run, ...options], { cwd: ROOT, stdio: 'ignore' });
    const { testResults } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
    const found = testResults.flatMap(({ assertionResults }) =>
      assertionResults.flatMap(({ meta }) => (meta.hops === undefined ? [] : [meta.hops])),
    );
    if (found.length === 0) throw new Error('nothing was counted: run the test by itself to see why');
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(): void {
  const table = Object.fromEntries(calls.map(({ call, all, inRow }) => [call, { all, inRow }]));
  const lines = [
    '/** Written by `npm run bench:hops -- --write`. */',
    `export const MEASURED_HOPS = ${JSON.stringify(table)} as const;`,
  ];
  writeFileSync(join(ROOT, COUNTS), `${lines.join('\n')}\n`);
  spawnSync('npx', ['oxfmt', COUNTS], { cwd: ROOT, stdio: 'inherit' });
}
