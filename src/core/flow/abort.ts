/**
 * Runs the work with a signal that fires after `ms`. The timer is cleared when the work ends. `AbortSignal.timeout`
 * would leave its timer pending, and a pending timer keeps a Durable Object awake, which costs money.
 */
export async function withTimeout<T>(ms: number, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const late = new DOMException('The time for this is over.', 'TimeoutError');
  const timer = setTimeout(() => controller.abort(late), ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles like the promise, but rejects as soon as the signal fires. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined);
  signal.throwIfAborted();
  const { promise: given, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, given]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves to the promise's value, or to `null` after `ms`. @throws the promise's rejection, or the signal's reason */
export function resolveWithin<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | null> {
  return resolveWhileBusy(() => promise, ms, signal);
}

/**
 * Resolves to the result of the work, or to `null` when the work has shown no progress for `ms`.
 * @param work calls the function to show progress
 * @throws the error of the work, or the signal's reason
 */
export async function resolveWhileBusy<T>(
  work: (noteProgress: () => void) => Promise<T>,
  ms: number,
  signal?: AbortSignal,
): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  let timer = setTimeout(() => resolve(null), ms);
  let isOver = false;
  const noteProgress = () => {
    if (isOver) return;
    clearTimeout(timer);
    timer = setTimeout(() => resolve(null), ms);
  };
  try {
    const inTime = Promise.race([work(noteProgress), late]);
    return await (signal === undefined ? inTime : abortable(inTime, signal));
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** Resolves after `ms`, or rejects when the signal fires. @throws the signal's reason */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
