import { describe, expect, it } from 'vitest';
import { BUSY_LINK_CACHE_MS, BUSY_LINKS_MAX, BUSY_LINK_VIEWS_MIN } from '#web/limits.ts';
import { BusyLinkCache } from '#web/public/shared-quote.tsx';

function crowd() {
  const clock = { now: 1_000_000 };
  const store = { shown: 'a quote', asked: 0 };
  const links = new BusyLinkCache<string>(() => clock.now);
  const view = (id = 'link') =>
    links.find(id, async () => {
      store.asked += 1;
      return store.shown;
    });
  const views = async (count: number, id?: string) => {
    for (let n = 0; n < count; n += 1) await view(id);
  };
  return { clock, store, view, views };
}

describe('public links that a crowd opens', () => {
  it('query the store for each view until there is a crowd, and show changes at once', async () => {
    const { store, view, views } = crowd();
    await views(BUSY_LINK_VIEWS_MIN - 1);
    store.shown = 'nothing';
    expect(await view()).toBe('nothing');
    expect(store.asked).toBe(BUSY_LINK_VIEWS_MIN);
  });

  it('are cached for a crowd until the cache expires', async () => {
    const { clock, store, view, views } = crowd();
    await views(1_000);
    expect(store.asked).toBe(BUSY_LINK_VIEWS_MIN);
    store.shown = 'nothing';
    clock.now += BUSY_LINK_CACHE_MS - 1;
    expect(await view()).toBe('a quote');
    clock.now += 1;
    expect(await view()).toBe('nothing');
  });

  it('query the store again after a failure', async () => {
    const links = new BusyLinkCache<string>(() => 0);
    const fail = async () => Promise.reject(new Error('the database does not answer'));
    for (let n = 0; n < 2 * BUSY_LINK_VIEWS_MIN; n += 1)
      await expect(links.find('link', fail)).rejects.toThrow('database');
    expect(await links.find('link', async () => 'a quote')).toBe('a quote');
  });

  it('are not evicted by invented URLs', async () => {
    const { store, views } = crowd();
    await views(BUSY_LINK_VIEWS_MIN + 1);
    const made = 3 * BUSY_LINKS_MAX;
    for (let n = 0; n < made; n += 1) await views(1, `made up ${n}`);
    await views(100);
    expect(store.asked).toBe(BUSY_LINK_VIEWS_MIN + made);
  });

  it('take little memory, however many there are', async () => {
    const { store, views } = crowd();
    for (let n = 0; n < 2 * BUSY_LINKS_MAX; n += 1) await views(BUSY_LINK_VIEWS_MIN + 1, `crowd ${n}`);
    store.asked = 0;
    await views(1, 'crowd 0');
    await views(1, `crowd ${2 * BUSY_LINKS_MAX - 1}`);
    expect(store.asked).toBe(1);
  });
});
