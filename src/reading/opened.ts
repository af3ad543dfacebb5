import type { Document } from '#core/document/document.ts';
import type { InMemory } from '#core/flow/memory.ts';
import type { InTurn } from '#core/flow/turns.ts';
import type { WorksOn } from '#core/flow/works-on.ts';
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
    /** Owner of private pages. */
    subject: string;
    /** ms that a stored page counts as fresh. */
    cacheTtlMs: number;
    worksOn: WorksOn;
    inTurn: InTurn;
    inMemory: InMemory;
    render: RenderPort | null;
    snapshots: SnapshotStore;
    /** What the isolate does not know of a site, to be read with a page of it. */
    unknownSite: (origin: string) => Needed['sites'];
    files: StoredFiles;
    fileBytesMax: number;
  };

export type OpenMode = 'auto' | 'readable' | 'raw' | 'rendered';

export type OpenRequest = {
  /** As the caller wrote it, perhaps with a fragment. */
  requestedUrl: string;
  mode: OpenMode;
  siteconfig?: string | undefined;
  firstPage?: number | undefined;
  refresh?: boolean;
  /** Maximum age of a stored page, instead of the deployment's default. */
  maxAgeMs?: number | undefined;
  /** Those that will be shown, as far as that is known. */
  lines?: { start: number; end: number } | undefined;
  /** What the caller's object has of it. Where the isolate remembers the rest, the store is not asked. */
  held?: { snapshot: string; documentId: string } | undefined;
  /** A cursor will show the document, so it must not be dropped before this time (ms). */
  holdUntil: number;
  /**
   * For a round of what somebody follows: nothing is written of a page that is as it was, so a stored one is not held, and a
   * site that fails is a failure.
   */
  isRound?: boolean;
};

export type OpenResult = {
  document: Document;
  /** The final URL with the fragment of the requested one; results show it. */
  shownUrl: string;
  snapshot: Snapshot;
  isPrivate: boolean;
  /** When it was fetched (ms). */
  fetchedAt: number;
  /** `fresh`: from the store; `confirmed`: not modified (304); `stale`: the origin failed. */
  origin: 'fetched' | 'fresh' | 'confirmed' | 'stale';
  /** `null`: not in memory, read them from the store. */
  lines: readonly string[] | null;
  anchors?: Anchors | undefined;
  notes: readonly string[];
};

export type Target = { keys: PageKeys; canonicalUrl: string; request: OpenRequest; stored: StoredPage | null };

/** `problem`: our explanation why the fragment leads nowhere. */
export type FragmentTarget = { line: number } | { problem: string };
