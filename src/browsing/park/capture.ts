import type { Protocol } from 'devtools-protocol';
import * as z from 'zod';
import { PARK_READ_MS, PARKED_AREA_BYTES_MAX, PARKED_FRAMES_PER_TAB_MAX } from './limits.ts';
import { TITLE_CHARS_MAX, URL_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text.ts';
import { withTimeout } from '#core/with-timeout.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { mergeStates } from './merge.ts';
import type { Loss, ParkedCookie, ParkedState, ParkedTab, StorageArea } from './parked-state.ts';
import type { FrameFacts } from '#browsing/in-page/scripts.ts';

/**
 * Records the state of a session: its tabs, cookies and storage. It only reads, in two round trips, from all frames at
 * once. Storage of a site that no open page shows any more is taken from `earlier`. Anything that exists but is not
 * kept (IndexedDB, caches, what is too large) is listed in `lost`.
 *
 * @param contextId the session's browser context
 * @param earlier the session's state when it was last captured or restored
 * @throws {BrowserGone} when the browser ends meanwhile
 */
export async function capture(
  browser: CdpSession,
  contextId: string,
  tabs: readonly Tab[],
  earlier: ParkedState | null = null,
): Promise<ParkedState> {
  const [{ cookies }, readings] = await Promise.all([
    browser.send('Storage.getCookies', { browserContextId: contextId }),
    Promise.all(tabs.map((tab) => readTab(tab, earlier))),
  ]);
  // Pages also cannot be read while their browser ends. What was kept of them before is right then.
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

/** `null`: it could not be read */
type FrameReading = { facts: FrameFacts | null; key: string | null };
type TabReading = { tab: ParkedTab; areas: StorageArea[]; lost: Loss[] };

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
      withTimeout(PARK_READ_MS, (late) => callIn(tab, frame, pageScripts.readFrame, [PARKED_AREA_BYTES_MAX], late)),
      frame.parentId === null ? null : storageKey(frame),
    ]);
    return { facts, key: key ?? (frame.parentId === null && facts.origin !== null ? `${facts.origin}/` : null) };
  } catch (error) {
    if (error instanceof BrowserGone) throw error;
    return { facts: null, key: null }; // busy, or gone to another document
  }
}

async function storageKey({ id, session }: Frame): Promise<string | null> {
  try {
    return (await session.send('Storage.getStorageKeyForFrame', { frameId: id })).storageKey;
  } catch (error) {
    if (error instanceof BrowserGone) throw error;
    return null; // a document without an origin
  }
}

const pairs = z.array(z.tuple([z.string(), z.string()]));

function areasOf(tab: Tab, frame: Frame, facts: FrameFacts | null, key: string | null): StorageArea[] {
  if (facts === null || facts.origin === null || key === null) return [];
  // The storage is the same as for a tab of its own, unless Chromium partitions it for this place.
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

/** The origins from the tab's own document down to the frame, each repeated one only once. */
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

function lossesOf(frame: Frame, facts: FrameFacts | null): Loss[] {
  const origin = facts?.origin ?? new URL(frame.url).origin;
  if (facts === null) return frame.parentId === null ? [{ what: 'tab', origin, count: 1 }] : [];
  const counts: Partial<Record<Loss['what'], number>> = {
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
