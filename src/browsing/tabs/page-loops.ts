import { PAGE_ALIVE_MS } from '#core/limits.ts';
import { within } from '#core/flow/abort.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { Pace } from '#browsing/cdp/pace.ts';
import { DIALOG_RATE, OPENED_RATE, POPUP_RATE } from './limits.ts';
import type { Frame } from './frame.ts';
import type { PageLoop } from './page-record.ts';

type PageOfTab = { readonly session: CdpSession; frames: () => readonly Frame[] };

/** What a page opens in a loop: when that is clear, its scripts are stopped, or its process is ended. */
export class PageLoops {
  readonly #tab: PageOfTab;
  #paces = pacesOfPage();
  #answers = new Pace(DIALOG_RATE);
  /** Since the document was loaded. */
  #opened = { dialogs: 0, 'pop-ups': 0 };
  /** The loop for which scripts were stopped in the tab, until a call opens another page; `null` while they run. */
  stoppedFor: PageLoop | null = null;
  /** Told when that happens. */
  ended: ((loop: PageLoop, how: 'stopped' | 'closed') => void) | null = null;

  constructor(tab: PageOfTab) {
    this.#tab = tab;
  }

  /** The page opens dialogs or pop-ups again and again, or was stopped for it. */
  get opensMany(): boolean {
    return !this.#paces.all.lets(0) || this.stoppedFor !== null;
  }

  /** The page opened one more. A page that opens more than any page does on purpose is in a loop. */
  noteOpened(of: PageLoop['of']): void {
    this.#opened[of] += 1;
    this.#paces.all.wait();
    if (!this.#paces[of].lets()) void this.stopScripts({ of, count: this.#opened[of] });
  }

  /** When a dialog may be answered: a loop has to wait for each answer, so it opens few until it is stopped. */
  turnOfDialog(): Promise<void> {
    return this.#answers.turn();
  }

  noteDocument(): void {
    this.#opened = { dialogs: 0, 'pop-ups': 0 };
  }

  /** Its page was left, and scripts run again. */
  beginAgain(): void {
    this.stoppedFor = null;
    this.noteDocument();
    this.#paces = pacesOfPage();
    this.#answers = new Pace(DIALOG_RATE);
  }

  /** Stops the scripts of the page. If that has no effect, its process is ended, which closes the tab. */
  async stopScripts(loop: PageLoop): Promise<void> {
    if (this.stoppedFor !== null) return;
    this.stoppedFor = loop;
    const isStopped = (await within(this.#disableScripts(), PAGE_ALIVE_MS)) !== null;
    // Chromium never confirms the crash of a renderer.
    if (!isStopped) this.#tab.session.send('Page.crash').catch(() => undefined);
    this.ended?.(loop, isStopped ? 'stopped' : 'closed');
  }

  /** In all documents of the page. */
  async #disableScripts(): Promise<true> {
    const sessions = new Set([this.#tab.session, ...this.#tab.frames().map(({ session }) => session)]);
    // A frame that is gone runs none.
    const sent = [...sessions].map((one) =>
      one.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => undefined),
    );
    await Promise.all(sent);
    return true;
  }
}

const pacesOfPage = () => ({
  dialogs: new Pace(DIALOG_RATE),
  'pop-ups': new Pace(POPUP_RATE),
  all: new Pace(OPENED_RATE),
});
