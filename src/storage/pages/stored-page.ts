import type { Document } from '#core/document/document.ts';
import type { SnapshotMeta } from '#storage/schema.ts';

export type PageSnapshotRecord = {
  key: string;
  canonicalUrl: string;
  /** Canonical URL of the response, after redirects. */
  finalUrl: string;
  mode: string;
  etag: string | null;
  lastModified: string | null;
  fetchedAt: number;
  validatedAt: number;
  meta: SnapshotMeta;
};

/** `owner`: the only subject that may see a private document; `null` for public ones. */
export type StoredPage = { snapshot: PageSnapshotRecord; document: Document; owner: string | null };
