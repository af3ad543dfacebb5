import type { Document } from '#core/document.ts';
import type { InMemory } from '#core/flow/memory.ts';
import type { InTurn } from '#core/flow/turns.ts';
import type { StoredFiles } from '#storage/person/stored-files.ts';
import type { Snapshot, SnapshotStore, StoredPage } from '#storage/pages/snapshots.ts';
import type { FetchOnceDeps } from '#reading/open/fetch-once.ts';
import type { TwinDeps } from '#reading/open/markdown-twin.ts';
import type { PageKeys } from '#reading/open/page-keys.ts';
import type { RenderPort } from '#reading/open/render-page.ts';

/** The world as opening a page needs it. */
export type OpenPageDeps = TwinDeps &
  FetchOnceDeps & {
    /** Who opens pages: what is not for everyone is stored for them alone. */
    subject: string;
    /** How long a stored page is shown without asking its origin, in ms. */
    cacheTtlMs: number;
    inTurn: InTurn;
    inMemory: InMemory;
    /** `null` where there is no browser. */
    render: RenderPort | null;
    snapshots: SnapshotStore;
    /** Those that the subject keeps. */
    files: StoredFiles;
    /** Of a file that is read. */
    fileBytesMax: number;
  };

export type OpenMode = 'auto' | 'readable' | 'raw' | 'rendered';

export type OpenRequest = {
  url: string;
  mode: OpenMode;
  /** Id of a site config to extract with, instead of what the site's address selects. */
  siteconfig?: string | undefined;
  /** Page of a PDF to begin with; the first when missing. */
  firstPage?: number | undefined;
  /** Fetch and extract again, whatever is stored. */
  refresh?: boolean;
  /** Accept a stored page up to this age instead of the deployment's default. */
  maxAgeMs?: number | undefined;
  /** Until when (ms) the document must be kept: a cursor will show it. */
  holdUntil: number;
};

export type Opened = {
  document: Document;
  url: string;
  snapshot: Snapshot;
  /** For the subject alone: nobody else comes across it. */
  isPrivate: boolean;
  /** `fetched` now, `fresh` in the store, `confirmed` by the origin as unchanged, or `stale`: the origin failed. */
  origin: 'fetched' | 'fresh' | 'confirmed' | 'stale';
  /** The lines when they are at hand anyway; `null` means: read them from the store. */
  lines: readonly string[] | null;
  /** The same of the places that links name. */
  anchors?: ReadonlyMap<string, number> | undefined;
  notes: readonly string[];
};

/** A page that is to be fetched, and what is stored of it. */
export type Target = { keys: PageKeys; url: string; request: OpenRequest; stored: StoredPage | null };
