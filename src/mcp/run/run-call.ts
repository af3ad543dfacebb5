import { abortable, withTimeout } from '#core/flow/abort.ts';
import type { CallFact, ReadPage } from '#core/activity.ts';
import { failureIn, PeriscopeError } from '#core/failures/failure.ts';
import type { Failure, FailureCode } from '#core/failures/failure.ts';
import { CALL_DEADLINE_MS } from '#core/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';

/** What a call needs of its surroundings, whatever it calls. */
export type CallRecorder = {
  requestId: string;
  now: () => number;
  /** Says that the call begins. @returns what says that it ended */
  begin: (name: string) => () => void;
  /** Takes the one fact of the call. */
  record: (fact: CallFact) => void;
  /** Takes what failed of the platform, or an error nobody planned for; its text never reaches the caller. */
  reportUnexpected: (requestId: string, error: unknown) => void;
};

/** What the log wants to know of an answer: the address that was read, and whether the store had it; and what its person does. */
export type LoggedAnswer = {
  url?: string | undefined;
  cacheHit?: boolean | undefined;
  read?: readonly ReadPage[] | undefined;
};

const CANCELLED: FailureCode = 'cancelled';

export type Outcome<T> = { answer: T } | { failure: Failure };
/** What became of a call, with what was recorded of it. */
export type Recorded<T> = Outcome<T> & { fact: CallFact };

/**
 * Runs the work of one call: deadline and abort signal → error mapping → one fact. Whatever goes wrong comes back as a
 * failure.
 * @param name of the tool, prompt or method, for the fact and for people
 */
export async function runCall<T extends LoggedAnswer>(
  name: string,
  callerSignal: AbortSignal,
  env: CallRecorder,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Recorded<T>> {
  const started = env.now();
  const end = env.begin(name);
  const outcome = await attempt(name, callerSignal, env, work);
  end();
  const failure = 'failure' in outcome ? outcome.failure : null;
  // Nobody gets the answer when the caller has gone, so its failure is none of ours.
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
      return { failure: failureIn(error) ?? { code: 'internal', requestId } };
    }
  });
}

function tooSlow(name: string): Failure {
  return { code: 'timeout', what: `The call of ${name}`, afterMs: CALL_DEADLINE_MS };
}

function loggedUrl(answer: LoggedAnswer | null, failure: Failure | null): string | null {
  if (answer?.url !== undefined) return redactUrl(answer.url);
  return failure !== null && 'url' in failure && failure.url !== undefined ? redactUrl(failure.url) : null;
}
