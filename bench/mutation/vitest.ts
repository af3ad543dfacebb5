import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';

/** Tests of one vitest project that run together. */
export type Batch = { project: string; files: string[] };
export type TestFile = { file: string; project: string; text: string };
export type FileResult = { file: string; isGreen: boolean; seconds: number; failure: string | null };
/** Null results: the run took longer than its limit. */
export type Run = { results: FileResult[] | null; seconds: number };

type Ended = { isOver: boolean; code: number | null; output: string };

const listed = z.array(z.object({ file: z.string(), projectName: z.string() }));
const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
type FileReport = z.infer<typeof report>['testResults'][number];

const VITEST = join('node_modules', 'vitest', 'vitest.mjs');
const LIST_MS_MAX = 120_000;
const FAILURE_CHARS_MAX = 300;

/** Every test file of the configuration with its project: no layout of folders is assumed. */
export async function listTests(): Promise<TestFile[]> {
  return inScratch(async (file) => {
    const ended = await runNode([VITEST, 'list', '--filesOnly', `--json=${file}`], LIST_MS_MAX);
    const tests = listed.parse(readReport(file, ended));
    return tests.map((test) => ({
      file: relative(process.cwd(), test.file),
      project: test.projectName,
      text: readFileSync(test.file, 'utf8'),
    }));
  });
}

/** Runs tests of one project. Throws if vitest reports about none of them, as when the files do not exist. */
export async function runTests({ project, files }: Batch, msMax: number, bails: boolean): Promise<Run> {
  return inScratch(async (file) => {
    const flags = [`--project=${project}`, '--reporter=json', `--outputFile=${file}`, ...(bails ? ['--bail=1'] : [])];
    const begun = performance.now();
    const ended = await runNode([VITEST, 'run', ...files, ...flags], msMax);
    const seconds = Math.round((performance.now() - begun) / 1000);
    if (ended.isOver) return { results: null, seconds };
    const results = report.parse(readReport(file, ended)).testResults.map(resultOf);
    if (results.length === 0) throw new Error(`vitest found no test in ${files.join(', ')} of project ${project}`);
    return { results, seconds };
  });
}

async function inScratch<T>(use: (file: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'periscope-mutation-'));
  try {
    return await use(join(scratch, 'report.json'));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function readReport(file: string, { code, output }: Ended): unknown {
  if (!existsSync(file)) {
    const how = code === null ? 'was killed' : `exited with ${code}`;
    throw new Error(`vitest ${how} before it wrote a report: ${output.slice(-FAILURE_CHARS_MAX)}`);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs Node until it ends, or until the time is up: then with everything that it started. */
export async function runNode(args: readonly string[], msMax: number): Promise<Ended> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const output: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => output.push(part));
  child.stderr.on('data', (part: Buffer) => output.push(part));
  let isOver = false;
  const end = () => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
  const timer = setTimeout(() => {
    isOver = true;
    end();
  }, msMax);
  process.once('exit', end);
  await once(child, 'close');
  process.removeListener('exit', end);
  clearTimeout(timer);
  return { isOver, code: child.exitCode, output: Buffer.concat(output).toString() };
}

/** A file that breaks before its first test has failed as well. With `--bail`, tests after the first failure are skipped. */
function resultOf({ name, status, message, startTime, endTime, assertionResults }: FileReport): FileResult {
  const failed = assertionResults.find((test) => test.status === 'failed');
  const failure = failed === undefined ? message : `${failed.fullName}: ${failed.failureMessages?.[0] ?? ''}`;
  return {
    file: relative(process.cwd(), name),
    isGreen: status === 'passed' && assertionResults.some((test) => test.status === 'passed'),
    seconds: Math.round((endTime - startTime) / 1000),
    failure: status === 'failed' ? failure.slice(0, FAILURE_CHARS_MAX) : null,
  };
}
