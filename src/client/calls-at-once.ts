import { PeriscopeError } from '#core/failures/failure.ts';
import { CALL_PERMIT_RULE } from './limits.ts';
import { withPermit } from '#core/flow/semaphore.ts';
import type { Clock, Permits } from '#core/flow/semaphore.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Maximum wait of a call for its permit. Together with the longest call, it stays below the timeout of MCP hosts. */
const CALL_PERMIT_WAIT_MS_MAX = 14 * SECOND_MS;

/**
 * Limits how many requests of one user an isolate runs at the same time. Further requests of this user wait, so two
 * hundred parallel requests delay only the user who sent them. A request counts until its response is ready (an event
 * stream: until it has been sent) or its permit expires, so requests that wait for slow sites do not block others for
 * long.
 * @param who ID of the user; before the sign-in is checked, another value that tells users apart
 * @throws {PeriscopeError} `rate_limited` if no permit is free in time
 */
export async function withCallPermit(
  who: string,
  { permits, clock, signal, waitUntil, waitMs = CALL_PERMIT_WAIT_MS_MAX }: CallPermitDeps,
  answer: () => Promise<Response>,
): Promise<Response> {
  return withTimeout(waitMs, (waiting) => answered(who, { permits, clock, signal, waitUntil, waiting }, answer));
}

function answered(
  who: string,
  { permits, clock, signal, waitUntil, waiting }: Omit<CallPermitDeps, 'waitMs'> & { waiting: AbortSignal },
  answer: () => Promise<Response>,
): Promise<Response> {
  const begun = Promise.withResolvers<Response>();
  const patience = AbortSignal.any([signal, waiting]);
  const atWork = withPermit(who, CALL_PERMIT_RULE, permits, clock, patience, async () => {
    const { response, ended } = trackResponseEnd(await answer());
    begun.resolve(response);
    // Without `waitUntil`, the platform drops the request once its response is sent, and the permit would stay taken
    // until its lease ends. A request whose caller disconnects is still dropped immediately.
    waitUntil(atWork);
    await ended;
  });
  atWork.catch((error: unknown) => begun.reject(waiting.aborted && error === waiting.reason ? crowded() : error));
  return begun.promise;
}

type CallPermitDeps = {
  permits: Permits;
  clock: Clock;
  signal: AbortSignal;
  waitUntil: (work: Promise<void>) => void;
  waitMs?: number;
};

function crowded(): PeriscopeError {
  return new PeriscopeError({
    code: 'rate_limited',
    budget: 'calls at once',
    scope: 'subject',
    setting: null,
    retryAfterSeconds: Math.ceil(CALL_PERMIT_RULE.leaseMs / SECOND_MS),
  });
}

/**
 * `ended` resolves when the whole event stream was sent, or its caller disconnected; at once for any other response.
 */
export function trackResponseEnd(answer: Response): { response: Response; ended: Promise<void> } {
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (answer.body === null || !isStream) return { response: answer, ended: Promise.resolve() };
  const through = new TransformStream<Uint8Array, Uint8Array>();
  const ended = answer.body.pipeTo(through.writable).catch(() => undefined);
  return { response: new Response(through.readable, answer), ended };
}
