import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The whole gate, in the order that fails fastest: `npm run check`. It stops at the first step that fails.
 *
 * With `--count` (CI) every step runs, and the last line is `N passed, N failed`: the tests of all suites, where a
 * step that fails without a failing test of its own counts as one failure.
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

const steps: Step[] = [
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'lint', command: 'npm', args: ['run', '--silent', 'lint'] },
  { name: 'types', command: 'npm', args: ['run', '--silent', 'types'] },
  { name: 'generated files', command: 'node', args: ['scripts/cf-types.ts', '--check'] },
  { name: 'page scripts', command: 'node', args: ['scripts/page-scripts.ts', '--check'] },
  { name: 'generated documents', command: 'node', args: ['scripts/generate-docs.ts', '--check'] },
  { name: 'dead code', command: 'knip', args: [] },
  ...(count && existsSync(CASES) && existsSync('bench/conformance.ts')
    ? [{ name: 'cases', command: 'node', args: ['bench/conformance.ts', CASES] }]
    : []),
  {
    name: 'tests',
    command: 'vitest',
    args: ['run', '--reporter=default', `--reporter=${LEAKS}`, '--reporter=json', `--outputFile.json=${report}`],
  },
];

process.exitCode = count ? runAll() : runUntilFailure();
rmSync(scratch, { recursive: true });

function runUntilFailure(): number {
  const failing = steps.find((step) => !passes(step));
  if (failing === undefined) return 0;
  console.error(`\n${failing.name}: failed`);
  return 1;
}

function runAll(): number {
  const failing = steps.filter((step) => !passes(step)).map((step) => step.name);
  const tests = readTests();
  const failed =
    tests.failed +
    failing.filter((name) => name !== 'tests').length +
    (failing.includes('tests') && tests.failed === 0 ? 1 : 0);
  if (failing.length > 0) console.log(`\nfailed: ${failing.join(', ')}`);
  console.log(`\n${tests.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function passes(step: Step): boolean {
  console.log(`\n── ${step.name}`);
  return spawnSync(step.command, step.args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
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
