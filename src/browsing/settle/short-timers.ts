import { within } from '#core/abortable.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import { SOURCES } from '#browsing/in-page/sources.ts';
import { AS_DATA, callFunction } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { ACT_INPUT_PAUSE_MS, ACT_TIMER_MS_MAX } from './limits.ts';

/**
 * The short timers that a document sets while something is done to it: fields that filter, lists that load more and menus
 * that open do so a moment later. They can only be seen among the page's own scripts.
 */
export class ShortTimers {
  readonly #tab: Tab;
  readonly #watch: string | null;

  private constructor(tab: Tab, watch: string | null) {
    this.#tab = tab;
    this.#watch = watch;
  }

  static async watch(tab: Tab): Promise<ShortTimers> {
    const expression = `(${SOURCES.watchTimers})(${ACT_TIMER_MS_MAX})`;
    const asked = tab.session.send('Runtime.evaluate', { expression, objectGroup: GROUP });
    const answer = await within(asked, ACT_INPUT_PAUSE_MS, new AbortController().signal).catch(nullUnlessGone);
    return new ShortTimers(tab, answer?.result.objectId ?? null);
  }

  /** Waits until those that were set by now are over. @returns whether there were any */
  async over(signal: AbortSignal): Promise<boolean> {
    if (this.#watch === null) return false;
    const { session } = this.#tab;
    const asked = callFunction(session, { objectId: this.#watch }, SOURCES.timersOver, [], AS_DATA);
    const answer = await within(asked, 2 * ACT_TIMER_MS_MAX, signal).catch(nullUnlessGone);
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
    const hadAny: unknown = answer?.result.value;
    return hadAny === true;
  }
}

const GROUP = 'periscope-timers';

/** A document that went away has no timers. */
function nullUnlessGone(error: unknown): null {
  if (error instanceof BrowserGone) throw error;
  return null;
}
