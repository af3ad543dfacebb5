import type { Protocol } from 'devtools-protocol';
import { PAGE_RESPONSE_MS_MAX } from '#core/limits.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { DialogAnswer, Tab } from './tab.ts';

/** Confirmations and prompts that one call may accept: a page that asks more often repeats itself. */
const DIALOGS_ACCEPTED_MAX = 3;

/**
 * True for a dialog of a frame whose origin is not the page's. Browsers show no such dialog ("cannot show simple
 * dialogs" of the HTML standard), but headless Chromium does. A `beforeunload` dialog is the browser's own question.
 */
export function isForeignDialog(
  tab: Pick<Tab, 'main' | 'frame' | 'pageContext'>,
  { type, frameId, url }: Pick<Protocol.Page.JavascriptDialogOpeningEvent, 'type' | 'frameId' | 'url'>,
): boolean {
  const page = tab.main();
  if (type === 'beforeunload' || frameId === page.id) return false;
  const asking = tab.frame(frameId);
  const origin = (asking === null ? null : tab.pageContext(asking)?.origin) ?? URL.parse(url)?.origin;
  return origin !== (tab.pageContext(page)?.origin ?? URL.parse(page.url)?.origin);
}

/** Counts a dialog that a call accepts; false if it accepts none, or has accepted `DIALOGS_ACCEPTED_MAX` already. */
export function takeAcceptance(answer: DialogAnswer): boolean {
  if (!answer.accept) return false;
  const count = acceptedDialogs.get(answer) ?? 0;
  acceptedDialogs.set(answer, count + 1);
  return count < DIALOGS_ACCEPTED_MAX;
}

const acceptedDialogs = new WeakMap<DialogAnswer, number>();

/**
 * Answers a JavaScript dialog. Chromium refuses the answer once the tab's next document has begun to replace the page.
 * If both have the same renderer process, the document then waits for the dialog and the dialog waits forever, so the
 * tab is closed.
 */
export async function answerDialog(
  { targetId, endHung }: Pick<Tab, 'targetId' | 'endHung'>,
  session: Pick<CdpSession, 'send' | 'on'>,
  answer: Protocol.Page.HandleJavaScriptDialogRequest,
): Promise<void> {
  let hasArrived = false;
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const stop = session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== targetId) return;
    hasArrived = true;
    resolve();
  });
  try {
    await session.send('Page.handleJavaScriptDialog', answer);
  } catch (error) {
    // Other refusals mean that the dialog or its tab is gone.
    if (!(error instanceof CdpError) || !error.message.includes(REPLACED)) return;
    const timer = setTimeout(resolve, PAGE_RESPONSE_MS_MAX);
    await arrived;
    clearTimeout(timer);
    if (!hasArrived) endHung();
  } finally {
    stop();
  }
}

const REPLACED = 'Not attached to an active page';
