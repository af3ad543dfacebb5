import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DELETED_DOCUMENTS_PER_BATCH_MAX } from '#core/limits.ts';
import { DOCUMENT_KEEP_GRACE_MS } from '#reading/limits.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { purgeSnapshots } from '#reading/purge-snapshots.ts';
import type { PurgeDeps, PurgeRequest } from '#reading/purge-snapshots.ts';
import { openDb } from '#storage/db.ts';
import { DocumentStore } from '#storage/pages/documents.ts';
import { SnapshotPurge, DocumentEviction } from '#storage/pages/purge.ts';
import type { PurgeCriteria } from '#storage/pages/purge.ts';
import { SnapshotStore } from '#storage/pages/snapshots.ts';
import { checkIndex, countRows, emptyStore, indexedRows, storePage } from '../../support/stored-pages.ts';
import { stories } from '#support/stories.ts';

const NOW = 10_000_000;
const HOUR_MS = 3_600_000;

const db = openDb(env.DB);
const documents = new DocumentStore(db);
const snapshots = new SnapshotStore(db);
const forgotten: string[] = [];
const client = { forget: async (ids: readonly string[]) => void forgotten.push(...ids) };
const deps: PurgeDeps = { now: () => NOW, purge: new SnapshotPurge(db), client };

function purge(request: Partial<PurgeRequest>, world = deps, subject = 'alice') {
  return purgeSnapshots({ dry_run: false, ...request }, subject, AbortSignal.timeout(20_000), world);
}

async function refusal(request: Partial<PurgeRequest>) {
  const outcome = await purge(request).catch((error: unknown) => error);
  if (outcome instanceof PeriscopeError) return outcome.failure;
  return fail({ code: 'internal', requestId: 'nothing was refused' });
}

const urls = (report: { rows: { url: string }[] }) => report.rows.map((row) => row.url).toSorted();

beforeEach(emptyStore);

describe('a purge', () => {
  it('removes snapshot, document, text and search entry together, and reports exactly what was removed', async () => {
    const { key, documentId } = await storePage({ url: 'https://a.dev/x', lines: ['the walrus'], fetchedAt: 5 });
    await storePage({ url: 'https://a.dev/y', lines: ['the penguin'] });
    const report = await purge({ snapshot: key });
    expect(report).toEqual({
      dryRun: false,
      rows: [
        expect.objectContaining({ key, url: 'https://a.dev/x', fetchedAt: 5, documentId, bytes: 'the walrus'.length }),
      ],
      bytes: 'the walrus'.length,
      fate: {
        dropped: 1,
        droppedBytes: 'the walrus'.length,
        cited: 0,
        followed: 0,
        held: 0,
        heldUntil: null,
        shared: 0,
      },
      remaining: 0,
    });
    expect(await snapshots.find(key)).toBeNull();
    expect(await documents.find(documentId, 'alice')).toBeNull();
    expect(await countRows('document_chunks')).toBe(1);
    expect(await indexedRows('walrus')).toBe(0);
    expect(await indexedRows('penguin')).toBe(1);
    await checkIndex();
  });

  it('only reports in a dry run, and then removes exactly what it reported', async () => {
    for (const name of ['one', 'two', 'three']) {
      await storePage({ url: `https://a.dev/${name}`, lines: [name], heldUntil: name === 'two' ? NOW + 1 : 0 });
    }
    await storePage({ url: 'https://b.dev/', lines: ['three'] });
    const told = await purge({ domain: 'a.dev', dry_run: true });
    expect(await countRows('snapshots')).toBe(4);
    expect(told.fate).toEqual({
      dropped: 1,
      droppedBytes: 3,
      cited: 0,
      followed: 0,
      held: 1,
      heldUntil: NOW + 1,
      shared: 1,
    });
    expect(await purge({ domain: 'a.dev' })).toEqual({ ...told, dryRun: false });
    expect(await countRows('snapshots')).toBe(1);
  });

  it('keeps a document for the cursors that may show it, and for no other use', async () => {
    const page = { url: 'https://a.dev/', title: 'Walruses', lines: ['the walrus'] };
    const { key, documentId } = await storePage({ ...page, heldUntil: NOW + HOUR_MS });
    const { fate } = await purge({ domain: 'a.dev' });
    expect(fate).toMatchObject({ dropped: 0, held: 1, heldUntil: NOW + HOUR_MS });
    expect(await documents.readLines(documentId, 0, 0)).toEqual(['the walrus']);
    expect(await snapshots.find(key)).toBeNull();
    expect(await indexedRows('walrus', 'walruses')).toBe(0);
    const eviction = new DocumentEviction(db);
    expect(await eviction.unreachable(NOW)).toEqual([]);
    expect(await eviction.unreachable(NOW + HOUR_MS)).toMatchObject([{ id: documentId }]);
    await checkIndex();
  });

  it('drops nothing whose hold ended a moment ago, because clocks may differ a little', async () => {
    await storePage({ url: 'https://a.dev/now', lines: ['now'], heldUntil: NOW - 1 });
    await storePage({ url: 'https://a.dev/before', lines: ['before'], heldUntil: NOW - DOCUMENT_KEEP_GRACE_MS });
    const told = await purge({ domain: 'a.dev', dry_run: true });
    expect(told.fate).toMatchObject({ dropped: 1, held: 1 });
    expect((await purge({ domain: 'a.dev' })).fate).toEqual(told.fate);
  });

  it('shows a page again once it is opened again, from the document that was still pinned', async () => {
    const page = { url: 'https://a.dev/', lines: ['the walrus'], heldUntil: NOW + HOUR_MS };
    const { documentId } = await storePage(page);
    await purge({ domain: 'a.dev' });
    expect((await storePage(page)).documentId).toBe(documentId);
    expect(await indexedRows('walrus')).toBe(1);
    await checkIndex();
  });

  it('keeps a document that another snapshot shows, and its search entry', async () => {
    await storePage({ url: 'https://a.dev/one', lines: ['the walrus'] });
    await storePage({ url: 'https://b.dev/two', lines: ['the walrus'] });
    expect((await purge({ domain: 'a.dev' })).fate).toMatchObject({ dropped: 0, shared: 1 });
    expect(await indexedRows('walrus')).toBe(1);
    expect((await purge({ domain: 'b.dev' })).fate).toMatchObject({ dropped: 1, shared: 0 });
  });

  it('counts a document once that two of the purged snapshots show', async () => {
    await storePage({ url: 'https://a.dev/one', lines: ['the walrus'] });
    await storePage({ url: 'https://a.dev/two', lines: ['the walrus'] });
    const report = await purge({ domain: 'a.dev' });
    expect(report).toMatchObject({ bytes: 'the walrus'.length, fate: { dropped: 1, shared: 0 } });
    expect(report.rows.length).toBe(2);
  });

  it('spares a page that was fetched again after it was selected', async () => {
    const { key } = await storePage({ url: 'https://a.dev/', lines: ['the walrus'], fetchedAt: 1 });
    const selecting = new SnapshotPurge(db);
    const racing: PurgeDeps = {
      client,
      now: () => NOW,
      purge: {
        select: async (criteria, subject) => {
          const selected = await selecting.select(criteria, subject);
          await storePage({ url: 'https://a.dev/', lines: ['the penguin'], fetchedAt: 2 });
          return selected;
        },
        foresee: (rows, now) => selecting.foresee(rows, now),
        remove: (rows, now) => selecting.remove(rows, now),
      },
    };
    const report = await purge({ snapshot: key }, racing);
    expect(report.rows).toEqual([]);
    expect((await snapshots.find(key))?.snapshot.fetchedAt).toBe(2);
    expect(await indexedRows('penguin')).toBe(1);
  });

  it('stops in time with an exact report, and the next call removes the rest', async () => {
    const many = DELETED_DOCUMENTS_PER_BATCH_MAX + 20;
    for (let n = 0; n < many; n += 1) await storePage({ url: `https://a.dev/${n}`, lines: [`page ${n}`] });
    let clock = NOW;
    const slow: PurgeDeps = { ...deps, now: () => (clock += HOUR_MS / 180) };
    const first = await purge({ domain: 'a.dev' }, slow);
    expect(first.rows.length).toBe(DELETED_DOCUMENTS_PER_BATCH_MAX);
    expect(first.remaining).toBe(20);
    expect(await countRows('snapshots')).toBe(20);
    const second = await purge({ domain: 'a.dev' });
    expect([second.rows.length, second.remaining]).toEqual([20, 0]);
    expect(await countRows('documents')).toBe(0);
  });
});

describe('purge criteria', () => {
  beforeEach(async () => {
    const pages = [
      ['https://acme.dev/a', 1],
      ['https://docs.acme.dev/b', 2],
      ['https://docs.acme.dev:8443/c', 3],
      ['https://notacme.dev/d', 4],
      ['https://acme.dev.evil.example/e', 5],
      ['https://other.example/f?u=https://acme.dev/', 6],
    ] as const;
    for (const [url, seconds] of pages) await storePage({ url, lines: [url], fetchedAt: NOW - seconds * 1000 });
    await storePage({
      url: 'https://short.example/g',
      finalUrl: 'https://www.acme.dev/g',
      lines: ['g'],
      fetchedAt: NOW - 7000,
    });
  });

  it('by domain cover the domain, its subdomains and ports, and URLs that led there, but no look-alikes', async () => {
    const within = [
      'https://acme.dev/a',
      'https://docs.acme.dev/b',
      'https://docs.acme.dev:8443/c',
      'https://short.example/g',
    ];
    for (const domain of ['acme.dev', 'ACME.dev', 'acme.dev.']) {
      expect(urls(await purge({ domain, dry_run: true }))).toEqual(within);
    }
    expect(urls(await purge({ domain: 'docs.acme.dev', dry_run: true }))).toEqual(within.slice(1, 3));
    expect(urls(await purge({ domain: 'short.example', dry_run: true }))).toEqual(['https://short.example/g']);
  });

  it('by age select pages fetched earlier', async () => {
    expect((await purge({ older_than_seconds: 4, dry_run: true })).rows.length).toBe(3);
    expect((await purge({ older_than_seconds: 0, dry_run: true })).rows.length).toBe(7);
  });

  it('are combined with "and", and keep_newest spares the newest of the selected pages', async () => {
    expect(urls(await purge({ domain: 'acme.dev', older_than_seconds: 2, dry_run: true }))).toEqual([
      'https://docs.acme.dev:8443/c',
      'https://short.example/g',
    ]);
    expect(urls(await purge({ domain: 'acme.dev', keep_newest: 3, dry_run: true }))).toEqual([
      'https://short.example/g',
    ]);
    const none = await purge({ domain: 'acme.dev', keep_newest: 4, dry_run: true });
    expect([none.rows.length, none.remaining]).toEqual([0, 0]);
    expect((await purge({ keep_newest: 0 })).rows.length).toBe(7);
    expect(await countRows('snapshots')).toBe(0);
  });

  it('may select nothing without an error', async () => {
    expect((await purge({ snapshot: 'nothing', dry_run: true })).rows).toEqual([]);
    expect((await purge({ domain: 'nowhere.example' })).rows).toEqual([]);
  });

  it("never select another user's private pages", async () => {
    const { key } = await storePage({ url: 'https://mine.example/', lines: ['the unicorn'], owner: 'bob' });
    expect((await purge({ snapshot: key })).rows).toEqual([]);
    expect((await purge({ domain: 'mine.example' })).rows).toEqual([]);
    expect((await purge({ snapshot: key, dry_run: true }, deps, 'bob')).rows.length).toBe(1);
  });

  it('are required, and the refusal shows a valid call', async () => {
    const failure = await refusal({ dry_run: true });
    expect(failure).toMatchObject({ code: 'invalid_argument', hint: expect.stringContaining('older_than_seconds') });
  });

  it('do not accept a URL or a pattern as a domain, and the refusal names the host', async () => {
    for (const domain of ['https://docs.acme.dev/b', '*.docs.acme.dev', 'docs.acme.dev/b', 'docs.acme.dev:8443']) {
      const failure = await refusal({ domain });
      expect(failure).toMatchObject({ code: 'invalid_argument', field: 'domain' });
      expect(failure).toMatchObject({ hint: expect.stringContaining('{"domain":"docs.acme.dev"}') });
    }
    for (const domain of ['', ' ', '%', 'a b']) expect((await refusal({ domain })).code).toBe('invalid_argument');
  });

  it('select a snapshot by its domain exactly when its host ends with the domain', async () => {
    await emptyStore();
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/);
    const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => [...labels, 'example'].join('.'));
    const path = fc.constantFrom('/', '/a', '/?q=//x.example', '/a:1/b.example');
    const port = fc.constantFrom('', ':8443');
    await fc.assert(
      fc.asyncProperty(host, host, port, path, async (own, domain, suffix, rest) => {
        await emptyStore();
        await storePage({ url: `https://${own}${suffix}${rest}`, lines: ['x'] });
        const found = (await deps.purge.select({ ...NO_CRITERIA, domain }, 'alice')).rows.length;
        expect(found).toBe(own === domain || own.endsWith(`.${domain}`) ? 1 : 0);
      }),
      { numRuns: stories(10) },
    );
  });
});

const NO_CRITERIA: PurgeCriteria = {
  key: undefined,
  domain: undefined,
  fetchedBefore: undefined,
  keepNewest: undefined,
};
