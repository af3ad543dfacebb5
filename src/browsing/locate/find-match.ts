import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { findByName, findBySelector } from './find.ts';
import type { SelectorMatch } from './find.ts';
import { exactly, parseLocator, wordsOrTags } from './named.ts';

/** Purpose of the element. `field`: to be filled. `control`: to be clicked. `part`: any element, to be inspected. */
export type Purpose = 'field' | 'control' | 'part';

/**
 * Resolves lower-case words such as `title`, which may be a label or a CSS selector. For a field, an element with
 * exactly this label comes first. For a control, an element with exactly this name is used if the selector matches
 * nothing visible.
 */
export async function findMatch(
  target: string,
  purpose: Purpose,
  tab: Tab,
  showMax: number,
  signal: AbortSignal,
): Promise<SelectorMatch> {
  const named = parseLocator(target);
  if (named !== null) return findByName(named, tab, showMax, signal);
  const words = purpose === 'part' ? null : wordsOrTags(target);
  if (words === null || purpose === 'part') return findBySelector(target, tab, showMax);
  const byName = await findByName(exactly(words, purpose), tab, showMax, signal);
  if (purpose === 'field' && isFound(byName)) return byName;
  const bySelector = await findBySelector(target, tab, showMax);
  if (!isFound(byName)) return bySelector;
  if (!isFound(bySelector) || !(await isSeen(target, bySelector, tab, signal))) return byName;
  return either(byName, bySelector);
}

type Found = Extract<SelectorMatch, { kind: 'one' | 'many' }>;

function isFound(match: SelectorMatch): match is Found {
  return match.kind === 'one' || match.kind === 'many';
}

/** False if the selector matches only invisible elements, such as a script or the title element. */
async function isSeen(selector: string, match: Found, tab: Tab, signal: AbortSignal): Promise<boolean> {
  const { state } = await callIn(tab, frameOf(match), pageScripts.lookForSelector, [selector], signal);
  return state === 'seen';
}

function either(byName: Found, bySelector: Found): SelectorMatch {
  const [named, selected] = [idsOf(byName), idsOf(bySelector)];
  const others = selected.filter((id) => !named.includes(id));
  if (byName.kind === 'one' && others.length === 0) return byName;
  const frame = frameOf(byName);
  const isSameFrame = frameOf(bySelector).id === frame.id;
  const count = countOf(byName) + countOf(bySelector) - (selected.length - others.length);
  return { kind: 'many', count, isAll: true, frame, backendNodeIds: isSameFrame ? [...named, ...others] : named };
}

function idsOf(match: Found): number[] {
  return match.kind === 'one' ? [match.element.backendNodeId] : match.backendNodeIds;
}

function countOf(match: Found): number {
  return match.kind === 'one' ? 1 : match.count;
}

function frameOf(match: Found): Frame {
  return match.kind === 'one' ? match.element.frame : match.frame;
}
