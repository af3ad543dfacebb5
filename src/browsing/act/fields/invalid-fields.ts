import * as pageScripts from '#generated/page-scripts.js';
import type { InvalidFieldInPage as InvalidInPage } from '#browsing/in-page/script-types.ts';
import type { WithoutCuts } from '#core/text/page-texts.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { callIn, ifGone } from '#browsing/tabs/call-in-page.ts';

/** Maximum invalid fields listed after a form was not submitted. A browser shows them to its user one at a time. */
const INVALID_FIELDS_MAX = 8;

export type InvalidField = WithoutCuts<InvalidInPage>;

export async function watchInvalidFields(tab: Tab, frame: Frame, signal: AbortSignal): Promise<void> {
  await callIn(tab, frame, pageScripts.recordInvalidFields, [INVALID_FIELDS_MAX], signal);
}

/** Fields that blocked the submission. `[]` if the document is gone, because the form was submitted. */
export async function takeInvalidFieldReports(tab: Tab, frame: Frame, signal: AbortSignal): Promise<InvalidField[]> {
  if (tab.frame(frame.id)?.loaderId !== frame.loaderId) return [];
  return callIn(tab, frame, pageScripts.takeInvalidFields, [], signal).catch(ifGone([]));
}
