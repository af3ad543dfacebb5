import { PARKED_COOKIES_BYTES_MAX, PARKED_STORAGE_BYTES_MAX } from './limits.ts';
import { utf8Bytes } from '#core/text.ts';
import type { Loss, ParkedCookie, ParkedState, StorageArea } from './parked-state.ts';

/** What was just read from the open pages. */
export type Reading = Pick<ParkedState, 'tabs' | 'cookies' | 'areas' | 'lost'>;

/**
 * Merges a reading with what was kept before. Storage that was read replaces the earlier copy of the same area. Areas
 * that no open page shows any more stay, except those of closed tabs. Beyond the limits, the oldest areas are dropped
 * first, and the cookies of sites that no tab shows.
 */
export function mergeStates(reading: Reading, earlier: ParkedState | null): ParkedState {
  const open = new Set(reading.tabs.map(({ id }) => id));
  const stillThere = (earlier?.areas ?? []).filter(({ tabId }) => tabId === null || open.has(tabId));
  const areas = cutAreas(newestFirst([...reading.areas, ...stillThere], areaName));
  const cookies = cutCookies(
    reading.cookies,
    reading.tabs.map(({ url }) => hostOf(url)),
  );
  // A loss is remembered until the site is seen again.
  const seen = new Set(reading.areas.map(({ origins }) => origins.at(-1)));
  const lostBefore = (earlier?.lost ?? []).filter(
    ({ what, origin }) => ABOUT_A_SITE.has(what) && !seen.has(origin ?? ''),
  );
  const lost = newestFirst([...reading.lost, ...areas.lost, ...cookies.lost, ...lostBefore], lossName);
  const kept = areas.kept.filter(({ entries }) => entries.length > 0);
  return { version: 1, tabs: reading.tabs, cookies: cookies.kept, areas: kept, lost };
}

const ABOUT_A_SITE = new Set<Loss['what']>(['local_storage', 'indexed_db', 'cache_storage']);

/** Keeps one item for each name. The first one is the newest. */
function newestFirst<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const item of items) if (!byName.has(nameOf(item))) byName.set(nameOf(item), item);
  return [...byName.values()];
}

function areaName({ tabId, key }: StorageArea): string {
  return JSON.stringify([tabId, key]);
}

function lossName({ what, origin }: Loss): string {
  return JSON.stringify([what, origin]);
}

function cutAreas(areas: readonly StorageArea[]): { kept: StorageArea[]; lost: Loss[] } {
  const kept: StorageArea[] = [];
  const lost: Loss[] = [];
  let left = PARKED_STORAGE_BYTES_MAX;
  for (const area of areas) {
    const bytes = utf8Bytes(JSON.stringify(area));
    if (bytes <= left) {
      left -= bytes;
      kept.push(area);
      continue;
    }
    const what = area.tabId === null ? 'local_storage' : 'session_storage';
    lost.push({ what, origin: area.origins.at(-1) ?? null, count: area.entries.length });
  }
  return { kept, lost };
}

function cutCookies(
  cookies: readonly ParkedCookie[],
  hosts: readonly string[],
): { kept: ParkedCookie[]; lost: Loss[] } {
  const isShown = ({ domain }: ParkedCookie) =>
    hosts.some((host) => `.${host}`.endsWith(`.${domain.replace(/^\./, '')}`));
  const kept: ParkedCookie[] = [];
  let left = PARKED_COOKIES_BYTES_MAX;
  let omitted = 0;
  for (const cookie of [...cookies.filter(isShown), ...cookies.filter((one) => !isShown(one))]) {
    const bytes = utf8Bytes(JSON.stringify(cookie));
    if (bytes > left) {
      omitted += 1;
      continue;
    }
    left -= bytes;
    kept.push(cookie);
  }
  return { kept, lost: omitted === 0 ? [] : [{ what: 'cookie', origin: null, count: omitted }] };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
