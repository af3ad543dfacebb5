import * as pageScripts from '#generated/page-scripts.js';
import { PAGE_RESPONSE_MS_MAX } from '#core/limits.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { callIn, isGoneError } from '#browsing/tabs/call-in-page.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';
import { toComparableText } from '#browsing/view/words.ts';

const ANNOUNCED_MAX = 10;

/** A short message that the page showed, and the number of the step after which it appeared. */
export type Announced = { step: number; words: string };

/** Messages that the tab's page has shown since the last query; `[]` for a page that hangs or is being replaced. */
export async function announcedSince({ tab, signal }: OperationWork, goesOn = true): Promise<string[]> {
  if (!tab.isOpen) return [];
  const asked = callIn(tab, tab.main(), pageScripts.takeAnnouncements, [goesOn], signal);
  const told = await resolveWithin(asked, PAGE_RESPONSE_MS_MAX, signal).catch((error: unknown) => {
    if (signal.aborted || isGoneError(error)) return [];
    throw error;
  });
  return told ?? [];
}

/**
 * Messages that have disappeared again, without duplicates. Messages still on the page are reported as changes instead.
 */
export function goneAgain({ active, tab }: OperationWork, announced: readonly Announced[]): Announced[] {
  const shown = toComparableText((active.lastLooks.get(tab)?.lines ?? []).map(pageWords).join(' '));
  const known = new Set<string>();
  return announced
    .filter(({ words }) => {
      const said = toComparableText(words);
      if (known.has(said) || shown.includes(said)) return false;
      known.add(said);
      return true;
    })
    .slice(0, ANNOUNCED_MAX);
}

/** The page's own words in a line, without the refs and roles around them. */
function pageWords({ parts }: ViewLine): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.name.replaceAll('"', ''))).join('');
}
