import { findFailure } from '#core/failures/failure.ts';
import type { OpenPageDeps, OpenRequest, OpenResult } from '#reading/opened.ts';
import { openPage } from './open-page.ts';

/** Maximum parts of a long page that one call reads: enough for a PDF of a thousand pages, or 25 MB of HTML. */
export const PAGE_PARTS_PER_CALL_MAX = 10;

export function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

export function firstPageOfNextPart({ snapshot }: OpenResult): number | null {
  const { pages } = snapshot.meta;
  return pages === undefined || pages.last >= pages.total ? null : pages.last + 1;
}

/** Opens one part of a page; `null` if the part cannot be opened, so that the call continues with the other parts. */
export async function openPagePart(
  request: OpenRequest,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<OpenResult | null> {
  try {
    return await openPage(request, signal, deps);
  } catch (error) {
    if (signal.aborted || findFailure(error) !== null) return null;
    throw error;
  }
}
