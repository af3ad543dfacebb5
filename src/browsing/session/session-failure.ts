import { failureIn } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';

/** What a call of a session ended in; `null` for what nobody planned for. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof BrowserGone) {
    return { code: 'render_failed', reason: 'it ended during the call; the next call restores the session' };
  }
  if (error instanceof CdpError && error.isGone) {
    return { code: 'render_failed', reason: 'the page or its tab went away during the call' };
  }
  return failureIn(error);
}
