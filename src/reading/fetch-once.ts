import { fail, PeriscopeError } from '#core/errors.ts';
import type { LeaseOutcome, LeaseTurn } from '#storage/page-lease.ts';

/** The turns at fetching one snapshot, shared by every caller of the deployment. */
export type LeasePort = {
  take: (key: string) => Promise<LeaseTurn>;
  finish: (key: string, token: string, outcome: LeaseOutcome) => Promise<void>;
};

const TURNS_MAX = 3;

/**
 * Runs `work` once for all who ask for the same key at the same time: the others wait and `reread` what it stored. A
 * failure of the one is the failure of all; a caller that goes away hands its turn on.
 */
export async function fetchOnce<T>(
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
    const found = turn.outcome.kind === 'stored' ? await reread() : null;
    if (found !== null) return found;
    signal.throwIfAborted();
  }
  return work();
}

async function lead<T>(
  key: string,
  token: string,
  signal: AbortSignal,
  lease: LeasePort,
  work: () => Promise<T>,
): Promise<T> {
  let outcome: LeaseOutcome = { kind: 'gone' };
  try {
    const result = await work();
    outcome = { kind: 'stored' };
    return result;
  } catch (error) {
    // Who has used up their own budget says nothing of the page: the next one tries.
    const isShared = error instanceof PeriscopeError && error.failure.code !== 'rate_limited';
    if (isShared && !signal.aborted) outcome = { kind: 'failed', failure: error.failure };
    throw error;
  } finally {
    await lease.finish(key, token, outcome);
  }
}
