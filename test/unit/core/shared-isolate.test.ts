import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findFailure } from '#core/failures/failure.ts';
import { CALL_DEADLINE_MS, TASK_MEMORY_BYTES_MAX, SECOND_MS } from '#core/limits.ts';
import { withTimeout, sleep } from '#core/flow/abort.ts';
import { LeaseClock } from '#core/flow/semaphore.ts';
import { createMemoryRunner } from '#core/flow/memory.ts';
import type { MemoryShares } from '#core/flow/memory.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import { createCpuLock } from '#core/flow/turns.ts';

const megabytes = (most: number) => fc.integer({ min: 1, max: most }).map((count) => count * 1e6);

/** A page that is requested, loaded, and read in this many parts. Its call gives up after its time limit. */
const page = fc.record({
  who: fc.constantFrom('ana', 'bob', 'carla'),
  comesAt: fc.nat(SECOND_MS / 2),
  body: fc.record({ held: megabytes(5), work: megabytes(30) }),
  linesBytes: megabytes(8),
  loadsMs: fc.nat(SECOND_MS / 2),
  parts: fc.nat(6),
  timeMs: fc.oneof(fc.nat(8 * SECOND_MS), fc.constant(CALL_DEADLINE_MS)),
});
type Page = typeof page extends fc.Arbitrary<infer T> ? T : never;

/** Time that the thread is free, and then busy. */
const stall = fc.record({ freeMs: fc.integer({ min: 1, max: 100 }), busyMs: fc.nat(9 * SECOND_MS) });

/** The memory and the processor of one isolate, with a look at both whenever something was granted. */
function isolate() {
  const clock = new LeaseClock({ now: Date.now, sleep });
  const memory: MemoryShares = [];
  const turns: Permits = new Map();
  const most = { reading: 0, besideOldest: 0 };
  let reading = 0;
  const look = () => {
    const [, ...others] = memory.filter(({ has }) => has.held > 0).map(({ has }) => has);
    const held = others.reduce((sum, one) => sum + one.held, 0);
    most.reading = Math.max(most.reading, reading);
    most.besideOldest = Math.max(most.besideOldest, held + Math.max(0, ...others.map(({ work }) => work)));
  };
  const open = async ({ who, comesAt, body, linesBytes, loadsMs, parts, timeMs }: Page) => {
    await sleep(comesAt);
    await withTimeout(timeMs, (late) =>
      createMemoryRunner(
        who,
        memory,
        clock,
      )(async (share) => {
        await share.take({ held: 1e6, work: 1e6 }, late);
        look();
        await sleep(loadsMs, late);
        await share.take(body, late);
        look();
        await share.take({ held: body.held + linesBytes, work: body.work }, late);
        look();
        await createCpuLock(
          who,
          turns,
          clock,
        )(late, async (pause) => {
          reading += 1;
          look();
          try {
            for (let part = 0; part < parts; part += 1) await pause();
          } finally {
            reading -= 1;
          }
        });
      }),
    );
  };
  return { open, memory, most };
}

/** A test that ends in the middle leaves no real timers, and the run would hang. */
const PATIENCE_MS = 60_000;

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
);
afterEach(() => void vi.useRealTimers());

describe('users who share an isolate, whatever they open and however busy the thread is', () => {
  it(
    'have their pages read one at a time within the memory limit next to the oldest task, and all finish',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(page, { minLength: 2, maxLength: 5 }),
          fc.array(stall, { maxLength: 20 }),
          async (pages, stalls) => {
            const { open, memory, most } = isolate();
            const failures: unknown[] = [];
            let ended = 0;
            for (const one of pages)
              void open(one)
                .catch((error: unknown) => failures.push(error))
                .finally(() => (ended += 1));
            for (const { freeMs, busyMs } of stalls) {
              await vi.advanceTimersByTimeAsync(freeMs);
              vi.setSystemTime(Date.now() + busyMs);
            }
            // No call waits longer than for a place, a page and all pages before it.
            for (let seconds = 0; ended < pages.length && seconds < 90; seconds += 1)
              await vi.advanceTimersByTimeAsync(SECOND_MS);
            expect(ended).toBe(pages.length);
            expect(failures.filter((error) => findFailure(error)?.code !== 'overloaded' && !isTimeout(error))).toEqual(
              [],
            );
            expect(memory).toEqual([]);
            expect(most.reading).toBeLessThanOrEqual(1);
            expect(most.besideOldest).toBeLessThanOrEqual(TASK_MEMORY_BYTES_MAX);
          },
        ),
        { numRuns: 25, endOnFailure: true },
      );
    },
    PATIENCE_MS,
  );
});
