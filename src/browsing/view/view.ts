import { aloneOf, contextsOf, contextTextNow } from '#browsing/refs/context.ts';
import { identityOf } from '#browsing/refs/refs.ts';
import { findRows, groupTwins, nodesOf, wordsOf } from '#browsing/refs/rows.ts';
import type { RefContext, Refs, RefTarget } from '#browsing/refs/refs.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { VIEW_DETAIL_CHARS_MAX } from './limits.ts';
import { VIEW_BYTES_DEFAULT, VIEW_BYTES_MAX, VIEW_BYTES_MIN, SECOND_MS } from '#core/limits.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { elementLine, nameShown, textWithin } from './element-line.ts';
import { Addresses } from './addresses.ts';
import { LongNames, Places } from './places.ts';
import { finderOf, findLines, isRegex } from './find.ts';
import type { Finder } from './find.ts';
import { isInteractive } from './interactive.ts';
import { Layers, OVER } from '#browsing/view/page/layers.ts';
import { outline } from './outline.ts';
import type { Line } from './outline.ts';
import type { Page, PageDocument } from '#browsing/view/page/page.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import { bytesOf, failPaging, focusedPart, linesAroundFocus, pageOf, partOfToken, tokenOfPart } from './paging.ts';
import { noteLine, writeLine } from './view-line.ts';
import type { ViewLine } from './view-line.ts';
import { quoted } from './words.ts';

/** How long the parts of a large document are searched, one after the other, before the caller is told how far. */
const VIEW_FIND_PARTS_MS = 4 * SECOND_MS;

/** The part of a page that a view shows. */
export type Scope = { frameId: string; backendNodeId: number };

export type ViewOptions = {
  interactiveOnly?: boolean | undefined;
  /** Default true. */
  compact?: boolean | undefined;
  /** Shows only what matches, with its row or section: text, or a regular expression between slashes. */
  find?: string | undefined;
  /** Lines before and behind each that matches. Default 0. */
  context?: number | undefined;
  /** UTF-8 bytes of text. */
  maxBytes?: number | undefined;
  /** `next` of the view to continue. */
  after?: string | undefined;
};

/** What a look shows; how much of it, a view says. */
type LookOptions = Pick<ViewOptions, 'interactiveOnly' | 'compact' | 'find' | 'context'>;

/** A page as lines of text, in which the page's words stand among ours. It is always shown inside a fence. */
export type View = {
  text: string;
  /** Lines in `text`. */
  shown: number;
  /** Lines of the whole. */
  total: number;
  /** Passed as `after`, shows the lines that follow; `null` at the end. */
  next: string | null;
};

/** A page, or a part of it, as lines. Views show it, and the next look is compared with it. */
export type Look = {
  /** Identifies the documents and options for which it was made. */
  generation: string;
  /** Of the tab's own document. */
  loaderId: string;
  lines: readonly ViewLine[];
  /** What the page showed before a modal dialog hid it. */
  behind?: readonly ViewLine[];
  /** Of a large document that is looked at in parts: the nodes that this part and the next begin with. */
  part?: { from: number | null; next: number | null };
};

/**
 * A view of a tab's page or a part of it. What is shown gets refs.
 *
 * @throws {PeriscopeError} `invalid_argument` when `after` no longer fits the page; never a failure such as `stale_ref`
 */
export async function takeView(
  tab: Tab,
  refs: Refs,
  scope: Scope | null,
  options: ViewOptions,
  signal: AbortSignal,
): Promise<View> {
  return viewOf(await lookAt(tab, refs, scope, options, signal, partOfToken(options.after)), options);
}

/**
 * Everything gets refs.
 * @param partFrom the node that a part of a large document begins with; if it is gone, the look is at the beginning
 */
export async function lookAt(
  tab: Tab,
  refs: Refs,
  scope: Scope | null,
  options: LookOptions,
  signal: AbortSignal,
  partFrom: number | null = null,
): Promise<Look> {
  const find = options.find === undefined ? null : finderOf(options.find);
  const named = scope === null && partFrom === null ? await lookForWords(tab, refs, options, find, signal) : null;
  if (named !== null) return named;
  const until = Date.now() + VIEW_FIND_PARTS_MS;
  const found: ViewLine[] = [];
  for (let from = partFrom; ;) {
    const wanted = { frameId: scope?.frameId ?? tab.main().id, within: scope?.backendNodeId ?? null, from };
    const page = await readTabPage(tab, wanted, signal);
    const { lines, generation, isWhole } = linesOf(tab, page, refs, scope, options, find);
    found.push(...lines);
    const part = page.documents.find(({ frame }) => frame.id === wanted.frameId)?.part ?? null;
    const begins = from === partFrom ? (part?.from ?? null) : partFrom;
    const next = part?.next ?? null;
    if (find !== null && next !== null && Date.now() < until) {
      from = next;
      continue;
    }
    const notes = [
      ...(isWhole || found.length === 0 ? [] : [INCOMPLETE]),
      ...partNotes(page, part, begins, find),
      ...silentNotes(page),
    ];
    return {
      generation,
      loaderId: page.main.frame.loaderId,
      lines: [...notes, ...found],
      ...(part === null ? {} : { part: { from: begins, next } }),
    };
  }
}

/**
 * Looks only at the parts of a large document that hold the words; `null` for a smaller one, and where too many parts hold them,
 * or none by its text and names: the words may be ours, such as a role.
 */
async function lookForWords(
  tab: Tab,
  refs: Refs,
  options: LookOptions,
  find: Finder | null,
  signal: AbortSignal,
): Promise<Look | null> {
  const words = options.find ?? '';
  const main = tab.main();
  if (find === null || isRegex(words) || !tab.sizes.isLarge(main)) return null;
  const wanted = { frameId: main.id, within: null, from: null, named: words };
  const page = await readTabPage(tab, wanted, signal);
  if (page.main.part?.isAll !== true) return null;
  const { lines, generation } = linesOf(tab, page, refs, null, options, find);
  return lines.length === 0 ? null : { generation, loaderId: page.main.frame.loaderId, lines };
}

function linesOf(tab: Tab, page: Page, refs: Refs, scope: Scope | null, options: LookOptions, find: Finder | null) {
  const compact = options.compact ?? true;
  const interactiveOnly = options.interactiveOnly ?? false;
  const root = scope === null ? page.main.root : scopedRoot(page, scope);
  const refOf = refMinter(tab, page, refs, compact ? () => false : isNamed);
  const all =
    root === null
      ? []
      : frontFirst(outline(page, root, refOf, { compact, interactiveOnly, allOptions: !compact || find !== null }));
  const generation = [tab.id, root?.document.loaderId, scope?.backendNodeId, compact, interactiveOnly];
  if (find !== null) generation.push(options.find, options.context ?? 0);
  return {
    lines: withoutTree(find === null ? all : findLines(all, find, rowsOf(page), options.context), page),
    generation: generation.join(' '),
    isWhole: page.documents.every(({ reacting }) => reacting !== null),
  };
}

/** What of a page is not here, and how to get it. */
function partNotes(page: Page, part: PageDocument['part'], from: number | null, find: Finder | null): ViewLine[] {
  const others = page.documents.filter(({ part: other }) => other !== part && (other?.next ?? null) !== null);
  const inFrames =
    others.length === 0
      ? []
      : [`(only the beginning of ${others.length} large frames is shown: pass a selector inside a frame to see more)`];
  const isDivided = part !== null && (from !== null || part.next !== null);
  const which = from === null ? 'its beginning' : part?.next === null ? 'its last part' : 'a part of it';
  const searched = find === null ? `this is ${which}` : `${which} was searched`;
  const more =
    (part?.next ?? null) === null
      ? ''
      : '; pass the after that Next names for what follows, or a selector for another part';
  const own = isDivided ? [`(a large page of about ${rounded(part.elements)} elements: ${searched}${more})`] : [];
  return [...own, ...inFrames].map(noteLine);
}

/** What people see and accessibility does not tell, where that is more than a view shows. */
function silentNotes({ documents }: Page): ViewLine[] {
  const left = documents.reduce((sum, { facts }) => sum + facts.silentLeft, 0);
  return left === 0
    ? []
    : [
        noteLine(
          `(${left} more lines are hidden from accessibility only: browser_read or browser_screenshot shows them)`,
        ),
      ];
}

/** Two digits: what a page adds and takes away should not change what is said of it. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(Math.floor(Math.log10(Math.max(count, 1))) - 1, 0);
  return Math.round(count / unit) * unit;
}

/** The listeners of a page that is busy, or keeps writing, are not known. */
const INCOMPLETE = noteLine(
  '(elements that react to clicks only through event listeners could not be detected: they have no refs here)',
);

/** A look may be kept; the tree, which is many times larger, must not be. */
function withoutTree(lines: readonly Line[], page: Page): ViewLine[] {
  const layers = new Layers(page);
  return lines.map(({ depth, kind, parts, excerpt, within }) => {
    return { depth, kind, parts, excerpt, over: layers.around(within) };
  });
}

/** Parts of a page that are one of many of their kind. */
export function rowsOf(page: Page): (part: AxElement) => boolean {
  const rows = page.documents.map(({ root }) => {
    const acting = [...everyElement(root)].filter((element) => isInteractive(element, page));
    return findRows(acting, groupTwins(acting));
  });
  return (part) => rows.some((isRow) => isRow(part));
}

type Paging = Pick<ViewOptions, 'maxBytes' | 'after'>;

/** As much of a look as fits. @throws {PeriscopeError} `invalid_argument` when `after` does not fit it */
export function viewOf(look: Look, paging: Paging): View {
  return viewWithLines(look, paging).view;
}

/** The same, with the lines of the look that the view shows. */
export function viewWithLines(
  { generation, lines, part }: Look,
  { maxBytes, after }: Paging,
): { view: View; lines: readonly ViewLine[] } {
  const budget = Math.min(Math.max(maxBytes ?? VIEW_BYTES_DEFAULT, VIEW_BYTES_MIN), VIEW_BYTES_MAX);
  const from = part?.from ?? null;
  if (partOfToken(after) !== from && after !== undefined) return failPaging('lines');
  const beginning = pageOf(lines, generation, budget, after, from);
  if (typeof beginning === 'string') return failPaging(beginning);
  const near = after === undefined ? linesAroundFocus(lines, beginning.to, budget / FOCUSED_PART_SHARE) : [];
  const focused = near.length === 0 ? [] : focusedPart(near);
  const shown = focused.length === 0 ? beginning : pageOf(lines, generation, budget - bytesOf(focused), after, from);
  if (typeof shown === 'string') return failPaging(shown);
  const following = part?.next ?? null;
  const nextPart = following === null ? null : tokenOfPart(generation, following);
  const inOrder = lines.slice(shown.from, shown.to);
  const view = {
    text: [...focused, ...inOrder].map(writeLine).join('\n'),
    shown: inOrder.length,
    total: lines.length,
    next: shown.next ?? nextPart,
  };
  return { view, lines: [...near, ...inOrder] };
}

/** Of a view that is cut, one part in so many may tell where the focus is. */
const FOCUSED_PART_SHARE = 4;

/** Lines for some elements of a document, with refs. */
export async function describeElements(
  tab: Tab,
  refs: Refs,
  frameId: string,
  backendNodeIds: readonly number[],
  signal: AbortSignal,
): Promise<ViewLine[]> {
  const page = await readTabPage(tab, { frameId, from: null, within: null, nodes: backendNodeIds }, signal);
  const root = page.documents.find(({ frame }) => frame.id === frameId)?.root;
  if (root === undefined) return [];
  const asked = backendNodeIds.flatMap((id) => elementOfNode(root, id) ?? []);
  const roles = new Set(asked.map(({ role }) => role));
  // All elements of their kind, because what distinguishes one is only known by comparison.
  const refOf = refMinter(tab, page, refs, ({ role, backendNodeId }) => roles.has(role) && backendNodeId !== null);
  const style = {
    allOptions: false,
    withUrls: true,
    toldUrls: new Set<string>(),
    addresses: new Addresses(page),
    places: new Places(page),
    names: new LongNames(page),
  };
  return asked.map((element) => {
    const shown = elementLine(element, refOf(element), page, style);
    // Elements of one kind without names are told apart by their text.
    const words = nameShown(element, page) === '' ? textWithin(element) : '';
    const parts = words === '' ? [shown] : [shown, ` ${quoted(words, VIEW_DETAIL_CHARS_MAX)}`];
    return { depth: 0, kind: 'element', parts };
  });
}

function scopedRoot(page: Page, { frameId, backendNodeId }: Scope): AxElement | null {
  const document = page.documents.find(({ frame }) => frame.id === frameId);
  return document === undefined ? null : elementOfNode(document.root, backendNodeId);
}

/** @param isOther elements that get refs in addition to those that one can act on */
function refMinter(
  tab: Tab,
  page: Page,
  refs: Refs,
  isOther: (element: AxElement) => boolean,
): (element: AxElement) => string | null {
  const contexts = new Map<AxElement, RefContext | null>();
  const alone = new Map<AxElement, string>();
  for (const { root, part } of page.documents) {
    const all = [...everyElement(root)];
    const acting = new Set(all.filter((element) => isInteractive(element, page)));
    const others = all.filter((element) => !acting.has(element) && isOther(element));
    for (const elements of [[...acting], others]) {
      const found = contextsOf(elements);
      for (const element of elements) contexts.set(element, found.get(element) ?? null);
    }
    for (const element of others) contexts.set(element, contexts.get(element) ?? ownWords(element));
    if (part !== null) dropUncertain(contexts, all, part.divided);
    // Of a part nobody knows what else reads the same.
    const known = part === null ? [...acting].map((element) => [element, contexts.get(element) ?? null] as const) : [];
    for (const [element, outlined] of aloneOf(new Map(known))) alone.set(element, outlined);
  }
  return (element) => {
    const context = contexts.get(element);
    return context === undefined
      ? null
      : mint(tab, refs, element, { context, alone: alone.get(element) ?? null }, page.isUnderHand);
  };
}

/** What is read in part does not say what is over its elements, nor all that is in what is divided. */
function dropUncertain(
  contexts: Map<AxElement, RefContext | null>,
  elements: readonly AxElement[],
  divided: ReadonlySet<number>,
): void {
  for (const element of elements) {
    const context = contexts.get(element);
    const isCertain = context?.kind === 'part' && !divided.has(context.backendNodeId);
    if (context !== undefined && !isCertain) contexts.set(element, null);
  }
}

/** An element without a name is bound to its text, because a page may fill it with something else. */
function ownWords(element: AxElement): RefContext | null {
  const { backendNodeId, name } = element;
  const text = name === '' ? wordsOf(element, element, 'texts') : '';
  if (backendNodeId === null || text === '') return null;
  return { kind: 'part', backendNodeId, text, nodes: nodesOf(element, element, 'texts'), kindOfWords: 'texts' };
}

function isNamed({ role, name, backendNodeId, ignored }: AxElement): boolean {
  return backendNodeId !== null && !ignored && name !== '' && role !== 'StaticText' && role !== 'RootWebArea';
}

function mint(
  tab: Tab,
  refs: Refs,
  element: AxElement,
  bound: Pick<RefTarget, 'context' | 'alone'>,
  isUnderHand: Page['isUnderHand'],
): string | null {
  if (element.backendNodeId === null) return null;
  const target = {
    tabId: tab.id,
    frameId: element.document.frameId,
    loaderId: element.document.loaderId,
    backendNodeId: element.backendNodeId,
    ...identityOf(element),
    ...bound,
  };
  return refs.mint(target, (before) => contextTextNow(element, before, isUnderHand));
}

/** Puts open dialogs and menus before what lies behind them, because a view that is cut keeps its beginning. */
function frontFirst(lines: readonly Line[]): Line[] {
  const front: Line[] = [];
  const behind: Line[] = [];
  let over: Line | null = null;
  for (const line of lines) {
    if (over !== null && line.depth <= over.depth) over = null;
    if (over === null && line.kind === 'group' && OVER.has(line.within.role)) over = line;
    if (over === null) behind.push(line);
    else front.push({ ...line, depth: line.depth - over.depth });
  }
  return [...front, ...behind];
}
