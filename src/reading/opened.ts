import type { Document } from '#core/document/document.ts';
import type { RunWithMemory } from '#core/flow/memory.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import type { RecordWorkStart } from '#core/activity.ts';
import type { DocumentAnchors } from '#storage/pages/documents.ts';
import type { StoredFiles } from '#storage/person/stored-files.ts';
import type { OpeningReads, SnapshotStore } from '#storage/pages/snapshots.ts';
import type { PageSnapshotRecord, StoredPage } from '#storage/schema.ts';
import type { FetchOnceDeps } from '#reading/open/fetch-once.ts';
import type { MarkdownTwinDeps } from '#reading/open/markdown-twin.ts';
import type { SnapshotKeys } from '#reading/open/page-keys.ts';
import type { RenderPort } from '#reading/open/extract-page.ts';

export type OpenPageDeps = MarkdownTwinDeps &
  FetchOnceDeps & {
    subject: string;
    /** Time in ms for which a stored page counts as fresh. */
    cacheTtlMs: number;
    worksOn: RecordWorkStart;
    inTurn: RunWithCpuLock;
    inMemory: RunWithMemory;
    render: RenderPort | null;
    snapshots: SnapshotStore;
    /** Returns the site facts to read from the store in the same request as the page, because memory lacks them. */
    unknownSite: (origin: string) => OpeningReads['sites'];
    files: StoredFiles;
    fileBytesMax: number;
  };

export type OpenMode = 'auto' | 'readable' | 'raw' | 'rendered';

export type OpenRequest = {
  /** The URL as the caller wrote it. It may have a fragment. */
  requestedUrl: string;
  mode: OpenMode;
  siteconfig?: string | undefined;
  firstPage?: number | undefined;
  refresh?: boolean;
  /** Maximum age of a stored page in ms, instead of the deployment's default. */
  maxAgeMs?: number | undefined;
  /** The lines that will be shown, if known, so that the store reads them together with the page. */
  lines?: { start: number; end: number } | undefined;
  /**
   * The page as the caller's Durable Object recorded it. If it is in the isolate's memory, the store is not queried.
   */
  held?: { snapshot: string; documentId: string } | undefined;
  /** Time in ms since 1970 before which the document must not be deleted, because a cursor will show it. */
  holdUntil: number;
  /**
   * True for the regular check of a followed page: an unchanged page is not written, and a failing site is an error
   * even if a copy is stored.
   */
  isRound?: boolean;
};

export type OpenResult = {
  document: Document;
  /** The URL shown in results: the final URL, with the fragment of the requested one. */
  shownUrl: string;
  snapshot: PageSnapshotRecord;
  isPrivate: boolean;
  /** Time at which the page was fetched, in ms since 1970. */
  fetchedAt: number;
  /**
   * Where the page came from. `fetched`: the site. `fresh`: the store. `confirmed`: the store, after the site responded
   * 304. `stale`: the store, because the site failed.
   */
  origin: 'fetched' | 'fresh' | 'confirmed' | 'stale';
  /** The lines of the document; `null` if they must be read from the store. */
  lines: readonly string[] | null;
  anchors?: DocumentAnchors | undefined;
  notes: readonly string[];
};

export type SnapshotToStore = {
  keys: SnapshotKeys;
  canonicalUrl: string;
  request: OpenRequest;
  stored: StoredPage | null;
};

/** The line that a fragment names; `problem` explains why there is none. */
export type FragmentLine = { line: number } | { problem: string };
