import { SECOND_MS } from '#core/limits.ts';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { OpenTab } from './open-tab.ts';
import type { PageEvent } from './page-record.ts';
import { reportUnsavedDownload } from './settings.ts';
import type { TabOptions } from './settings.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { DownloadSource } from '#browsing/gate/file-response.ts';
import { DOWNLOAD_READ_BYTES } from '#browsing/gate/file-response.ts';
import type { DownloadInPage } from '#browsing/in-page/script-types.ts';
import { fromBase64 } from '#core/text/base64.ts';
import { fail } from '#core/failures/failure.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { callIn } from './call-in-page.ts';
import type { Frame, Tab } from './tab.ts';

/** Time limit for a page to confirm that it has stopped reading a download. A working page needs less time. */
const SAVED_END_MS = 1 * SECOND_MS;

type TabsWithDownloads = {
  all: () => readonly OpenTab[];
  ofFrame: (frameId: string) => OpenTab | null;
  preparing: (targetId: string) => OpenTab | null;
  openerOf: (tab: OpenTab) => OpenTab | undefined;
  closeWhenReady: (tab: OpenTab) => Promise<void>;
};

export class TabDownloads {
  readonly #tabs: TabsWithDownloads;
  readonly #save: NonNullable<TabOptions['save']>;
  readonly endings = new Set<Promise<void>>();

  constructor(tabs: TabsWithDownloads, save: TabOptions['save']) {
    this.#tabs = tabs;
    this.#save = save ?? reportUnsavedDownload;
  }

  follow(browser: CdpSession): void {
    browser.on('Browser.downloadWillBegin', ({ url, frameId, suggestedFilename }) => {
      const tab = this.#tabs.ofFrame(frameId);
      const frame = tab?.frame(frameId) ?? null;
      if (tab === null || frame === null) return;
      const source = () => savedInPage(tab, frame, url, tab.downloadName(url) ?? suggestedFilename);
      this.#save(url, source, (event) => tab.log.add(event));
    });
  }

  /**
   * Logs a download at its end. A tab that was opened only for the download is closed, and its opener logs the
   * download.
   */
  async noteSaved(frameId: string, url: string, saving: Promise<PageEvent>): Promise<void> {
    const requester = this.#tabs.ofFrame(frameId);
    if (requester !== null) requester.filesDownloading += 1;
    const event = await saving;
    if (requester !== null) requester.filesDownloading -= 1;
    const tab = this.#tabs.ofFrame(frameId) ?? this.#tabs.preparing(frameId);
    const opener = tab?.isBlank === true ? this.#tabs.openerOf(tab) : undefined;
    for (const target of tab === null ? this.#tabs.all() : [opener ?? tab]) {
      target.log.add(event);
      if (event.kind === 'file') target.files.set(url, event.file.id);
    }
    if (tab === null || opener === undefined) return;
    // Starts closing the tab without waiting, because a tab cannot close before its first request is answered.
    const ended = this.#tabs.closeWhenReady(tab);
    const ending = ended.catch(ignoreTargetGone).finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }
}

let lastKey = 0;

/**
 * A file that only the page can read: a `blob:` or `data:` URL. Opened at `begin`, because pages soon revoke such URLs.
 */
function savedInPage(tab: Tab, frame: Frame, url: string, name: string): DownloadSource {
  lastKey += 1;
  const key = lastKey;
  const { signal } = new AbortController();
  let opening: Promise<DownloadInPage | null> | null = null;
  let opened: DownloadInPage | null = null;
  const open = async () => {
    opening ??= callIn(tab, frame, pageScripts.openDownloadStream, [url, key], signal);
    opened = await opening;
    if (opened === null) fail({ code: 'fetch_failed', url: '(of a page)', reason: 'the page could not read it' });
    return opened;
  };
  return {
    name,
    declaredBytes: async () => (await open()).bytes,
    contentType: () => opened?.contentType ?? null,
    begin: () => void open().catch(() => undefined),
    read: async () => {
      await open();
      const part = await callIn(tab, frame, pageScripts.readDownloadChunk, [key, DOWNLOAD_READ_BYTES], signal);
      if (part === false) fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
      return part === null ? null : fromBase64(part);
    },
    end: async () => {
      if (opening === null) return;
      // The error is ignored, because a page that is gone or does not respond has stopped reading anyway.
      await withTimeout(SAVED_END_MS, (late) => callIn(tab, frame, pageScripts.closeDownloadStream, [key], late)).catch(
        () => undefined,
      );
    },
  };
}
