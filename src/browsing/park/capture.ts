import type { Protocol } from 'devtools-protocol';
import * as z from 'zod';
import {
  PARKED_STORAGE_AREA_BYTES_MAX,
  PARKED_FRAMES_PER_TAB_MAX,
  PARKED_STORAGE_BYTES_MAX,
  PARK_READ_MS_MAX,
} from './sealed-state.ts';
import { TITLE_CHARS_MAX, URL_CHARS_MAX } from '#core/limits.ts';
import { oneLine, utf8Bytes } from '#core/text/text.ts';
import { withTimeout } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { BrowserGone, nullUnlessBrowserGone } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import type { RestoreLossKind, ParkedCookie, ParkedState, ParkedTab, StorageArea } from './sealed-state.ts';
import type { FrameStorage } from '#browsing/in-page/script-types.ts';

/** Maximum size of all cookies of a session as JSON: about 1,000 cookies. */
const PARKED_COOKIES_BYTES_MAX = 256_000;

/**
 * Reads a session's tabs, cookies and storage from all frames together, in two round trips. Storage of sites without an
 * open tab comes from `earlier`. Data that is not saved (IndexedDB, caches, large entries) is listed in `lost`.
 * @param earlier the last captured or restored state
 * @throws {BrowserGone} if the browser ends meanwhile
 */
export async function captureSession(
  browser: CdpSession,
  contextId: string,
  tabs: readonly Tab[],
  earlier: ParkedState | null = null,
): Promise<ParkedState> {
  const [{ cookies }, readings] = await Promise.all([
    browser.send('Storage.getCookies', { browserContextId: contextId }),
    Promise.all(tabs.map((tab) => readTab(tab, earlier))),
  ]);
  // If a tab cannot be read, the browser may be ending. This command then throws, so that the earlier state is not
  // replaced.
  if (readings.some(({ lost }) => lost.some(({ what }) => what === 'tab'))) await browser.send('Browser.getVersion');
  const opaque = cookies.filter(({ partitionKeyOpaque }) => partitionKeyOpaque === true).length;
  return mergeStates(
    {
      tabs: readings.map(({ tab }) => tab),
      cookies: cookies.filter(({ partitionKeyOpaque }) => partitionKeyOpaque !== true).map(toParkedCookie),
      areas: readings.flatMap(({ areas }) => areas),
      lost: [
        ...readings.flatMap(({ lost }) => lost),
        ...(opaque === 0 ? [] : [{ what: 'cookie' as const, origin: null, count: opaque }]),
      ],
    },
    earlier,
  );
}

type FrameReading = { facts: FrameStorage | null; key: string | null };
type TabReading = { tab: ParkedTab; areas: StorageArea[]; lost: RestoreLossKind[] };

async function readTab(tab: Tab, earlier: ParkedState | null): Promise<TabReading> {
  const frames = tab.frames().filter(({ url }) => isWeb(url));
  const shown = frames.slice(0, PARKED_FRAMES_PER_TAB_MAX);
  const facts = await Promise.all(shown.map(async (frame) => ({ frame, ...(await readFrame(tab, frame)) })));
  const main = facts.find(({ frame }) => frame.parentId === null)?.facts ?? null;
  const before = earlier?.tabs.find(({ id }) => id === tab.id);
  const url = tab.main().url;
  if (before?.isMissing === true && !isWeb(url)) return { tab: before, areas: [], lost: [] };
  const lost = facts.flatMap((read) => lossesOf(read.frame, read.facts));
  if (frames.length > shown.length)
    lost.push({ what: 'local_storage', origin: null, count: frames.length - shown.length });
  if (url.length > URL_CHARS_MAX) lost.push({ what: 'tab', origin: null, count: 1 });
  return {
    tab: {
      id: tab.id,
      url: url.length > URL_CHARS_MAX ? 'about:blank' : url,
      title: oneLine(main?.title ?? before?.title ?? '', TITLE_CHARS_MAX),
      scroll: main === null ? (before?.scroll ?? { x: 0, y: 0 }) : { x: main.scrollX, y: main.scrollY },
    },
    areas: facts.flatMap((read) => areasOf(tab, read.frame, read.facts, read.key)),
    lost,
  };
}

async function readFrame(tab: Tab, frame: Frame): Promise<FrameReading> {
  try {
    const [facts, key] = await Promise.all([
      withTimeout(PARK_READ_MS_MAX, (late) =>
        callIn(tab, frame, pageScripts.readFrameStorage, [PARKED_STORAGE_AREA_BYTES_MAX], late),
      ),
      frame.parentId === null ? null : storageKey(frame),
    ]);
    return { facts, key: key ?? (frame.parentId === null && facts.origin !== null ? `${facts.origin}/` : null) };
  } catch (error) {
    if (error instanceof BrowserGone) throw error;
    return { facts: null, key: null }; // the frame is busy, or has another document
  }
}

async function storageKey({ id, session }: Frame): Promise<string | null> {
  // A document without origin, as in a sandboxed frame, has no key.
  const answer = await session.send('Storage.getStorageKeyForFrame', { frameId: id }).catch(nullUnlessBrowserGone);
  return answer?.storageKey ?? null;
}

const pairs = z.array(z.tuple([z.string(), z.string()]));

function areasOf(tab: Tab, frame: Frame, facts: FrameStorage | null, key: string | null): StorageArea[] {
  if (facts === null || facts.origin === null || key === null) return [];
  // A key that consists of an origin only belongs to ordinary storage. Other keys belong to storage that is
  // partitioned by outer sites.
  const origins = key === `${facts.origin}/` ? [facts.origin] : originsAround(tab, frame, facts.origin);
  return [
    ...(facts.local === null
      ? []
      : [{ tabId: null, key, origins, entries: pairs.parse(JSON.parse(facts.local.entries)) }]),
    ...(facts.session === null
      ? []
      : [{ tabId: tab.id, key, origins, entries: pairs.parse(JSON.parse(facts.session.entries)) }]),
  ];
}

function originsAround(tab: Tab, frame: Frame, own: string): string[] {
  const origins = [own];
  for (let id = frame.parentId; id !== null;) {
    const outer: Frame | null = tab.frame(id);
    if (outer === null) break;
    const origin = isWeb(outer.url) ? new URL(outer.url).origin : origins[0];
    if (origin !== undefined && origin !== origins[0]) origins.unshift(origin);
    id = outer.parentId;
  }
  return origins;
}

function lossesOf(frame: Frame, facts: FrameStorage | null): RestoreLossKind[] {
  const origin = facts?.origin ?? new URL(frame.url).origin;
  if (facts === null) return frame.parentId === null ? [{ what: 'tab', origin, count: 1 }] : [];
  const counts: Partial<Record<RestoreLossKind['what'], number>> = {
    local_storage: facts.local?.omitted ?? 0,
    session_storage: facts.session?.omitted ?? 0,
    indexed_db: facts.databases,
    cache_storage: facts.caches,
  };
  const kinds = ['local_storage', 'session_storage', 'indexed_db', 'cache_storage'] as const;
  return kinds.flatMap((what) => {
    const count = counts[what] ?? 0;
    return count === 0 ? [] : [{ what, origin, count }];
  });
}

function toParkedCookie(cookie: Protocol.Network.Cookie): ParkedCookie {
  const { name, value, domain, path, expires, session, httpOnly, secure, sameSite, priority } = cookie;
  const { sourceScheme, sourcePort, partitionKey } = cookie;
  return {
    name,
    value,
    domain,
    path,
    expires: session ? null : expires,
    httpOnly,
    secure,
    sameSite: sameSite ?? null,
    priority,
    sourceScheme,
    sourcePort,
    partitionKey: partitionKey ?? null,
  };
}

function isWeb(url: string): boolean {
  return /^https?:/i.test(url);
}

export type CapturedSession = Pick<ParkedState, 'tabs' | 'cookies' | 'areas' | 'lost'>;

/**
 * Merges a new reading into the earlier state. New storage replaces that of the same tab and site. Other storage
 * stays, except that of closed tabs. Beyond the limits, the oldest storage and the cookies of sites without an open
 * tab are dropped first.
 */
export function mergeStates(reading: CapturedSession, earlier: ParkedState | null): ParkedState {
  const open = new Set(reading.tabs.map(({ id }) => id));
  const stillThere = (earlier?.areas ?? []).filter(({ tabId }) => tabId === null || open.has(tabId));
  const areas = cutAreas(newestFirst([...reading.areas, ...stillThere], areaName));
  const cookies = cutCookies(
    reading.cookies,
    reading.tabs.map(({ url }) => hostOf(url)),
  );
  // A loss stays listed until the storage of its site is read again.
  const seen = new Set(reading.areas.map(({ origins }) => origins.at(-1)));
  const lostBefore = (earlier?.lost ?? []).filter(
    ({ what, origin }) => ABOUT_A_SITE.has(what) && !seen.has(origin ?? ''),
  );
  const lost = newestFirst([...reading.lost, ...areas.lost, ...cookies.lost, ...lostBefore], lossName);
  const kept = areas.kept.filter(({ entries }) => entries.length > 0);
  return { version: 1, tabs: reading.tabs, cookies: cookies.kept, areas: kept, lost };
}

const ABOUT_A_SITE = new Set<RestoreLossKind['what']>(['local_storage', 'indexed_db', 'cache_storage']);

function newestFirst<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const item of items) if (!byName.has(nameOf(item))) byName.set(nameOf(item), item);
  return [...byName.values()];
}

function areaName({ tabId, key }: StorageArea): string {
  return JSON.stringify([tabId, key]);
}

function lossName({ what, origin }: RestoreLossKind): string {
  return JSON.stringify([what, origin]);
}

function cutAreas(areas: readonly StorageArea[]): { kept: StorageArea[]; lost: RestoreLossKind[] } {
  const kept: StorageArea[] = [];
  const lost: RestoreLossKind[] = [];
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
): { kept: ParkedCookie[]; lost: RestoreLossKind[] } {
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
