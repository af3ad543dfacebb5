import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { PartFailed, failureIn } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { logUnexpected } from '#telemetry/log.ts';

/** @throws an unexpected error */
export function reportedFailure(error: unknown, session: string): Failure {
  const failure = failureOf(error);
  if (failure === null) throw error;
  if (error instanceof PartFailed) logUnexpected(session, error);
  return failure;
}

/** `null` for an unexpected error. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof BrowserGone) {
    return { code: 'render_failed', reason: 'it ended during the call; the next call restores the session' };
  }
  if (error instanceof CdpError && error.isGone) {
    return { code: 'render_failed', reason: 'the page or its tab went away during the call' };
  }
  return failureIn(error);
}
