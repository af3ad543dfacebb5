import { PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { PAGE_RESPONSE_MS_MAX } from '#core/limits.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { CdpError, ignoreTargetGone } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

/**
 * True if the tab has crashed. Sends a command first and waits for the answer, because Chromium may report errors that a
 * crash causes before it reports the crash.
 */
async function hasCrashed(tab: OpenTab): Promise<boolean> {
  if (!tab.isOpen) return tab.hasCrashed;
  await resolveWithin(
    tab.session.send('Runtime.evaluate', { expression: '0' }).catch(ignoreTargetGone),
    PAGE_RESPONSE_MS_MAX,
  );
  return tab.hasCrashed;
}

export function crashFailure({ id }: OpenTab): Failure {
  return { code: 'render_failed', page: 'crashed', reason: `page of tab ${id} crashed, and the tab is closed` };
}

/**
 * The crash behind an error; `null` if the tab has not crashed. A crash may surface as a failed command, a failed load
 * or a vanished element.
 */
export async function findCrashBehindError(error: unknown, tab: OpenTab): Promise<Failure | null> {
  const failure = error instanceof PeriscopeError ? error.failure : null;
  const mayBe =
    (error instanceof CdpError && error.isGone) ||
    (failure?.code === 'render_failed' && failure.page === undefined) ||
    (failure?.code === 'element_not_found' && failure.reason === 'replaced');
  return mayBe && (await hasCrashed(tab)) ? crashFailure(tab) : null;
}
