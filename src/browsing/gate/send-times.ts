import { remember } from '#core/flow/remember.ts';

/** Requests whose time is remembered for the hops of their redirects: more than the gate passes in ten seconds. */
const REMEMBERED_MAX = 4_000;

type Paused = { requestId: string; redirectedRequestId?: string };

/** When pages sent their requests. A site may answer late with a redirect, which the page does not send itself. */
export class SendTimes {
  readonly #times = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns Unix time in ms; 0 for a hop of a request that is no longer remembered */
  note({ requestId, redirectedRequestId }: Paused): number {
    const at = redirectedRequestId === undefined ? this.#now() : (this.#times.get(redirectedRequestId) ?? 0);
    remember(this.#times, requestId, at, REMEMBERED_MAX);
    return at;
  }
}
