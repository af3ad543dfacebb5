/**
 * Works with a signal that fires after `ms`. Its timer ends with the work; that of `AbortSignal.timeout` would not, and
 * an object on Cloudflare stays awake, at a price, for as long as a timer of it is pending.
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
