import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { go, inPage, patience } from './page-calls.ts';

/** Path of the page that idle tabs show. Each site of a test has it. */
export const IDLE_PATH = '/idle-tab-of-tests';
/** A page that does not leave within this time hangs, and its tab is closed. */
const LEAVES_MS = 2_000;
/** Storage of the tab itself, which outlives its pages. */
const FORGET = `sessionStorage.clear(); name = ''`;

/**
 * The tabs of finished tests. A new tab needs a new process, which takes longer than most tests. A tab is given to the
 * next test with a new DevTools session, so that everything the product has set or recorded for it is gone.
 */
export class ReusedTabs {
  readonly #browser: CdpSession;
  readonly #tabs: OpenTabs;
  /** Target ids by context. */
  readonly #idle = new Map<string, string[]>();

  constructor(browser: CdpSession, tabs: OpenTabs) {
    this.#browser = browser;
    this.#tabs = tabs;
  }

  /** A tab of this context, or `undefined` if none is idle. */
  async take(contextId: string): Promise<OpenTab | undefined> {
    const targetId = this.#idle.get(contextId)?.pop();
    if (targetId === undefined) return undefined;
    await this.#browser.send('Target.attachToTarget', { targetId, flatten: true });
    await this.#tabs.ready(patience());
    return this.#tabs.all().find((tab) => tab.targetId === targetId);
  }

  /** Empties the tab of a finished test. Closes a tab that cannot be emptied. */
  async giveBack(tab: OpenTab): Promise<void> {
    const isEmpty = await Promise.race([this.#isEmptied(tab).catch(() => false), scheduler.wait(LEAVES_MS)]);
    if (isEmpty !== true) return this.#tabs.close(tab);
    await this.#browser.send('Target.detachFromTarget', { sessionId: tab.session.id ?? '' });
    const idle = this.#idle.get(tab.contextId) ?? [];
    this.#idle.set(tab.contextId, [...idle, tab.targetId]);
  }

  async #isEmptied(tab: OpenTab): Promise<boolean> {
    await this.#tabs.ready(patience());
    const { origin, protocol } = new URL(tab.main().url);
    const hasOpened = this.#tabs.all().some(({ openerTargetId }) => openerTargetId === tab.targetId);
    if (hasOpened || !protocol.startsWith('http') || tab.loops.stoppedFor !== null) return false;
    tab.dialogAnswer = { accept: true };
    const url = `${origin}${IDLE_PATH}`;
    await go(tab, url);
    await inPage(tab, FORGET);
    // Drops the pages that Chromium keeps for going back.
    await tab.session.send('Page.resetNavigationHistory');
    return tab.main().url === url;
  }
}
