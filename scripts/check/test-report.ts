import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

/** Environment variable with the file into which vitest writes its JSON report (`vitest.config.ts`). */
export const REPORT_VARIABLE = 'TEST_REPORT';

export type Counts = { passed: number; failed: number };
export type TimedFile = { file: string; ms: number };
export type FailedTest = { name: string; error: string };
/** @param failing a file that broke before its first test has one failure and no failed test */
export type FileResult = TimedFile & Counts & { failing: FailedTest[] };
/** @param broke the run had an error that belongs to no test, such as a leaked secret */
export type LayerResult = Counts & { files: FileResult[]; broke: boolean };

/** Where a run lists its errors that belong to no test: the JSON report has no place for them. */
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

/** The error of fast-check. */
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

/** More failing files than this have a cause of their own: they are not run a second time. */
const SECOND_TRIES_MAX = 6;

/**
 * The files of a layer that are worth a second run: those that failed, unless they are many. A file with a counterexample is not
 * one of them, because a second run tries other random cases.
 */
export function secondTries({ files }: LayerResult): string[] {
  const failing = files.filter(({ failed }) => failed > 0);
  if (failing.length > SECOND_TRIES_MAX) return [];
  return failing.filter((one) => !one.failing.some(({ error }) => COUNTEREXAMPLE.test(error))).map(({ file }) => file);
}

/**
 * Takes the counts of a second run for the files that ran in it.
 * @returns the layer, and the tests that failed first and passed then
 */
export function withSecondRun(first: LayerResult, second: LayerResult): { layer: LayerResult; unsteady: FailedTest[] } {
  const again = new Map(second.files.map((file) => [file.file, file]));
  const files = first.files.map((file) => again.get(file.file) ?? file);
  const unsteady = first.files.flatMap(({ file, failing }) => {
    const then = again.get(file);
    // A file that broke before its tests has no list of them.
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
