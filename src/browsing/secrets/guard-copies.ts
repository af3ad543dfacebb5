import { PAGE_ALIVE_MS } from '#core/limits.ts';
import { within } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn, isGone } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';

/**
 * Before a call acts: sites show what they were sent in a field, as for a name that they do not know, and pages put it into other fields.
 * With its ends deleted, the rest is nothing that results could hide. So such fields are changed as a whole only, as those are that a
 * secret was typed into. Costs nothing before a secret is typed.
 */
export async function guardCopies(tab: Tab, signal: AbortSignal): Promise<void> {
  if (!tab.session.hides) return;
  await Promise.all(tab.frames().map((frame) => within(guardIn(tab, frame, signal), PAGE_ALIVE_MS, signal)));
}

async function guardIn(tab: Tab, frame: Frame, signal: AbortSignal): Promise<void> {
  try {
    const texts = await callIn(tab, frame, pageScripts.editableTexts, [], signal);
    const at = [...texts.keys()].filter((one) => tab.session.placesHidden(texts[one] ?? '').length > 0);
    if (at.length > 0) await callIn(tab, frame, pageScripts.guardEditables, [at], signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
