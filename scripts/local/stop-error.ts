/** A reason to stop that a person can act on: its message is all that is shown, no stack. */
export class StopError extends Error {
  override name = 'StopError';
}

/** Prints the message of a `StopError`, or everything known about anything else. */
export function reportStop(error: unknown): void {
  console.error(error instanceof StopError ? `Periscope did not start. ${error.message}` : error);
}
