import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The whole gate, in the order that fails fastest: `npm run check`. It stops at the first step that fails.
 *
 * With `--count` (CI) every step runs, the tests beside the others, as they leave a third of two cores idle. The last line
 * is `N passed, N failed`: the tests of all suites, where a step that fails without a failing test of its own counts as one
 * failure.
 */

type Step = { name: string; command: string; args: string[] };

process.chdir(join(import.meta.dirname, '..'));
const count = process.argv.includes('--count');
const scratch = mkdtempSync(join(tmpdir(), 'periscope-check-'));
const report = join(scratch, 'tests.json');
/** Case files that are not part of the repository; the step runs where they lie beside it. */
const CASES = '../shared/bench';

/** Fails the tests when a credential is in what they print. */
const LEAKS = './test/support/leak-reporter.ts';

const STATIC: Step[] = [
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'lint', command: 'npm', args: ['run', '--silent', 'lint'] },
  { name: 'types', command: 'npm', args: ['run', '--silent', 'types'] },
  { name: 'generated files', command: 'node', args: ['scripts/cf-types.ts', '--check'] },
  { name: 'page scripts', command: 'node', args: ['scripts/page-scripts.ts', '--check'] },
  { name: 'generated documents', command: 'node', args: ['scripts/generate-docs.ts', '--check'] },
  { name: 'mentions in documents', command: 'node', args: ['scripts/check-docs.ts'] },
  { name: 'install', command: 'node', args: ['scripts/check-install.ts'] },
  { name: 'dead code', command: 'knip', args: [] },
  ...(count && existsSync(CASES) && existsSync('bench/conformance.ts')
    ? [{ name: 'cases', command: 'node', args: ['bench/conformance.ts', CASES] }]
    : []),
];

const TESTS: Step = {
  name: 'tests',
  command: 'vitest',
  args: ['run', '--reporter=default', `--reporter=${LEAKS}`, '--reporter=json', `--outputFile.json=${report}`],
};

process.exitCode = await (count ? runAll() : runUntilFailure());
rmSync(scratch, { recursive: true });

async function runUntilFailure(): Promise<number> {
  for (const step of [...STATIC, TESTS]) {
    console.log(`\n── ${step.name}`);
    if ((await run(step, 'inherit')).passes) continue;
    console.error(`\n${step.name}: failed`);
    return 1;
  }
  return 0;
}

async function runAll(): Promise<number> {
  console.log(`\n── ${TESTS.name}`);
  const [failing, { passes }] = await Promise.all([failingOf(STATIC), run(TESTS, 'inherit')]);
  const tests = readTests();
  const failed = failing.length + (passes ? 0 : Math.max(tests.failed, 1));
  const names = [...failing, ...(passes ? [] : [TESTS.name])];
  if (names.length > 0) console.log(`\nfailed: ${names.join(', ')}`);
  console.log(`\n${tests.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Runs one after the other; what each writes stands together, among the lines of the tests. */
async function failingOf(steps: readonly Step[]): Promise<string[]> {
  const failing: string[] = [];
  for (const step of steps) {
    const { passes, output } = await run(step, 'pipe');
    console.log(`\n── ${step.name}\n${output}`);
    if (!passes) failing.push(step.name);
  }
  return failing;
}

async function run({ command, args }: Step, stdio: 'inherit' | 'pipe'): Promise<{ passes: boolean; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', stdio, stdio] });
  const output: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => output.push(part));
  child.stderr?.on('data', (part: Buffer) => output.push(part));
  const [code] = await once(child, 'close').catch((error: unknown) => [error]);
  return {
    passes: code === 0,
    output: `${Buffer.concat(output).toString()}${code instanceof Error ? code.message : ''}`,
  };
}

function readTests(): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    testResults: { status: string; assertionResults: { status: string }[] }[];
  };
  // A file that breaks before its first test has no failing test to its name: it counts as one.
  const failed = testResults.map(({ status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').length;
    return status === 'failed' ? Math.max(tests, 1) : tests;
  });
  return { passed: numPassedTests, failed: failed.reduce((sum, one) => sum + one, 0) };
}
