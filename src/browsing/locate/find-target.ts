import * as pageScripts from '#generated/page-scripts.js';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { asArguments, callWithHandles, callIn } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { elementOfNode } from '#browsing/tree/ax-tree.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { toComparableText } from '#browsing/view/words.ts';
import type { CssTarget } from './css-target.ts';
import { listFoundForError, selectNth, pageElementOf, findByName } from './find.ts';
import { readNodeIdentity } from './node-identity.ts';
import type { FoundNode, SelectorMatch } from './find.ts';
import { filterInsideContainer } from './within.ts';
import { hasPositionOrContainer, parseCss } from './css-target.ts';
import { exactLocator, parseLocator, ambiguousSelectorWords } from './named.ts';

/**
 * Maximum matches of a selector that are searched for a row, or counted up to `nth`. For each match in a row, a request
 * to the browser is needed.
 */
const MATCHES_READ_MAX = 500;

/**
 * Finds elements by a CSS selector: in the first frame with a match or, for `in "…"`, in all frames.
 * @throws {BrowserGone} when the browser has exited; {CdpError} when the tab's own document is gone
 * @throws {PeriscopeError} for `in "…"`, when the page cannot be read
 */
export async function findBySelector(
  css: CssTarget,
  tab: Tab,
  showMax: number,
  signal: AbortSignal,
): Promise<SelectorMatch> {
  const matches = css.within === undefined ? null : await findInPart({ ...css, within: css.within }, tab, signal);
  if (matches !== null) return matches === 'invalid' ? { kind: 'invalid' } : chooseInPart(matches, css, tab, showMax);
  for (const frame of tab.frames()) {
    const match = await searchFrame(css.selector, tab, frame, Math.max(showMax, readMax(css)));
    if (match === 'invalid') return { kind: 'invalid' };
    if (match.count > 0) return choose(match, css, tab, frame, showMax);
  }
  return { kind: 'none' };
}

function readMax({ nth }: CssTarget): number {
  return Math.min(nth ?? 0, MATCHES_READ_MAX);
}

async function choose(
  { count, handles }: Matches,
  css: CssTarget,
  tab: Tab,
  frame: Frame,
  showMax: number,
): Promise<SelectorMatch> {
  const meant = count === 1 && css.nth === null ? handles : css.nth === null ? [] : selectNth(handles, css);
  const [only] = meant;
  if (only !== undefined) {
    const backendNodeId = await nodeOf(frame.session, only);
    const { role, name } = await readNodeIdentity(tab, frame, backendNodeId, only);
    return { kind: 'one', element: { tab, frame, backendNodeId, objectId: only, role, name } };
  }
  if (css.nth !== null && css.nth <= count && css.nth > 0) return { kind: 'vague' };
  const found = await Promise.all(
    handles.slice(0, showMax).map(async (one): Promise<FoundNode> => {
      return { frame, backendNodeId: await nodeOf(frame.session, one) };
    }),
  );
  return css.nth === null ? { kind: 'many', count, isAll: true, found } : { kind: 'beyond', count, behind: 0, found };
}

/** The matches inside a row or section, in the order of the accessibility tree. */
async function findInPart({ selector, within, part }: CssTarget & { within: string }, tab: Tab, signal: AbortSignal) {
  const nodes: FoundNode[] = [];
  for (const frame of tab.frames()) {
    const matches = await searchFrame(selector, tab, frame, MATCHES_READ_MAX);
    if (matches === 'invalid') return matches;
    const ids = await Promise.all(matches.handles.map((one) => nodeOf(frame.session, one)));
    nodes.push(...ids.map((backendNodeId) => ({ frame, backendNodeId })));
  }
  const page = await readTabPage(tab, { frameId: tab.main().id, from: null, within: null }, signal);
  const roots = new Map(page.documents.map(({ frame, root }) => [frame.id, root]));
  const elements = nodes.flatMap(({ frame, backendNodeId }) => {
    const root = roots.get(frame.id);
    const element = root === undefined ? null : elementOfNode(root, backendNodeId);
    return element === null ? [] : [element];
  });
  return filterInsideContainer(elements, { words: toComparableText(within), part }, page, tab.lastClicked);
}

async function chooseInPart(
  found: Exclude<Awaited<ReturnType<typeof findInPart>>, 'invalid'>,
  css: CssTarget,
  tab: Tab,
  showMax: number,
): Promise<SelectorMatch> {
  const meant = selectNth(found, css);
  const [first] = meant;
  if (meant.length > 1)
    return { kind: 'many', count: found.length, isAll: true, found: listFoundForError(found, tab, showMax) };
  if (first === undefined)
    return found.length === 0
      ? { kind: 'none' }
      : { kind: 'beyond', count: found.length, behind: 0, found: listFoundForError(found, tab, showMax) };
  const element = await pageElementOf(tab, first);
  return element === null ? { kind: 'none' } : { kind: 'one', element };
}

/** `handles`: object ids of the first matches. `count`: number of all matches. */
type Matches = { count: number; handles: string[] };

const NO_MATCHES: Matches = { count: 0, handles: [] };

/** Searches one frame. A frame inside the page that cannot be searched has no matches. */
async function searchFrame(selector: string, tab: Tab, frame: Frame, max: number): Promise<Matches | 'invalid'> {
  try {
    const { result, exceptionDetails } = await callWithHandles(
      tab,
      frame,
      pageScripts.findElements,
      asArguments([selector, max]),
      {},
    );
    if (exceptionDetails !== undefined) return 'invalid';
    return await readMatches(frame.session, result.objectId);
  } catch (error) {
    if (frame.parentId === null || error instanceof BrowserGone) throw error;
    return NO_MATCHES;
  }
}

async function readMatches(session: CdpSession, objectId: string | undefined): Promise<Matches> {
  if (objectId === undefined) return NO_MATCHES;
  const { result } = await session.send('Runtime.getProperties', { objectId, ownProperties: true });
  const handles = result.flatMap(({ value }) =>
    value?.subtype === 'node' && value.objectId !== undefined ? [value.objectId] : [],
  );
  const count: unknown = result.find(({ name }) => name === 'count')?.value?.value;
  return { count: Number(count), handles };
}

async function nodeOf(session: CdpSession, objectId: string): Promise<number> {
  const { node } = await session.send('DOM.describeNode', { objectId });
  return node.backendNodeId;
}

/** Use of the wanted element. `field`: to be filled. `control`: to be clicked. `part`: to be read or inspected. */
export type TargetPurpose = 'field' | 'control' | 'part';

/**
 * Resolves a target that is not a ref. Lower-case words such as `title` may be a label or a CSS selector. For a field,
 * an element with exactly this label takes precedence. For a control, an element with exactly this name is used if the
 * selector matches nothing visible. If both match, the matches of both count.
 */
export async function findByNameOrCss(
  target: string,
  purpose: TargetPurpose,
  tab: Tab,
  showMax: number,
  signal: AbortSignal,
  takePage?: () => Promise<Page | null>,
): Promise<SelectorMatch> {
  const css = parseCss(target);
  const named = parseLocator(target);
  const tags = ambiguousSelectorWords(css.selector);
  if (named !== null) {
    const match = await findByName(named, tab, showMax, signal, takePage);
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
