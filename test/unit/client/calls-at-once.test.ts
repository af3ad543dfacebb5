import { describe, expect, it } from 'vitest';
import { withCallPermit } from '#client/calls-at-once.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { CALL_PERMIT_RULE } from '#client/limits.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import { manualClock } from '#support/manual-clock.ts';

const forEver = new AbortController().signal;
const waitUntil = () => undefined;

describe('concurrent calls of one user', () => {
  it('are limited, and calls of another user start at once', async () => {
    const clock = manualClock();
    const permits: Permits = new Map();
    let atWork = 0;
    let most = 0;
    const work = async () => {
      atWork += 1;
      most = Math.max(most, atWork);
      await clock.sleep(10, forEver);
      atWork -= 1;
      return new Response('done');
    };
    const hers = Array.from({ length: 50 }, () =>
      withCallPermit('ana', { permits, clock, signal: forEver, waitUntil }, work),
    );
    await clock.run(1);
    const order: string[] = [];
    const his = withCallPermit('bob', { permits, clock, signal: forEver, waitUntil }, async () => {
      order.push('bob');
      return new Response('pong');
    });
    await clock.run(1);
    expect(order).toEqual(['bob']);
    await clock.run(50 * CALL_PERMIT_RULE.pollMsMax);
    await Promise.all([...hers, his]);
    expect(most).toBe(CALL_PERMIT_RULE.max);
    expect(permits.size).toBe(0);
  });

  it('do not block the other calls of the user while they wait', async () => {
    const clock = manualClock();
    const permits: Permits = new Map();
    let begun = 0;
    const all = Array.from({ length: 2 * CALL_PERMIT_RULE.max }, () =>
      withCallPermit('ana', { permits, clock, signal: forEver, waitUntil }, async () => {
        begun += 1;
        await clock.sleep(10 * CALL_PERMIT_RULE.leaseMs, forEver);
        return new Response('done');
      }),
    );
    await clock.run(CALL_PERMIT_RULE.leaseMs - 1);
    expect(begun).toBe(CALL_PERMIT_RULE.max);
    await clock.run(2 * CALL_PERMIT_RULE.pollMsMax);
    expect(begun).toBe(2 * CALL_PERMIT_RULE.max);
    await clock.run(11 * CALL_PERMIT_RULE.leaseMs);
    await Promise.all(all);
  });

  it('count as running until their answer is sent, without delaying it', async () => {
    const clock = manualClock();
    const permits: Permits = new Map();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const streamed = new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    const answer = await withCallPermit('ana', { permits, clock, signal: forEver, waitUntil }, async () => streamed);
    expect(permits.get('ana')).toHaveLength(1);
    const text = answer.text();
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode('data: {}'));
    await writer.close();
    expect(await text).toBe('data: {}');
    await clock.run(1);
    expect(permits.size).toBe(0);
  });

  it('are refused with advice when they get no permit in time, but keep their own failures unchanged', async () => {
    const clock = manualClock();
    const permits: Permits = new Map([['ana', Array.from({ length: CALL_PERMIT_RULE.max }, () => ({ until: 1 }))]]);
    const tired = { permits, clock, signal: forEver, waitUntil, waitMs: 0 };
    const refused = await withCallPermit('ana', tired, async () => new Response('done')).catch(
      (error: unknown) => error,
    );
    expect(refused instanceof PeriscopeError && refused.failure).toMatchObject({
      code: 'rate_limited',
      budget: 'calls at once',
      setting: null,
    });
    await expect(withCallPermit('bob', tired, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });
});
