import { inspect } from 'node:util';

/** A failure that the user can fix. Only its message is shown, without a stack. */
export class StopError extends Error {
  override name = 'StopError';
}

/** The message of a `StopError`, or all details of any other error. */
export function stopMessage(error: unknown): string {
  return error instanceof StopError ? `Periscope did not start. ${error.message}` : inspect(error);
}
