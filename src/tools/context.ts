import type { Principal } from '#core/principal.ts';
import type { BrowserPort } from '#browsing/port.ts';
import type { CachedDeps } from '#reading/open/cached-snapshots.ts';
import type { CiteDeps } from '#reading/cite/cite.ts';
import type { OpenPageDeps } from '#reading/opened.ts';
import type { PurgeDeps } from '#reading/purge-snapshots.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import type { RecentDeps } from '#reading/recent-pages.ts';
import type { SearchDeps } from '#search/search.ts';

/** Everything the features need. `compose.ts` makes it once per request. */
export type Services = ReaderDeps &
  OpenPageDeps &
  SearchDeps &
  CachedDeps &
  PurgeDeps &
  RecentDeps &
  CiteDeps & { browser: BrowserPort };

/** What a tool knows about a call. */
export type ToolContext = {
  principal: Principal;
  services: Services;
  /** Aborts at the call's deadline, or when the caller disconnects. */
  signal: AbortSignal;
  /** Whether the person can be asked over the protocol to open a link, and what they said; `null` before they were asked. */
  links: { canAsk: boolean; said: 'accept' | 'decline' | 'cancel' | null };
  /** Reports progress to callers that asked for it. */
  progress: (done: number, total: number) => void;
};
