import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLayer, slowest } from '#scripts/check/test-report.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-report-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type File = { name?: string; status?: string; tests: string[]; ms?: number };

function write(files: readonly File[]): string {
  const testResults = files.map(({ name = 'one.test.ts', status = 'passed', tests, ms = 0 }) => ({
    name,
    status,
    startTime: 1000,
    endTime: 1000 + ms,
    assertionResults: tests.map((test) => ({ status: test, title: 'a test' })),
  }));
  return writeText(JSON.stringify({ numTotalTests: 1, testResults }));
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

  it('have no failure when all tests pass and the run ends well', () => {
    expect(readLayer(write([{ tests: ['passed'] }]), true)).toMatchObject({ passed: 1, failed: 0 });
  });

  it('have a failed test although the run ends well', () => {
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
      expect(readLayer(path, true)).toEqual({ passed: 0, failed: 1, files: [] });
    }
  });
});

describe('the slowest files', () => {
  it('come from all layers, the slowest first', () => {
    const files = [3, 9, 1, 7].flatMap(
      (ms) => readLayer(write([{ name: `${ms}.test.ts`, tests: ['passed'], ms }]), true).files,
    );
    expect(slowest(files, 3)).toEqual([9, 7, 3].map((ms) => ({ file: `${ms}.test.ts`, ms })));
  });
});
