import * as pageScripts from '#generated/page-scripts.js';
import { quote } from '#browsing/act/reach.ts';
import { callIn, callOn, nullIfGone, safeRole } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { RefTarget } from '#browsing/refs/refs.ts';
import { within } from '#core/flow/abort.ts';
import { SECOND_MS, VIEW_FRAMES_MAX } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import { handleOf } from './find.ts';
import type { Locator } from './named.ts';

/** Time for a frame to look for the words. A frame that hangs must not use up the call. */
const BEHIND_MS_MAX = 4 * SECOND_MS;

/** @throws {PeriscopeError} `element_not_found` if an element with these words is behind an open modal dialog */
export async function refuseNamedBehind(
  { words, within: around = '' }: Pick<Locator, 'words' | 'within'>,
  target: string,
  tab: Tab,
  signal: AbortSignal,
): Promise<void> {
  const dialogs = await Promise.all(
    tab
      .frames()
      .slice(0, VIEW_FRAMES_MAX)
      .map((frame) => {
        const dialog = callIn(tab, frame, pageScripts.behindDialog, [words, around], signal).catch(nullIfGone);
        return within(dialog, BEHIND_MS_MAX, signal);
      }),
  );
  const dialog = dialogs.find((name) => name !== null && name !== '') ?? null;
  if (dialog !== null) await refuseBehind(target, dialog);
}

/** @throws {PeriscopeError} `element_not_found` if the element of a ref is behind an open modal dialog */
export async function refuseRefBehind(target: RefTarget, tab: Tab, signal: AbortSignal): Promise<void> {
  const frame = tab.frame(target.frameId);
  if (frame === null || frame.loaderId !== target.loaderId) return;
  const objectId = await handleOf(tab, frame, target.backendNodeId).catch(nullIfGone);
  if (objectId === null) return;
  const element = { frame, objectId, role: target.role };
  const dialog = await callOn(element, pageScripts.behindDialog, ['', ''], signal).catch(nullIfGone);
  if (dialog !== null && dialog !== '') await refuseBehind(safeRole(target.role), dialog);
}

async function refuseBehind(target: string, dialog: string): Promise<never> {
  return fail({
    code: 'element_not_found',
    target,
    reason: 'behind',
    quoted: await quote(`dialog ${JSON.stringify(dialog)}`),
  });
}
