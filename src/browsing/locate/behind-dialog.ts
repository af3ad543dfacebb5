import * as pageScripts from '#generated/page-scripts.js';
import { quote } from '#browsing/act/reach.ts';
import { callIn, callOn, nullIfGone, safeRole } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { RefTarget } from '#browsing/refs/refs.ts';
import { fail } from '#core/failures/failure.ts';
import { handleOf } from './find.ts';
import type { Locator } from './named.ts';

/** @throws {PeriscopeError} `element_not_found` if an element with these words is behind an open modal dialog */
export async function refuseNamedBehind(
  { words, within = '' }: Pick<Locator, 'words' | 'within'>,
  target: string,
  tab: Tab,
  signal: AbortSignal,
): Promise<void> {
  for (const frame of tab.frames()) {
    const dialog = await callIn(tab, frame, pageScripts.behindDialog, [words, within], signal).catch(nullIfGone);
    if (dialog !== null && dialog !== '') await refuseBehind(target, dialog);
  }
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
