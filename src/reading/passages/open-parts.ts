import { failureIn } from '#core/failures/failure.ts';
import { openPage } from '#reading/open/open-page.ts';
import { refuseSearched } from '#reading/open/refuse-searched.ts';
import { openAtFragment } from '#reading/open/fragments.ts';
import type { OpenPageDeps, OpenResult } from '#reading/opened.ts';
import { partSearched, partWords } from '#reading/part-words.ts';
import { holdUntil } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';

/** Parts of one long page that one call reads: a PDF of a thousand pages, or 25 MB of HTML. */
const PARTS_MAX = 10;
const PAGE_FRAGMENT = /#page=\d/i;

/** A page in all its parts, each a document of its own. `notes`: what of it was not read. */
export type PageInParts = { parts: OpenResult[]; notes: string[] };

/**
 * Opens all parts of a page, or the one that its address names. A later part that cannot be had does not take the others away.
 * @throws {PeriscopeError} as `openPage` does for the first part
 */
export async function openParts(
  url: string,
  signal: AbortSignal,
  deps: OpenPageDeps & ReaderDeps,
): Promise<PageInParts> {
  const request = { url, mode: 'auto', holdUntil: holdUntil(deps) } as const;
  const { opened } = await openAtFragment(request, signal, deps);
  await refuseSearched(opened, url, deps);
  const parts = [opened];
  if (PAGE_FRAGMENT.test(url)) return { parts, notes: partSearchedNotes(opened) };
  const first = opened.snapshot.meta.pages?.first ?? 1;
  if (first > 1) return openParts(withoutFragment(url), signal, deps);
  for (let next = nextPage(opened); next !== null && parts.length < PARTS_MAX;) {
    const part = await laterPart({ ...request, url: withoutFragment(url), firstPage: next }, signal, deps);
    if (part === null) break;
    parts.push(part);
    next = nextPage(part);
  }
  return { parts, notes: unreadNotes(parts.at(-1) ?? opened) };
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function nextPage({ snapshot }: OpenResult): number | null {
  const { pages } = snapshot.meta;
  return pages === undefined || pages.last >= pages.total ? null : pages.last + 1;
}

async function laterPart(
  request: Parameters<typeof openPage>[0],
  signal: AbortSignal,
  deps: OpenPageDeps & ReaderDeps,
): Promise<OpenResult | null> {
  try {
    return await openPage(request, signal, deps);
  } catch (error) {
    if (signal.aborted || failureIn(error) !== null) return null;
    throw error;
  }
}

/** The last part that was read says what follows it. */
function unreadNotes({ snapshot, url }: OpenResult): string[] {
  const part = partWords(snapshot.meta.pages, url);
  if (part === null) return [];
  const { words, isLast, isCut, next } = part;
  if (isLast) return isCut ? [`It was read as far as ${words}. What follows is not held: the page is too large.`] : [];
  return [`It was read as far as ${words}. What follows: ${next ?? 'is not held'}`];
}

function partSearchedNotes({ snapshot, url }: OpenResult): string[] {
  const part = partWords(snapshot.meta.pages, url);
  return part === null ? [] : [partSearched(part)];
}
