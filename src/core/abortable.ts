/** The promise, unless the call is aborted first. */
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

/** The promise's value, or `null` when it takes longer. @throws what the promise rejects with, and the signal's reason */
export async function within<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  try {
    const inTime = Promise.race([promise, late]);
    return await (signal === undefined ? inTime : abortable(inTime, signal));
  } finally {
    clearTimeout(timer);
  }
}
