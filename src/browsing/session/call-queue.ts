import { PeriscopeError } from '#core/failures/failure.ts';
import { resolveWithin, withTimeout } from '#core/flow/abort.ts';
import { Semaphore } from '#core/flow/semaphore.ts';
import type { Caller } from './replies.ts';

const NEVER = new AbortController().signal;

/**
 * Pause before idle work. A model takes longer to read an answer, but a script does not, and its next call should not
 * wait for idle work.
 */
const IDLE_PAUSE_MS = 300;

type Done<T> = {
  answer: T;
  after?: Promise<void>;
  /** Work for the time until the next call. Must not reject, and must end soon when its signal fires. */
  whenIdle?: (ended: AbortSignal) => Promise<void>;
};

export class CallQueue {
  readonly #atWork = new Semaphore(1);
  #onArrival: ((awaitsIdleWork: boolean) => void) | null = null;

  /**
   * Runs `work` after all earlier calls. Its answer is returned immediately, but the next call also waits for `after`.
   * @param waitMs maximum time in the queue
   * @param cancelled removes the call from the queue
   * @param awaitsIdleWork true if the call needs the result of idle work that has begun; otherwise that work is ended
   * @throws {PeriscopeError} `session_busy` with the position in the queue after `waitMs`; `cancelled`
   */
  async run<T>(
    session: string,
    waitMs: number,
    work: () => Promise<Done<T>>,
    cancelled: AbortSignal = NEVER,
    awaitsIdleWork = false,
  ): Promise<T> {
    this.#onArrival?.(awaitsIdleWork);
    const busy = (place: number) => new PeriscopeError({ code: 'session_busy', session, place, afterMs: waitMs });
    const left = (place: number) => (cancelled.aborted ? cancelled.reason : busy(place));
    await withTimeout(waitMs, (late) => this.#atWork.acquire(AbortSignal.any([late, cancelled]), left));
    let done: Done<T> | undefined;
    try {
      cancelled.throwIfAborted();
      done = await work();
      return done.answer;
    } finally {
      if (done?.after === undefined) this.#atWork.release();
      else void done.after.then(() => this.#idle(done?.whenIdle)).finally(() => this.#atWork.release());
    }
  }

  async #idle(work: Done<unknown>['whenIdle']): Promise<void> {
    if (work === undefined || this.hasWaiting) return;
    const ended = new AbortController();
    const { promise: arrival, resolve } = Promise.withResolvers<void>();
    this.#onArrival = (awaitsIdleWork) => {
      resolve();
      if (!awaitsIdleWork) ended.abort();
    };
    await resolveWithin(arrival, IDLE_PAUSE_MS);
    if (!this.hasWaiting) await work(ended.signal);
    this.#onArrival = null;
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
