import { inspect } from 'node:util';

/** A reason to stop that a person can act on: its message is all that is shown, no stack. */
export class StopError extends Error {
  override name = 'StopError';
}

/** The message of a `StopError`, or everything known about anything else. */
export function stopMessage(error: unknown): string {
  return error instanceof StopError ? `Periscope did not start. ${error.message}` : inspect(error);
}
