import { SECOND_MS } from '#core/limits.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { sleep, resolveWithin } from '#core/flow/abort.ts';
import { isBlankUrl } from '#browsing/tabs/tab.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { SyntheticResponse, RequestGate } from '#browsing/gate/request-gate.ts';
import type { Tab, Frame } from '#browsing/tabs/tab.ts';
import type { RestoreLossKind, ParkedCookie, ParkedState, ParkedTab, StorageArea } from './sealed-state.ts';
import type { Protocol } from 'devtools-protocol';

/** Time limit for loading all restored tabs together. Afterwards, the call continues while the tabs keep loading. */
const RESTORE_LOAD_MS_MAX = 8 * SECOND_MS;
const RESTORE_PLANT_MS = 3 * SECOND_MS;
const RESTORE_POLL_MS = 10;
/** Time for a page that adds content after loading to grow until its scroll position can be restored. */
const RESTORE_SCROLL_MS = 1 * SECOND_MS;
const RESTORE_SCROLL_POLL_MS = 100;

type Restored = {
  restored: true;
  couldNot: string[];
  state: ParkedState;
};

export type RestoreTabAccess = Pick<RequestGate, 'fulfillAll'> & {
  open: (tabId: string) => Promise<Tab>;
  close: (tab: Tab) => Promise<void>;
};

/**
 * Restores a session in a new browser context: first cookies and storage, before a script of any page runs; then the
 * pages and their scroll positions. A failure is reported in `couldNot`, and the restore continues. If a page cannot be
 * loaded, its tab stays empty, and the next restore tries again.
 * @throws {BrowserGone} if the browser ends meanwhile
 */
export async function restoreSession(
  parked: ParkedState,
  door: RestoreTabAccess,
  browser: CdpSession,
  contextId: string,
  signal: AbortSignal,
): Promise<Restored> {
  const missedCookies = await restoreCookies(browser, contextId, parked.cookies);
  const tabs: Reopened[] = [];
  for (const one of parked.tabs) tabs.push({ parked: one, tab: await door.open(one.id) });

  const missed =
    tabs.length === 0
      ? await plantInPassing(parked.areas, door, signal)
      : await plantAll(parked.areas, tabs, door, signal);
  const shown = await Promise.all(tabs.map(({ parked: one, tab }) => showAgain(one, tab, signal)));
  return {
    restored: true,
    couldNot: [
      ...lossesInWords(parked.lost),
      ...(missedCookies === 0 ? [] : [`${missedCookies} cookies (refused by the browser)`]),
      ...entriesInWords(missed),
      ...shown.flatMap(({ problems }) => problems),
    ],
    state: renamed(
      { ...parked, tabs: parked.tabs.map((tab, at) => withMissing(tab, shown[at]?.isMissing === true)) },
      new Map(tabs.map(({ parked: { id }, tab }) => [id, tab.id])),
    ),
  };
}

type Reopened = { parked: ParkedTab; tab: Tab };

async function plantAll(
  areas: readonly StorageArea[],
  tabs: readonly Reopened[],
  { fulfillAll: answerAll }: RestoreTabAccess,
  signal: AbortSignal,
): Promise<number> {
  const missed = await Promise.all(
    tabs.map(({ parked: { id }, tab }, at) =>
      plantStorage(
        tab,
        areas.filter(({ tabId }) => tabId === id || (tabId === null && at === 0)),
        answerAll,
        signal,
      ),
    ),
  );
  return missed.reduce((sum, count) => sum + count, 0);
}

/** Restores the storage of a session without tabs by means of a temporary tab. */
async function plantInPassing(
  areas: readonly StorageArea[],
  door: RestoreTabAccess,
  signal: AbortSignal,
): Promise<number> {
  if (areas.length === 0) return 0;
  const tab = await door.open(PASSING_TAB);
  try {
    return await plantStorage(tab, areas, door.fulfillAll, signal);
  } finally {
    await door.close(tab);
  }
}

const PASSING_TAB = 't0';

type ShownAgain = { problems: string[]; isMissing: boolean };

async function showAgain({ url, scroll }: ParkedTab, tab: Tab, signal: AbortSignal): Promise<ShownAgain> {
  if (!/^https?:/i.test(url)) {
    await tab.session.send('Page.navigate', { url: 'about:blank' });
    return { problems: isBlankUrl(url) ? [] : [`the page of tab ${tab.id} (it has no web address)`], isMissing: false };
  }
  const endAt = Date.now() + RESTORE_LOAD_MS_MAX;
  try {
    const begun = await resolveWithin(tab.session.send('Page.navigate', { url }), RESTORE_LOAD_MS_MAX, signal);
    if (begun === null) await giveUp(tab);
    if (begun === null || begun.errorText !== undefined) {
      return { problems: [`the page of tab ${tab.id} (it could not be loaded)`], isMissing: true };
    }
    const isLoaded = (await resolveWithin(loaded(tab), endAt - Date.now(), signal)) !== null;
    // Removes the blank documents that restored the storage from the tab's history.
    await tab.session.send('Page.resetNavigationHistory');
    const isThere = (scroll.x === 0 && scroll.y === 0) || (await scrollTo(tab, scroll, signal));
    const problems = [
      ...(isLoaded ? [] : [`the page of tab ${tab.id} in full (it is still loading)`]),
      ...(isThere ? [] : [`the scroll position of tab ${tab.id}`]),
    ];
    return { problems, isMissing: false };
  } catch (error) {
    if (signal.aborted || error instanceof BrowserGone) throw error;
    return { problems: [`the page of tab ${tab.id} (it was closed while it loaded)`], isMissing: true };
  }
}

/** Stops a tab that does not respond while loading, because it must not show a blank document under the site's URL. */
async function giveUp(tab: Tab): Promise<void> {
  await tab.session.send('Page.stopLoading');
  await tab.session.send('Page.navigate', { url: 'about:blank' });
}

/**
 * Resolves at the next load event. Called after the navigation's commit, so that load events of earlier documents are
 * over.
 */
function loaded(tab: Tab): Promise<true> {
  const { promise, resolve } = Promise.withResolvers<true>();
  const off = tab.session.on('Page.loadEventFired', () => {
    off();
    resolve(true);
  });
  return promise;
}

async function scrollTo(tab: Tab, { x, y }: ParkedTab['scroll'], signal: AbortSignal): Promise<boolean> {
  const end = Date.now() + RESTORE_SCROLL_MS;
  for (;;) {
    if (await callIn(tab, tab.main(), pageScripts.scrollDocumentTo, [x, y], signal)) return true;
    if (Date.now() > end) return false;
    await sleep(RESTORE_SCROLL_POLL_MS, signal);
  }
}

function withMissing({ id, url, title, scroll }: ParkedTab, isMissing: boolean): ParkedTab {
  return { id, url, title, scroll, ...(isMissing ? { isMissing } : {}) };
}

function renamed(parked: ParkedState, names: ReadonlyMap<string, string>): ParkedState {
  const now = (id: string) => names.get(id) ?? id;
  return {
    ...parked,
    tabs: parked.tabs.map((tab) => ({ ...tab, id: now(tab.id) })),
    areas: parked.areas.map((area) => (area.tabId === null ? area : { ...area, tabId: now(area.tabId) })),
  };
}

const LOST_IN_WORDS: Record<RestoreLossKind['what'], string> = {
  tab: 'tabs (too busy to be read, or with too long an address: their previously saved state was restored)',
  cookie: 'cookies (too many, or bound to a temporary document)',
  local_storage: 'entries of local storage (too large)',
  session_storage: 'entries of session storage (too large)',
  indexed_db: 'databases of pages (IndexedDB is not saved)',
  cache_storage: 'caches of pages (cache storage is not saved)',
};

function lossesInWords(lost: readonly RestoreLossKind[]): string[] {
  const counts = new Map<string, number>();
  for (const { what, count } of lost) {
    counts.set(LOST_IN_WORDS[what], (counts.get(LOST_IN_WORDS[what]) ?? 0) + count);
  }
  return [...counts].map(([words, count]) => `${count} ${words}`);
}

function entriesInWords(missed: number): string[] {
  return missed === 0 ? [] : [`${missed} storage entries (refused by the browser)`];
}

/** @returns the number of cookies that Chromium refused */
async function restoreCookies(
  browser: CdpSession,
  contextId: string,
  cookies: readonly ParkedCookie[],
): Promise<number> {
  const alive = cookies.filter(({ expires }) => expires === null || expires * 1000 > Date.now()).map(toCookieParam);
  if (alive.length === 0 || (await areSet(browser, contextId, alive))) return 0;
  // Chromium refuses the whole list if one cookie is invalid, so the cookies are set one by one.
  const each = await Promise.all(alive.map((cookie) => areSet(browser, contextId, [cookie])));
  return each.filter((isSet) => !isSet).length;
}

async function areSet(
  browser: CdpSession,
  browserContextId: string,
  cookies: Protocol.Network.CookieParam[],
): Promise<boolean> {
  try {
    await browser.send('Storage.setCookies', { cookies, browserContextId });
    return true;
  } catch (error) {
    if (error instanceof CdpError) return false;
    throw error;
  }
}

function toCookieParam(cookie: ParkedCookie): Protocol.Network.CookieParam {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  const { priority, sourceScheme, sourcePort } = cookie;
  return {
    name,
    value,
    path,
    httpOnly,
    secure,
    priority,
    sourceScheme,
    sourcePort,
    // A cookie set with `domain` also applies to subdomains, so a cookie for a single host is set with `url`.
    ...(domain.startsWith('.') ? { domain } : { url: `${secure ? 'https' : 'http'}://${domain}${path}` }),
    ...(expires === null ? {} : { expires }),
    ...(sameSite === null ? {} : { sameSite }),
    ...(partitionKey === null ? {} : { partitionKey }),
  };
}

type Node = {
  origin: string;
  local: StorageArea['entries'];
  session: StorageArea['entries'];
  frames: Map<string, Node>;
};

/**
 * Restores storage before any page of its site runs. The tab loads a blank document for each origin, in nested frames
 * where Chromium partitions storage. The gate serves these documents, so nothing goes to the network. Afterwards the
 * tab still shows one of them.
 * @returns the number of entries that could not be restored
 */
async function plantStorage(
  tab: Tab,
  areas: readonly StorageArea[],
  answerAll: RequestGate['fulfillAll'],
  signal: AbortSignal,
): Promise<number> {
  let missed = 0;
  for (const node of nest(areas).values()) missed += await plantTop({ tab, answerAll, signal }, node);
  return missed;
}

/** Path of the blank documents. Any path works, because the site never receives the request. */
const PLACE = '/periscope-restores-storage';
const BLANK: SyntheticResponse = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  base64: btoa('<!doctype html><link rel="icon" href="data:,"><body>'),
};

function nest(areas: readonly StorageArea[]): Map<string, Node> {
  const tops = new Map<string, Node>();
  for (const { origins, tabId, entries } of areas) {
    let level = tops;
    let node: Node | undefined;
    for (const origin of origins) {
      node = level.get(origin) ?? { origin, local: [], session: [], frames: new Map() };
      level.set(origin, node);
      level = node.frames;
    }
    (tabId === null ? node?.local : node?.session)?.push(...entries);
  }
  return tops;
}

type Planting = { tab: Tab; answerAll: RequestGate['fulfillAll']; signal: AbortSignal };

async function plantTop(planting: Planting, node: Node): Promise<number> {
  const { tab, answerAll, signal } = planting;
  const stop = await answerAll(tab.session, BLANK);
  try {
    const sent = tab.session.send('Page.navigate', { url: node.origin + PLACE });
    const begun = await resolveWithin(sent, RESTORE_PLANT_MS, signal);
    if (begun === null || begun.errorText !== undefined) return countOf(node);
    return await plantNode(planting, node, () => tab.main());
  } finally {
    await stop();
  }
}

async function plantNode(planting: Planting, node: Node, find: () => Frame | undefined): Promise<number> {
  const { tab, signal } = planting;
  const local = JSON.stringify(node.local);
  const session = JSON.stringify(node.session);
  const end = Date.now() + RESTORE_PLANT_MS;
  for (;;) {
    const frame = find();
    const refused =
      frame?.url !== node.origin + PLACE ? null : await tryToPlant(tab, frame, node.origin, local, session, signal);
    if (frame !== undefined && refused !== null) return refused + (await plantFrames(planting, node, frame));
    if (Date.now() > end) return countOf(node);
    await sleep(RESTORE_POLL_MS, signal);
  }
}

async function plantFrames(planting: Planting, node: Node, outer: Frame): Promise<number> {
  const { tab, answerAll, signal } = planting;
  if (node.frames.size === 0) return 0;
  // An out-of-process frame requests its inner frames through its own session, so requests of that session are also
  // answered.
  const stop = outer.session === tab.session ? async () => undefined : await answerAll(outer.session, BLANK);
  try {
    let missed = 0;
    for (const inner of node.frames.values()) {
      const known = new Set(tab.frames().map(({ id }) => id));
      await callIn(tab, outer, pageScripts.addStorageFrame, [inner.origin + PLACE], signal);
      const find = () => tab.frames().find(({ id, parentId }) => parentId === outer.id && !known.has(id));
      missed += await plantNode(planting, inner, find);
    }
    await callIn(tab, outer, pageScripts.removeStorageFrames, [], signal);
    return missed;
  } finally {
    await stop();
  }
}

async function tryToPlant(
  tab: Tab,
  frame: Frame,
  origin: string,
  local: string,
  session: string,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    return await callIn(tab, frame, pageScripts.restoreFrameStorage, [origin, local, session], signal);
  } catch (error) {
    if (signal.aborted || error instanceof BrowserGone) throw error;
    return null; // the frame's document was just changing
  }
}

function countOf({ local, session, frames }: Node): number {
  return [...frames.values()].reduce((sum, frame) => sum + countOf(frame), local.length + session.length);
}
