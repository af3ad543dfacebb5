import { PAGE_ALIVE_MS } from '#core/limits.ts';
import { within } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn, isGone } from '#browsing/tabs/call-in-page.ts';
import { writeWords } from '#browsing/view/view-line.ts';
import { alike } from '#browsing/view/words.ts';
import type { Work } from './perform.ts';

/** Messages that one list tells of. */
const ANNOUNCED_MAX = 10;

/** A short message that the page showed, and the step after which it was noticed. `words`: the page's. */
export type Announced = { step: number; words: string };

/** What the page of a tab has announced since it was last asked. A page that hangs, or is being replaced, tells nothing. */
export async function announcedSince({ tab, signal }: Work, goesOn = true): Promise<string[]> {
  if (!tab.isOpen) return [];
  const asked = callIn(tab, tab.main(), pageScripts.announced, [goesOn], signal);
  const told = await within(asked, PAGE_ALIVE_MS, signal).catch((error: unknown) => {
    if (signal.aborted || isGone(error)) return [];
    throw error;
  });
  return told ?? [];
}

/** Those that the page no longer shows, each once: what it shows now is told as a change. */
export function goneAgain({ active, tab }: Work, announced: readonly Announced[]): Announced[] {
  const shown = alike((active.lastLooks.get(tab)?.lines ?? []).map(writeWords).join(' '));
  const known = new Set<string>();
  return announced
    .filter(({ words }) => {
      const said = alike(words);
      if (known.has(said) || shown.includes(said)) return false;
      known.add(said);
      return true;
    })
    .slice(0, ANNOUNCED_MAX);
}
