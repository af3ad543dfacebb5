import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '#core/failures/failure.ts';
import { fetchOnce } from '#reading/open/fetch-once.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Deps = Parameters<typeof fetchOnce>[2];

describe('a fetch that waited for other pages of its caller until its time was up', () => {
  it('does not fail for the other callers', async () => {
    const finish = vi.fn<() => Promise<void>>(async () => undefined);
    const lease = { take: async () => ({ token: 'mine' }), finish } as unknown as ReturnType<Deps['lease']>;
    const deps: Deps = { now: Date.now, lease: () => lease, waitUntil: () => undefined };
    const work = async () => fail({ code: 'timeout', what: 'Loading the page', afterMs: 20_000, ownPages: 4 });
    const call = fetchOnce('page', new AbortController().signal, deps, work, async () => null);
    await expect(call).rejects.toMatchObject({ failure: { ownPages: 4 } });
    expect(finish).toHaveBeenCalledWith('mine', { kind: 'gone' });
  });
});

describe('a fetch whose caller has gone', () => {
  it('goes on for a few seconds, and then gives up its work', async () => {
    const finish = vi.fn<() => Promise<void>>(async () => undefined);
    const lease = { take: async () => ({ token: 'mine' }), finish } as unknown as ReturnType<Deps['lease']>;
    const goingOn: Promise<unknown>[] = [];
    const deps: Deps = { now: Date.now, lease: () => lease, waitUntil: (work) => void goingOn.push(work) };
    const leaving = new AbortController();
    const ended = vi.fn<(reason: unknown) => void>();
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          ended(signal.reason);
          reject(signal.reason);
        });
      });
    const call = fetchOnce('page', leaving.signal, deps, work, async () => null);
    const outcome = call.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    leaving.abort(new Error('gone'));
    expect(await outcome).toEqual(new Error('gone'));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toHaveBeenCalledWith(new Error('gone'));
    await Promise.all(goingOn);
    expect(finish).toHaveBeenCalledWith('mine', { kind: 'gone' });
  });
});
