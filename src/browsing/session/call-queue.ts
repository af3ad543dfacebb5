import { PeriscopeError } from '#core/failures/failure.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { Semaphore } from '#core/flow/semaphore.ts';

const NEVER = new AbortController().signal;

export class CallQueue {
  readonly #atWork = new Semaphore(1);

  /**
   * Runs `work` after all earlier calls. Its answer is returned at once, but the next call also waits for `after`.
   * @param waitMs longest time in the queue
   * @param cancelled removes the call from the queue
   * @throws {PeriscopeError} `session_busy` with the position in the queue after `waitMs`; `cancelled`
   */
  async run<T>(
    session: string,
    waitMs: number,
    work: () => Promise<{ answer: T; after?: Promise<void> }>,
    cancelled: AbortSignal = NEVER,
  ): Promise<T> {
    const busy = (place: number) => new PeriscopeError({ code: 'session_busy', session, place, afterMs: waitMs });
    const left = (place: number) => (cancelled.aborted ? cancelled.reason : busy(place));
    await withTimeout(waitMs, (late) => this.#atWork.acquire(AbortSignal.any([late, cancelled]), left));
    let after: Promise<void> | undefined;
    try {
      cancelled.throwIfAborted();
      const done = await work();
      ({ after } = done);
      return done.answer;
    } finally {
      if (after === undefined) this.#atWork.release();
      else void after.finally(() => this.#atWork.release());
    }
  }

  get isIdle(): boolean {
    return this.#atWork.isIdle;
  }

  get hasWaiting(): boolean {
    return this.#atWork.isWaitedFor;
  }
}
