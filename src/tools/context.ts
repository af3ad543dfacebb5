import type { Principal } from '#core/principal.ts';
import type { BrowserPort } from '#browsing/port.ts';
import type { CachedDeps } from '#reading/cached-snapshots.ts';
import type { OpenPageDeps } from '#reading/opened.ts';
import type { PurgeDeps } from '#reading/purge-snapshots.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import type { RecentDeps } from '#reading/recent-pages.ts';
import type { SearchDeps } from '#search/search.ts';

/** Everything the features need, wired once per request in `compose.ts`. */
export type Services = ReaderDeps &
  OpenPageDeps &
  SearchDeps &
  CachedDeps &
  PurgeDeps &
  RecentDeps & { browser: BrowserPort };

/** What a tool sees of a call. */
export type ToolContext = {
  principal: Principal;
  services: Services;
  /** Aborts at the call's deadline or when the caller goes away. */
  signal: AbortSignal;
  /** Tells a caller that asked for it how far a long call is. */
  progress: (done: number, total: number) => void;
};
