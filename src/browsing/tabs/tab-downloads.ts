import { ignoreGone } from '#browsing/cdp/ignore-gone.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { OpenTab } from './open-tab.ts';
import type { PageEvent } from './page-log.ts';
import { savedInPage } from './saved-in-page.ts';
import { saveNothing } from './tab-options.ts';
import type { TabOptions } from './tab-options.ts';

/** The tabs of a connection, as far as downloads concern them. */
export type TabsWithDownloads = {
  all: () => readonly OpenTab[];
  ofFrame: (frameId: string) => OpenTab | null;
  /** Also one that is not ready yet. */
  coming: (targetId: string) => OpenTab | null;
  /** The tab that opened it. */
  openerOf: (tab: OpenTab) => OpenTab | undefined;
  /** Closes it, once it is ready. */
  closeWhenReady: (tab: OpenTab) => Promise<void>;
};

/** What the pages of a connection give to be saved: it is taken, and told in the tab that asked for it. */
export class TabDownloads {
  readonly #tabs: TabsWithDownloads;
  readonly #save: NonNullable<TabOptions['save']>;
  /** Tabs that are being closed as they have nothing to show. */
  readonly endings = new Set<Promise<void>>();

  constructor(tabs: TabsWithDownloads, save: TabOptions['save']) {
    this.#tabs = tabs;
    this.#save = save ?? saveNothing;
  }

  /** The browser saves nothing, and reports what it would have saved. */
  follow(browser: CdpSession): void {
    browser.on('Browser.downloadWillBegin', ({ url, frameId, suggestedFilename }) => {
      const tab = this.#tabs.ofFrame(frameId);
      const frame = tab?.frame(frameId) ?? null;
      if (tab === null || frame === null) return;
      const source = () => savedInPage(tab, frame, url, suggestedFilename);
      this.#save(url, source, (event) => tab.log.add(event));
    });
  }

  /**
   * Tells of something that a document asked for to be saved, when that is over. A tab that was opened for it alone has
   * nothing to show and goes; then the tab that opened it tells.
   */
  async noteSaved(frameId: string, saving: Promise<PageEvent>): Promise<void> {
    const asked = this.#tabs.ofFrame(frameId);
    if (asked !== null) asked.filesComing += 1;
    const event = await saving;
    if (asked !== null) asked.filesComing -= 1;
    const tab = this.#tabs.ofFrame(frameId) ?? this.#tabs.coming(frameId);
    const opener = tab?.isBlank === true ? this.#tabs.openerOf(tab) : undefined;
    for (const told of tab === null ? this.#tabs.all() : [opener ?? tab]) told.log.add(event);
    if (tab === null || opener === undefined) return;
    // It is ready only when what it asked for is answered.
    const ended = this.#tabs.closeWhenReady(tab);
    const ending = ended.catch(ignoreGone).finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }
}
