/** The promise, unless the call is given up first. */
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

/** The promise's value, or `null` when it takes longer; a rejection counts as late. */
export async function within<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  try {
    return await abortable(Promise.race([promise, late]), signal);
  } finally {
    clearTimeout(timer);
  }
}
