import type { Protocol } from 'devtools-protocol';
import { resolveWithin } from '#core/flow/abort.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { nullUnlessBrowserGone } from '#browsing/cdp/connection.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callFunction, RETURN_BY_VALUE } from '#browsing/tabs/call-in-page.ts';
import type { PageElement, Tab } from '#browsing/tabs/tab.ts';

/** Additional wait for short timers of a page that is too busy to run them when they are due. */
const TIMER_LATE_MS_MAX = 1_000;
/** Time limit for starting the watch. If the page is too busy for this, the action runs without it. */
const WATCH_BEGIN_MS_MAX = 500;
/** Time limit for the question whether a timer is pending. A page that is too busy to answer may still change. */
const PENDING_ANSWER_MS_MAX = 150;

/** True if a page may change without a request or a timer of its main document. */
export function hasUnseenSources(tab: Tab, at: PageElement | null): boolean {
  return tab.channels?.areOpen !== false || (at !== null && at.frame.id !== tab.main().id);
}

/**
 * Short timers that a document sets during an action. Filter fields, infinite lists and menus use them to react a
 * moment later. Only the page's own world can observe them.
 */
export class TimerWatcher {
  readonly #session: CdpSession;
  readonly #watch: Promise<Protocol.Runtime.RemoteObjectId | null>;
  readonly #msMax: number;

  /** @param msMax timers up to this length are watched */
  constructor({ session }: Pick<Tab, 'session'>, msMax: number) {
    this.#session = session;
    this.#msMax = msMax;
    const expression = `(${pageScripts.watchTimers})(${msMax})`;
    this.#watch = session
      .send('Runtime.evaluate', { expression })
      .then(({ result }) => result.objectId ?? null)
      .catch(nullUnlessBrowserGone);
    this.#watch.catch(() => undefined);
  }

  async begun(): Promise<void> {
    await resolveWithin(this.#watch, WATCH_BEGIN_MS_MAX);
  }

  /** Waits until the timers set so far have run. @returns true if there were any */
  async over(signal: AbortSignal): Promise<boolean> {
    const ended = this.#ask(pageScripts.waitForTimers);
    return (await resolveWithin(ended, this.#msMax + TIMER_LATE_MS_MAX, signal)) === true;
  }

  /** @returns false only if no short timer will run; true also for a document that replaced the watched one */
  async isPending(signal: AbortSignal): Promise<boolean> {
    return (await resolveWithin(this.#ask(pageScripts.isTimerPending), PENDING_ANSWER_MS_MAX, signal)) !== false;
  }

  stop(): void {
    const stopped = this.#ask(pageScripts.stopTimerWatch).then(async () => {
      const objectId = await this.#watch;
      if (objectId !== null) await this.#session.send('Runtime.releaseObject', { objectId });
    });
    stopped.catch(() => undefined);
  }

  async #ask(script: TimerScript): Promise<unknown> {
    const objectId = await this.#watch;
    if (objectId === null) return null;
    const asked = callFunction(this.#session, { objectId }, script, [], RETURN_BY_VALUE);
    return (await asked.catch(nullUnlessBrowserGone))?.result.value;
  }
}

type TimerScript =
  | typeof pageScripts.waitForTimers
  | typeof pageScripts.isTimerPending
  | typeof pageScripts.stopTimerWatch;
