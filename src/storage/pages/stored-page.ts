import type { Document } from '#core/document/document.ts';
import type { SnapshotMeta } from '#storage/schema.ts';

export type Snapshot = {
  key: string;
  canonicalUrl: string;
  /** Canonical address that answered, after redirects. */
  finalUrl: string;
  mode: string;
  etag: string | null;
  lastModified: string | null;
  fetchedAt: number;
  validatedAt: number;
  meta: SnapshotMeta;
};

/** `owner` is the subject that alone may see a private document, `null` for public ones. */
export type StoredPage = { snapshot: Snapshot; document: Document; owner: string | null };
