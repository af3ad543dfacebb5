import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resolveWhileBusy } from '#core/flow/abort.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('work may take longer than the limit as long as it shows progress', async () => {
  const done = resolveWhileBusy(async (noteProgress) => {
    for (let step = 0; step < 5; step += 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, 80);
      });
      noteProgress();
    }
    return 'done';
  }, 100);
  await vi.advanceTimersByTimeAsync(400);
  await expect(done).resolves.toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('work without progress is given up, and leaves no timer even if it goes on', async () => {
  let late: () => void = () => expect.unreachable();
  const done = resolveWhileBusy(
    (noteProgress) =>
      new Promise((resolve) => {
        late = () => {
          noteProgress();
          resolve('late');
        };
      }),
    100,
  );
  await vi.advanceTimersByTimeAsync(100);
  await expect(done).resolves.toBeNull();
  late();
  expect(vi.getTimerCount()).toBe(0);
});
