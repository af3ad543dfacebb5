import { partNamed } from '#core/objects.ts';
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { STORED_FILE_PIECE_BYTES } from '#core/limits.ts';
import { PersonFiles } from '#storage/person/person-files.ts';

const LIMITS = { each: 3 * STORED_FILE_PIECE_BYTES, together: 4 * STORED_FILE_PIECE_BYTES };
const WHAT = { name: 'n.txt', mediaType: 'text/plain', sha256: 'a' };
const PIECE = new Uint8Array(STORED_FILE_PIECE_BYTES).fill(7);
const LAST = new Uint8Array([1, 2, 3]);

/** The files of somebody, where the deployment has this bucket. */
async function inBucket(
  name: string,
  bucket: Pick<R2Bucket, 'put' | 'get' | 'delete'>,
  run: (files: PersonFiles, state: DurableObjectState) => Promise<void>,
): Promise<void> {
  await runInDurableObject(env.PERSON_STORE.get(env.PERSON_STORE.idFromName(name)), async (_, state) => {
    await run(
      new PersonFiles(state, { ...env, FILES_BUCKET: Object.assign(Object.create(env.TEST_BUCKET), bucket) }),
      state,
    );
  });
}

const bucket = env.TEST_BUCKET;
const real = {
  put: bucket.put.bind(bucket),
  get: bucket.get.bind(bucket),
  delete: bucket.delete.bind(bucket),
};
const keys = async () => (await bucket.list()).objects.map(({ key }) => key);

describe('the files of a user in a deployment with a bucket', () => {
  it('have their bytes in the bucket, and leave nothing behind', async () => {
    await inBucket('in-bucket', real, async (files, { storage, id }) => {
      expect([await files.add('f_a', 'one', 0, PIECE, LIMITS), await files.add('f_a', 'one', 1, LAST, LIMITS)]).toEqual(
        [null, null],
      );
      await files.finish('f_a', 'one', WHAT);
      await files.add('f_b', 'one', 0, new Uint8Array(), LIMITS);
      await files.finish('f_b', 'one', { ...WHAT, name: 'empty' });
      expect(await keys()).toEqual([0, 1].map((n) => `${id.toString()}/f_a/${n}`).concat(`${id.toString()}/f_b/0`));
      const kept = storage.sql.exec<{ bytes: number }>('SELECT sum(length(bytes)) AS bytes FROM pieces').one();
      expect(kept.bytes).toBe(0);
      expect([await files.piece('f_a', 1), await files.piece('f_b', 0), await files.piece('f_a', 2)]).toEqual([
        LAST,
        new Uint8Array(),
        null,
      ]);
      expect(await files.remove('f_a')).toBe(true);
      expect(await keys()).toHaveLength(1);
      expect(await files.removeOf('one')).toBe(1);
      expect(await keys()).toEqual([]);
    });
  });

  it('that were stored before the bucket existed are still read', async () => {
    const stored = partNamed(env.PERSON_STORE, 'before-bucket', 'files');
    await stored.add('f_a', 'one', 0, LAST, LIMITS);
    await stored.finish('f_a', 'one', WHAT);
    await inBucket('before-bucket', real, async (files) => {
      expect(await files.piece('f_a', 0)).toEqual(LAST);
      expect(await files.remove('f_a')).toBe(true);
    });
  });

  it('are gone at once even if the bucket is unreachable, and later from the bucket, too', async () => {
    const out = { ...real, delete: () => Promise.reject(new Error('no bucket today')) };
    await inBucket('out-of-reach', out, async (files, { storage }) => {
      await files.add('f_a', 'one', 0, LAST, LIMITS);
      await files.finish('f_a', 'one', WHAT);
      await storage.deleteAlarm();
      expect(await files.remove('f_a')).toBe(true);
      expect([files.list(), await files.piece('f_a', 0)]).toEqual([[], null]);
      expect(await storage.getAlarm()).not.toBeNull();
      await expect(files.sweep()).rejects.toThrow('no bucket today');
    });
    expect(await keys()).toHaveLength(1);
    await inBucket('out-of-reach', real, async (files) => {
      await files.sweep();
    });
    expect(await keys()).toEqual([]);
  });

  it('are not stored when the bucket fails, or when they are dropped during the upload', async () => {
    const out = { ...real, put: () => Promise.reject(new Error('no bucket today')) };
    await inBucket('not-stored', out, async (files) => {
      await expect(files.add('f_a', 'one', 0, LAST, LIMITS)).rejects.toThrow('no bucket today');
      await files.remove('f_a');
    });
    await inBucket('dropped', real, async (files) => {
      const adding = files.add('f_a', 'one', 0, LAST, LIMITS);
      const dropping = files.removeOf('one');
      expect([await adding, await dropping]).toEqual(['gone', 1]);
    });
    expect(await keys()).toEqual([]);
  });
});
