import { pageBinding, holdUntil } from './reader.ts';
import type { ReaderDeps } from './reader.ts';
import type { CitationStore } from '#storage/citations.ts';

export type OpenStoredDeps = ReaderDeps & {
  subject: string;
  citations: Pick<CitationStore, 'isWithheld'>;
  /** Whether the operator's rules let this address be shown. */
  mayShow: (url: string) => boolean;
};

/**
 * A new cursor of the subject on a stored document, for a person who opens it. Only what search may find for them, or what
 * is theirs alone: whose document it is decides, never who knows its name.
 * @param knownUrl where it was read, if no stored page shows it any more
 * @returns `null` when there is no such document for them
 */
export async function openStored(
  documentId: string,
  knownUrl: string | null,
  deps: OpenStoredDeps,
): Promise<string | null> {
  const found = await deps.documents.visibleTo(documentId, deps.subject);
  if (found === null) return null;
  const { document, fetchedAt, isLive } = found;
  const url = found.url ?? knownUrl;
  if (url === null || !deps.mayShow(url) || (await deps.citations.isWithheld(documentId))) return null;
  if (!(await deps.documents.hold(documentId, holdUntil(deps)))) return null;
  const binding = { ...pageBinding({ document, url, isLive }), fetchedAt };
  return deps.client.mintPage(binding, 0, null, deps.cursorTtlMs);
}
