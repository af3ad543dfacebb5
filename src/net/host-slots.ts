import { HOST_CONCURRENCY_MAX, HOST_SLOT_LEASE_MS, HOST_SLOT_POLL_MS } from '#core/limits.ts';

/** Expiry times (ms since the epoch) of the requests in flight to each host, for one isolate. */
export type HostSlots = Map<string, number[]>;

type Clock = { now: () => number; sleep: (ms: number, signal: AbortSignal) => Promise<void>; hostSlots: HostSlots };

/**
 * Politeness: at most {@link HOST_CONCURRENCY_MAX} requests to a host at a time. Waiting is by clock and slots expire,
 * because a Worker must not wait for a promise of another request, and a killed request never gives its slot back.
 */
export async function withHostSlot<T>(
  host: string,
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  while (busy(host, clock) >= HOST_CONCURRENCY_MAX) await clock.sleep(HOST_SLOT_POLL_MS, signal);
  const lease = clock.now() + HOST_SLOT_LEASE_MS;
  clock.hostSlots.set(host, [...(clock.hostSlots.get(host) ?? []), lease]);
  try {
    return await work();
  } finally {
    release(host, lease, clock.hostSlots);
  }
}

function busy(host: string, clock: Clock): number {
  const now = clock.now();
  const live = (clock.hostSlots.get(host) ?? []).filter((expiresAt) => expiresAt > now);
  if (live.length === 0) clock.hostSlots.delete(host);
  else clock.hostSlots.set(host, live);
  return live.length;
}

function release(host: string, lease: number, slots: HostSlots): void {
  const held = slots.get(host) ?? [];
  const at = held.indexOf(lease);
  const left = held.filter((_, index) => index !== at);
  if (left.length === 0) slots.delete(host);
  else slots.set(host, left);
}
