import { fail, PeriscopeError } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { hasSecret } from '#core/secret-addresses.ts';
import type { LeaseOutcome, LeaseTurn } from '#storage/page-lease.ts';

/** The turns at fetching one snapshot, shared by every caller of the deployment. */
export type LeasePort = {
  take: (key: string) => Promise<LeaseTurn>;
  finish: (key: string, token: string, outcome: LeaseOutcome) => Promise<void>;
};

const TURNS_MAX = 3;

/**
 * Runs `work` once for all who ask for the same key at the same time: the others wait and `reread` what it stored. A
 * failure of the one is the failure of all; a caller that goes away hands its turn on. What is for one of them alone
 * each fetches for themselves.
 */
export async function fetchOnce<T extends { isPrivate: boolean }>(
  key: string,
  signal: AbortSignal,
  lease: LeasePort,
  work: () => Promise<T>,
  reread: () => Promise<T | null>,
): Promise<T> {
  for (let turns = 0; turns < TURNS_MAX; turns += 1) {
    const turn = await lease.take(key);
    if (turn.token !== null) return lead(key, turn.token, signal, lease, work);
    if (turn.outcome.kind === 'failed') fail(turn.outcome.failure);
    const found = turn.outcome.kind === 'gone' ? null : await reread();
    if (found !== null) return found;
    signal.throwIfAborted();
    if (turn.outcome.kind === 'private') break;
  }
  return work();
}

async function lead<T extends { isPrivate: boolean }>(
  key: string,
  token: string,
  signal: AbortSignal,
  lease: LeasePort,
  work: () => Promise<T>,
): Promise<T> {
  let outcome: LeaseOutcome = { kind: 'gone' };
  try {
    const result = await work();
    outcome = { kind: result.isPrivate ? 'private' : 'stored' };
    return result;
  } catch (error) {
    if (error instanceof PeriscopeError && isForAll(error.failure) && !signal.aborted) {
      outcome = { kind: 'failed', failure: error.failure };
    }
    throw error;
  } finally {
    await lease.finish(key, token, outcome);
  }
}

/** Who has used up their own budget, or was led to an address that is a secret, says nothing of the page to others. */
function isForAll(failure: Failure): boolean {
  if (failure.code === 'rate_limited') return false;
  return !('url' in failure) || failure.url === undefined || !hasSecret(failure.url);
}
