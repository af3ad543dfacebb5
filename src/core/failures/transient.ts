/** What D1 and the key-value store say of a failure that is over in a moment. An object says it in a field. */
const PASSING_WORDS =
  /network connection lost|caused object to be reset|reset because its code was updated|due to transient issue|KV \w+ failed: 5\d\d/i;
/** What D1 and the key-value store say of too much work. An object says it in a field. */
const OVERLOADED_WORDS = /is overloaded|429 too many requests/i;

/** Whether the same may work a moment later, for whoever asks anew. What is overloaded is not asked again. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error) || isOverloaded(error)) return false;
  return ('retryable' in error && error.retryable === true) || PASSING_WORDS.test(error.message);
}

/** Whether it was not taken on, as there is too much to do: to ask again at once makes that worse. */
export function isOverloaded(error: Error): boolean {
  return ('overloaded' in error && error.overloaded === true) || OVERLOADED_WORDS.test(error.message);
}

/** Tries once more what failed in passing. The first try may have worked and only its answer been lost. */
export async function triedTwice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTransient(error)) throw error;
    return work();
  }
}
