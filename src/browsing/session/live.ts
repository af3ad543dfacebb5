import { BrowserGone } from '#browsing/cdp/connection.ts';
import { BROWSER_ALIVE_MS } from './limits.ts';
import type { Acquired } from '#browsing/cdp/connect.ts';
import type { FileAnswer } from '#browsing/gate/file-answer.ts';
import type { Decide, Refused, RequestGate } from '#browsing/gate/request-gate.ts';
import { guardRequests } from '#browsing/gate/request-gate.ts';
import { Refs } from '#browsing/refs/refs.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { Downloads } from '#browsing/session/operations/downloads.ts';
import type { SessionSecrets } from '#browsing/secrets/session-secrets.ts';
import { addressesTypedAt, watchForSecrets } from '#browsing/secrets/session-sites.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { Look } from '#browsing/view/view.ts';

/** A session while it has a browser. Nothing in it outlives the connection. */
export type Live = {
  browser: Acquired;
  contextId: string;
  tabs: OpenTabs;
  gate: RequestGate;
  downloads: Downloads;
  secrets: SessionSecrets;
  refs: Refs;
  /** What each tab showed when it was last looked at as a whole: what an action changes is told against it. */
  looks: WeakMap<OpenTab, Look>;
  /** Whether a call is at work: only then may a page open a tab. */
  isActing: boolean;
};

/** Numbers that go on where an earlier life of the session ended, so that no ref or tab is ever named twice. */
type Numbering = { nextRef: number; lastTab: number };
/** What goes on from an earlier life of the session. */
type Earlier = Numbering & { settings?: TabSettings | undefined };

/**
 * Makes a browser of our own ready: gate first, then an isolated context, with no tab in it yet. All of it is sent at once:
 * the browser takes it in this order, and nothing that runs is let go before the gate is confirmed.
 */
export async function makeLive(
  browser: Acquired,
  decide: Decide,
  { nextRef, lastTab, settings }: Earlier,
  downloads: Downloads,
  secrets: SessionSecrets,
): Promise<Live> {
  const { connection } = browser;
  connection.mask = () => secrets.hide;
  /** The browser tells of some downloads that the gate has taken already. */
  const taken = new Set<string>();
  const tabs = new OpenTabs(connection, {
    settings,
    mayOpen: () => live.isActing,
    save: (url, source, tell) => {
      if (!taken.delete(url)) void downloads.save(source(), url).then(tell);
    },
  });
  tabs.startNumberingAfter(lastTab);
  tabs.hands.typed = (tab) => {
    const { origin } = tab.pageContext(tab.main()) ?? { origin: '' };
    secrets.typedByHand(addressesTypedAt(tab.frames(), origin));
  };
  const refused = (request: Refused) => tabs.noteRefused(request);
  const save = async (answer: FileAnswer) => {
    if (taken.size >= TAKEN_REMEMBERED_MAX) taken.clear();
    taken.add(answer.url);
    await tabs.downloads.noteSaved(answer.frameId, downloads.save(answer, answer.url));
  };
  const lastLook = watchForSecrets(secrets, (id) => tabs.frame(id));
  const guarded = guardRequests(connection.browser, decide, refused, lastLook, save);
  const [gate, , contextId] = await Promise.all([guarded, tabs.start(guarded), tabs.openContext()]);
  const live: Live = {
    browser,
    contextId,
    tabs,
    gate,
    downloads,
    secrets,
    refs: new Refs(nextRef),
    looks: new WeakMap(),
    isActing: false,
  };
  return live;
}

/** Addresses of files: far more than a call may bring. */
const TAKEN_REMEMBERED_MAX = 1_000;

/** The tab of that id, else the session's first; `null` when it has none (of that id). */
export function tabOf(live: Live, id: string | undefined): OpenTab | null {
  if (id !== undefined) return live.tabs.byId(id);
  return live.tabs.all()[0] ?? null;
}

/**
 * What `work` gives, unless it takes too long: then the browser counts as hanging and its connection ends, so that
 * everything that waits for it fails with `BrowserGone`.
 */
export async function orGone<T>({ connection }: Acquired, ms: number, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.close(), ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the connection to a browser that does not answer any more. */
export async function checkAlive(browser: Acquired): Promise<void> {
  const asked = browser.connection.browser.send('Browser.getVersion');
  await orGone(browser, BROWSER_ALIVE_MS, asked).catch(() => undefined);
}

/** Tries once more, in a new browser, when the browser ends during the first try. */
export async function againWhenGone<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => {
    if (error instanceof BrowserGone) return attempt();
    throw error;
  });
}
