import { describe, expect, it } from 'vitest';
import type { CallFact } from '#core/activity.ts';
import { UNWRITTEN_CALLS_MAX, COUNT_WRITE_INTERVAL_MS, countCall } from '#telemetry/call-counts.ts';
import type { PendingWrites } from '#telemetry/call-counts.ts';

const fact: CallFact = {
  ts: '2026-11-21T00:00:00Z',
  requestId: 'test',
  tool: 'find',
  url: null,
  ms: 1,
  cacheHit: null,
  status: 'ok',
  errorCode: null,
};

/** An isolate whose clock the test moves. */
function isolate() {
  const uncounted: PendingWrites<CallFact> = { items: [], writtenBy: 0 };
  const written: number[] = [];
  const waiting: { until: number; go: () => void }[] = [];
  let clock = 1;
  const wait = (ms: number) => new Promise<void>((go) => waiting.push({ until: clock + ms, go }));
  const write = async (facts: readonly CallFact[]) => void written.push(facts.length);
  return {
    written,
    call: (end = wait) => void countCall(fact, uncounted, { now: () => clock, wait: end, write }),
    pass: async (ms: number) => {
      clock += ms;
      for (const { until, go } of waiting) if (until <= clock) go();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

describe('call counts', () => {
  it('are written together, and later ones with the next batch', async () => {
    const { call, pass, written } = isolate();
    for (let n = 0; n < 5; n += 1) call();
    await pass(COUNT_WRITE_INTERVAL_MS - 1);
    expect(written).toEqual([]);
    await pass(1);
    expect(written).toEqual([5]);
    call();
    await pass(COUNT_WRITE_INTERVAL_MS);
    expect(written).toEqual([5, 1]);
  });

  it('are written at once when there are many', async () => {
    const { call, pass, written } = isolate();
    for (let n = 0; n < UNWRITTEN_CALLS_MAX; n += 1) call();
    await pass(0);
    expect(written).toEqual([UNWRITTEN_CALLS_MAX]);
  });

  it('are not lost when a request ends before it could write', async () => {
    const { call, pass, written } = isolate();
    call(() => new Promise(() => undefined));
    call();
    await pass(2 * COUNT_WRITE_INTERVAL_MS);
    call();
    await pass(COUNT_WRITE_INTERVAL_MS);
    expect(written).toEqual([3]);
  });
});
