import type { Failure } from '#core/failures/failure.ts';
import { PAGE_ALIVE_MS } from '#core/limits.ts';
import { within } from '#core/flow/abort.ts';
import { ignoreGone } from '#browsing/cdp/connection.ts';
import type { OpenTab } from './open-tab.ts';

/** Chromium may report what a crash broke off before the crash: a page that answers has not crashed. */
export async function hasCrashed(tab: OpenTab): Promise<boolean> {
  if (!tab.isOpen) return tab.hasCrashed;
  await within(tab.session.send('Runtime.evaluate', { expression: '0' }).catch(ignoreGone), PAGE_ALIVE_MS);
  return tab.hasCrashed;
}

export function crashed({ id }: OpenTab): Failure {
  return { code: 'render_failed', page: 'crashed', reason: `page of tab ${id} crashed, and the tab is closed` };
}
