/** What D1 says of a failure that is over in a moment. An object says it in a field. */
const PASSING_WORDS =
  /network connection lost|caused object to be reset|reset because its code was updated|due to transient issue/i;

/** Whether the same may work a moment later, for whoever asks anew. What is overloaded is not asked again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error) || ('overloaded' in error && error.overloaded === true)) return false;
  return ('retryable' in error && error.retryable === true) || PASSING_WORDS.test(error.message);
}

/** Tries once more what failed in passing. The first try may have worked and only its answer been lost. */
export async function triedTwice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isPassing(error)) throw error;
    return work();
  }
}
