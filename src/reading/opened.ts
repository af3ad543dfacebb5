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
    subject: string;
    /** Time in ms for which a stored page counts as fresh. */
    cacheTtlMs: number;
    worksOn: WorksOn;
    inTurn: InTurn;
    inMemory: InMemory;
    render: RenderPort | null;
    snapshots: SnapshotStore;
    /** Facts of a site that the isolate lacks, to be read together with a page. */
    unknownSite: (origin: string) => Needed['sites'];
    files: StoredFiles;
    fileBytesMax: number;
  };

export type OpenMode = 'auto' | 'readable' | 'raw' | 'rendered';

export type OpenRequest = {
  /** The URL as the caller wrote it, perhaps with a fragment. */
  requestedUrl: string;
  mode: OpenMode;
  siteconfig?: string | undefined;
  firstPage?: number | undefined;
  refresh?: boolean;
  /** Maximum age of a stored page, instead of the deployment's default. */
  maxAgeMs?: number | undefined;
  /** The lines that will be shown, if known. */
  lines?: { start: number; end: number } | undefined;
  /** The caller's object's record of the page. If the isolate remembers the page, the store is not asked. */
  held?: { snapshot: string; documentId: string } | undefined;
  /** Time (ms) before which the document must not be deleted, because a cursor will show it. */
  holdUntil: number;
  /** A round over follows: an unchanged page is not written or held, and a failing site is always an error. */
  isRound?: boolean;
};

export type OpenResult = {
  document: Document;
  /** The final URL with the fragment of the requested one, as shown in results. */
  shownUrl: string;
  snapshot: Snapshot;
  isPrivate: boolean;
  /** Time of the fetch (ms). */
  fetchedAt: number;
  /** `fresh`: from the store; `confirmed`: not modified (304); `stale`: the origin failed. */
  origin: 'fetched' | 'fresh' | 'confirmed' | 'stale';
  /** `null` if the lines are not in memory and must be read from the store. */
  lines: readonly string[] | null;
  anchors?: Anchors | undefined;
  notes: readonly string[];
};

export type Target = { keys: PageKeys; canonicalUrl: string; request: OpenRequest; stored: StoredPage | null };

/** `problem` explains why the fragment leads nowhere. */
export type FragmentTarget = { line: number } | { problem: string };
