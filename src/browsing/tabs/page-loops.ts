import { PAGE_RESPONSE_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { TokenBucket } from '#core/flow/rate-limits.ts';
import { ADDRESS_CHANGE_RATE, DIALOG_RATE, POPUP_RATE } from './limits.ts';
import type { Frame } from './tab.ts';
import type { PageLoop } from './page-record.ts';

/**
 * Rate of dialogs and pop-ups above which a page's scripts are stopped before the page is left. If a dialog opens while
 * a page is being left, Chromium accepts no answer to it and waits forever. A page below this rate may ask for
 * confirmation before it is left (`beforeunload`).
 */
const OPENED_RATE = { burst: 5, everyMs: 1 * SECOND_MS } as const;

/**
 * Maximum time in which a page must answer that its scripts are stopped. While a browser opens many windows, a page
 * answers late although its own script has ended.
 */
const STOP_MS_MAX: Record<PageLoop['of'], number> = {
  dialogs: PAGE_RESPONSE_MS_MAX,
  'address changes': PAGE_RESPONSE_MS_MAX,
  'pop-ups': 4 * PAGE_RESPONSE_MS_MAX,
};

type PageOfTab = { readonly session: CdpSession; frames: () => readonly Frame[] };

export class PageLoopGuard {
  readonly #tab: PageOfTab;
  #buckets = bucketsOfPage();
  #answers = new TokenBucket(DIALOG_RATE);
  #counts = createCounts();
  /** The loop for which scripts were stopped, until a call opens another page; `null` while scripts run. */
  stoppedFor: PageLoop | null = null;
  onEnded: ((loop: PageLoop, how: 'stopped' | 'closed') => void) | null = null;

  constructor(tab: PageOfTab) {
    this.#tab = tab;
  }

  get opensMany(): boolean {
    return !this.#buckets.opened.tryTake(0) || this.stoppedFor !== null;
  }

  note(of: PageLoop['of']): void {
    this.#counts[of] += 1;
    if (of !== 'address changes') this.#buckets.opened.take();
    if (!this.#buckets[of].tryTake()) void this.stopScripts({ of, count: this.#counts[of] });
  }

  /** Delays answers to dialogs, so that a loop can open only a few dialogs before it is stopped. */
  dialogTurn(): Promise<void> {
    return this.#answers.taken();
  }

  noteDocument(): void {
    this.#counts = createCounts();
  }

  reset(): void {
    this.stoppedFor = null;
    this.noteDocument();
    this.#buckets = bucketsOfPage();
    this.#answers = new TokenBucket(DIALOG_RATE);
  }

  /** Stops the page's scripts. If this fails, crashes the renderer process, which closes the tab. */
  async stopScripts(loop: PageLoop): Promise<void> {
    if (this.stoppedFor !== null) return;
    this.stoppedFor = loop;
    const isStopped = (await resolveWithin(this.#disableScripts(), STOP_MS_MAX[loop.of])) !== null;
    // A call has opened another page in the meantime.
    if (isStopped && this.stoppedFor !== loop) return;
    // Not awaited, because Chromium never confirms that a renderer has crashed.
    if (!isStopped) this.#tab.session.send('Page.crash').catch(() => undefined);
    this.onEnded?.(loop, isStopped ? 'stopped' : 'closed');
  }

  async #disableScripts(): Promise<true> {
    const sessions = new Set([this.#tab.session, ...this.#tab.frames().map(({ session }) => session)]);
    const sent = [...sessions].map((one) =>
      one.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => undefined),
    );
    await Promise.all(sent);
    return true;
  }
}

const createCounts = () => ({ dialogs: 0, 'pop-ups': 0, 'address changes': 0 });

const bucketsOfPage = () => ({
  dialogs: new TokenBucket(DIALOG_RATE),
  'pop-ups': new TokenBucket(POPUP_RATE),
  'address changes': new TokenBucket(ADDRESS_CHANGE_RATE),
  opened: new TokenBucket(OPENED_RATE),
});
