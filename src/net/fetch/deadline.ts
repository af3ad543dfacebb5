import { abortable } from '#core/flow/abort.ts';
import { redactForFailure } from './canonical-url.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';

type Deadline = {
  ms: number;
  /** Subject of the timeout message, such as `Loading the page` (took longer than …). */
  what: string;
  /** The URL for the timeout message. Secrets must already be removed. */
  url: string;
  /** While the work waits for other pages of the same person: how many. It may change during the work. */
  ownPages?: number | undefined;
};

/** The deadline of a page, which `noteWait` tells how many other pages of the same person it waits for. */
export function pageDeadline(ms: number, url: string) {
  const deadline: Deadline = { ms, what: 'Loading the page', url: redactForFailure(url) };
  return Object.assign(deadline, { noteWait: (ownPages: number | undefined) => (deadline.ownPages = ownPages) });
}

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
  let leftMs = deadline.ms;
  let from = Date.now();
  const start = () => setTimeout(() => controller.abort(timeoutOf(deadline)), leftMs);
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
    throw timeoutOf(deadline);
  }
  return fail({ code: 'fetch_failed', url: deadline.url, reason: 'the call was cancelled' }, { cause: reason });
}

function timeoutOf({ what, ms, url, ownPages }: Deadline): PeriscopeError {
  return new PeriscopeError({ code: 'timeout', what, afterMs: ms, url, ownPages });
}
