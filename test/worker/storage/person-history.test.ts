import { partNamed } from '#core/objects.ts';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Activity, SessionStep } from '#core/activity.ts';
import { DAY_MS, MINUTE_MS } from '#core/limits.ts';
import {
  ACTIVITY_ENTRIES_MAX,
  HISTORY_NAMES_MAX,
  STEP_LIFETIME_MS,
  STEP_PICTURE_BYTES_MAX,
  STEP_PICTURES_BYTES_MAX,
  STORED_STEPS_MAX,
  SESSION_NAME_LIFETIME_MS,
} from '#storage/limits.ts';
import type { HistoryLimits } from '#storage/limits.ts';

const NOW = Date.now();
/** Like the product's limits, but smaller. */
const SMALL: HistoryLimits = { lines: 20, names: 8, steps: 12, pictureBytes: 4.5 * STEP_PICTURE_BYTES_MAX };
const DEED: Activity = {
  id: 'one.0',
  at: NOW,
  isCall: true,
  client: 'client',
  tool: 'open_url',
  kind: 'read',
  url: 'https://docs.acme.dev/',
  title: 'Docs',
  words: null,
  cursor: null,
  documentId: null,
  lines: null,
  session: null,
  ms: 10,
  error: null,
  reason: null,
  hint: null,
};
const STEP: SessionStep = {
  id: 'step',
  session: 'one',
  at: NOW,
  what: 'click',
  url: null,
  title: null,
  error: null,
  without: null,
};

/** Nobody's calls but those of the test reach it. */
function person(name: string) {
  const stub = () => env.PERSON_STORE.get(env.PERSON_STORE.idFromName(name));
  const history = () => partNamed(env.PERSON_STORE, name, 'history');
  return {
    stub,
    history,
    lines: async () => (await history().deeds({}, null, 10)).deeds,
    at: (ms: number) =>
      runInDurableObject(stub(), (object) => {
        object.history.clock = () => ms;
      }),
    /** @returns the limits of the product */
    limit: (limits: HistoryLimits) =>
      runInDurableObject(stub(), (object) => {
        const before = object.history.limits;
        object.history.limits = limits;
        return before;
      }),
  };
}

describe('a stored browser call', () => {
  it('leads to its step, with the clicked element, and to no step of another kind, session or time', async () => {
    const { lines, history } = person('steps of calls');
    const call = { ...DEED, kind: 'browse', tool: 'browser_click', session: 'one', at: NOW - 1_000, ms: 400 } as const;
    await history().keepStep({ ...STEP, id: 'earlier', at: NOW - 1_200 }, null);
    await history().keepStep({ ...STEP, id: 'its own', at: NOW - 500 }, null, {
      steps: [
        {
          do: 'click',
          at: { role: 'button', name: 'Send', nth: null, frame: null },
          button: 'left',
          count: 1,
          modifiers: [],
        },
      ],
      url: null,
      text: null,
    });
    await history().keepStep({ ...STEP, id: 'the next', at: NOW }, null);
    await history().note(
      [
        { ...call, id: 'a.0' },
        { ...call, id: 'b.0', tool: 'browser_snapshot' },
        { ...call, id: 'c.0', session: 'two' },
        { ...call, id: 'd.0', at: NOW + 60_000 },
      ],
      DAY_MS,
    );
    const steps = (await history().steps('one', null, 5)).steps;
    const own = steps.find(({ id }) => id === 'its own');
    expect(own?.done).toMatchObject([{ do: 'click', at: { name: 'Send' } }]);
    const found = (await lines()).map(({ id, step }) => [id, step?.seq ?? null]);
    expect(found).toEqual([
      ['d.0', null],
      ['c.0', null],
      ['b.0', null],
      ['a.0', own?.seq],
    ]);
  });
});

describe('a stored client', () => {
  it('keeps its latest name', async () => {
    const { history } = person('names');
    await history().note([DEED], 0);
    await history().nameClients([
      [DEED.client, 'Agent'],
      ['nobody', 'None'],
    ]);
    expect(await history().clients()).toEqual([{ id: DEED.client, usedAt: DEED.at, name: 'Agent' }]);
    await history().note([{ ...DEED, at: NOW + MINUTE_MS }], 0);
    expect(await history().clients()).toEqual([{ id: DEED.client, usedAt: NOW + MINUTE_MS, name: 'Agent' }]);
  });

  it('has a time of last use accurate to a minute, because each update is charged', async () => {
    const { history } = person('minutes');
    for (const later of [0, MINUTE_MS - 1, 2 * MINUTE_MS, MINUTE_MS])
      await history().note([{ ...DEED, at: NOW + later }], 0);
    expect((await history().clients()).map(({ usedAt }) => usedAt)).toEqual([NOW + 2 * MINUTE_MS]);
    await history().note([{ ...DEED, at: NOW + 3 * MINUTE_MS - 1 }], 0);
    expect((await history().clients()).map(({ usedAt }) => usedAt)).toEqual([NOW + 2 * MINUTE_MS]);
  });
});

describe('the activity of a user', () => {
  it('has each line once, newest first, and expires by time and by number', async () => {
    const { stub, lines, at, history } = person('lines');
    await history().note([DEED, { ...DEED, id: 'one.1', isCall: false }], DAY_MS);
    await history().note([DEED], DAY_MS);
    expect((await lines()).map(({ id }) => id)).toEqual(['one.1', 'one.0']);
    expect((await history().use(0)).tools).toEqual([{ tool: 'open_url', calls: 1, errors: 0, p50: 10, p95: 10 }]);
    await at(NOW + DAY_MS + 1);
    expect(await lines()).toEqual([]);
    await runDurableObjectAlarm(stub());
    expect(await history().clients()).toEqual([{ id: 'client', usedAt: NOW, name: null }]);
  });

  it('is searched in any case and language, page by page', async () => {
    const { history } = person('searched');
    const titles = ['Übersicht', 'Docs', 'ÜBERSICHT ÜBER ÄRZTE', 'übersicht'];
    await history().note(
      titles.map((title, n) => ({ ...DEED, id: `${n}.0`, title })),
      DAY_MS,
    );
    for (const text of ['übersicht', 'ÜBERSICHT', 'Übersicht']) {
      const first = await history().deeds({ text }, null, 2);
      expect(first.deeds.map(({ title }) => title)).toEqual(['übersicht', 'ÜBERSICHT ÜBER ÄRZTE']);
      const second = await history().deeds({ text }, first.next, 2);
      expect(second).toMatchObject({ deeds: [{ title: 'Übersicht' }], next: null });
    }
    expect((await history().deeds({ text: 'docs.ACME' }, null, 10)).deeds).toHaveLength(4);
  });

  it('counts calls, failures and percentiles by tool and day', async () => {
    const { history } = person('use');
    const calls = Array.from({ length: 100 }, (_, index) => ({
      ...DEED,
      id: `call ${index}`,
      ms: index + 1,
      error: index < 3 ? 'timeout' : null,
    }));
    await history().note([...calls, { ...DEED, id: 'search', tool: 'search', ms: 7 }], DAY_MS);
    const { tools, days } = await history().use(0);
    expect(tools).toEqual([
      { tool: 'open_url', calls: 100, errors: 3, p50: 50, p95: 95 },
      { tool: 'search', calls: 1, errors: 0, p50: 7, p95: 7 },
    ]);
    expect(days).toEqual([{ day: new Date(NOW).toISOString().slice(0, 10), calls: 101, errors: 3 }]);
  });

  it('keeps a maximum number of lines, clients and sessions, the newest ones', async () => {
    const { stub, lines, limit, history } = person('many');
    expect(await limit(SMALL)).toMatchObject({ lines: ACTIVITY_ENTRIES_MAX, names: HISTORY_NAMES_MAX });
    const many = Array.from({ length: SMALL.lines + 5 }, (_, index) => ({
      ...DEED,
      id: `${index}`,
      at: NOW + index,
      client: `client ${index % (SMALL.names + 5)}`,
      session: `s${index % (SMALL.names + 5)}`,
    }));
    await history().note(many, DAY_MS);
    expect((await lines())[0]?.id).toBe(String(SMALL.lines + 4));
    const counts = await runInDurableObject(stub(), (_, { storage }) =>
      ['activity', 'clients'].map((table) => storage.sql.exec(`SELECT id FROM ${table}`).toArray().length),
    );
    expect(counts).toEqual([SMALL.lines, SMALL.names]);
    expect(await history().sessions()).toHaveLength(SMALL.names);
  });

  it('has the name of each session for as long as something may be stored under it', async () => {
    const { limit, history } = person('many-sessions');
    await limit(SMALL);
    const begun = Array.from({ length: SMALL.names + 5 }, (_, index) => ({
      ...DEED,
      id: `${index}`,
      at: NOW + index,
      session: `s${index}`,
    }));
    await history().note(begun, DAY_MS);
    expect(await history().sessionNames()).toHaveLength(SMALL.names + 5);
    await history().note(
      [{ ...DEED, id: 'later', at: NOW + SESSION_NAME_LIFETIME_MS + 100, session: 'later' }],
      DAY_MS,
    );
    expect(await history().sessionNames()).toHaveLength(SMALL.names);
  });

  it('is not stored for a user who turned it off, or in a deployment that stores none', async () => {
    const { lines, history } = person('unwanted');
    await history().note([DEED], DAY_MS);
    await history().setWish({ activity: false });
    expect(await lines()).toEqual([]);
    await history().note([{ ...DEED, id: 'two' }], DAY_MS);
    expect(await lines()).toEqual([]);
    await history().setWish({ activity: true });
    await history().note([{ ...DEED, id: 'three' }], 0);
    expect(await lines()).toEqual([]);
    expect(await history().clients()).toHaveLength(1);
  });
});

describe('the stored steps of a user’s sessions', () => {
  it('are deleted after a week, with their pictures', async () => {
    const { at, history } = person('week');
    expect(await history().keepStep(STEP, new Uint8Array([1, 2]))).toBe(true);
    expect(await history().keepStep(STEP, new Uint8Array([1, 2]))).toBe(true);
    expect((await history().steps('one', null, 5)).steps).toHaveLength(1);
    expect(await history().picture('step')).toEqual(new Uint8Array([1, 2]));
    await at(NOW + STEP_LIFETIME_MS + 1);
    expect([(await history().steps('one', null, 5)).steps, await history().picture('step')]).toEqual([[], null]);
  });

  it('have encrypted pictures; older unencrypted ones are shown unchanged', async () => {
    const { stub, history } = person('sealed');
    const jpeg = Uint8Array.from([0xff, 0xd8, ...new TextEncoder().encode('a picture of a ledger')]);
    await history().keepStep(STEP, jpeg);
    await history().keepStep({ ...STEP, id: 'before' }, jpeg);
    await history().keepStep({ ...STEP, id: 'moved' }, jpeg);
    const kept = await runInDurableObject(stub(), (_, { storage: { sql } }) => {
      const rows = sql.exec<{ id: string; jpeg: ArrayBuffer }>('SELECT id, jpeg FROM pictures').toArray();
      sql.exec('UPDATE pictures SET jpeg = ? WHERE id = ?', jpeg.slice().buffer, 'before');
      sql.exec('UPDATE pictures SET jpeg = (SELECT jpeg FROM pictures WHERE id = ?) WHERE id = ?', 'step', 'moved');
      return rows.map((row) => new TextDecoder('latin1').decode(row.jpeg));
    });
    expect(kept).toHaveLength(3);
    expect(kept.filter((bytes) => bytes.includes('ledger') || bytes.startsWith('\xff'))).toEqual([]);
    expect(await history().picture('step')).toEqual(jpeg);
    expect(await history().picture('before')).toEqual(jpeg);
    expect(await history().picture('moved')).toBeNull();
    const { steps } = await history().steps('one', null, 5);
    expect(steps.map(({ id, without }) => [id, without])).toEqual([
      ['moved', 'dropped'],
      ['before', null],
      ['step', null],
    ]);
  });

  it('have a maximum number, and their pictures a maximum total size', async () => {
    const { stub, limit, history } = person('large');
    expect(await limit(SMALL)).toMatchObject({ steps: STORED_STEPS_MAX, pictureBytes: STEP_PICTURES_BYTES_MAX });
    const jpeg = new Uint8Array(STEP_PICTURE_BYTES_MAX);
    const fit = Math.floor(SMALL.pictureBytes / STEP_PICTURE_BYTES_MAX);
    for (let index = 0; index < fit + 3; index += 1) await history().keepStep({ ...STEP, id: `large ${index}` }, jpeg);
    expect(await history().picture('large 2')).toBeNull();
    expect(await history().picture('large 3')).toHaveLength(STEP_PICTURE_BYTES_MAX);
    await history().keepStep({ ...STEP, id: 'too large' }, new Uint8Array(STEP_PICTURE_BYTES_MAX + 1));
    expect((await history().steps('one', null, 1)).steps[0]).toMatchObject({ id: 'too large', without: 'dropped' });
    for (let index = 0; index < SMALL.steps; index += 1)
      await history().keepStep({ ...STEP, id: `small ${index}` }, null);
    expect(await history().picture(`large ${fit + 2}`)).toBeNull();
    const { rows } = await runInDurableObject(stub(), (_, { storage }) =>
      storage.sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM steps').one(),
    );
    expect(rows).toBe(SMALL.steps);
  });

  it('lose their pictures at once when the user turns them off, and are deleted one session at a time', async () => {
    const { history } = person('wish');
    await history().keepStep(STEP, new Uint8Array([1]));
    await history().keepStep({ ...STEP, id: 'other', session: 'two' }, new Uint8Array([2]));
    await history().forgetSteps('two');
    expect(await history().picture('other')).toBeNull();
    await history().setWish({ pictures: false });
    expect(await history().picture('step')).toBeNull();
    expect(await history().keepStep({ ...STEP, id: 'late' }, new Uint8Array([3]))).toBe(false);
    expect(await history().picture('late')).toBeNull();
    expect((await history().steps('one', null, 5)).steps.map(({ without }) => without)).toEqual(['off', 'dropped']);
    expect(await history().sessions()).toEqual([
      { name: 'one', usedAt: NOW, url: null, title: null, picture: null, hasSteps: true },
    ]);
  });
});
