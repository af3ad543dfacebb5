import { within } from '#core/with-timeout.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

/**
 * The clock of a page, which can be run ahead. Timers of the next seconds then fire at once, and requests that they
 * make are waited for. After that the clock only moves when it is told to.
 */
export class PageTimers {
  readonly #tab: OpenTab;
  readonly #stops: (() => void)[] = [];
  #hasOtherSources = false;
  #isAhead = false;
  #isRefused = false;
  #expired: () => void = () => undefined;

  constructor(tab: OpenTab) {
    this.#tab = tab;
    const note = () => {
      this.#hasOtherSources = true;
    };
    this.#stops.push(
      // These bring text at their own pace, independent of the page's clock.
      tab.session.on('Network.webSocketCreated', note),
      tab.session.on('Network.requestWillBeSent', ({ type }) => type === 'EventSource' && note()),
      tab.session.on('Target.attachedToTarget', ({ targetInfo }) => targetInfo.type.includes('worker') && note()),
      tab.session.on('Emulation.virtualTimeBudgetExpired', () => this.#expired()),
    );
  }

  /** Whether running ahead shows everything that may appear by itself within that time. */
  get canRunAhead(): boolean {
    return !this.#isAhead && !this.#isRefused && !this.#hasOtherSources;
  }

  get isAhead(): boolean {
    return this.#isAhead;
  }

  /** @param ms of the page's time; also the longest time that is waited */
  async runAhead(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<true>();
    this.#expired = () => resolve(true);
    this.#isAhead = await this.#grant(ms);
    this.#isRefused = !this.#isAhead;
    if (this.#isAhead) await within(promise, ms, signal);
  }

  /** Moves the clock by the time that has really passed. Without that it stands still after running ahead. */
  async keepPace(ms: number): Promise<void> {
    if (this.#isAhead) await this.#grant(ms);
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #grant(budget: number): Promise<boolean> {
    try {
      await this.#tab.session.send('Emulation.setVirtualTimePolicy', {
        policy: 'pauseIfNetworkFetchesPending',
        budget,
      });
      return true;
    } catch (error) {
      if (error instanceof CdpError) return false;
      throw error;
    }
  }
}
