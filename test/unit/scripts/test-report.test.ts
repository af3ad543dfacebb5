import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemsFile, readLayer, secondTries, slowest, withSecondRun } from '#scripts/check/test-report.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-report-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type File = { name?: string; status?: string; tests: string[]; ms?: number; error?: string };

function write(files: readonly File[]): string {
  const testResults = files.map(({ name = 'one.test.ts', status = 'passed', tests, ms = 0, error }) => ({
    name,
    status,
    startTime: 1000,
    endTime: 1000 + ms,
    assertionResults: tests.map((test, at) => ({ status: test, fullName: `test ${at}`, ...errorOf(test, error) })),
  }));
  return writeText(JSON.stringify({ numTotalTests: 1, testResults }));
}

function errorOf(test: string, error: string | undefined) {
  return test === 'failed' && error !== undefined ? { failureMessages: [error] } : {};
}

function writeText(text: string): string {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, text);
  return path;
}

describe('the counts of a layer', () => {
  it('are those of its tests', () => {
    const path = write([{ tests: ['passed', 'passed'] }, { status: 'failed', tests: ['passed', 'failed'] }]);
    expect(readLayer(path, false)).toMatchObject({ passed: 3, failed: 1 });
  });

  it('have no failure when all tests pass and the run succeeds', () => {
    expect(readLayer(write([{ tests: ['passed'] }]), true)).toMatchObject({ passed: 1, failed: 0 });
  });

  it('have a failure for a failed test although the run succeeds', () => {
    const path = write([{ status: 'failed', tests: ['failed', 'passed'] }]);
    expect(readLayer(path, true)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('have one failure for a file that breaks before its first test', () => {
    const path = write([{ tests: ['passed'] }, { status: 'failed', tests: [] }]);
    expect(readLayer(path, false)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('have one failure when all tests pass and the run ends with an error', () => {
    expect(readLayer(write([{ tests: ['passed', 'passed'] }]), false)).toMatchObject({ passed: 2, failed: 1 });
  });

  it('have one failure when no test ran', () => {
    expect(readLayer(write([]), true)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('have one failure when the run crashed: no report, half a report, or another text', () => {
    const whole = JSON.stringify({ testResults: [] });
    for (const path of [join(folder, 'none.json'), writeText(whole.slice(0, 9)), writeText('{}')]) {
      expect(readLayer(path, true)).toEqual({ passed: 0, failed: 1, files: [], broke: true });
    }
  });
});

describe('a second run of the files that failed', () => {
  const passing = { name: 'good.test.ts', tests: ['passed', 'passed'] };
  const failing = { name: 'bad.test.ts', status: 'failed', tests: ['passed', 'failed'], error: 'Error: late' };
  const broken = { name: 'broken.test.ts', status: 'failed', tests: [] };

  it('includes all of them, unless they are more than six', () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => ({ ...failing, name: `${at}.test.ts` }));
    expect(secondTries(readLayer(write([passing, failing, broken]), false))).toEqual(['bad.test.ts', 'broken.test.ts']);
    expect(secondTries(readLayer(write(files(6)), false))).toHaveLength(6);
    expect(secondTries(readLayer(write(files(7)), false))).toEqual([]);
    expect(secondTries(readLayer(write([passing]), true))).toEqual([]);
  });

  it('excludes a file with a counterexample, because it would try other random cases', () => {
    const chance = { ...failing, name: 'chance.test.ts', error: 'Error: Property failed after 869 tests\n{ seed: 1 }' };
    expect(secondTries(readLayer(write([chance, failing]), false))).toEqual(['bad.test.ts']);
  });

  it('counts a test that passes this time, and names it', () => {
    const first = readLayer(write([passing, failing]), false);
    const second = readLayer(write([{ ...failing, status: 'passed', tests: ['passed', 'passed'] }]), true);
    const { layer, unsteady } = withSecondRun(first, second);
    expect(layer).toMatchObject({ passed: 4, failed: 0 });
    expect(unsteady).toEqual([{ name: 'test 1', error: 'Error: late' }]);
  });

  it('keeps the failure of a test that fails again, and adds one that fails now', () => {
    const first = readLayer(write([passing, failing]), false);
    expect(withSecondRun(first, readLayer(write([failing]), false))).toMatchObject({
      layer: { passed: 3, failed: 1 },
      unsteady: [],
    });
    const other = { ...failing, tests: ['failed', 'passed'] };
    expect(withSecondRun(first, readLayer(write([other]), false))).toMatchObject({
      layer: { passed: 3, failed: 1 },
      unsteady: [{ name: 'test 1', error: 'Error: late' }],
    });
  });

  it('names no test as unsteady if its file breaks before the tests', () => {
    const first = readLayer(write([passing, failing]), false);
    const second = readLayer(write([{ ...failing, tests: [] }]), false);
    expect(withSecondRun(first, second)).toMatchObject({ layer: { failed: 1 }, unsteady: [] });
  });

  it('keeps the failures when it crashes', () => {
    const first = readLayer(write([passing, failing]), false);
    const { layer, unsteady } = withSecondRun(first, readLayer(join(folder, 'none.json'), false));
    expect(layer).toMatchObject({ passed: 3, failed: 1 });
    expect(unsteady).toEqual([]);
  });

  it('does not hide a problem outside the tests in the first run', () => {
    const path = write([passing, failing]);
    writeFileSync(problemsFile(path), 'a token in the output');
    const second = readLayer(write([{ ...failing, status: 'passed', tests: ['passed', 'passed'] }]), true);
    expect(withSecondRun(readLayer(path, false), second).layer).toMatchObject({ passed: 4, failed: 1 });
  });

  it('counts a file that broke before its first test', () => {
    const first = readLayer(write([passing, broken]), false);
    const second = readLayer(write([{ name: 'broken.test.ts', tests: ['passed'] }]), true);
    expect(withSecondRun(first, second).layer).toMatchObject({ passed: 3, failed: 0 });
  });
});

describe('the slowest files', () => {
  it('come from all layers, the slowest first', () => {
    const files = [3, 9, 1, 7].flatMap(
      (ms) => readLayer(write([{ name: `${ms}.test.ts`, tests: ['passed'], ms }]), true).files,
    );
    expect(slowest(files, 3)).toMatchObject([9, 7, 3].map((ms) => ({ file: `${ms}.test.ts`, ms })));
  });
});
