import { PAGE_ALIVE_MS } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import { PAGE_STOPS_MAX } from './limits.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import { within } from '#core/flow/abort.ts';

/**
 * What happened to a page whose script did not end: it works again by itself, its script was stopped, or the page was
 * ended.
 */
export type Freed = 'works' | 'stopped' | 'ended';

/**
 * Makes a page answer again. If it only waits for a promise, it answers anyway. If a loop holds it, the loop is
 * stopped. If nothing helps, its process is ended, so that the tab cannot hold up the next calls.
 */
export async function freed({ session }: Frame, signal: AbortSignal): Promise<Freed> {
  const answers = () => within(session.send('Runtime.evaluate', { expression: '0' }), PAGE_ALIVE_MS, signal);
  if ((await answers()) !== null) return 'works';
  for (let tries = 0; tries < PAGE_STOPS_MAX; tries += 1) {
    // Only while a script runs, because otherwise this would stop the next script of an idle page.
    await within(session.send('Runtime.terminateExecution'), PAGE_ALIVE_MS, signal);
    if ((await answers()) !== null) return 'stopped';
  }
  // Chromium never confirms the crash of a renderer.
  session.send('Page.crash').catch(() => undefined);
  return 'ended';
}

export async function refuseUnended(frame: Frame, timeoutMs: number, signal: AbortSignal): Promise<never> {
  const reason = REASONS[await freed(frame, signal)];
  return fail({ code: 'script_failed', reason: `it took longer than ${timeoutMs} ms: ${reason}` });
}

const REASONS: Record<Freed, string> = {
  works: 'it is still waiting for something; the page keeps working',
  stopped: 'it was stopped; the page keeps working',
  ended: 'it could not be stopped, so its page was closed; open the page again with browser_navigate',
};
