import { abortable } from '#core/flow/abort.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';

type Deadline = {
  ms: number;
  /** Subject of the timeout message, such as `Loading the page` (took longer than …). */
  what: string;
  /** The URL for the timeout message. Secrets must already be removed. */
  url: string;
};

/**
 * Runs `wait` while the deadline's clock is stopped, because waiting for memory, for example, does not count as work.
 */
export type PauseClock = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * Runs `work` with a signal that fires at the deadline, or when the caller aborts. The promise then rejects, even if
 * the work ignores the signal. The timer is always cleared.
 * @throws {PeriscopeError} `timeout` at the deadline; the caller's own failure, or `fetch_failed`, if the caller aborts
 */
export async function withDeadline<T>(
  deadline: Deadline,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal, offTheClock: PauseClock) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timeout = new PeriscopeError({ code: 'timeout', what: deadline.what, afterMs: deadline.ms, url: deadline.url });
  let leftMs = deadline.ms;
  let from = Date.now();
  const start = () => setTimeout(() => controller.abort(timeout), leftMs);
  let timer = start();
  const offTheClock: PauseClock = async (wait) => {
    clearTimeout(timer);
    leftMs -= Date.now() - from;
    try {
      return await wait();
    } finally {
      from = Date.now();
      timer = start();
    }
  };
  const signal = parent === undefined ? controller.signal : AbortSignal.any([parent, controller.signal]);
  try {
    signal.throwIfAborted();
    return await abortable(work(signal, offTheClock), signal);
  } catch (error) {
    if (error instanceof PeriscopeError || !signal.aborted) throw error;
    return failAborted(signal, deadline);
  } finally {
    clearTimeout(timer);
  }
}

function failAborted(signal: AbortSignal, deadline: Deadline): never {
  const reason: unknown = signal.reason;
  if (reason instanceof PeriscopeError) throw reason;
  if (reason instanceof DOMException && reason.name === 'TimeoutError') {
    fail({ code: 'timeout', what: deadline.what, afterMs: deadline.ms, url: deadline.url });
  }
  return fail({ code: 'fetch_failed', url: deadline.url, reason: 'the call was cancelled' }, { cause: reason });
}
