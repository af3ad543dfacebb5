import { abortable, withTimeout } from '#core/flow/abort.ts';
import { PROBLEM_KEPT_MS, READINESS_ASK_MS, READINESS_KEPT_MS } from '#web/limits.ts';

export type ReadinessDeps = {
  now: () => number;
  /** Names of the migrations that the database has had. */
  applied: () => Promise<readonly string[]>;
  expected: readonly string[];
  /** Takes the reason, when it is another than before. That tables are still being made is nothing unexpected. */
  noteNotReady: (why: string) => void;
  report: (error: unknown) => void;
};

/** What an isolate found last. Plain data: a promise of another request must not be waited for. */
export type ReadinessMemory = { problem: string | null; until: number };

/**
 * Whether the database is there and has the tables of this version: why not, in our own words, or `null`. Anybody may ask,
 * so an isolate asks the database only when what it knows is too old.
 */
export async function readiness(memory: ReadinessMemory, deps: ReadinessDeps): Promise<string | null> {
  if (deps.now() < memory.until) return memory.problem;
  const before = memory.problem;
  memory.problem = await databaseProblem(deps);
  if (memory.problem !== null && memory.problem !== before) deps.noteNotReady(memory.problem);
  memory.until = deps.now() + (memory.problem === null ? READINESS_KEPT_MS : PROBLEM_KEPT_MS);
  return memory.problem;
}

/** Why the database cannot be used, in our own words, or `null`. */
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
