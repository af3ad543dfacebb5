/** Messages of D1 and the key-value store for brief failures. A Durable Object sets a field instead. */
const PASSING_WORDS =
  /network connection lost|caused object to be reset|reset because its code was updated|due to transient issue|KV \w+ failed: 5\d\d/i;
/** Messages of D1 and the key-value store for overload. A Durable Object sets a field instead. */
const OVERLOADED_WORDS = /is overloaded|429 too many requests/i;

/** True if a retry may soon succeed. False for overload, which a retry makes worse. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error) || isOverloaded(error)) return false;
  return ('retryable' in error && error.retryable === true) || PASSING_WORDS.test(error.message);
}

/** True if the service refused the work because of overload. An immediate retry makes the overload worse. */
export function isOverloaded(error: Error): boolean {
  return ('overloaded' in error && error.overloaded === true) || OVERLOADED_WORDS.test(error.message);
}

/** Retries once after a transient failure. The first attempt may have succeeded with only its response lost. */
export async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTransient(error)) throw error;
    return work();
  }
}
