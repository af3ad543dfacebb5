import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from '#browsing/rendering/renderer-object.ts';

const PATIENCE = new AbortController().signal;

/** Work that is over when it is told. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, finish: resolve };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('a limit on concurrent work', () => {
  it('runs so many at a time, and the others in the order they came', async () => {
    const limit = new ConcurrencyLimit(2);
    const begun: number[] = [];
    const works = Array.from({ length: 5 }, work);
    const runs = works.map(({ promise }, n) =>
      limit.run(PATIENCE, () => {
        begun.push(n);
        return promise;
      }),
    );
    await settle();
    expect(begun).toEqual([0, 1]);
    works[1]?.finish();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (const { finish } of works) finish();
    await Promise.all(runs);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('lets the next one in when a waiting one gives up and when a running one fails', async () => {
    const limit = new ConcurrencyLimit(1);
    const first = work();
    const gaveUp = new AbortController();
    const runs = [
      limit.run(PATIENCE, async () => {
        await first.promise;
        throw new Error('it failed');
      }),
      limit.run(gaveUp.signal, async () => 'never'),
      limit.run(PATIENCE, async () => 'its turn'),
    ];
    const ends = Promise.allSettled(runs);
    await settle();
    gaveUp.abort(new Error('no longer wanted'));
    first.finish();
    expect((await ends).map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
      'it failed',
      'no longer wanted',
      'its turn',
    ]);
  });
});
