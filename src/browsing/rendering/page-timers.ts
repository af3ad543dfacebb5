import { within } from '#core/abortable.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

/**
 * The time of a page, which can be run ahead: what its timers would do in the next seconds they do at once, and what they
 * ask the network for is waited for. From then on time goes on only as far as it is let.
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
      // These bring text in their own time, whatever the page's is.
      tab.session.on('Network.webSocketCreated', note),
      tab.session.on('Network.requestWillBeSent', ({ type }) => type === 'EventSource' && note()),
      tab.session.on('Target.attachedToTarget', ({ targetInfo }) => targetInfo.type.includes('worker') && note()),
      tab.session.on('Emulation.virtualTimeBudgetExpired', () => this.#expired()),
    );
  }

  /** Whether all that may come by itself within that time is known at once. */
  get canRunAhead(): boolean {
    return !this.#isAhead && !this.#isRefused && !this.#hasOtherSources;
  }

  get isAhead(): boolean {
    return this.#isAhead;
  }

  /** @param ms of the page's time; as much is waited for at most */
  async runAhead(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<true>();
    this.#expired = () => resolve(true);
    this.#isAhead = await this.#grant(ms);
    this.#isRefused = !this.#isAhead;
    if (this.#isAhead) await within(promise, ms, signal);
  }

  /** Lets time go on by as much as has passed: without that it stands still once it was run ahead. */
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
