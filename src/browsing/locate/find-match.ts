import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { hasPositionOrContainer, parseCss } from './css-target.ts';
import { findByName } from './find.ts';
import type { FoundNode, SelectorMatch } from './find.ts';
import { findBySelector } from './find-selector.ts';
import { exactLocator, parseLocator, ambiguousSelectorWords } from './named.ts';

/** Use of the wanted element. `field`: to be filled. `control`: to be clicked. `part`: to be read or inspected. */
export type TargetPurpose = 'field' | 'control' | 'part';

/**
 * Resolves a target that is not a ref. Lower-case words such as `title` may be a label or a CSS selector. For a field,
 * an element with exactly this label takes precedence. For a control, an element with exactly this name is used if the
 * selector matches nothing visible. If both match, the matches of both count.
 */
export async function resolveNonRefTarget(
  target: string,
  purpose: TargetPurpose,
  tab: Tab,
  showMax: number,
  signal: AbortSignal,
): Promise<SelectorMatch> {
  const css = parseCss(target);
  const named = parseLocator(target);
  const tags = ambiguousSelectorWords(css.selector);
  if (named !== null) {
    const match = await findByName(named, tab, showMax, signal);
    // In `li in "Order 17"`, the word is a tag if no element has it as its label.
    const isTag = match.kind === 'none' && tags !== null && hasPositionOrContainer(css);
    return isTag ? findBySelector(css, tab, showMax, signal) : match;
  }
  if (tags === null || purpose === 'part') return findBySelector(css, tab, showMax, signal);
  const byName = await findByName({ ...exactLocator(tags, purpose), nth: css.nth }, tab, showMax, signal);
  if (purpose === 'field' && isFound(byName)) return byName;
  const bySelector = await findBySelector(css, tab, showMax, signal);
  if (!isFound(byName)) return bySelector;
  if (!isFound(bySelector) || !(await isSeen(css.selector, bySelector, tab, signal))) return byName;
  return either(byName, bySelector);
}

type Found = Extract<SelectorMatch, { kind: 'one' | 'many' }>;

function isFound(match: SelectorMatch): match is Found {
  return match.kind === 'one' || match.kind === 'many';
}

/** True if the selector matches a visible element. `<title>`, for example, is invisible. */
async function isSeen(selector: string, match: Found, tab: Tab, signal: AbortSignal): Promise<boolean> {
  const [first] = nodesOf(match);
  if (first === undefined) return false;
  const { state } = await callIn(tab, first.frame, pageScripts.findVisibleMatch, [selector], signal);
  return state === 'seen';
}

function either(byName: Found, bySelector: Found): SelectorMatch {
  const [named, selected] = [nodesOf(byName), nodesOf(bySelector)];
  const others = selected.filter((one) => !named.some((other) => isSameNode(one, other)));
  if (byName.kind === 'one' && others.length === 0) return byName;
  const count = countOf(byName) + countOf(bySelector) - (selected.length - others.length);
  return { kind: 'many', count, isAll: true, found: [...named, ...others] };
}

function nodesOf(match: Found): readonly FoundNode[] {
  return match.kind === 'one' ? [match.element] : match.found;
}

function isSameNode(one: FoundNode, other: FoundNode): boolean {
  return one.frame.id === other.frame.id && one.backendNodeId === other.backendNodeId;
}

function countOf(match: Found): number {
  return match.kind === 'one' ? 1 : match.count;
}
