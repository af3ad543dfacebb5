import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

/** Environment variable that names the file for vitest's JSON report (`vitest.config.ts`). */
export const REPORT_VARIABLE = 'TEST_REPORT';

export type Counts = { passed: number; failed: number };
export type TimedFile = { file: string; ms: number };
export type FailedTest = { name: string; error: string };
/** @param failing empty for a file that broke before its first test; such a file counts one failure */
export type FileResult = TimedFile & Counts & { failing: FailedTest[] };
/** @param broke true if the run had an error outside of any test, such as a leaked secret */
export type LayerResult = Counts & { files: FileResult[]; broke: boolean };

/** The file in which a run lists errors outside of any test, which the JSON report cannot hold. */
export function problemsFile(report: string): string {
  return `${report}.problems`;
}

const reported = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});

/** The error message of fast-check. */
const COUNTEREXAMPLE = /Property failed after \d+ tests/u;

/**
 * Counts the tests of a layer. A file that breaks before its first test counts as one failure. So does a layer that ends with an
 * error but without a failed test, that reports no tests, or whose report is missing or cut off, because it crashed.
 */
export function readLayer(path: string, hasPassed: boolean): LayerResult {
  const report = existsSync(path) ? reported.safeParse(parse(readFileSync(path, 'utf8'))) : null;
  if (report?.success !== true) return { passed: 0, failed: 1, files: [], broke: true };
  const files = report.data.testResults.map(({ name, status, startTime, endTime, assertionResults }) => {
    const failing = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({ name: fullName, error: failureMessages.join('\n') }));
    return {
      file: name,
      ms: endTime - startTime,
      passed: assertionResults.filter((test) => test.status === 'passed').length,
      failed: Math.max(failing.length, status === 'failed' ? 1 : 0),
      failing,
    };
  });
  const { passed, failed } = counted(files);
  const broke = passed === 0 || existsSync(problemsFile(path)) || (!hasPassed && failed === 0);
  return { passed, failed: broke ? Math.max(failed, 1) : failed, files, broke };
}

/** If more files fail, they have a common cause, and none is run a second time. */
const SECOND_TRIES_MAX = 6;

/**
 * The failed files, for a second run, unless there are too many. A file with a counterexample is left out, because a
 * second run would try other random cases.
 */
export function secondTries({ files }: LayerResult): string[] {
  const failing = files.filter(({ failed }) => failed > 0);
  if (failing.length > SECOND_TRIES_MAX) return [];
  return failing.filter((one) => !one.failing.some(({ error }) => COUNTEREXAMPLE.test(error))).map(({ file }) => file);
}

/**
 * Replaces the counts of files that ran a second time.
 * @returns the layer, and the tests that passed only then
 */
export function withSecondRun(first: LayerResult, second: LayerResult): { layer: LayerResult; unsteady: FailedTest[] } {
  const again = new Map(second.files.map((file) => [file.file, file]));
  const files = first.files.map((file) => again.get(file.file) ?? file);
  const unsteady = first.files.flatMap(({ file, failing }) => {
    const then = again.get(file);
    // A file that broke before its tests does not list them.
    if (then === undefined || then.failed > then.failing.length) return [];
    const still = new Set(then.failing.map(({ name }) => name));
    return failing.filter(({ name }) => !still.has(name));
  });
  const { passed, failed } = counted(files);
  const broke = first.broke || second.broke;
  return { layer: { passed, failed: broke ? Math.max(failed, 1) : failed, files, broke }, unsteady };
}

function counted(files: readonly FileResult[]): Counts {
  return { passed: sum(files.map(({ passed }) => passed)), failed: sum(files.map(({ failed }) => failed)) };
}

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
    return null; // The run was killed while it wrote the report.
  }
}
