import { ignoreGone } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { OpenTab } from './open-tab.ts';
import type { PageEvent } from './page-record.ts';
import { saveNothing } from './settings.ts';
import type { TabOptions } from './settings.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { FileSource } from '#browsing/gate/file-answer.ts';
import { FILE_READ_BYTES } from '#browsing/gate/limits.ts';
import type { Saved } from '#browsing/in-page/scripts.ts';
import { fromBase64 } from '#core/text/base64.ts';
import { fail } from '#core/failures/failure.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { callIn } from './call-in-page.ts';
import { SAVED_END_MS } from './limits.ts';
import type { Frame } from './frame.ts';
import type { Tab } from './tab.ts';

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

let lastKey = 0;

/**
 * What a page made itself, or marked as to be saved: only the page can read it. It is asked for as soon as it `begin`s, as
 * pages take back what they made.
 */
function savedInPage(tab: Tab, frame: Frame, url: string, name: string): FileSource {
  lastKey += 1;
  const key = lastKey;
  // Whoever reads gives up by itself, and ends it.
  const { signal } = new AbortController();
  let opening: Promise<Saved | null> | null = null;
  let opened: Saved | null = null;
  const open = async () => {
    opening ??= callIn(tab, frame, pageScripts.openSaved, [url, key], signal);
    opened = await opening;
    if (opened === null) fail({ code: 'fetch_failed', url: '(of a page)', reason: 'the page could not read it' });
  };
  return {
    name,
    announced: null,
    contentType: () => opened?.contentType ?? null,
    begin: () => void open().catch(() => undefined),
    read: async () => {
      await open();
      const part = await callIn(tab, frame, pageScripts.readSaved, [key, FILE_READ_BYTES], signal);
      return part === null ? null : fromBase64(part);
    },
    end: async () => {
      if (opening === null) return;
      // A page that went away, or does not answer, reads no further either.
      await withTimeout(SAVED_END_MS, (late) => callIn(tab, frame, pageScripts.endSaved, [key], late)).catch(
        () => undefined,
      );
    },
  };
}
