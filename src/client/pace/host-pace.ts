import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** A turn ends after this if its holder vanishes: longer than loading and storing a page takes. */
const TURN_MS = 2 * MINUTE_MS;
/** When to ask again while somebody else has the turn. */
const BUSY_WAIT_MS = 1 * SECOND_MS;
/** A longer pause is written down: it would outlast a restart of the object. */
const PAUSE_FORGOTTEN_MS = 5 * SECOND_MS;
const NEXT_KEY = 'next';

/**
 * For a host whose pages are followed: one request at a time, and a pause after each, whoever follows there. It hands out
 * turns and holds nobody.
 */
export class HostPace {
  readonly #values: SyncKvStorage;
  #turn: { token: string; until: number } | null = null;
  #nextAt: number;

  constructor(values: SyncKvStorage) {
    this.#values = values;
    const stored = values.get(NEXT_KEY);
    this.#nextAt = typeof stored === 'number' ? stored : 0;
  }

  /**
   * @param token names the turn: who asks again because the answer was lost has it already
   * @param pauseMs that the site wants between two requests
   * @returns 0 when it is this caller's turn, else when to ask again (ms)
   */
  take(token: string, pauseMs: number): number {
    const now = Date.now();
    const turn = this.#turn;
    if (turn !== null && turn.until > now && turn.token !== token) return Math.max(BUSY_WAIT_MS, pauseMs);
    if (turn?.token !== token && this.#nextAt > now) return this.#nextAt - now;
    this.#turn = { token, until: now + TURN_MS };
    this.#rest(now + pauseMs, pauseMs);
    return 0;
  }

  /** The request is over: the pause begins. */
  done(token: string, pauseMs: number): void {
    if (this.#turn?.token !== token) return;
    this.#turn = null;
    this.#rest(Date.now() + pauseMs, pauseMs);
  }

  #rest(until: number, pauseMs: number): void {
    this.#nextAt = until;
    if (pauseMs > PAUSE_FORGOTTEN_MS) this.#values.put(NEXT_KEY, until);
  }
}
