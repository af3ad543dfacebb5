import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { CALL_DEADLINE_MS, LEASE_WAIT_MS } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { hasSecret } from '#core/secrets/secret-addresses.ts';
import { abortable, withTimeout } from '#core/flow/abort.ts';
import type { LeaseEnd, PageLease } from '#storage/pages/page-lease.ts';

type Lease = Pick<ObjectCalls<PageLease>, 'take' | 'finish'>;

export type FetchOnceDeps = {
  /** ms since the epoch. */
  now: () => number;
  /** The lease on fetching one snapshot, shared by every caller of the deployment. */
  lease: (key: string) => Lease;
  /** Keeps work going when the caller it was begun for goes away: the platform would end it where it stands. */
  waitUntil: (work: Promise<unknown>) => void;
};

const TRIES_MAX = 3;

/**
 * Runs `work` once for all callers that ask for the same key at the same time: the first one works, the others wait and
 * `reread` what it stored. If it fails, all fail. The work serves everybody, so it continues even if its caller goes
 * away; if it still ends, the others fetch for themselves, after a wait that leaves them time. What is for one of them
 * alone each fetches for themselves.
 */
export async function fetchOnce<T extends { isPrivate: boolean }>(
  key: string,
  signal: AbortSignal,
  deps: FetchOnceDeps,
  work: (signal: AbortSignal) => Promise<T>,
  reread: () => Promise<T | null>,
): Promise<T> {
  const lease = deps.lease(key);
  const patientUntil = deps.now() + LEASE_WAIT_MS;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await lease.take(Math.max(0, patientUntil - deps.now()), crypto.randomUUID());
    if (taken.token !== null) {
      const { token } = taken;
      const led = withTimeout(CALL_DEADLINE_MS, (late) => lead(token, late, lease, work));
      return abortable(goingOn(led, deps), signal);
    }
    if (taken.outcome.kind === 'failed') fail(taken.outcome.failure);
    const found = taken.outcome.kind === 'gone' ? null : await reread();
    if (found !== null) return found;
    signal.throwIfAborted();
    if (taken.outcome.kind === 'private') break;
  }
  return goingOn(work(signal), deps);
}

/** Also work that ends with its caller has something to give back first, such as its place at a host. */
function goingOn<T>(work: Promise<T>, { waitUntil }: FetchOnceDeps): Promise<T> {
  waitUntil(work.catch(() => undefined));
  return work;
}

async function lead<T extends { isPrivate: boolean }>(
  token: string,
  signal: AbortSignal,
  lease: Lease,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let outcome: LeaseEnd = { kind: 'gone' };
  try {
    const result = await work(signal);
    outcome = { kind: result.isPrivate ? 'private' : 'stored' };
    return result;
  } catch (error) {
    if (error instanceof PeriscopeError && isForAll(error.failure) && !signal.aborted) {
      outcome = { kind: 'failed', failure: error.failure };
    }
    throw error;
  } finally {
    await lease.finish(token, outcome);
  }
}

/** A caller that has used up its own budget, found no memory in time, or was led to a secret address, says nothing about the page for others. */
function isForAll(failure: Failure): boolean {
  if (failure.code === 'rate_limited' || failure.code === 'overloaded') return false;
  return !('url' in failure) || failure.url === undefined || !hasSecret(failure.url);
}
