import type { ReadPage } from '#core/deeds.ts';
import type { Viewport } from '#core/document.ts';
import type { OpenedPage } from './reader.ts';

/** What was shown of an opened page, for the activity of its person. */
export function readPage(
  { document, url }: Pick<OpenedPage, 'document' | 'url'>,
  cursor: string,
  lines: Viewport | null,
): ReadPage {
  return { url, title: document.title, cursor, documentId: document.id, lines };
}
