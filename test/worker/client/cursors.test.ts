import { env } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { CURSORS_PER_SUBJECT_MAX } from '#client/limits.ts';
import { Cursors } from '#client/cursors.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const page = {
  documentId: 'd'.repeat(64),
  url: 'https://docs.acme.dev/a',
  title: 'A',
  lineCount: 100,
  restStart: null,
  fetchedAt: 0,
};
const list = {
  hits: [{ title: 'A', url: 'https://docs.acme.dev/a', snippet: 'about a' }],
  lines: ['1) A — docs.acme.dev', '   URL: https://docs.acme.dev/a'],
};

function client(name: string) {
  return env.CLIENT.get(env.CLIENT.idFromName(name));
}

function lookUp(name: string, cursor: string) {
  return client(name).use(cursor, null, DAY_MS);
}

/** Runs a test on the cursor table, with its own clock. */
function onCursors<T>(name: string, work: (cursors: Cursors) => T): Promise<T> {
  return runInDurableObject(client(name), (_, state) => work(new Cursors(state.storage.sql)));
}

describe('cursors', () => {
  it('are opaque, short and never the same', async () => {
    const [a, b] = await Promise.all([
      client('ids').mintPage(page, 0, null, DAY_MS),
      client('ids').mintPage(page, 0, null, DAY_MS),
    ]);
    expect(a).toMatch(/^c_[a-z0-9]{16}$/);
    expect(a).not.toBe(b);
  });

  it('belong to one subject: another subject finds nothing', async () => {
    const cursor = await client('alice').mintPage(page, 0, null, DAY_MS);
    expect(await lookUp('bob', cursor)).toBeNull();
    expect((await lookUp('alice', cursor))?.page).toEqual(page);
  });

  it('keep their list when a page is opened, and the list cursor stays unchanged', async () => {
    const listCursor = await client('lists').mintList(list, DAY_MS);
    const pageCursor = await client('lists').mintPage(page, 0, listCursor, DAY_MS);
    const shownPage = await lookUp('lists', pageCursor);
    const shownList = await lookUp('lists', listCursor);
    expect(shownPage?.page?.url).toBe(page.url);
    expect(shownPage?.list).toEqual(list);
    expect(shownList?.page).toBeNull();
    expect(shownList?.list).toEqual(list);
  });

  it('survive a restart of the object', async () => {
    const cursor = await client('restart').mintPage(page, 40, null, DAY_MS);
    await evictDurableObject(client('restart'));
    expect((await lookUp('restart', cursor))?.view.start).toBe(40);
  });

  it('extend their life with each use and end when it is over', async () => {
    await onCursors('sliding', (cursors) => {
      const cursor = cursors.mintPage(page, 0, null, 0, 1000);
      expect(cursors.use(cursor, null, 900, 1000)).not.toBeNull();
      expect(cursors.use(cursor, null, 1800, 1000)).not.toBeNull();
      expect(cursors.use(cursor, null, 2800, 1000)).toBeNull();
    });
  });

  it('ask for a longer pin of their document only when the earlier pin ends before they do', async () => {
    await onCursors('holds', (cursors) => {
      const cursor = cursors.mintPage(page, 0, null, 0, DAY_MS);
      const asked = 2 * HOUR_MS + DAY_MS + HOUR_MS;
      expect(cursors.use(cursor, null, HOUR_MS / 2, DAY_MS)?.renewHoldUntil).toBeNull();
      expect(cursors.use(cursor, null, 2 * HOUR_MS, DAY_MS)?.renewHoldUntil).toBe(asked);
      cursors.renew(cursor, asked);
      expect(cursors.use(cursor, null, 2.5 * HOUR_MS, DAY_MS)?.renewHoldUntil).toBeNull();
    });
  });

  it('live no longer than their document is pinned, even if a longer pin fails', async () => {
    await onCursors('failed holds', (cursors) => {
      const cursor = cursors.mintPage(page, 0, null, 0, DAY_MS);
      expect(cursors.use(cursor, null, HOUR_MS / 2, DAY_MS)).not.toBeNull();
      const heldUntil = DAY_MS + HOUR_MS;
      expect(cursors.use(cursor, null, 2 * HOUR_MS, DAY_MS)?.renewHoldUntil).toBeGreaterThan(heldUntil);
      expect(cursors.use(cursor, null, 3 * HOUR_MS, DAY_MS)?.renewHoldUntil).toBeGreaterThan(heldUntil);
      expect(cursors.use(cursor, null, heldUntil, DAY_MS)).toBeNull();
    });
    await onCursors('later holds', (cursors) => {
      const cursor = cursors.mintPage(page, 0, null, 0, DAY_MS);
      cursors.renew(cursor, cursors.use(cursor, null, 20 * HOUR_MS, DAY_MS)?.renewHoldUntil ?? 0);
      expect(cursors.use(cursor, null, 20 * HOUR_MS + DAY_MS - 1, DAY_MS)).not.toBeNull();
    });
  });

  it('make room by dropping the least recently used, never the newest', async () => {
    await onCursors('lru', (cursors) => {
      const first = cursors.mintPage(page, 0, null, 0, DAY_MS);
      const second = cursors.mintPage(page, 0, null, 1, DAY_MS);
      for (let n = 2; n < CURSORS_PER_SUBJECT_MAX; n += 1) cursors.mintPage(page, 0, null, n, DAY_MS);
      cursors.use(first, null, CURSORS_PER_SUBJECT_MAX, DAY_MS);
      const newest = cursors.mintPage(page, 0, null, CURSORS_PER_SUBJECT_MAX + 1, DAY_MS);
      expect(cursors.use(second, null, CURSORS_PER_SUBJECT_MAX + 2, DAY_MS)).toBeNull();
      expect(cursors.use(first, null, CURSORS_PER_SUBJECT_MAX + 2, DAY_MS)).not.toBeNull();
      expect(cursors.use(newest, null, CURSORS_PER_SUBJECT_MAX + 2, DAY_MS)).not.toBeNull();
    });
  });

  it('are deleted by the alarm once they have expired, together with unused lists', async () => {
    const stub = client('sweep');
    const rows = () =>
      runInDurableObject(stub, (_, state) => [
        state.storage.sql.exec('SELECT count(*) AS n FROM lists').one()['n'],
        state.storage.sql.exec('SELECT count(*) AS n FROM cursors').one()['n'],
      ]);
    const lifeMs = 100;
    const cursor = await stub.mintList(list, lifeMs);
    expect(await rows()).toEqual([1, 1]);
    await vi.waitFor(async () => {
      await runDurableObjectAlarm(stub);
      expect(await rows()).toEqual([0, 0]);
    }, 60_000);
    expect(await stub.use(cursor, null, lifeMs)).toBeNull();
  });

  it('move by absolute line or by a distance, and stop at both ends', async () => {
    await onCursors('moves', (cursors) => {
      const cursor = cursors.mintPage(page, 0, null, 0, DAY_MS);
      const move = (loc: number | null, delta: number) =>
        cursors.use(cursor, { loc, delta, numLines: 20 }, 1, DAY_MS)?.view;
      expect(move(30, 5)).toEqual({ start: 30, clamped: null });
      expect(move(null, 20)).toEqual({ start: 50, clamped: null });
      expect(move(null, -60)).toEqual({ start: 0, clamped: 'start' });
      expect(move(1000, 0)).toEqual({ start: 80, clamped: 'end' });
      expect(move(95, 0)).toEqual({ start: 95, clamped: null });
      expect(move(null, 20)).toEqual({ start: 95, clamped: 'end' });
    });
  });

  it('never jump over the beginning of the rest of a page', async () => {
    await onCursors('rest', (cursors) => {
      const cursor = cursors.mintPage({ ...page, restStart: 50 }, 0, null, 0, DAY_MS);
      const move = (loc: number | null, delta: number) =>
        cursors.use(cursor, { loc, delta, numLines: 20 }, 1, DAY_MS)?.view;
      expect(move(null, 30)).toEqual({ start: 30, clamped: null });
      expect(move(null, 30)).toEqual({ start: 50, clamped: 'rest' });
      expect(move(null, 30)).toEqual({ start: 80, clamped: null });
      expect(move(40, 0)).toEqual({ start: 40, clamped: null });
      expect(move(null, 10)).toEqual({ start: 50, clamped: null });
      expect(move(70, 0)).toEqual({ start: 70, clamped: null });
      expect(cursors.use(cursor, null, 2, DAY_MS)?.page?.restStart).toBe(50);
    });
  });
});
