import type { Failure } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { BrowserGone, ignoreTargetGone } from '#browsing/cdp/connection.ts';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import type { DownloadResponse } from '#browsing/gate/file-response.ts';
import type { PageRules } from '#browsing/rules/page-rules.ts';
import { createSiteRulesCheck } from '#browsing/rules/rules-check.ts';
import type { AskAboutRequest, RecordUnaskedRequest } from '#browsing/rules/rules-check.ts';
import type { DecideUrl, RequestGate, SecondRequestCheck } from '#browsing/gate/request-gate.ts';
import { installRequestGate } from '#browsing/gate/request-gate.ts';
import { ElementRefs } from '#browsing/refs/refs.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { Downloads } from '#browsing/session/operations/downloads.ts';
import type { SessionSecrets } from '#browsing/secrets/session-secrets.ts';
import { SentViewMemory } from './sent-views.ts';
import { urlsReceivingInput, createSecretRequestCheck } from '#browsing/secrets/session-sites.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { PageScan } from '#browsing/view/view.ts';

/**
 * Time limit for the browser to report its version. A working browser can do this while pages are busy, so a slower one
 * counts as hung.
 */
const BROWSER_ALIVE_MS = 3 * SECOND_MS;

export type ActiveSession = {
  browser: AcquiredBrowser;
  contextId: string;
  tabs: OpenTabs;
  gate: RequestGate;
  decide: DecideUrl;
  downloads: Downloads;
  secrets: SessionSecrets;
  rules: PageRules;
  /** Holds a page's request until the user answers; `null` while nobody can be asked. */
  hold: AskAboutRequest<OpenTab> | null;
  /** Records a request that was sent without asking the user; `null` while such requests are not recorded. */
  noteSent: RecordUnaskedRequest<OpenTab> | null;
  /** Ends the running call when the page that it opens has to wait for the user's approval; `null` between calls. */
  onHeld: ((failure: Failure) => void) | null;
  refs: ElementRefs;
  lastLooks: WeakMap<OpenTab, PageScan>;
  sent: SentViewMemory;
  /** True while a call acts, and shortly after input of the person who drives. Only then may pages open tabs. */
  isActing: boolean;
};

/** The next ref number and the last tab number. Both are stored, so that a restored session never reuses one. */
type Numbering = { nextRef: number; lastTab: number };
/** Downloads that the gate is already storing, by URL. The browser then reports the same download, with its name. */
type Taken = Map<string, (name: string) => void>;
type Earlier = Numbering & { settings?: TabSettings | undefined };

/**
 * Opens an isolated browser context without tabs. All commands are sent without waiting, in the order in which Chromium
 * must run them. No page or worker runs before the request gate is active.
 */
export async function openActiveSession(
  browser: AcquiredBrowser,
  decide: DecideUrl,
  { nextRef, lastTab, settings }: Earlier,
  downloads: Downloads,
  secrets: SessionSecrets,
  rules: PageRules,
): Promise<ActiveSession> {
  const { connection } = browser;
  connection.mask = () => secrets.mask;
  const taken: Taken = new Map();
  const tabs = new OpenTabs(connection, {
    settings,
    rules,
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
    secrets.typedByHand(urlsReceivingInput(tab.frames(), origin));
  };
  const save = savingInto({ tabs, downloads, taken });
  const secondCheck = inOrder(
    createSiteRulesCheck(rules, tabs, () => active),
    createSecretRequestCheck(secrets, tabs),
  );
  const guarded = installRequestGate(connection.browser, decide, (one) => tabs.noteRefused(one), secondCheck, save);
  const [gate, , contextId] = await Promise.all([guarded, tabs.start(guarded), tabs.openContext()]);
  const active: ActiveSession = {
    browser,
    contextId,
    tabs,
    gate,
    decide,
    downloads,
    secrets,
    rules,
    hold: null,
    noteSent: null,
    onHeld: null,
    refs: new ElementRefs(nextRef),
    lastLooks: new WeakMap(),
    sent: new SentViewMemory(),
    isActing: false,
  };
  return active;
}

/** Stores the downloads that the request gate intercepts. */
function savingInto({ tabs, downloads, taken }: Pick<ActiveSession, 'tabs' | 'downloads'> & { taken: Taken }) {
  return async (answer: DownloadResponse): Promise<void> => {
    if (taken.size >= TAKEN_REMEMBERED_MAX) taken.clear();
    const { promise, resolve } = Promise.withResolvers<string>();
    taken.set(answer.url, resolve);
    const nameAtEnd = async () => {
      await answer.failNow().catch(ignoreTargetGone);
      return resolveWithin(promise, NAME_MS_MAX);
    };
    const file = answer.mayHaveName ? { ...answer, nameAtEnd } : answer;
    await tabs.downloads.noteSaved(answer.frameId, answer.url, downloads.save(file, answer.url));
  };
}

function inOrder(first: SecondRequestCheck, second: SecondRequestCheck): SecondRequestCheck {
  return async (request, sent) => (await first(request, sent)) ?? (await second(request, sent));
}

const TAKEN_REMEMBERED_MAX = 1_000;
/** Time to wait for a download's file name. The browser sends it as soon as the intercepted request has failed. */
const NAME_MS_MAX = 2 * SECOND_MS;

export function findTab(active: ActiveSession, id: string | undefined): OpenTab | null {
  if (id !== undefined) return active.tabs.byId(id);
  return active.tabs.all()[0] ?? null;
}

/** Closes the connection if `work` takes longer than `ms`, so that all pending commands fail with `BrowserGone`. */
export async function withBrowserTimeout<T>({ connection }: AcquiredBrowser, ms: number, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.close(), ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

export async function checkBrowserResponds(browser: AcquiredBrowser): Promise<void> {
  const version = browser.connection.browser.send('Browser.getVersion');
  await withBrowserTimeout(browser, BROWSER_ALIVE_MS, version).catch(() => undefined);
}

/** Repeats `attempt` once if the browser ends meanwhile. @throws {BrowserGone} if the second browser ends as well */
export async function retryInNewBrowser<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => {
    if (error instanceof BrowserGone) return attempt();
    throw error;
  });
}
