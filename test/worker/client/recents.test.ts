import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { partNamed } from '#core/objects.ts';
import { describe, expect, it } from 'vitest';
import { RecentlyOpenedPages } from '#client/recents.ts';
import { RECENT_PAGES_PER_SUBJECT_MAX } from '#client/limits.ts';

const DAY_MS = 86_400_000;

const client = (name: string) => env.CLIENT.get(env.CLIENT.idFromName(name));
const recentsOf = (name: string) => partNamed(env.CLIENT, name, 'recents');

/** Runs a test on the table alone. */
function onRecents<T>(name: string, work: (recents: RecentlyOpenedPages) => T): Promise<T> {
  return runInDurableObject(client(name), (_, state) => work(new RecentlyOpenedPages(state.storage.sql)));
}

const hash = (n: number) => n.toString(16).padStart(64, '0');
const page = (n: number) => ({
  snapshot: hash(n),
  url: `https://docs.acme.dev/${n}`,
  title: `Page ${n}`,
  openedAt: n,
});
const numbers = (entries: { openedAt: number }[]) => entries.map((entry) => entry.openedAt);

describe('pages opened lately', () => {
  it('are listed newest first, each once, at its latest opening', async () => {
    await onRecents('order', (recents) => {
      for (const n of [1, 2, 3]) recents.note(page(n), 'c_one');
      recents.note({ ...page(1), title: 'Renamed', openedAt: 4 }, 'c_one');
      const { entries, next } = recents.page(null, 10);
      expect(numbers(entries)).toEqual([4, 3, 2]);
      expect(entries[0]).toEqual({ ...page(1), title: 'Renamed', openedAt: 4 });
      expect(next).toBeNull();
    });
  });

  it('can be read page by page while new ones are opened, without a gap or a repetition', async () => {
    await onRecents('pages', (recents) => {
      for (let n = 1; n <= 7; n += 1) recents.note(page(n), 'c_one');
      const first = recents.page(null, 3);
      expect(numbers(first.entries)).toEqual([7, 6, 5]);
      recents.note(page(8), 'c_one');
      recents.note({ ...page(6), openedAt: 9 }, 'c_one');
      const second = recents.page(first.next, 3);
      expect(numbers(second.entries)).toEqual([4, 3, 2]);
      const third = recents.page(second.next, 3);
      expect(numbers(third.entries)).toEqual([1]);
      expect(third.next).toBeNull();
    });
  });

  it('end with the last full page', async () => {
    await onRecents('exact', (recents) => {
      for (const n of [1, 2]) recents.note(page(n), 'c_one');
      expect(recents.page(null, 2).next).toBeNull();
    });
  });

  it('make room by dropping the least recent', async () => {
    await onRecents('cap', (recents) => {
      for (let n = 1; n <= RECENT_PAGES_PER_SUBJECT_MAX; n += 1) recents.note(page(n), 'c_one');
      recents.note({ ...page(1), openedAt: RECENT_PAGES_PER_SUBJECT_MAX + 1 }, 'c_one');
      recents.note(page(RECENT_PAGES_PER_SUBJECT_MAX + 2), 'c_one');
      const { entries } = recents.page(null, RECENT_PAGES_PER_SUBJECT_MAX + 10);
      expect(entries.length).toBe(RECENT_PAGES_PER_SUBJECT_MAX);
      expect(entries[1]?.snapshot).toBe(hash(1));
      expect(entries.at(-1)?.snapshot).toBe(hash(3));
    });
  });

  it('are found by the start of their hash, or by a part of their address or title, in any case', async () => {
    await onRecents('matching', (recents) => {
      recents.note(
        { snapshot: 'ab'.repeat(32), url: 'https://docs.acme.dev/Alarms', title: null, openedAt: 1 },
        'c_one',
      );
      recents.note(
        { snapshot: 'cd'.repeat(32), url: 'https://docs.acme.dev/b', title: 'Wälrus_100%', openedAt: 2 },
        'c_one',
      );
      const found = (text: string) => numbers(recents.matching(text, 10));
      expect(found('')).toEqual([2, 1]);
      expect(found('ABab')).toEqual([1]);
      expect(found('ba')).toEqual([]);
      expect(found('alarms')).toEqual([1]);
      expect(found('WÄLRUS_100%')).toEqual([2]);
      expect(found('%')).toEqual([2]);
      expect(numbers(recents.matching('', 1))).toEqual([2]);
    });
  });

  it('are recorded with the cursor that shows them, and belong to one subject', async () => {
    const shown = {
      documentId: 'd'.repeat(64),
      url: 'https://docs.acme.dev/a',
      title: 'A',
      lineCount: 1,
      restStart: null,
      fetchedAt: 0,
    };
    await client('recent alice').mintPage({ ...shown, snapshot: hash(1) }, 0, null, DAY_MS);
    await client('recent alice').mintPage(shown, 0, null, DAY_MS);
    const { entries } = await recentsOf('recent alice').page(null, 10);
    expect(entries).toMatchObject([{ snapshot: hash(1), url: shown.url, title: 'A' }]);
    expect((await recentsOf('recent bob').page(null, 10)).entries).toEqual([]);
    expect((await recentsOf('recent alice').matching('acme', 10)).length).toBe(1);
  });
});
