import { PartFailed, findFailure } from '#core/failures/failure.ts';
import { unblockRenderer } from '#browsing/act/hanging-page.ts';
import { BrowserGone, CdpError, isTargetGone } from '#browsing/cdp/connection.ts';
import type { Failure } from '#core/failures/failure.ts';
import { abortable, withTimeout } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { checkBrowserResponds } from './active-session.ts';
import type { ActiveSession } from './active-session.ts';

/** Time limit for the work after a response: recovering hung pages and saving the session state, or reading a page. */
const SESSION_AFTER_CALL_MS = 10 * SECOND_MS;

/**
 * Runs after the response was sent: recovers hung pages, saves the state and records the step. Has a time limit, because
 * the next call waits for this work.
 */
export async function runAfterCall(
  active: ActiveSession,
  failure: Failure | null,
  name: string,
  keep: () => Promise<void>,
  note: () => Promise<void>,
): Promise<void> {
  await runInBackground(name, async (signal) => {
    // A timeout does not prove that the page hangs: `wait` may time out, or a person may be reading an open dialog.
    if (failure?.code === 'timeout' && failure.instead === undefined && !active.tabs.driver.isDriving) {
      await checkBrowserResponds(active.browser);
      await Promise.all(
        active.tabs.all().map((tab) => unblockRenderer(tab, tab.main(), signal, tab.sizes.isLarge(tab.main()))),
      );
    }
    await abortable(keep(), signal);
    await abortable(note(), signal);
  });
}

/** Runs work whose failure no caller sees. Logs unexpected errors. @param ended ends the work early */
export async function runInBackground(
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  ended?: AbortSignal,
): Promise<void> {
  await withTimeout(SESSION_AFTER_CALL_MS, async (late) => {
    const signal = ended === undefined ? late : AbortSignal.any([late, ended]);
    try {
      await work(signal);
    } catch (error) {
      const isOver = error === signal.reason || isTargetGone(error);
      if (!isOver) logUnexpected(name, error);
    }
  });
}

export function reportedFailure(error: unknown, session: string): Failure {
  const failure = failureOf(error);
  if (failure === null) throw error;
  if (error instanceof PartFailed) logUnexpected(session, error);
  return failure;
}

/** @returns the failure to report; `null` for an unexpected error */
function failureOf(error: unknown): Failure | null {
  if (error instanceof BrowserGone) {
    return { code: 'render_failed', reason: 'it ended during the call; the next call restores the session' };
  }
  if (error instanceof CdpError && error.isGone) {
    return { code: 'render_failed', reason: 'the page or its tab went away during the call' };
  }
  return findFailure(error);
}
