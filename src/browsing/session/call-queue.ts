import { fail } from '#core/failures/failure.ts';

type Waiting = { begin: () => void };

/** Runs the calls of one session one at a time, in the order they came. */
export class CallQueue {
  readonly #waiting: Waiting[] = [];
  #isBusy = false;

  /**
   * Runs `work` when all earlier calls are done. `work` may return something that is still to be done (`after`): its
   * own answer does not wait for that, but the next call does.
   * @param waitMs how long the call may wait in the queue
   * @throws {PeriscopeError} `session_busy` with its position in the queue when that was not long enough
   */
  async run<T>(session: string, waitMs: number, work: () => Promise<{ answer: T; after?: Promise<void> }>): Promise<T> {
    if (this.#isBusy) await this.#waitFor(session, waitMs);
    this.#isBusy = true;
    let after: Promise<void> | undefined;
    try {
      const done = await work();
      ({ after } = done);
      return done.answer;
    } finally {
      if (after === undefined) this.#next();
      else void after.finally(() => this.#next());
    }
  }

  get isIdle(): boolean {
    return !this.#isBusy;
  }

  /** Whether a call waits for the one that is at work. */
  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  #waitFor(session: string, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const place = this.#waiting.indexOf(entry) + 1;
        this.#waiting.splice(place - 1, 1);
        try {
          fail({ code: 'session_busy', session, place, afterMs: waitMs });
        } catch (error) {
          reject(error);
        }
      }, waitMs);
      const entry: Waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.push(entry);
    });
  }

  /** The next call starts without a gap, so a call that arrives in between goes to the end of the queue. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isBusy = false;
    else next.begin();
  }
}

/** What a call of a session may do. */
export type Kind = {
  /** It may start a session. */
  opens: boolean;
  /** There may be something new to keep after it. */
  changes: boolean;
  /** It does something to the session: not while a person drives it. */
  acts: boolean;
  /** Its result tells models what happened since the last one. */
  tells: boolean;
  /** What the person sees as the step that it was; missing where it is none. */
  step?: string;
  /** It is done again when the browser ends during it: what only looks can, what acts might act twice. */
  repeats: boolean;
};
export const OPENS: Kind = { step: 'launch', opens: true, changes: true, acts: true, tells: true, repeats: true };
export const CHANGES_AND_OPENS: Kind = {
  step: 'navigate',
  opens: true,
  changes: true,
  acts: true,
  tells: true,
  repeats: false,
};
const CHANGES: Kind = { opens: false, changes: true, acts: true, tells: true, repeats: false };
export function changesBy(step: string): Kind {
  return { ...CHANGES, step };
}
export const LOOKS: Kind = { opens: false, changes: false, acts: false, tells: true, repeats: true };
/** It looks only, but the page may change meanwhile. */
export const WAITS: Kind = { opens: false, changes: true, acts: false, tells: true, repeats: true };
/** It looks for a person: what models have not heard yet, they hear with the next call. */
export const WAKES: Kind = { ...LOOKS, tells: false };
