import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { SessionLifetime } from './lifetime.ts';

/** Overview of a session for the console. Times are in ms. URLs and `asked` are untrusted text. */
export type SessionOverview = {
  state: 'open' | 'parked';
  tabs: { id: string; url: string }[];
  usedAt: number;
  openSince: number | null;
  restsAt: number | null;
  paidMs: number;
  isDriven: boolean;
  asked: string | null;
  settings: TabSettings;
};

export function describeSession(
  { record, active, hasBrowser, openSince }: SessionLifetime,
  { isDriven, asked }: { isDriven: boolean; asked: string | null },
  usedAt: number,
  idleMs: number,
): SessionOverview | null {
  if (record === null) return null;
  const tabs =
    active === null || !hasBrowser
      ? []
      : active.tabs.all().map((tab) => ({ id: tab.id, url: tab.session.masked(tab.main().url, 'page') }));
  return {
    state: hasBrowser ? 'open' : 'parked',
    tabs,
    usedAt,
    openSince: hasBrowser ? openSince : null,
    restsAt: hasBrowser ? usedAt + idleMs : null,
    paidMs: record.paidMs,
    isDriven,
    asked,
    settings: record.settings,
  };
}
