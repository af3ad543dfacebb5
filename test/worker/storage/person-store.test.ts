import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Activity } from '#core/activity.ts';
import { DAY_MS, MINUTE_MS } from '#core/limits.ts';
import { partNamed } from '#core/objects.ts';

const SUBJECT = 'a person with both';
const object = () => env.PERSON_STORE.get(env.PERSON_STORE.idFromName(SUBJECT));
const files = () => partNamed(env.PERSON_STORE, SUBJECT, 'files');
const history = () => partNamed(env.PERSON_STORE, SUBJECT, 'history');
const alarmAt = () => runInDurableObject(object(), (_, { storage }) => storage.getAlarm());

const CALL: Activity = {
  id: 'one.0',
  at: Date.now(),
  isCall: true,
  client: 'client',
  tool: 'open_url',
  kind: 'read',
  url: null,
  title: null,
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

describe('the store of a user', () => {
  it('has one alarm for both parts: the earlier expiry sets it, and each part is swept', async () => {
    const now = Date.now();
    await history().note([{ ...CALL, at: now }], 2 * DAY_MS);
    expect(await alarmAt()).toBe(now + 2 * DAY_MS);
    await files().add('f_a', '', 0, new Uint8Array([1]), { each: 9, together: 9 });
    expect(Math.abs(((await alarmAt()) ?? 0) - (Date.now() + 15 * MINUTE_MS))).toBeLessThan(MINUTE_MS);
    await runInDurableObject(object(), (store) => {
      store.files.clock = () => now + DAY_MS;
      store.history.clock = () => now + DAY_MS;
    });
    await runDurableObjectAlarm(object());
    const rows = await runInDurableObject(object(), (_, { storage: { sql } }) =>
      sql.exec('SELECT id FROM files').toArray(),
    );
    expect(rows).toEqual([]);
    expect((await history().deeds({}, null, 5)).deeds).toHaveLength(1);
    expect(await alarmAt()).toBe(now + 2 * DAY_MS);
  });

  it('refuses a part or a method that does not exist', async () => {
    await runInDurableObject(object(), (store) => {
      expect(() => store.callPart('files', 'steps', [])).toThrow('ObjectOfParts');
      expect(() => store.callPart('nothing', 'list', [])).toThrow('ObjectOfParts');
    });
  });
});
