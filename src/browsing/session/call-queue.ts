import { PeriscopeError } from '#core/failures/failure.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { Semaphore } from '#core/flow/semaphore.ts';
import type { Caller } from './replies.ts';

const NEVER = new AbortController().signal;

export class CallQueue {
  readonly #atWork = new Semaphore(1);

  /**
   * Runs `work` after all earlier calls. Its answer is returned immediately, but the next call also waits for `after`.
   * @param waitMs maximum time in the queue
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

/** Maximum stored cancellations of calls that have not arrived. Most belong to calls that have already ended. */
const EARLY_MAX = 100;

type Running = { subject: string; request: string | null; controller: AbortController };

/** Waiting and running calls of one session by their ids, for cancellation. */
export class CancellableCalls {
  readonly #running = new Map<string, Running>();
  readonly #early = new Set<string>();

  /**
   * @param work rejects with the signal's reason once the call is cancelled
   * @throws {PeriscopeError} `cancelled` if the cancellation arrived before the call
   */
  async run<T>({ subject, call }: Caller, work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (call === undefined) return work(controller.signal);
    const { id, request } = call;
    if (this.#early.delete(id)) throw new PeriscopeError({ code: 'cancelled' });
    this.#running.set(id, { subject, request, controller });
    try {
      return await work(controller.signal);
    } finally {
      this.#running.delete(id);
    }
  }

  cancel(id: string): void {
    const running = this.#running.get(id);
    if (running !== undefined) return running.controller.abort(new PeriscopeError({ code: 'cancelled' }));
    this.#early.add(id);
    for (const oldest of this.#early) if (this.#early.size > EARLY_MAX) this.#early.delete(oldest);
  }

  ofRequest(subject: string, request: string): string[] {
    return [...this.#running].flatMap(([id, running]) =>
      running.subject === subject && running.request === request ? [id] : [],
    );
  }
}
