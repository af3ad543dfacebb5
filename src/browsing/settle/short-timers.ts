import { within } from '#core/with-timeout.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { AS_DATA, callFunction } from '#browsing/tabs/call-function.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { ACT_INPUT_PAUSE_MS, ACT_TIMER_MS_MAX } from './limits.ts';

/**
 * The short timers that a document sets during an action. Filter fields, lists that load more and menus act a moment
 * later. These timers can only be seen among the page's own scripts.
 */
export class ShortTimers {
  readonly #session: CdpSession;
  /** The watch in the page; `null` when the document is gone. */
  readonly #watch: Promise<Protocol.Runtime.RemoteObjectId | null>;
  #ended: Promise<boolean> | null = null;

  constructor({ session }: Tab) {
    this.#session = session;
    const expression = `(${pageScripts.watchTimers})(${ACT_TIMER_MS_MAX})`;
    this.#watch = session
      .send('Runtime.evaluate', { expression })
      .then(({ result }) => result.objectId ?? null)
      .catch(nullUnlessGone);
    this.#watch.catch(() => undefined);
  }

  /** Resolves when timers are being watched. A page that is too busy for that is not waited for. */
  async begun(): Promise<void> {
    await within(this.#watch, ACT_INPUT_PAUSE_MS);
  }

  /** Waits until the timers that were set so far are over. @returns whether there were any */
  async over(signal: AbortSignal): Promise<boolean> {
    return (await within(this.#end(), 2 * ACT_TIMER_MS_MAX, signal)) === true;
  }

  /** Leaves the page as it was, however the action ended. */
  stop(): void {
    // If the browser is gone, so is the page.
    this.#end().catch(() => undefined);
  }

  #end(): Promise<boolean> {
    this.#ended ??= this.#stopped();
    return this.#ended;
  }

  async #stopped(): Promise<boolean> {
    const objectId = await this.#watch;
    if (objectId === null) return false;
    const answer = await callFunction(this.#session, { objectId }, pageScripts.timersOver, [], AS_DATA).catch(
      nullUnlessGone,
    );
    this.#session.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    return answer?.result.value === true;
  }
}

/** A document that is gone has no timers. */
function nullUnlessGone(error: unknown): null {
  if (error instanceof BrowserGone) throw error;
  return null;
}
