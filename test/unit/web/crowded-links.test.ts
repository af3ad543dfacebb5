import { describe, expect, it } from 'vitest';
import { CROWD_KEPT_MS, CROWD_LINKS_MAX, CROWD_VIEWS } from '#web/limits.ts';
import { CrowdedLinks } from '#web/public/crowded-links.ts';

function crowd() {
  const clock = { now: 1_000_000 };
  const store = { shown: 'a quote', asked: 0 };
  const links = new CrowdedLinks<string>(() => clock.now);
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

describe('links that many open at a time', () => {
  it('are asked for each time until there is a crowd, and show at once what changed', async () => {
    const { store, view, views } = crowd();
    await views(CROWD_VIEWS - 1);
    store.shown = 'nothing';
    expect(await view()).toBe('nothing');
    expect(store.asked).toBe(CROWD_VIEWS);
  });

  it('are asked for no more by a crowd, until their time is over', async () => {
    const { clock, store, view, views } = crowd();
    await views(1_000);
    expect(store.asked).toBe(CROWD_VIEWS);
    store.shown = 'nothing';
    clock.now += CROWD_KEPT_MS - 1;
    expect(await view()).toBe('a quote');
    clock.now += 1;
    expect(await view()).toBe('nothing');
  });

  it('are asked for again after a failure', async () => {
    const links = new CrowdedLinks<string>(() => 0);
    const fail = async () => Promise.reject(new Error('the database does not answer'));
    for (let n = 0; n < 2 * CROWD_VIEWS; n += 1) await expect(links.find('link', fail)).rejects.toThrow('database');
    expect(await links.find('link', async () => 'a quote')).toBe('a quote');
  });

  it('are not pushed out by addresses that somebody makes up', async () => {
    const { store, views } = crowd();
    await views(CROWD_VIEWS + 1);
    const made = 3 * CROWD_LINKS_MAX;
    for (let n = 0; n < made; n += 1) await views(1, `made up ${n}`);
    await views(100);
    expect(store.asked).toBe(CROWD_VIEWS + made);
  });

  it('take little room, however many there are', async () => {
    const { store, views } = crowd();
    for (let n = 0; n < 2 * CROWD_LINKS_MAX; n += 1) await views(CROWD_VIEWS + 1, `crowd ${n}`);
    store.asked = 0;
    await views(1, 'crowd 0');
    await views(1, `crowd ${2 * CROWD_LINKS_MAX - 1}`);
    expect(store.asked).toBe(1);
  });
});
