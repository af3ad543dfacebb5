import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import {
  problemsFile,
  readLayer,
  REPORT_VARIABLE,
  secondTries,
  slowest,
  sum,
  withSecondRun,
} from './check/test-report.ts';
import type { FailedTest, LayerResult } from './check/test-report.ts';

/**
 * `npm run check`: the whole gate, the fastest steps first. It stops at the first step that fails.
 *
 * With `--static`, only the steps without tests run.
 *
 * With `--count` (`.ci/run`), every step runs. The static ones run at the same time as the tests, which leave a third
 * of two cores idle. The last line is `N passed, N failed`: the tests of all layers. A step that fails without a
 * failing test counts as one failure. A file with a failed test runs a second time, alone. A test that passes then is
 * listed as unsteady and counts as passed: another program on the machine may have delayed it. A test of random cases
 * that found a counterexample stays failed.
 */

type Step = { name: string; command: string; args: string[]; env?: Record<string, string> };
type Outcome = { passes: boolean; output: string };

const ROOT = join(import.meta.dirname, '..');
process.chdir(ROOT);
const { values: options } = parseArgs({ options: { count: { type: 'boolean' }, static: { type: 'boolean' } } });
const scratch = mkdtempSync(join(tmpdir(), 'periscope-check-'));
/** Case files outside the repository; the step runs if they are there. */
const CASES = '../shared/bench';
const SLOWEST_SHOWN = 10;
const ERROR_CHARS_SHOWN = 400;

const STATIC: Step[] = [
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'lint rules', command: 'node', args: ['scripts/lint-config.ts', '--check'] },
  npmRun('lint'),
  npmRun('types'),
  { name: 'generated files', command: 'node', args: ['scripts/cf-types.ts', '--check'] },
  { name: 'page scripts', command: 'node', args: ['scripts/page-scripts.ts', '--check'] },
  { name: 'generated documents', command: 'node', args: ['scripts/generate-docs.ts', '--check'] },
  { name: 'mentions in documents', command: 'node', args: ['scripts/check-docs.ts'] },
  { name: 'style', command: 'node', args: ['scripts/style.ts'] },
  { name: 'expressions', command: 'node', args: ['scripts/check-expressions.ts'] },
  { name: 'install', command: 'node', args: ['scripts/check-install.ts'] },
  { name: 'dead code', command: 'knip', args: [] },
  ...(options.count === true && existsSync(CASES) && existsSync('bench/conformance.ts')
    ? [{ name: 'cases', command: 'node', args: ['bench/conformance.ts', CASES] }]
    : []),
];

/** `npm test`, the command of the README. */
const WITHOUT_BROWSER = layerNamed('test');
const IN_BROWSER = layerNamed('test:browser');
/** Its tests wait for their servers more than they compute. */
const END_TO_END = layerNamed('test:e2e');
const FEWER_WORKERS = '--maxWorkers=2';

process.exitCode = await (options.count === true ? runAll() : runUntilFailure());
rmSync(scratch, { recursive: true });

async function runUntilFailure(): Promise<number> {
  for (const step of options.static === true ? STATIC : [...STATIC, WITHOUT_BROWSER, IN_BROWSER, END_TO_END]) {
    console.log(`\n── ${step.name}`);
    if ((await run(step, 'inherit')).passes) continue;
    console.error(`\n${step.name}: failed`);
    return 1;
  }
  return 0;
}

async function runAll(): Promise<number> {
  const [failing, layers] = await Promise.all([failingOf(STATIC), runLayers()]);
  const failed = failing.length + sum(layers.map((layer) => layer.failed));
  const names = [...failing, ...layers.filter((layer) => layer.failed > 0).map(({ name }) => name)];
  console.log('\nslowest files:');
  for (const { file, ms } of slowest(
    layers.flatMap(({ files }) => files),
    SLOWEST_SHOWN,
  )) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(ROOT, file)}`);
  }
  const unsteady = layers.flatMap((layer) => layer.unsteady);
  printTests('unsteady, passed in a second run', unsteady);
  printTests(
    'failed tests',
    layers.flatMap(({ files }) => files).flatMap((file) => file.failing),
  );
  if (names.length > 0) console.log(`\nfailed: ${names.join(', ')}`);
  console.log(`\n${sum(layers.map(({ passed }) => passed))} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function printTests(title: string, tests: readonly FailedTest[]): void {
  if (tests.length > 0) console.log(`\n${title}: ${tests.length}`);
  for (const { name, error } of tests)
    console.log(`  ${name}\n${error.slice(0, ERROR_CHARS_SHOWN).replaceAll(/^/gmu, '    ')}`);
}

/**
 * Runs the layer in the browser, which takes longest, and at the same time the others, one after the other. The second
 * runs follow one by one.
 */
async function runLayers(): Promise<(LayerResult & { name: string; unsteady: FailedTest[] })[]> {
  const inBrowser = runLayer(IN_BROWSER, []);
  const firstRuns = [await runLayer(WITHOUT_BROWSER, []), await runLayer(END_TO_END, [FEWER_WORKERS]), await inBrowser];
  const results = [];
  for (const { step, layer: first } of firstRuns) {
    const files = secondTries(first);
    const { layer, unsteady } =
      files.length === 0
        ? { layer: first, unsteady: [] }
        : withSecondRun(first, (await runLayer(step, ['--maxWorkers=1', ...files])).layer);
    results.push({ name: step.name, unsteady, ...layer });
  }
  return results;
}

/** @param more arguments of vitest */
async function runLayer(step: Step, more: readonly string[]): Promise<{ step: Step; layer: LayerResult }> {
  console.log(`\n── ${[step.name, ...more].join(' ')}`);
  const { passes } = await run({ ...step, args: [...step.args, '--', ...more] }, 'inherit');
  const report = reportOf(step.name);
  const layer = readLayer(report, passes);
  for (const file of [report, problemsFile(report)]) rmSync(file, { force: true });
  return { step, layer };
}

/** Runs the steps one after the other. Prints the output of each as a whole, between lines of the tests. */
async function failingOf(steps: readonly Step[]): Promise<string[]> {
  const failing: string[] = [];
  for (const step of steps) {
    const { passes, output } = await run(step, 'pipe');
    console.log(`\n── ${step.name}\n${output}`);
    if (!passes) failing.push(step.name);
  }
  return failing;
}

async function run({ command, args, env }: Step, stdio: 'inherit' | 'pipe'): Promise<Outcome> {
  const child = spawn(command, args, { stdio: ['ignore', stdio, stdio], env: { ...process.env, ...env } });
  const output: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => output.push(part));
  child.stderr?.on('data', (part: Buffer) => output.push(part));
  const [code] = await once(child, 'close').catch((error: unknown) => [error]);
  return {
    passes: code === 0,
    output: `${Buffer.concat(output).toString()}${code instanceof Error ? code.message : ''}`,
  };
}

function layerNamed(script: string): Step {
  return { ...npmRun(script), env: { [REPORT_VARIABLE]: reportOf(script) } };
}

function npmRun(script: string): Step {
  return { name: script, command: 'npm', args: ['run', '--silent', script] };
}

function reportOf(script: string): string {
  return join(scratch, `${script.replace(':', '-')}.json`);
}
