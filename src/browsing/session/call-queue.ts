import { PeriscopeError } from '#core/failures/failure.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { LIST_MS_MAX } from './limits.ts';
import { Semaphore } from '#core/flow/semaphore.ts';

const NEVER = new AbortController().signal;

export class CallQueue {
  readonly #atWork = new Semaphore(1);

  /**
   * Runs `work` after all earlier calls. Its answer is returned at once, but the next call also waits for `after`.
   * @param waitMs how long the call may wait in the queue
   * @param cancelled takes the call out of the queue
   * @throws {PeriscopeError} `session_busy` with the position in the queue when that was not long enough; `cancelled`
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

export type CallKind = {
  opens: boolean;
  changes: boolean;
  acts: boolean;
  /** Its result reports events and changes since the last one. */
  reports: boolean;
  /** The name of the step in the person's history; not given when the call is none. */
  step?: string;
  /** Only for calls that may safely run twice, when the browser ends during them. */
  retries: boolean;
  /** For calls that may take longer than others: how long with their wait. */
  msMax?: number;
};
export const LAUNCH: CallKind = {
  step: 'launch',
  opens: true,
  changes: true,
  acts: true,
  reports: true,
  retries: true,
};
export const NAVIGATE: CallKind = {
  step: 'navigate',
  opens: true,
  changes: true,
  acts: true,
  reports: true,
  retries: false,
};
const ACTION: CallKind = { opens: false, changes: true, acts: true, reports: true, retries: false };
export function actionCall(step: string): CallKind {
  return { ...ACTION, step };
}
export const LIST: CallKind = { ...actionCall('do'), msMax: LIST_MS_MAX };
export const READ_ONLY: CallKind = { opens: false, changes: false, acts: false, reports: true, retries: true };
export const WAIT: CallKind = { opens: false, changes: true, acts: false, reports: true, retries: true };
/** A person looks: what has not been reported to the model stays for the next call. */
export const RESTORE: CallKind = { ...READ_ONLY, reports: false };
