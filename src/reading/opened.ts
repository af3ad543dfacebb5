import type { Document } from '#core/document/document.ts';
import type { InMemory } from '#core/flow/memory.ts';
import type { InTurn } from '#core/flow/turns.ts';
import type { WorksOn } from '#core/activity.ts';
import type { Anchors } from '#storage/pages/documents.ts';
import type { StoredFiles } from '#storage/person/stored-files.ts';
import type { Needed, SnapshotStore } from '#storage/pages/snapshots.ts';
import type { Snapshot, StoredPage } from '#storage/pages/stored-page.ts';
import type { FetchOnceDeps } from '#reading/open/fetch-once.ts';
import type { TwinDeps } from '#reading/open/markdown-twin.ts';
import type { PageKeys } from '#reading/open/page-keys.ts';
import type { RenderPort } from '#reading/open/extract-page.ts';

export type OpenPageDeps = TwinDeps &
  FetchOnceDeps & {
    subject: string;
    /** Time in ms for which a stored page counts as fresh. */
    cacheTtlMs: number;
    worksOn: WorksOn;
    inTurn: InTurn;
    inMemory: InMemory;
    render: RenderPort | null;
    snapshots: SnapshotStore;
    /**
     * Returns the site facts that the isolate does not have in memory. They are read in the same request as the page.
     */
    unknownSite: (origin: string) => Needed['sites'];
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
  /** Maximum age of a stored page in ms. It replaces the deployment's default. */
  maxAgeMs?: number | undefined;
  /** The lines that will be shown, if known. */
  lines?: { start: number; end: number } | undefined;
  /**
   * The record of the page in the caller's Durable Object. If the isolate has the page in memory, the store is not
   * asked.
   */
  held?: { snapshot: string; documentId: string } | undefined;
  /** Time in ms since 1970 before which the document must not be deleted, because a cursor will show it. */
  holdUntil: number;
  /**
   * True for the regular check of followed pages. An unchanged page is then neither written nor protected from
   * deletion, and a failing site is always an error.
   */
  isRound?: boolean;
};

export type OpenResult = {
  document: Document;
  /** The URL shown in results: the final URL, with the fragment of the requested one. */
  shownUrl: string;
  snapshot: Snapshot;
  isPrivate: boolean;
  /** When the page was fetched, in ms since 1970. */
  fetchedAt: number;
  /**
   * The origin of the result. `fetched`: from the site. `fresh`: from the store. `confirmed`: from the store, and the
   * site responded "not modified" (304). `stale`: from the store, because the site failed.
   */
  origin: 'fetched' | 'fresh' | 'confirmed' | 'stale';
  /** The lines of the document. `null` if they must be read from the store. */
  lines: readonly string[] | null;
  anchors?: Anchors | undefined;
  notes: readonly string[];
};

export type Target = { keys: PageKeys; canonicalUrl: string; request: OpenRequest; stored: StoredPage | null };

/** The place that a fragment names. `problem` explains why there is no such place. */
export type FragmentTarget = { line: number } | { problem: string };
