import { sleep } from '#core/flow/abort.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { HostPace } from '#client/pace/pace.ts';
import { crawlDelayMs } from '#net/robots/robots-policy.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { SECOND_MS } from '#core/limits.ts';

/**
 * Maximum wait for a host's rate limit within a workflow step. For a longer wait, the workflow sleeps, which costs
 * nothing.
 */
const TURN_WAIT_MS_MAX = 10 * SECOND_MS;

export type HostPaceDeps = {
  net: NetDeps;
  now: () => number;
  /** The rate limit of a host, shared by the checks of all users' followed pages. */
  pace: (host: string) => Pick<ObjectCalls<HostPace>, 'take' | 'done'>;
  /** Minimum time (ms) between two requests to one host. Its robots.txt (`Crawl-delay`) may ask for more. */
  pauseMs: number;
};

/** The result of the work, or the time (ms) to wait before contacting the host. */
type AtHost<T> = { value: T } | { waitMs: number };

/** The time (ms) between two requests to the host. @throws {PeriscopeError} if robots.txt cannot be fetched */
export async function loadHostPauseMs(
  url: string,
  signal: AbortSignal,
  { net, now, pauseMs }: HostPaceDeps,
): Promise<number> {
  const time = { signal, deadlineAt: now() + net.policy.timeoutMs };
  return Math.max(pauseMs, await crawlDelayMs(url, time, net));
}

/**
 * Waits for the host's rate limit and runs the work. If the wait would be long, returns its length without running the
 * work.
 * @throws errors of the work
 */
export async function runAtHostPace<T>(
  url: string,
  signal: AbortSignal,
  deps: HostPaceDeps,
  work: () => Promise<T>,
): Promise<AtHost<T>> {
  const pauseMs = await loadHostPauseMs(url, signal, deps);
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
