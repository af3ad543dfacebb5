import { RESTORE_LOAD_MS, RESTORE_SCROLL_MS, RESTORE_SCROLL_POLL_MS } from './limits.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { sleep, within } from '#core/with-timeout.ts';
import { isBlank } from '#browsing/tabs/blank.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { RequestGate } from '#browsing/gate/request-gate.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { restoreCookies } from './cookies.ts';
import type { Loss, ParkedState, ParkedTab, StorageArea } from './parked-state.ts';
import { plantStorage } from './plant.ts';

export type Restored = {
  restored: true;
  /** What the session had and could not get back, in our own words. */
  couldNot: string[];
  /** The state with the current names of its tabs, as `capture` takes it in `earlier`. */
  state: ParkedState;
};

/** How tabs are opened and closed, and how their requests are answered before a page is loaded. */
export type TabDoor = Pick<RequestGate, 'answerAll'> & {
  /** Opens an empty tab in the session's context, with the id that the tab had. */
  open: (tabId: string) => Promise<Tab>;
  close: (tab: Tab) => Promise<void>;
};

/**
 * Restores a session in a new browser context: first cookies and storage, before a script of any page runs; then the
 * pages, scrolled to where they were. A failure is reported, and the rest continues.
 *
 * Addresses pass the gate like any other. If a page cannot be loaded now, its tab stays empty, and the next restore
 * tries again.
 * @throws {BrowserGone} when the browser ends meanwhile
 */
export async function restore(
  parked: ParkedState,
  door: TabDoor,
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

/** Storage that all tabs share is filled through the first one. @returns how many entries could not be restored */
async function plantAll(
  areas: readonly StorageArea[],
  tabs: readonly Reopened[],
  { answerAll }: TabDoor,
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

/** Storage that belongs to no tab needs a temporary one. */
async function plantInPassing(areas: readonly StorageArea[], door: TabDoor, signal: AbortSignal): Promise<number> {
  if (areas.length === 0) return 0;
  const tab = await door.open(PASSING_TAB);
  try {
    return await plantStorage(tab, areas, door.answerAll, signal);
  } finally {
    await door.close(tab);
  }
}

/** Tabs are numbered from 1. */
const PASSING_TAB = 't0';

/** What could not be done, in our own words. */
type ShownAgain = { problems: string[]; isMissing: boolean };

async function showAgain({ url, scroll }: ParkedTab, tab: Tab, signal: AbortSignal): Promise<ShownAgain> {
  if (!/^https?:/i.test(url)) {
    await tab.session.send('Page.navigate', { url: 'about:blank' });
    return { problems: isBlank(url) ? [] : [`the page of tab ${tab.id} (it has no web address)`], isMissing: false };
  }
  const endAt = Date.now() + RESTORE_LOAD_MS;
  try {
    const begun = await within(tab.session.send('Page.navigate', { url }), RESTORE_LOAD_MS, signal);
    if (begun === null) await giveUp(tab);
    if (begun === null || begun.errorText !== undefined) {
      return { problems: [`the page of tab ${tab.id} (it could not be loaded)`], isMissing: true };
    }
    const isLoaded = (await within(loaded(tab), endAt - Date.now(), signal)) !== null;
    // Nobody should be able to go back to the blank documents that filled the storage.
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

/** A tab that is still loading does not answer, and it must not show our blank document. */
async function giveUp(tab: Tab): Promise<void> {
  await tab.session.send('Page.stopLoading');
  await tab.session.send('Page.navigate', { url: 'about:blank' });
}

/** Called when a document has just been committed, so events of earlier documents have all arrived. */
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

const LOST_IN_WORDS: Record<Loss['what'], string> = {
  tab: 'tabs (too busy to be read, or with too long an address: what was kept of them before is back)',
  cookie: 'cookies (too many, or bound to a temporary document)',
  local_storage: 'entries of local storage (too large)',
  session_storage: 'entries of session storage (too large)',
  indexed_db: 'databases of pages (IndexedDB is not kept)',
  cache_storage: 'caches of pages (cache storage is not kept)',
};

function lossesInWords(lost: readonly Loss[]): string[] {
  const counts = new Map<string, number>();
  for (const { what, count } of lost) {
    counts.set(LOST_IN_WORDS[what], (counts.get(LOST_IN_WORDS[what]) ?? 0) + count);
  }
  return [...counts].map(([words, count]) => `${count} ${words}`);
}

function entriesInWords(missed: number): string[] {
  return missed === 0 ? [] : [`${missed} storage entries (refused by the browser)`];
}
