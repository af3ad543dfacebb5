import { abortable, withTimeout } from '#core/flow/abort.ts';
import type { CallFact, ReadPageFacts } from '#core/activity.ts';
import { findFailure, PeriscopeError } from '#core/failures/failure.ts';
import type { Failure, FailureCode } from '#core/failures/failure.ts';
import { CALL_DEADLINE_MS } from '#core/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';

export type CallRecorder = {
  requestId: string;
  now: () => number;
  /** Called when the call begins. @returns a function to call when it ends */
  begin: (name: string) => () => void;
  record: (fact: CallFact) => void;
  /** Reports an error of the platform or of this code. The error's text never reaches the caller. */
  reportUnexpected: (requestId: string, error: unknown) => void;
};

/** Facts for the log and the user's activity: the URL that was read, whether the store had it, and the pages shown. */
export type AnswerLogFacts = {
  url?: string | undefined;
  cacheHit?: boolean | undefined;
  read?: readonly ReadPageFacts[] | undefined;
};

const CANCELLED: FailureCode = 'cancelled';

type Outcome<T> = { answer: T } | { failure: Failure };
export type RecordedOutcome<T> = Outcome<T> & { fact: CallFact };

/**
 * Runs the work of one call with a deadline, turns errors into failures, and writes one log entry.
 * @param name the tool, prompt or method, for the log and for users
 * @param callerSignal fires when the client disconnects or cancels the call
 */
export async function runCall<T extends AnswerLogFacts>(
  name: string,
  callerSignal: AbortSignal,
  env: CallRecorder,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<RecordedOutcome<T>> {
  const started = env.now();
  const end = env.begin(name);
  const outcome = await attempt(name, callerSignal, env, work);
  end();
  const failure = 'failure' in outcome ? outcome.failure : null;
  // After the caller has disconnected or cancelled, nobody receives the response, so every outcome is logged as cancelled.
  const errorCode = callerSignal.aborted ? CANCELLED : (failure?.code ?? null);
  const answer = 'answer' in outcome ? outcome.answer : null;
  const fact: CallFact = {
    ts: new Date(started).toISOString(),
    requestId: env.requestId,
    tool: name,
    url: loggedUrl(answer, failure),
    ms: env.now() - started,
    cacheHit: answer?.cacheHit ?? null,
    status: errorCode === null ? 'ok' : 'error',
    errorCode,
  };
  env.record(fact);
  return { ...outcome, fact };
}

async function attempt<T>(
  name: string,
  callerSignal: AbortSignal,
  { requestId, reportUnexpected }: CallRecorder,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Outcome<T>> {
  return withTimeout(CALL_DEADLINE_MS, async (deadline) => {
    const signal = AbortSignal.any([callerSignal, deadline]);
    try {
      return { answer: await abortable(work(signal), deadline) };
    } catch (error) {
      if (error instanceof PeriscopeError) return { failure: error.failure };
      if (deadline.aborted) return { failure: tooSlow(name) };
      if (!callerSignal.aborted) reportUnexpected(requestId, error);
      return { failure: findFailure(error) ?? { code: 'internal', requestId } };
    }
  });
}

function tooSlow(name: string): Failure {
  return { code: 'timeout', what: `The call of ${name}`, afterMs: CALL_DEADLINE_MS };
}

function loggedUrl(answer: AnswerLogFacts | null, failure: Failure | null): string | null {
  if (answer?.url !== undefined) return redactUrl(answer.url);
  return failure !== null && 'url' in failure && failure.url !== undefined ? redactUrl(failure.url) : null;
}
