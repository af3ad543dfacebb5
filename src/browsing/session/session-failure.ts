import { logUnexpected } from '#telemetry/log.ts';
import { PartFailed, failureIn } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';

/** The failure in which a call of a session ended; `null` for an unexpected error. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof BrowserGone) {
    return { code: 'render_failed', reason: 'it ended during the call; the next call restores the session' };
  }
  if (error instanceof CdpError && error.isGone) {
    return { code: 'render_failed', reason: 'the page or its tab went away during the call' };
  }
  return failureIn(error);
}

/** The failure that the caller sees. If a part of the platform failed, the log has more. @throws an unexpected error */
export function reportedFailure(error: unknown, session: string): Failure {
  const failure = failureOf(error);
  if (failure === null) throw error;
  if (error instanceof PartFailed) logUnexpected(session, error);
  return failure;
}
