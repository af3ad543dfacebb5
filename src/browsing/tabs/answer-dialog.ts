import type { Protocol } from 'devtools-protocol';
import { PAGE_RESPONSE_MS_MAX } from '#core/limits.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Tab } from './tab.ts';

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
