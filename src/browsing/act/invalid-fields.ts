import { INVALID_FIELDS_MAX } from './limits.ts';
import type { InvalidField } from '#browsing/in-page/scripts.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { callIn, isGone } from '#browsing/tabs/call-in-page.ts';

export type { InvalidField } from '#browsing/in-page/scripts.ts';

/** From now on, notes the fields of a document that the browser does not send a form for. */
export async function watchInvalid(tab: Tab, frame: Frame, signal: AbortSignal): Promise<void> {
  await callIn(tab, frame, 'watchInvalid', [INVALID_FIELDS_MAX], signal);
}

/** What was noted; nothing when the document went away, which it does when a form is sent. */
export async function invalidFields(tab: Tab, frame: Frame, signal: AbortSignal): Promise<InvalidField[]> {
  if (tab.frame(frame.id)?.loaderId !== frame.loaderId) return [];
  try {
    return await callIn(tab, frame, 'takeInvalid', [], signal);
  } catch (error) {
    if (!isGone(error)) throw error;
    return [];
  }
}
