import { PAGE_RESPONSE_MS_MAX } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { resolveWithin } from '#core/flow/abort.ts';

/** Maximum attempts to stop a loop. A page may run several loops, one after another. All attempts take at most 7 s. */
const PAGE_STOPS_MAX = 3;

type Unblocked = 'works' | 'stopped' | 'ended';

/**
 * Makes a page respond again. A page that only awaits a promise does respond; a loop is terminated. If that fails, the
 * renderer process is crashed or its tab closed, so that it does not block the next calls. Not so if `isLarge`.
 * @param isLarge true if the browser may be busy with a large document, which takes long but ends, unlike a loop
 */
export async function unblockRenderer(
  tab: Tab,
  { session }: Frame,
  signal: AbortSignal,
  isLarge = false,
): Promise<Unblocked> {
  const answers = () =>
    resolveWithin(session.send('Runtime.evaluate', { expression: '0' }), PAGE_RESPONSE_MS_MAX, signal);
  if ((await answers()) !== null) return 'works';
  for (let tries = 0; tries < PAGE_STOPS_MAX; tries += 1) {
    // Sent only while the page is busy, because in an idle page the command would terminate the next script.
    await resolveWithin(session.send('Runtime.terminateExecution'), PAGE_RESPONSE_MS_MAX, signal);
    if ((await answers()) !== null) return 'stopped';
  }
  if (isLarge) return 'works';
  // Chromium confirms a crash only with an error. A renderer that is busy with its accessibility tree crashes afterwards.
  const crashed = session.send('Page.crash').catch(() => 'crashed');
  if ((await resolveWithin(crashed, PAGE_RESPONSE_MS_MAX, signal)) === null) tab.endHung();
  return 'ended';
}

export async function failOnScriptTimeout(
  tab: Tab,
  frame: Frame,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<never> {
  const reason = REASONS[await unblockRenderer(tab, frame, signal)];
  return fail({ code: 'script_failed', reason: `it took longer than ${timeoutMs} ms: ${reason}` });
}

const REASONS: Record<Unblocked, string> = {
  works: 'it is still waiting for something; the page keeps working',
  stopped: 'it was stopped; the page keeps working',
  ended: 'it could not be stopped, so its page was closed; open the page again with browser_navigate',
};
