import { SECOND_MS } from '#core/limits.ts';
import { sleep } from '#core/flow/abort.ts';
import type { PageElement, Tab } from '#browsing/tabs/tab.ts';
import { PageActivity } from '#browsing/settle/page-activity.ts';
import { hasUnseenSources, TimerWatcher } from '#browsing/settle/timer-watcher.ts';

const LOOK_AGAIN_MS = 150;
/** Maximum length of a timer, set by an act, after which options may appear. */
const OPTIONS_TIMER_MS_MAX = 2 * SECOND_MS;

type LookTimes = { mostMs: number; leastMs?: number; afterFirstMs?: number };

/** Requests and timers of a page since an act after which options may appear. */
export class AwaitedOptions {
  readonly #tab: Tab;
  readonly #element: PageElement;
  readonly #activity: PageActivity;
  readonly #timers: TimerWatcher;

  constructor(element: PageElement) {
    this.#tab = element.tab;
    this.#element = element;
    this.#activity = new PageActivity(element.tab);
    this.#timers = new TimerWatcher(element.tab, OPTIONS_TIMER_MS_MAX);
  }

  /**
   * Looks again and again, until the wanted option is found, the page is idle or the time is up.
   * @param times `leastMs`: time before which the page does not count as idle. `afterFirstMs`: limit after the first look
   * that shows any options
   */
  async look<T extends { options: readonly unknown[] }>(
    { mostMs, leastMs = 0, afterFirstMs = mostMs }: LookTimes,
    lookOnce: () => Promise<T>,
    isFound: (found: T) => boolean,
    signal: AbortSignal,
  ): Promise<T> {
    const idleFrom = Date.now() + leastMs;
    let end = Date.now() + mostMs;
    let wasIdle = false;
    for (let hasCome = false; ;) {
      const isIdle = Date.now() >= idleFrom && !(await this.#mayCome(signal));
      const found = await lookOnce();
      if (isFound(found) || Date.now() >= end || (isIdle && wasIdle)) return found;
      wasIdle = isIdle;
      if (!hasCome && found.options.length > 0) end = Math.min(end, Date.now() + afterFirstMs);
      hasCome ||= found.options.length > 0;
      await sleep(LOOK_AGAIN_MS, signal);
    }
  }

  async #mayCome(signal: AbortSignal): Promise<boolean> {
    if (hasUnseenSources(this.#tab, this.#element)) return true;
    return this.#activity.isNavigating || this.#activity.isLoading || (await this.#timers.isPending(signal));
  }

  stop(): void {
    this.#activity.stop();
    this.#timers.stop();
  }
}
