import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { CALL_DEADLINE_MS, PAGE_LEASE_WAIT_MS, SECOND_MS } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';
import { abortable, withTimeout } from '#core/flow/abort.ts';
import { HttpError } from '#net/fetch/load.ts';
import type { PageFetchOutcome, PageLease } from '#client/pace/pace.ts';

type Lease = Pick<ObjectCalls<PageLease>, 'take' | 'finish'>;

export type FetchOnceDeps = {
  now: () => number;
  /** Returns the lease of a key, which all isolates of the deployment share. */
  lease: (key: string) => Lease;
  /** Lets work continue after its caller disconnects. Otherwise the platform would stop it. */
  waitUntil: (work: Promise<unknown>) => void;
};

const TRIES_MAX = 3;
/**
 * Time that work goes on after its caller has gone. Most pages are stored by then, for the caller's next try. A page that
 * never answers must not hold one of its host's permits much longer.
 */
const GRACE_MS = 5 * SECOND_MS;

/**
 * Runs the work once for all concurrent callers with the same key. The first caller gets the lease and runs the work,
 * and for {@link GRACE_MS} after it disconnects. The others wait, and then `reread` the stored result. If the work ends without a result, a
 * waiting caller takes over. A caller that has waited for {@link PAGE_LEASE_WAIT_MS} runs the work itself. Private
 * pages are never shared, so each of their callers also runs the work itself.
 * @throws {PeriscopeError} if the work fails; for all callers, unless the failure concerns only the caller that ran the
 * work
 */
export async function fetchOnce<T extends { isPrivate: boolean }>(
  key: string,
  signal: AbortSignal,
  deps: FetchOnceDeps,
  work: (signal: AbortSignal) => Promise<T>,
  reread: () => Promise<T | null>,
): Promise<T> {
  const lease = deps.lease(key);
  const patientUntil = deps.now() + PAGE_LEASE_WAIT_MS;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await lease.take(Math.max(0, patientUntil - deps.now()), crypto.randomUUID());
    if (taken.token !== null) {
      const { token } = taken;
      const gone = graceAfter(signal);
      const led = withTimeout(CALL_DEADLINE_MS, (late) =>
        lead(token, AbortSignal.any([late, gone.signal]), lease, deps, work),
      ).finally(gone.stop);
      return abortable(keepAlive(led, deps), signal);
    }
    if (taken.outcome.kind === 'failed') fail(taken.outcome.failure);
    const found = taken.outcome.kind === 'gone' ? null : await reread();
    if (found !== null) return found;
    signal.throwIfAborted();
    if (taken.outcome.kind === 'private') break;
  }
  return keepAlive(work(signal), deps);
}

/** A signal that fires some time after the one of a caller, whose work others may be waiting for. */
function graceAfter(signal: AbortSignal) {
  const ended = new AbortController();
  let clear = () => {};
  const onAbort = () => {
    const timer = setTimeout(() => ended.abort(signal.reason), GRACE_MS);
    clear = () => clearTimeout(timer);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const stop = () => {
    signal.removeEventListener('abort', onAbort);
    clear();
  };
  return { signal: ended.signal, stop };
}

/** Keeps work alive until it ends, because even cancelled work needs time to release a host's permit. */
function keepAlive<T>(work: Promise<T>, { waitUntil }: FetchOnceDeps): Promise<T> {
  waitUntil(work.catch(() => undefined));
  return work;
}

async function lead<T extends { isPrivate: boolean }>(
  token: string,
  signal: AbortSignal,
  lease: Lease,
  { waitUntil }: FetchOnceDeps,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let outcome: PageFetchOutcome = { kind: 'gone' };
  try {
    const result = await work(signal);
    outcome = { kind: result.isPrivate ? 'private' : 'stored' };
    return result;
  } catch (error) {
    if (error instanceof PeriscopeError && !signal.aborted) outcome = endFor(error);
    throw error;
  } finally {
    // Not awaited, because only the other callers need it. If `finish` fails, the lease expires.
    waitUntil(lease.finish(token, outcome).catch(() => undefined));
  }
}

function endFor(error: PeriscopeError): PageFetchOutcome {
  const { failure } = error;
  const isSentToOne = error instanceof HttpError && error.isPrivate && error.failure.quoted !== undefined;
  if (isSentToOne) return { kind: 'private' };
  return isForAll(failure) ? { kind: 'failed', failure } : { kind: 'gone' };
}

/**
 * Returns true for a failure that concerns all callers, because the page caused it. False for one caller's failures: an
 * exhausted budget, low memory, other pages of the caller, or a redirect to a secret URL.
 */
function isForAll(failure: Failure): boolean {
  if (failure.code === 'rate_limited' || failure.code === 'overloaded') return false;
  if (failure.code === 'timeout' && failure.ownPages !== undefined) return false;
  return !('url' in failure) || failure.url === undefined || !hasSecretInUrl(failure.url);
}
