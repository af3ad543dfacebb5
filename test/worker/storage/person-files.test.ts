import { partNamed } from '#core/objects.ts';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DAY_MS, STORED_FILE_PIECE_BYTES, MINUTE_MS } from '#core/limits.ts';
import { FILES_PER_SUBJECT_MAX } from '#storage/limits.ts';
import type { FileByteLimits } from '#storage/person/person-files.ts';

const LIMITS: FileByteLimits = { each: 3 * STORED_FILE_PIECE_BYTES, together: 4 * STORED_FILE_PIECE_BYTES };
const WHAT = { name: 'n.txt', mediaType: 'text/plain', sha256: 'a' };
const PIECE = new Uint8Array(STORED_FILE_PIECE_BYTES).fill(7);
const LAST = new Uint8Array([1, 2, 3]);

/** Nobody's calls but those of the test reach it. */
function person(name: string) {
  const stub = () => env.PERSON_STORE.get(env.PERSON_STORE.idFromName(name));
  const files = () => partNamed(env.PERSON_STORE, name, 'files');
  return {
    stub,
    files,
    add: (id: string, number: number, piece = LAST, session = 'one', limits = LIMITS) =>
      files().add(id, session, number, piece, limits),
    finish: (id: string, what: Partial<typeof WHAT> = {}, session = 'one') =>
      files().finish(id, session, { ...WHAT, ...what }),
    keep: async (id: string, what: Partial<typeof WHAT> = {}, session = 'one') => {
      expect(await files().add(id, session, 0, LAST, LIMITS)).toBeNull();
      return files().finish(id, session, { ...WHAT, ...what });
    },
    ids: async () => (await files().list()).map(({ id }) => id),
    at: (ms: number) =>
      runInDurableObject(stub(), (object) => {
        object.files.clock = () => ms;
      }),
    rows: () =>
      runInDurableObject(stub(), (_, { storage }) => ({
        files: storage.sql.exec('SELECT id FROM files').toArray().length,
        pieces: storage.sql.exec('SELECT file FROM pieces').toArray().length,
      })),
  };
}

describe('the files of a user', () => {
  it('are shown when they are complete, and are read piece by piece', async () => {
    const { add, finish, ids, files } = person('whole');
    await add('f_a', 0, PIECE);
    await add('f_a', 1, PIECE);
    await add('f_a', 2);
    expect([await ids(), await files().facts('f_a')]).toEqual([[], null]);
    expect(await finish('f_a')).toMatchObject({ ...WHAT, id: 'f_a', bytes: 2 * STORED_FILE_PIECE_BYTES + 3 });
    expect(await ids()).toEqual(['f_a']);
    expect(await files().piece('f_a', 2)).toEqual(LAST);
    expect(await files().piece('f_a', 3)).toBeNull();
  });

  it('are the same when each call is made twice', async () => {
    const { add, finish, ids, files } = person('twice');
    for (const number of [0, 0, 1, 1]) expect(await add('f_a', number, number === 0 ? PIECE : LAST)).toBeNull();
    expect(await finish('f_a')).toEqual({ ...(await finish('f_a')), takenAt: expect.any(Number) });
    expect(await files().facts('f_a')).toMatchObject({ bytes: STORED_FILE_PIECE_BYTES + 3 });
    expect([await files().remove('f_a'), await files().remove('f_a'), await ids()]).toEqual([true, false, []]);
  });

  it('have a maximum size, and a refused one leaves nothing behind', async () => {
    const { add, rows } = person('large');
    for (const number of [0, 1, 2]) expect(await add('f_a', number, PIECE)).toBeNull();
    expect(await add('f_a', 3)).toBe('each');
    expect(await rows()).toEqual({ files: 0, pieces: 0 });
    expect(await add('f_a', 4)).toBe('gone');
    expect(await rows()).toEqual({ files: 0, pieces: 0 });
  });

  it('have a maximum total size, which includes incomplete uploads', async () => {
    const { add, finish, ids, files } = person('together');
    for (const number of [0, 1, 2]) await add('f_a', number, PIECE);
    await finish('f_a');
    expect(await add('f_b', 0, PIECE)).toBeNull();
    expect(await add('f_c', 0)).toBe('together');
    expect(await add('f_b', 1)).toBe('together');
    expect(await ids()).toEqual(['f_a']);
    await files().remove('f_a');
    expect(await add('f_c', 0)).toBeNull();
  });

  it('have a maximum number, so that all can be listed', async () => {
    const { add, keep, ids, finish, stub, files } = person('many');
    const most = 3;
    await runInDurableObject(stub(), (object) => {
      expect(object.files.filesMax).toBe(FILES_PER_SUBJECT_MAX);
      object.files.filesMax = most;
    });
    for (let n = 0; n < most; n += 1) await keep(`f_${n}`, { name: `${n}.txt` });
    expect(await add('f_more', 0)).toBe('count');
    expect(await finish('f_more')).toBeNull();
    // A stored file may be added again.
    expect(await add('f_0', 0)).toBeNull();
    expect(await ids()).toHaveLength(most);
    await files().remove('f_1');
    expect(await add('f_more', 0)).toBeNull();
  });

  it('are stored once when they arrive again in the same session under the same name', async () => {
    const { keep, ids, rows } = person('again');
    const first = await keep('f_a');
    expect(await keep('f_b')).toMatchObject({ id: first?.id });
    expect(await rows()).toEqual({ files: 1, pieces: 1 });
    for (const [id, what, session] of [
      ['f_c', { name: 'other.txt' }, 'one'],
      ['f_d', { sha256: 'b' }, 'one'],
      ['f_e', {}, 'two'],
    ] as const) {
      expect(await keep(id, what, session)).toMatchObject({ id });
    }
    expect((await ids()).toSorted()).toEqual(['f_a', 'f_c', 'f_d', 'f_e']);
  });

  it('are deleted with their session, including incomplete ones', async () => {
    const { add, keep, ids, rows, files } = person('sessions');
    await keep('f_a');
    await keep('f_b', { name: 'b' });
    await add('f_c', 0, PIECE);
    await keep('f_other', {}, 'two');
    expect(await files().removeOf('one')).toBe(3);
    expect(await add('f_c', 1)).toBe('gone');
    expect(await ids()).toEqual(['f_other']);
    expect(await rows()).toEqual({ files: 1, pieces: 1 });
  });

  it('are deleted after thirty days, or a quarter of an hour after an upload stops, by an alarm that ends with them', async () => {
    const { stub, add, keep, ids, rows, at } = person('swept');
    const now = Date.now();
    await at(now);
    await keep('f_a');
    await at(now + DAY_MS);
    await keep('f_b', { name: 'b' });
    await add('f_c', 0);
    await at(now + DAY_MS + 16 * MINUTE_MS);
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(await rows()).toEqual({ files: 2, pieces: 2 });
    await at(now + 30 * DAY_MS);
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(await ids()).toEqual(['f_b']);
    await at(now + 31 * DAY_MS);
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(await rows()).toEqual({ files: 0, pieces: 0 });
    expect(await runDurableObjectAlarm(stub())).toBe(false);
  });
});
