import { PeriscopeError } from '#core/failures/failure.ts';
import { CALL_PERMITS, CALL_WAIT_MS } from './limits.ts';
import { withPermit } from '#core/flow/semaphore.ts';
import type { Clock, Permits } from '#core/flow/semaphore.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';

/**
 * One isolate works on only a few requests of one person at a time; the person's other requests wait. Somebody who
 * makes two hundred at once waits for their own requests, while those of other people are taken in between. A request
 * that has been running for some time, such as a call that waits for a site, no longer counts. A streamed answer is
 * worked at until it ends.
 * @param who a person, or what stands for one before it is known who they are
 * @throws {PeriscopeError} `rate_limited` when there is no room in time
 */
export async function atOnce(
  who: string,
  { permits, clock, signal, waitUntil, waitMs = CALL_WAIT_MS }: AtOnce,
  answer: () => Promise<Response>,
): Promise<Response> {
  return withTimeout(waitMs, (waiting) => answered(who, { permits, clock, signal, waitUntil, waiting }, answer));
}

function answered(
  who: string,
  { permits, clock, signal, waitUntil, waiting }: Omit<AtOnce, 'waitMs'> & { waiting: AbortSignal },
  answer: () => Promise<Response>,
): Promise<Response> {
  const begun = Promise.withResolvers<Response>();
  const patience = AbortSignal.any([signal, waiting]);
  const atWork = withPermit(who, CALL_PERMITS, permits, clock, patience, async () => {
    const { response, ended } = untilEnd(await answer());
    begun.resolve(response);
    // The platform forgets a request once its answer is sent: its place would be taken until the lease ends. One whose
    // caller goes away before is forgotten at once, as it should be.
    waitUntil(atWork);
    await ended;
  });
  atWork.catch((error: unknown) => begun.reject(waiting.aborted && error === waiting.reason ? crowded() : error));
  return begun.promise;
}

export type AtOnce = {
  permits: Permits;
  clock: Clock;
  signal: AbortSignal;
  waitUntil: (work: Promise<void>) => void;
  /** How long the request waits for its place. */
  waitMs?: number;
};

function crowded(): PeriscopeError {
  return new PeriscopeError({
    code: 'rate_limited',
    budget: 'calls at once',
    scope: 'subject',
    setting: null,
    retryAfterSeconds: Math.ceil(CALL_PERMITS.leaseMs / SECOND_MS),
  });
}

/** `ended` when all of the answer was sent, or its caller went away. */
export function untilEnd(answer: Response): { response: Response; ended: Promise<void> } {
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (answer.body === null || !isStream) return { response: answer, ended: Promise.resolve() };
  const through = new TransformStream<Uint8Array, Uint8Array>();
  const ended = answer.body.pipeTo(through.writable).catch(() => undefined);
  return { response: new Response(through.readable, answer), ended };
}
