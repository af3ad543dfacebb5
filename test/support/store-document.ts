import type { Document, Extraction } from '#core/document/document.ts';
import type { Db } from '#storage/db.ts';
import { insertDocument, newDocument } from '#storage/pages/documents.ts';

/** Stores a document that no snapshot shows. */
export async function storeDocument(
  db: Db,
  extraction: Extraction,
  { now = 0, until = 0, owner = null }: { now?: number; until?: number; owner?: string | null } = {},
): Promise<Document> {
  const page = await newDocument(extraction, owner);
  await db.batch(insertDocument(db, page, now, until));
  return page.document;
}
