import { sleep } from '#core/flow/abort.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { HostPace } from '#client/pace/host-pace.ts';
import { crawlDelayMs } from '#net/robots/robots-policy.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { TURN_WAIT_MS_MAX } from './limits.ts';

export type HostDeps = {
  net: NetDeps;
  now: () => number;
  /** The turns of one host, shared by everybody's rounds. */
  pace: (host: string) => Pick<ObjectCalls<HostPace>, 'take' | 'done'>;
  /** ms between two requests of rounds to one host, unless its robots.txt wants more. */
  pauseMs: number;
};

/** Done, or how long (ms) the host wants to be left alone first. */
export type AtHost<T> = { value: T } | { waitMs: number };

/** How long (ms) rounds wait between two requests to the host. @throws {PeriscopeError} when robots.txt cannot be fetched */
export async function pauseAt(url: string, signal: AbortSignal, { net, now, pauseMs }: HostDeps): Promise<number> {
  const time = { signal, deadlineAt: now() + net.policy.timeoutMs };
  return Math.max(pauseMs, await crawlDelayMs(url, time, net));
}

/** Works when it is this caller's turn at the host, unless that would take long. @throws what the work throws */
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
