import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

/** Environment variable with the file into which vitest writes its JSON report (`vitest.config.ts`). */
export const REPORT_VARIABLE = 'TEST_REPORT';

export type Counts = { passed: number; failed: number };
export type TimedFile = { file: string; ms: number };
export type LayerResult = Counts & { files: TimedFile[] };

const reported = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

/**
 * Counts the tests of a layer. A file that breaks before its first test counts as one failure. So does a layer that ends with an
 * error but without a failed test, that reports no tests, or whose report is missing or cut off, because it crashed.
 */
export function readLayer(path: string, hasPassed: boolean): LayerResult {
  const report = existsSync(path) ? reported.safeParse(parse(readFileSync(path, 'utf8'))) : null;
  if (report?.success !== true) return { passed: 0, failed: 1, files: [] };
  const { testResults } = report.data;
  const count = (tests: readonly { status: string }[], status: string) =>
    tests.filter((test) => test.status === status).length;
  const passed = sum(testResults.map(({ assertionResults }) => count(assertionResults, 'passed')));
  const failed = sum(
    testResults.map(({ status, assertionResults }) =>
      Math.max(count(assertionResults, 'failed'), status === 'failed' ? 1 : 0),
    ),
  );
  const isComplete = hasPassed && passed > 0;
  return {
    passed,
    failed: isComplete ? failed : Math.max(failed, 1),
    files: testResults.map(({ name, startTime, endTime }) => ({ file: name, ms: endTime - startTime })),
  };
}

/** The slowest files first. */
export function slowest(files: readonly TimedFile[], count: number): TimedFile[] {
  return files.toSorted((one, other) => other.ms - one.ms).slice(0, count);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the run was killed while it wrote
  }
}
