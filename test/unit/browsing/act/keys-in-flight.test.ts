import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyPipeline } from '#browsing/act/fields/type-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Types at a page that confirms one key after another. @returns the most keys that it had not confirmed at a time */
async function unconfirmed(keys: number, msOfEach: number): Promise<number[]> {
  const inFlight = new KeyPipeline();
  const most: number[] = [];
  let open = 0;
  let handled: Promise<unknown> = Promise.resolve();
  const send = () => {
    open += 1;
    most.push(open);
    const confirmed = handled.then(() => new Promise<void>((resolve) => setTimeout(resolve, msOfEach)));
    handled = confirmed.then(() => (open -= 1));
    return confirmed;
  };
  const typed = (async () => {
    for (let at = 0; at < keys; at += 1) await inFlight.add(send);
    await inFlight.confirmed();
  })();
  await vi.runAllTimersAsync();
  await typed;
  return most;
}

describe('keys that are not confirmed yet', () => {
  it('grow in number for a page that handles them quickly, up to a limit', async () => {
    const most = await unconfirmed(200, 1);
    expect(most[0]).toBe(1);
    expect(Math.max(...most)).toBe(16);
  });

  it.each([40, 90, 150])('are fewer than a page handles in half a second, at %i ms each', async (msOfEach) => {
    expect(Math.max(...(await unconfirmed(60, msOfEach))) * msOfEach).toBeLessThan(500);
  });

  it('are sent one at a time to a page that takes long for each', async () => {
    expect(Math.max(...(await unconfirmed(20, 400)))).toBe(1);
  });

  it('fail the typing when one of them does', async () => {
    const inFlight = new KeyPipeline();
    await inFlight.add(() => Promise.reject(new Error('gone')));
    await expect(inFlight.add(() => Promise.resolve())).rejects.toThrow('gone');
  });
});
