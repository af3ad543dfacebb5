import { sleep } from '#core/flow/abort.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { HostPace } from '#client/pace/pace.ts';
import { crawlDelayMs } from '#net/robots/robots-policy.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Longest wait of a step for its turn at a host. After that the run sleeps instead, at no cost. */
const TURN_WAIT_MS_MAX = 10 * SECOND_MS;

export type HostDeps = {
  net: NetDeps;
  now: () => number;
  /** The rate limit of a host, shared by the rounds of all subjects. */
  pace: (host: string) => Pick<ObjectCalls<HostPace>, 'take' | 'done'>;
  /** Minimum time (ms) between two requests of rounds to one host. Its robots.txt may ask for more. */
  pauseMs: number;
};

/** The result, or the time (ms) for which the host must not be contacted. */
type AtHost<T> = { value: T } | { waitMs: number };

/**
 * The time (ms) between two requests of rounds to the host.
 * @throws {PeriscopeError} if robots.txt cannot be fetched
 */
export async function pauseAt(url: string, signal: AbortSignal, { net, now, pauseMs }: HostDeps): Promise<number> {
  const time = { signal, deadlineAt: now() + net.policy.timeoutMs };
  return Math.max(pauseMs, await crawlDelayMs(url, time, net));
}

/**
 * Waits for this caller's turn at the host and runs the work. Returns at once if the wait would be long.
 * @throws errors of the work
 */
export async function atHost<T>(
  url: string,
  signal: AbortSignal,
  deps: HostDeps,
  work: () => Promise<T>,
): Promise<AtHost<T>> {
  const pauseMs = await pauseAt(url, signal, deps);
  const pace = deps.pace(new URL(url).host);
  const token = crypto.randomUUID();
  const patientUntil = deps.now() + TURN_WAIT_MS_MAX;
  for (;;) {
    const waitMs = await pace.take(token, pauseMs);
    if (waitMs === 0) break;
    if (deps.now() + waitMs > patientUntil) return { waitMs };
    await sleep(waitMs, signal);
  }
  try {
    return { value: await work() };
  } finally {
    await pace.done(token, pauseMs);
  }
}
