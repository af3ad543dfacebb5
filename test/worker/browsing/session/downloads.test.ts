import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { DownloadSource } from '#browsing/gate/file-response.ts';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { Downloads } from '#browsing/session/operations/downloads.ts';
import { DOWNLOADS_PER_CALL_MAX } from '#browsing/session/limits.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { partNamed } from '#core/objects.ts';

const LIMITS = { each: 3_000_000, together: 4_000_000 };
const URL = 'http://files.acme.dev/x';

/** Something to be saved, and whether it was let go. */
function source(name: string, pieces: readonly (Uint8Array | Error)[], announced: number | null = null) {
  const left = [...pieces];
  const state = { isRead: false, isEnded: false };
  const given: DownloadSource = {
    name,
    declaredBytes: () => Promise.resolve(announced),
    contentType: () => 'text/plain',
    begin: () => undefined,
    read: async () => {
      state.isRead = true;
      const next = left.shift() ?? null;
      if (next instanceof Error) throw next;
      return next;
    },
    end: async () => {
      state.isEnded = true;
    },
  };
  return { given, state };
}

/** Masks like a session in which this was typed as a secret. */
const mask = (words: string) => createSecretMask(['xqvzkwjybpfgmdthrs'])?.from(words) ?? words;

function person(name: string) {
  const reported: unknown[] = [];
  const store = partNamed(env.PERSON_STORE, name, 'files');
  const deps = { session: 'one', limits: LIMITS, mask, report: (error: unknown) => void reported.push(error) };
  return { store, reported, downloads: new Downloads(store, deps) };
}

const text = (words: string) => new TextEncoder().encode(words);
const REPLACED = new PeriscopeError({ code: 'element_not_found', target: 'page', reason: 'replaced' });

describe('the downloads of a session', () => {
  it('are limited in each call, and further ones are ended unread', async () => {
    const { store, downloads } = person('few');
    const many = Array.from({ length: 40 }, (_, n) => source(`${n}.txt`, [text(String(n))]));
    const events = await Promise.all(many.map(({ given }) => downloads.save(given, URL)));
    expect(events.filter(({ kind }) => kind === 'file')).toHaveLength(DOWNLOADS_PER_CALL_MAX);
    expect(events.at(-1)).toMatchObject({ kind: 'download', reason: 'there were more than 20 since the last call' });
    expect(many.every(({ state }) => state.isEnded)).toBe(true);
    expect(many.at(-1)?.state.isRead).toBe(false);
    expect(await store.list()).toHaveLength(DOWNLOADS_PER_CALL_MAX);
    downloads.beginCall(store);
    expect(await downloads.save(source('next.txt', [text('x')]).given, URL)).toMatchObject({ kind: 'file' });
  });

  it.each([
    ['says that it is too large', 4_000_000, [], 'it is larger than 3 MB'],
    ['is too large without a word', null, [2, 2].map((mb) => new Uint8Array(mb * 1_000_000)), 'it is larger than 3 MB'],
    ['says less than it sends', 5, [2, 2].map((mb) => new Uint8Array(mb * 1_000_000)), 'it is larger than 3 MB'],
    ['breaks off', null, [text('a'), new CdpError('IO.read', 'gone')], 'it could not be read to its end'],
    ['is left by its page', null, [text('a'), REPLACED], 'it could not be read to its end'],
  ] as const)('are not stored when one %s, and no part of it stays', async (_, announced, pieces, reason) => {
    const { store, downloads, reported } = person('broken');
    const { given, state } = source('x.txt', pieces, announced);
    const event = await downloads.save(given, URL);
    expect(event).toMatchObject({ kind: 'download', url: URL, reason: expect.stringContaining(reason) });
    expect(state.isEnded).toBe(true);
    expect([await store.list(), reported]).toEqual([[], []]);
    // The room of the deleted file is free again.
    const whole = source('whole.txt', [new Uint8Array(2_900_000)]).given;
    const kept = await downloads.save(whole, URL);
    expect(kept).toMatchObject({ kind: 'file', file: { bytes: 2_900_000 } });
    if (kept.kind === 'file') await store.remove(kept.file.id);
  });

  it('belong to a person who drives, and each input of the person allows more', async () => {
    const { store, downloads } = person('the-caller');
    const theirs = person('the-driver').store;
    const save = async (count: number) => {
      const files = Array.from({ length: count }, () => source('x.txt', [crypto.getRandomValues(new Uint8Array(8))]));
      const events = await Promise.all(files.map(({ given }) => downloads.save(given, URL)));
      return events.filter(({ kind }) => kind === 'file').length;
    };
    downloads.setDriversStore(theirs);
    // A call that looks makes nothing of it the caller's.
    downloads.beginCall(store);
    expect(await save(DOWNLOADS_PER_CALL_MAX + 1)).toBe(DOWNLOADS_PER_CALL_MAX);
    downloads.allowMore();
    expect(await save(1)).toBe(1);
    downloads.setDriversStore(null);
    expect(await save(2)).toBe(2);
    expect([(await store.list()).length, (await theirs.list()).length]).toEqual([2, DOWNLOADS_PER_CALL_MAX + 1]);
  });

  it('report that the user has no room left, with advice', async () => {
    const { downloads } = person('full');
    const file = (name: string) => source(name, [new Uint8Array(2_500_000)]).given;
    expect(await downloads.save(file('a'), URL)).toMatchObject({ kind: 'file' });
    expect(await downloads.save(file('b'), URL)).toMatchObject({
      reason: 'stored files may have 4 MB together; browser_files deletes some',
    });
  });

  it('have names without typed secrets, and their kind', async () => {
    const { store, downloads } = person('named');
    const event = await downloads.save(source('backup-xqvzkwjybpfgmdthrs.txt', [text('x')]).given, URL);
    expect(event).toMatchObject({ kind: 'file', file: { name: 'backup-••••.txt', mediaType: 'text/plain' } });
    expect((await store.list()).map(({ name }) => name)).toEqual(['backup-••••.txt']);
    const typed = { ...source('x.bin', [text('x')]).given, contentType: () => 'application/x-xqvzkwjybpfgmdthrs' };
    expect(JSON.stringify(await downloads.save(typed, URL))).not.toContain('xqv');
    await downloads.save(source(`${'a '.repeat(45)} xqvzkwjybpfgmdthrs.txt`, [text('x')]).given, URL);
    expect((await store.list()).map(({ name }) => name).join()).not.toContain('xqv');
  });

  it('that could not be stored are reported', async () => {
    const { store, reported } = person('faulty');
    const failing = {
      add: () => Promise.reject(new Error('no storage today')),
      finish: store.finish.bind(store),
      remove: () => Promise.reject(new Error('nor now')),
    };
    const deps = { session: 'one', limits: LIMITS, mask, report: (error: unknown) => void reported.push(error) };
    const event = await new Downloads(failing, deps).save(source('x', [text('x')]).given, URL);
    expect(event).toMatchObject({ kind: 'download', reason: 'it could not be stored' });
    expect(reported).toHaveLength(2);
  });

  it('are whole, whatever pieces they come in', async () => {
    const { store, downloads } = person('pieces');
    const sizes = [0, 1, 1_048_575, 1, 1_048_577, 0, 500];
    const bytes = sizes.map((size, n) => new Uint8Array(size).fill(n + 1));
    const event = await downloads.save(source('x.bin', bytes).given, URL);
    const whole = new Uint8Array(await new Blob(bytes).arrayBuffer());
    const digest = await crypto.subtle.digest('SHA-256', whole);
    const sha256 = [...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, '0')).join('');
    expect(event).toMatchObject({ kind: 'file', file: { bytes: whole.byteLength, sha256 } });
    const [file] = await store.list();
    const back = [0, 1, 2].map((number) => store.piece(file?.id ?? '', number));
    const read = (await Promise.all(back)).flatMap((piece) => (piece === null ? [] : [new Uint8Array(piece)]));
    expect(new Uint8Array(await new Blob(read).arrayBuffer())).toEqual(whole);
  });
});
