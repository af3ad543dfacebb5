import { abortable, withTimeout } from '#core/flow/abort.ts';
import { READINESS_ASK_MS, READINESS_KEPT_MS } from '#web/limits.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Cache time of a problem. Short, because a person who repairs it checks again at once. */
const PROBLEM_KEPT_MS = SECOND_MS;

export type ReadinessDeps = {
  now: () => number;
  applied: () => Promise<readonly string[]>;
  expected: readonly string[];
  /** Called with a new reason. Missing tables are expected while a deploy creates them. */
  noteNotReady: (why: string) => void;
  report: (error: unknown) => void;
};

/** The last result in an isolate. Plain data, because a request must not await another request's promise. */
export type ReadinessMemory = { problem: string | null; until: number };

/**
 * Checks that the database exists and has the tables of this version. Anyone may call this, so an isolate queries the
 * database only after its last result has expired.
 * @returns the problem as trusted text, or `null`
 */
export async function readiness(memory: ReadinessMemory, deps: ReadinessDeps): Promise<string | null> {
  if (deps.now() < memory.until) return memory.problem;
  const before = memory.problem;
  memory.problem = await databaseProblem(deps);
  if (memory.problem !== null && memory.problem !== before) deps.noteNotReady(memory.problem);
  memory.until = deps.now() + (memory.problem === null ? READINESS_KEPT_MS : PROBLEM_KEPT_MS);
  return memory.problem;
}

export async function databaseProblem({
  applied,
  expected,
  report,
}: Pick<ReadinessDeps, 'applied' | 'expected' | 'report'>): Promise<string | null> {
  try {
    const names = await withTimeout(READINESS_ASK_MS, (late) => abortable(applied(), late));
    const missing = expected.filter((name) => !names.includes(name)).length;
    return missing === 0 ? null : `The database lacks ${missing} of ${expected.length} migrations. ${MIGRATE}`;
  } catch (error) {
    report(error);
    return `The database does not answer.`;
  }
}

const MIGRATE = 'Run npm run deploy, or npx wrangler d1 migrations apply DB --remote.';
