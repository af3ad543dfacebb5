import type { Protocol } from 'devtools-protocol';
import { RETURN_BY_VALUE, callFunction } from '#browsing/tabs/call-in-page.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { CdpError } from '#browsing/cdp/connection.ts';
import { buildAxTree, elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Frame, Tab, PageElement } from '#browsing/tabs/tab.ts';
import type { RefStaleness } from '#core/failures/browser-failures.ts';
import { readCurrentContextText } from '#browsing/refs/context.ts';
import { toElementIdentity, isSameIdentity } from '#browsing/refs/refs.ts';
import type { ElementIdentity, RefSurroundings, ElementRefs, RefTarget } from '#browsing/refs/refs.ts';
import { readContextWords } from '#browsing/refs/context-words.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { findElementsByName, isNamedBy } from './named.ts';
import type { Locator } from './named.ts';
import { compileTextPattern } from './pattern.ts';
import { readNodeIdentity, resolveNodeHandle } from './node-identity.ts';
import { findContainerName, filterInFrontOfDialog } from './within.ts';
import { WHOLE_DOCUMENT_ELEMENTS_MAX } from '#browsing/tabs/limits.ts';
import { ITEM_ROLES, displayRole } from '#browsing/tree/roles.ts';
import { textWithin } from '#browsing/view/line/element-line.ts';
import { isPageRoot } from '#browsing/view/page/reacting.ts';
import { describeElementsByNodeId } from '#browsing/view/view.ts';
import type { DescribedElement } from '#browsing/view/view.ts';
import { writeParts, writeWords } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';
import { toComparableText, sanitizePageText, quotePageText } from '#browsing/view/words.ts';
import { createFence, oneLine } from '#core/text/text.ts';
import { readAxSubtree } from '#browsing/view/page/ax-subtrees.ts';

/**
 * Checks whether the document, node, role, name and context words of a ref are still the same.
 * @param isOwnChange true if the context words differ only in text that the caller typed
 * @returns the element, or the reason why it is no longer the element for which the ref was created
 */
export async function findByRef(
  target: RefTarget,
  tab: Tab,
  isOwnChange: (before: string, now: string) => boolean = () => false,
): Promise<PageElement | RefStaleness> {
  const frame = tab.frame(target.frameId);
  if (frame === null || frame.loaderId !== target.loaderId) return 'gone';
  try {
    const [objectId, now] = await Promise.all([
      resolveNodeHandle(tab, frame, target.backendNodeId),
      identityNow(tab, frame, target),
    ]);
    if (objectId === null || now === null || tab.frame(target.frameId)?.loaderId !== target.loaderId) return 'gone';
    if (!isSameIdentity(toElementIdentity(now), target)) return 'renamed';
    const before = target.context?.text ?? null;
    const isSame =
      now.context === before || (now.context !== null && before !== null && isOwnChange(before, now.context));
    if (!isSame) return 'surroundings';
    return { tab, frame, backendNodeId: target.backendNodeId, objectId, role: now.role, name: now.name };
  } catch (error) {
    return goneUnlessBroken(error);
  }
}

/**
 * The node that replaced a removed node in the same document; `null` if the page script recorded no replacement, or if
 * the document or the node's record is gone.
 */
export async function findReplacementNode(target: RefTarget, tab: Tab): Promise<number | null> {
  const frame = tab.frame(target.frameId);
  if (frame === null || frame.loaderId !== target.loaderId) return null;
  const { session } = frame;
  try {
    const executionContextId = await tab.world(frame);
    const { backendNodeId } = target;
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    const { objectId } = object;
    if (objectId === undefined) return null;
    const { result } = await callFunction(session, { objectId }, pageScripts.findReplacementElement, [], {});
    if (result.objectId === undefined) return null;
    const { node } = await session.send('DOM.describeNode', { objectId: result.objectId });
    return node.backendNodeId;
  } catch (error) {
    if (error instanceof CdpError) return null;
    throw error;
  }
}

export type FoundNode = { frame: Frame; backendNodeId: number };

export type SelectorMatch =
  | { kind: 'invalid' }
  | { kind: 'none' }
  | { kind: 'one'; element: PageElement }
  /**
   * `behind`: number of further matches that cannot be used because they are behind an open modal dialog. `isAll`: true
   * if there are no others.
   */
  | {
      kind: 'many';
      count: number;
      behind?: number;
      isAll: boolean;
      found: readonly FoundNode[];
    }
  /** `nth` is 0 or larger than the number of matches. */
  | { kind: 'beyond'; count: number; behind: number; found: readonly FoundNode[] }
  | { kind: 'vague' };

/**
 * Finds elements by role and name, or by text. `nth` selects one of several matches.
 * @param takePage the page as it was read a moment ago, in which a single match is searched first
 * @throws {PeriscopeError} when the page cannot be read
 */
export async function findByName(
  named: Locator,
  tab: Tab,
  showMax: number,
  signal: AbortSignal,
  takePage: () => Promise<Page | null> = async () => null,
): Promise<SelectorMatch> {
  const known = await takePage();
  if (known?.documents.every(({ part }) => part === null) === true) {
    const match = await matchIn(known, named, tab, showMax);
    if (match.kind === 'one') return match;
  }
  const isPattern = named.by !== 'label' && compileTextPattern(named.words, 'selector') !== null;
  const wanted = {
    frameId: tab.main().id,
    from: null,
    within: null,
    ...(named.words === '' || isPattern ? {} : { named: named.words }),
  };
  return matchIn(await readTabPage(tab, wanted, signal), named, tab, showMax);
}

async function matchIn(page: Page, named: Locator, tab: Tab, showMax: number): Promise<SelectorMatch> {
  const pattern = named.by === 'label' ? null : compileTextPattern(named.words, 'selector');
  const { front: found, behind } = filterInFrontOfDialog(findElementsByName(page, named, tab.lastClicked), page);
  // A large page can be searched only for plain words, so matches of a regular expression may be missing.
  const isAll = page.documents.every(({ part }) => part === null || (pattern === null && part.isAll));
  if (!isAll && (pattern !== null || named.nth !== null || found.length === 0)) return { kind: 'vague' };
  if (!isAll && found.length === 1 && !found.some((one) => isNamedBy(one, named, page))) return { kind: 'vague' };
  const meant = selectNth(found, named);
  const [first] = meant;
  if (first === undefined && found.length > 0)
    return { kind: 'beyond', count: new Set(found).size, behind, found: listFoundForError(found, tab, showMax) };
  const frame = first === undefined ? null : tab.frame(first.document.frameId);
  if (first === undefined || frame === null || first.backendNodeId === null) return { kind: 'none' };
  if (meant.length > 1)
    return { kind: 'many', count: found.length, behind, isAll, found: listFoundForError(found, tab, showMax) };
  const { backendNodeId, role, name } = first;
  const said = pattern === null ? named.words : (pattern(role === 'StaticText' ? name : textWithin(first)) ?? '');
  const words = named.by === 'text' ? { words: said } : {};
  if (role === 'StaticText') {
    const match = await elementAround(tab, frame, backendNodeId);
    return match.kind === 'one' ? { ...match, element: { ...match.element, ...words } } : match;
  }
  const objectId = await resolveNodeHandle(tab, frame, backendNodeId);
  return objectId === null
    ? { kind: 'none' }
    : { kind: 'one', element: { tab, frame, backendNodeId, objectId, role, name, ...words } };
}

/** The elements at the requested position; all elements if none was requested. `nth` 0 selects none. */
export function selectNth<T>(found: readonly T[], { nth }: { nth: number | null }): readonly T[] {
  return nth === null ? found : found.slice(Math.max(nth - 1, 0), nth);
}

export function listFoundForError(found: readonly AxElement[], tab: Tab, showMax: number): FoundNode[] {
  const nodes = [...new Set(found.map(knownElement))].flatMap(({ document, backendNodeId }) => {
    const frame = tab.frame(document.frameId);
    return frame === null || backendNodeId === null ? [] : { frame, backendNodeId };
  });
  return nodes.slice(0, showMax);
}

/**
 * A line for each element with this name, with the text of its row or section. After a role, the whole name must match,
 * because a virtualized list that reuses rows may show longer names by now.
 * @returns no lines for more than `max` elements
 */
export async function describeElementsWithName(
  named: Locator,
  tab: Tab,
  refs: ElementRefs,
  max: number,
  signal: AbortSignal,
): Promise<string[]> {
  const page = await readTabPage(tab, { frameId: tab.main().id, from: null, within: null, named: named.words }, signal);
  const found = findElementsByName(page, named).filter(
    (element) => named.by !== 'role' || isNamedBy(element, named, page),
  );
  const known = [...new Set(found.map(knownElement))];
  return known.length > max ? [] : describeFoundElements(known, tab, refs, signal);
}

export async function describeFoundElements(
  elements: readonly AxElement[],
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<string[]> {
  const nodes = elements.flatMap(({ backendNodeId, document }) =>
    backendNodeId === null ? [] : [{ frame: { id: document.frameId }, backendNodeId }],
  );
  return describeFoundNodes(nodes, tab, refs, signal, () => true);
}

/**
 * A line for each element, which may be in several frames, with the text of its row or section.
 * @param needs true for a name that does not identify its element. By default, for a name that several elements have
 */
export async function describeFoundNodes(
  nodes: readonly { frame: Pick<Frame, 'id'>; backendNodeId: number }[],
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
  needs = isRepeated,
): Promise<string[]> {
  const described: DescribedElement[] = [];
  for (const id of new Set(nodes.map(({ frame }) => frame.id))) {
    const ids = nodes.filter(({ frame }) => frame.id === id).map(({ backendNodeId }) => backendNodeId);
    described.push(...(await describeElementsByNodeId(tab, refs, id, ids, signal)));
  }
  const elements = new Set(described.map(({ element }) => element));
  const around = described.map(({ element }) => wordsAround(element, elements));
  const names = described.map(({ line }) => writeName(line));
  // Context that all elements share distinguishes none of them, so it is omitted.
  const isShared = described.length > 1 && new Set(around).size === 1;
  return described.map(({ element, line }, at) => {
    const words = writeWords(line);
    if (!needs(names[at] ?? '', names)) return words;
    return addDistinguishingText(words, element, isShared ? '' : (around[at] ?? ''));
  });
}

function isRepeated(name: string, names: readonly string[]): boolean {
  return names.indexOf(name) !== names.lastIndexOf(name);
}

/** The line without its ref, position, value and states, which do not tell which record an element belongs to. */
function writeName({ parts }: ViewLine): string {
  return writeParts(parts, (one) => ({ ...one, ref: null, place: [], details: [], chars: null, states: [] }));
}

export async function fenceText(text: string): Promise<string> {
  const { open, close } = await createFence(text);
  return `${open}\n${text}\n${close}`;
}

function addDistinguishingText(line: string, { description }: AxElement, around: string): string {
  const tooltip = sanitizePageText(description, AROUND_CHARS_MAX);
  const isKnown = toComparableText(line).includes(toComparableText(tooltip));
  const said = isKnown ? '' : ` (tooltip ${quotePageText(tooltip, AROUND_CHARS_MAX)})`;
  return `${line}${said}${around === '' ? '' : ` in: ${around}`}`;
}

/**
 * The text of the row, item or card that contains an element, or the name of its section or dialog, whichever is
 * nearest. A card is the largest container with text of its own and without another of the elements.
 */
function wordsAround(element: AxElement, others: ReadonlySet<AxElement>): string {
  let card = '';
  let isAlone = true;
  for (let at = element; at.parent !== null; at = at.parent) {
    const around = at.parent;
    isAlone &&= !around.children.some((one) => one !== at && holdsAny(one, element, others));
    if (!isAlone && card !== '') return oneLine(card, AROUND_CHARS_MAX);
    const isItem = ITEM_ROLES.has(displayRole(around.role));
    const words = isItem ? textBeside(element, around) : findContainerName(around);
    if (words !== '') return oneLine(words, AROUND_CHARS_MAX);
    if (isAlone && !isPageRoot(around)) card = textBeside(element, around);
  }
  return '';
}

/** The text of a container without the names of controls, or with them if it has no other text; `''` without text. */
function textBeside(element: AxElement, around: AxElement): string {
  const own = textWithin(element);
  const texts = [readContextWords(around, element, 'texts'), readContextWords(around, element, 'controls')];
  return texts.find((words) => words !== own && words !== element.name) ?? '';
}

/** True if a part of the page contains another of the elements, or one with the same role and name. */
function holdsAny(part: AxElement, element: AxElement, others: ReadonlySet<AxElement>): boolean {
  const { role, name } = element;
  // Clickable elements without a role and name differ only in their text, such as Like and Share in one post.
  const isOther = (one: AxElement) =>
    others.has(one) && (role !== 'generic' || name !== '' || textWithin(one) === textWithin(element));
  for (const one of everyElement(part))
    if (isOther(one) || (name !== '' && !one.ignored && one.role === role && one.name === name)) return true;
  return false;
}

/** Maximum characters of the text around an element: enough to recognize a row. */
const AROUND_CHARS_MAX = 120;

function knownElement(element: AxElement): AxElement {
  return element.role === 'StaticText' ? (element.parent ?? element) : element;
}

export async function pageElementOf(tab: Tab, element: AxElement): Promise<PageElement | null> {
  const { backendNodeId, role, name, document } = element;
  const frame = tab.frame(document.frameId);
  const objectId = frame === null || backendNodeId === null ? null : await resolveNodeHandle(tab, frame, backendNodeId);
  if (frame === null || backendNodeId === null || objectId === null) return null;
  return { tab, frame, backendNodeId, objectId, role, name };
}

/** The DOM element that contains a text node. The accessibility tree may lack this element. */
async function elementAround(tab: Tab, frame: Frame, text: number): Promise<SelectorMatch> {
  const { session } = frame;
  const executionContextId = await tab.world(frame);
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: text, executionContextId });
  if (object.objectId === undefined) return { kind: 'none' };
  const { result } = await callFunction(
    session,
    { objectId: object.objectId },
    pageScripts.getParentOfTextNode,
    [],
    {},
  );
  if (result.objectId === undefined) return { kind: 'none' };
  const { objectId } = result;
  const { node } = await session.send('DOM.describeNode', { objectId });
  const { backendNodeId } = node;
  const { role, name } = await readNodeIdentity(tab, frame, backendNodeId, objectId);
  return { kind: 'one', element: { tab, frame, backendNodeId, objectId, role, name } };
}

/** The element's current identity. Context words need the whole accessibility tree; role and name alone are cheap. */
async function identityNow(
  tab: Tab,
  frame: Frame,
  { backendNodeId, context }: RefTarget,
): Promise<(ElementIdentity & { context: string | null }) | null> {
  if (context === null) return { ...(await readNodeIdentity(tab, frame, backendNodeId)), context: null };
  const root = buildAxTree(await nodesAround(tab, frame, context), { frameId: frame.id, loaderId: frame.loaderId });
  const element = root === null ? null : elementOfNode(root, backendNodeId);
  if (element === null) return null;
  const { role, name, url, description } = element;
  const text = readCurrentContextText(element, context, () => false);
  const hasGrown = text !== context.text && readCurrentContextText(element, context, () => true) === context.text;
  const isSame = hasGrown && context.kind === 'part' && (await isUnderHand(tab, frame, context.backendNodeId));
  return { role, name, url, description, context: isSame ? context.text : text };
}

/** The accessibility nodes around an element. In a large document, only the row with the context words is read. */
async function nodesAround(
  tab: Tab,
  frame: Frame,
  context: RefSurroundings,
): Promise<readonly Protocol.Accessibility.AXNode[]> {
  const isLarge = (await tab.sizes.of(frame)) > WHOLE_DOCUMENT_ELEMENTS_MAX;
  if (isLarge && context.kind === 'part') return readAxSubtree(tab, frame, context.backendNodeId);
  return (await frame.session.send('Accessibility.getFullAXTree', { frameId: frame.id })).nodes;
}

async function isUnderHand(tab: Tab, frame: Frame, backendNodeId: number): Promise<boolean> {
  const objectId = await resolveNodeHandle(tab, frame, backendNodeId);
  if (objectId === null) return false;
  const { result } = await callFunction(
    frame.session,
    { objectId },
    pageScripts.isHoveredOrFocused,
    [],
    RETURN_BY_VALUE,
  );
  const is: unknown = result.value;
  return is === true;
}

function goneUnlessBroken(error: unknown): RefStaleness {
  if (error instanceof CdpError) return 'gone';
  throw error;
}
