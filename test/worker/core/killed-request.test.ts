import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { HOST_PERMIT_RULE } from '#net/limits.ts';
import { LeaseClock, withPermit } from '#core/flow/semaphore.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import { sleep } from '#core/flow/abort.ts';

/** Like the product's rule, but four times as fast. */
const RULE = { ...HOST_PERMIT_RULE, leaseMs: HOST_PERMIT_RULE.leaseMs / 4, beatMs: HOST_PERMIT_RULE.beatMs / 4 };
/** It does not run on while the machine is busy with something else. */
const clock = new LeaseClock({ now: Date.now, sleep });
const LOOK_MS = 20;
const forEver = new AbortController().signal;

describe('a request that the platform kills', () => {
  it('does not keep its permits at a host, unlike a slow request', async () => {
    const permits: Permits = new Map();
    const ended = new AbortController();
    const take = (host: string, work: () => Promise<unknown>) => withPermit(host, RULE, permits, clock, forEver, work);
    const slow = take('slow.dev', () => sleep(60_000, ended.signal).catch(() => undefined));

    const object = env.PACE.get(env.PACE.idFromName('a request that is killed'));
    const killed = runInDurableObject(object, async (_, state) => {
      for (let n = 0; n < RULE.max; n += 1) {
        void take('killed.dev', () => Promise.withResolvers().promise).catch(() => undefined);
      }
      // It says that it is there before it is ended: what counts is that it says so no more.
      await sleep(RULE.beatMs * 1.5, forEver);
      state.abort('as the platform ends what takes too long');
    });
    await expect(killed).rejects.toThrow(/takes too long/);

    const from = clock.now();
    await take('killed.dev', async () => undefined);
    expect(clock.now() - from).toBeLessThanOrEqual(RULE.leaseMs + RULE.beatMs);
    while (clock.now() < from + RULE.leaseMs + RULE.beatMs) await sleep(LOOK_MS, forEver);
    expect(permits.get('slow.dev')?.every(({ until }) => until > clock.now())).toBe(true);
    ended.abort();
    await slow;
    // Each place expires at its own time, and is removed at the next request to its host.
    await take('killed.dev', async () => undefined);
    expect(permits.size).toBe(0);
  });
});
