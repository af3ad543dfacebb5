import type { RecentlyOpenedPage, RecentlyOpenedPages } from '#client/recents.ts';
import { COMPLETION_VALUES_MAX, TITLE_CHARS_MAX } from '#core/limits.ts';
import { RESOURCES_PER_LIST_PAGE } from './limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { oneLine } from '#core/text/text.ts';
import type { SnapshotStore } from '#storage/pages/snapshots.ts';
import type { ReadPageFacts } from '#core/activity.ts';
import type { Viewport } from '#core/document/document.ts';
import type { PageToShow } from './reader.ts';

export type RecentDeps = {
  recents: ObjectCalls<RecentlyOpenedPages>;
  snapshots: SnapshotStore;
};

export type RecentPage = {
  snapshot: string;
  /** The URL with which the page was opened. It may contain a credential. */
  url: string;
  /** The page's title on one line, short enough for a list; without a title, its URL with credentials redacted. */
  name: string;
  fetchedAt: number;
};

/**
 * Lists the pages that the subject opened recently, newest first.
 * @param after `next` of an earlier call, or `null` for the first page
 */
export async function listRecentPages(
  after: number | null,
  subject: string,
  deps: RecentDeps,
): Promise<{ pages: RecentPage[]; next: number | null }> {
  let next = after;
  let pages: RecentPage[] = [];
  do {
    const listed = await deps.recents.page(next, RESOURCES_PER_LIST_PAGE);
    pages = await stillStored(listed.entries, subject, deps);
    next = listed.next;
  } while (pages.length === 0 && next !== null);
  return { pages, next };
}

/** Finds values for MCP completion: `text` may be the beginning of a snapshot key, or a part of a URL or title. */
export async function completeRecentPages(text: string, subject: string, deps: RecentDeps): Promise<RecentPage[]> {
  return stillStored(await deps.recents.matching(text, COMPLETION_VALUES_MAX), subject, deps);
}

async function stillStored(
  entries: readonly RecentlyOpenedPage[],
  subject: string,
  deps: RecentDeps,
): Promise<RecentPage[]> {
  const keys = entries.map(({ snapshot }) => snapshot);
  const stored = await deps.snapshots.fetchedAt(keys, subject);
  return entries.flatMap(({ snapshot, url, title }) => {
    const fetchedAt = stored.get(snapshot);
    return fetchedAt === undefined ? [] : [{ snapshot, url, name: nameOf(title) ?? redactUrl(url), fetchedAt }];
  });
}

function nameOf(title: string | null): string | null {
  const name = oneLine(title ?? '', TITLE_CHARS_MAX);
  return name === '' ? null : name;
}

export function toReadPageFacts(
  { document, shownUrl }: Pick<PageToShow, 'document' | 'shownUrl'>,
  cursor: string,
  lines: Viewport | null,
): ReadPageFacts {
  return { url: shownUrl, title: document.title, cursor, documentId: document.id, lines };
}
