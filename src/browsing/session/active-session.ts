import { SECOND_MS } from '#core/limits.ts';
import { within } from '#core/flow/abort.ts';
import { BrowserGone, ignoreGone } from '#browsing/cdp/connection.ts';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import type { FileResponse } from '#browsing/gate/file-response.ts';
import type { Decide, RefusedRequest, RequestGate } from '#browsing/gate/request-gate.ts';
import { guardRequests } from '#browsing/gate/request-gate.ts';
import { Refs } from '#browsing/refs/refs.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { Downloads } from '#browsing/session/operations/downloads.ts';
import type { SessionSecrets } from '#browsing/secrets/session-secrets.ts';
import { addressesTypedAt, watchForSecrets } from '#browsing/secrets/session-sites.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { Look } from '#browsing/view/view.ts';

/** A browser that does not tell its own version by then hangs, however busy its pages are. */
const BROWSER_ALIVE_MS = 3 * SECOND_MS;

export type ActiveSession = {
  browser: AcquiredBrowser;
  contextId: string;
  tabs: OpenTabs;
  gate: RequestGate;
  downloads: Downloads;
  secrets: SessionSecrets;
  refs: Refs;
  /** The last full view of each tab; an action reports what differs from it. */
  lastLooks: WeakMap<OpenTab, Look>;
  /** Only while a call is at work may a page open a tab. */
  isActing: boolean;
};

/** Numbering continues after a restart, so that no ref or tab name is used twice. */
type Numbering = { nextRef: number; lastTab: number };
type Earlier = Numbering & { settings?: TabSettings | undefined };

/**
 * Opens an isolated context without tabs. All commands are sent at once: Chromium takes them in this order, and no
 * target runs before the gate is confirmed.
 */
export async function openActiveSession(
  browser: AcquiredBrowser,
  decide: Decide,
  { nextRef, lastTab, settings }: Earlier,
  downloads: Downloads,
  secrets: SessionSecrets,
): Promise<ActiveSession> {
  const { connection } = browser;
  connection.mask = () => secrets.hide;
  /** The browser also reports downloads that the gate has taken already. */
  const taken = new Map<string, (name: string) => void>();
  const tabs = new OpenTabs(connection, {
    settings,
    mayOpen: () => active.isActing,
    save: (url, source, tell) => {
      const named = taken.get(url);
      taken.delete(url);
      if (named === undefined) void downloads.save(source(), url).then(tell);
      else named(source().name ?? '');
    },
  });
  tabs.startNumberingAfter(lastTab);
  tabs.driver.onTyped = (tab) => {
    const { origin } = tab.pageContext(tab.main()) ?? { origin: '' };
    secrets.typedByHand(addressesTypedAt(tab.frames(), origin));
  };
  const refused = (request: RefusedRequest) => tabs.noteRefused(request);
  const save = async (answer: FileResponse) => {
    if (taken.size >= TAKEN_REMEMBERED_MAX) taken.clear();
    const { promise, resolve } = Promise.withResolvers<string>();
    taken.set(answer.url, resolve);
    const nameAtEnd = async () => {
      await answer.failNow().catch(ignoreGone);
      return within(promise, NAME_MS_MAX);
    };
    const file = answer.mayHaveName ? { ...answer, nameAtEnd } : answer;
    await tabs.downloads.noteSaved(answer.frameId, answer.url, downloads.save(file, answer.url));
  };
  const secondCheck = watchForSecrets(secrets, tabs);
  const guarded = guardRequests(connection.browser, decide, refused, secondCheck, save);
  const [gate, , contextId] = await Promise.all([guarded, tabs.start(guarded), tabs.openContext()]);
  const active: ActiveSession = {
    browser,
    contextId,
    tabs,
    gate,
    downloads,
    secrets,
    refs: new Refs(nextRef),
    lastLooks: new WeakMap(),
    isActing: false,
  };
  return active;
}

const TAKEN_REMEMBERED_MAX = 1_000;
/** The browser tells the name of a download at once when its request has failed. */
const NAME_MS_MAX = 2 * SECOND_MS;

export function tabOf(active: ActiveSession, id: string | undefined): OpenTab | null {
  if (id !== undefined) return active.tabs.byId(id);
  return active.tabs.all()[0] ?? null;
}

/**
 * Closes the connection when `work` takes longer than `ms`, so that everything that waits for the browser fails with
 * `BrowserGone`.
 */
export async function endingBrowserAfter<T>({ connection }: AcquiredBrowser, ms: number, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.close(), ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

export async function checkAlive(browser: AcquiredBrowser): Promise<void> {
  const version = browser.connection.browser.send('Browser.getVersion');
  await endingBrowserAfter(browser, BROWSER_ALIVE_MS, version).catch(() => undefined);
}

/** @throws {BrowserGone} when the second browser ends, too; what `attempt` throws */
export async function retryInNewBrowser<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => {
    if (error instanceof BrowserGone) return attempt();
    throw error;
  });
}
