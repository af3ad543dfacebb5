import type { Lifetime } from './lifetime.ts';

/** How a session is, for its person. Times in ms. Addresses are the pages' own words: data. */
export type SessionOverview = {
  /** `parked`: it has no browser now, and the next call brings it back. */
  state: 'open' | 'parked';
  tabs: { id: string; url: string }[];
  usedAt: number;
  /** Since when it has its browser, and when that is parked if nobody uses it. */
  openSince: number | null;
  restsAt: number | null;
  /** Browser time that was paid for it so far. */
  paidMs: number;
  /** A person drives it. */
  isDriven: boolean;
  /** What a model asks a person for in it, in its words; objects of before do not say. */
  asked?: string | null;
};

export function overviewOf(
  { kept, live, hasBrowser, openSince }: Lifetime,
  { isDriven, asked }: { isDriven: boolean; asked: string | null },
  usedAt: number,
  idleMs: number,
): SessionOverview | null {
  if (kept === null) return null;
  const tabs =
    live === null || !hasBrowser
      ? []
      : live.tabs.all().map((tab) => ({ id: tab.id, url: tab.session.told(tab.main().url, 'page') }));
  return {
    state: hasBrowser ? 'open' : 'parked',
    tabs,
    usedAt,
    openSince: hasBrowser ? openSince : null,
    restsAt: hasBrowser ? usedAt + idleMs : null,
    paidMs: kept.paidMs,
    isDriven,
    asked,
  };
}
