import { abortable, withTimeout } from '#core/with-timeout.ts';
import type { Failure } from '#core/errors.ts';
import { freed } from '#browsing/act/hanging-page.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { SESSION_AFTER_CALL_MS } from './limits.ts';
import { checkAlive } from './live.ts';
import type { Live } from './live.ts';

/**
 * After an answer: frees pages that hang, stores what the session needs to come back, and notes the step that it was. It takes no longer than the
 * next call can wait.
 */
export async function afterCall(
  live: Live,
  failure: Failure | null,
  name: string,
  keep: () => Promise<void>,
  note: () => Promise<void>,
): Promise<void> {
  await withTimeout(SESSION_AFTER_CALL_MS, async (signal) => {
    try {
      // Waiting in vain for a page does not mean that it hangs. A page whose dialog a person reads does not hang either.
      if (failure?.code === 'timeout' && failure.instead === undefined && !live.tabs.hands.areOn) {
        // A browser or page that hangs would also hang the next call.
        await checkAlive(live.browser);
        await Promise.all(live.tabs.all().map((tab) => freed(tab.main(), signal)));
      }
      await abortable(keep(), signal);
      await abortable(note(), signal);
    } catch (error) {
      const isOver = error === signal.reason || error instanceof BrowserGone || error instanceof CdpError;
      if (!isOver) logUnexpected(name, error);
    }
  });
}
