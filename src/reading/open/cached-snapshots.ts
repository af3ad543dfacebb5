import type { ObjectCalls } from '#core/objects.ts';
import type { RecentlyOpenedPages } from '#client/recents.ts';
import { fail } from '#core/failures/failure.ts';
import { DOCUMENT_PIN_EXTRA_MS } from '#core/limits.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { checkUrlWithoutDns } from '#net/fetch/gate.ts';
import type { SnapshotStore } from '#storage/pages/snapshots.ts';
import { listPageNotes } from '#reading/page-result.ts';
import type { OpenPageDeps, OpenResult } from '#reading/opened.ts';
import { mintPageCursor } from './open-whole.ts';
import type { PageWithCursor } from './open-whole.ts';
import { computePinEnd } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';

export type SnapshotDeps = ReaderDeps &
  Pick<OpenPageDeps, 'render'> & {
    recents: ObjectCalls<RecentlyOpenedPages>;
    snapshots: SnapshotStore;
    net: Pick<NetDeps, 'policy'>;
  };

/**
 * Opens a stored page and creates a cursor for it. Nothing is fetched.
 * @param subject finds its own private pages and the public pages that it has opened. Otherwise, anyone could compute
 * the key of a URL and learn from the answer that someone has opened the page.
 * @throws {PeriscopeError} `unknown_snapshot`; `ssrf_blocked` if the operator has blocked the URL since
 */
export async function openSnapshot(key: string, subject: string, deps: SnapshotDeps): Promise<PageWithCursor> {
  return mintPageCursor(await find(key, subject, computePinEnd(deps), deps), 0, deps);
}

/**
 * Opens a stored page without a cursor. The document is protected from deletion for {@link DOCUMENT_PIN_EXTRA_MS},
 * which is long enough to show it.
 * @throws {PeriscopeError} as `openSnapshot` does
 */
export function openSnapshotWithoutCursor(key: string, subject: string, deps: SnapshotDeps): Promise<OpenResult> {
  return find(key, subject, deps.now() + DOCUMENT_PIN_EXTRA_MS, deps);
}

async function find(key: string, subject: string, until: number, deps: SnapshotDeps): Promise<OpenResult> {
  const [stored, isOpened] = await Promise.all([deps.snapshots.find(key), deps.recents.has(key)]);
  const isKnown = stored?.owner === subject || (stored?.owner === null && isOpened);
  if (stored === null || !isKnown) fail({ code: 'unknown_snapshot' });
  const { document, snapshot, owner } = stored;
  checkUrlWithoutDns(snapshot.canonicalUrl, deps.net.policy);
  checkUrlWithoutDns(snapshot.finalUrl, deps.net.policy);
  if (!(await deps.documents.hold(document.id, until))) fail({ code: 'unknown_snapshot' });
  const notes = await listPageNotes(document, snapshot, deps);
  return {
    document,
    snapshot,
    isPrivate: owner !== null,
    shownUrl: snapshot.finalUrl,
    fetchedAt: snapshot.fetchedAt,
    origin: 'fresh',
    lines: null,
    notes,
  };
}
