import { findUniqueElements, findRefContexts, readCurrentContextText } from '#browsing/refs/context.ts';
import { toElementIdentity } from '#browsing/refs/refs.ts';
import { readContextTexts } from '#browsing/refs/context-words.ts';
import type { RefSurroundings, ElementRefs, RefTarget } from '#browsing/refs/refs.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { VIEW_ELEMENT_DETAIL_CHARS_MAX, VIEW_TEXT_CHARS_MAX } from './limits.ts';
import { VIEW_BYTES_DEFAULT, VIEW_BYTES_MAX, VIEW_BYTES_MIN, SECOND_MS } from '#core/limits.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { describeElementLine, resolveShownName, textWithin } from '#browsing/view/line/element-line.ts';
import { AddressShortener } from '#browsing/view/line/addresses.ts';
import { NameShortener, ElementPositions } from '#browsing/view/line/places.ts';
import { compileFinder, findLines, isRegex } from './find.ts';
import type { TextFinder } from './find.ts';
import { isInteractive } from './interactive.ts';
import { PageLayers } from '#browsing/view/page/layers.ts';
import { createPageRowTest, PageRows } from './page-rows.ts';
import {
  LISTENERS_UNKNOWN_NOTE,
  describeMaskedFields,
  describeViewPart,
  noteUnsearchedTexts,
  notesOnHiddenLines,
} from './notes.ts';
import { orderFrontFirst } from './front-first.ts';
import { writeOutline } from './outline.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import {
  bytesOfLines,
  failPaging,
  wrapFocusedLines,
  linesAroundFocus,
  paginateLines,
  parseTokenPart,
  writePartToken,
} from './paging.ts';
import { writeLine } from './view-line.ts';
import type { OutlineLine, ViewLine } from './view-line.ts';
import { quotePageText } from './words.ts';

/**
 * Time limit for a search through the parts of a large document. At the limit, the result covers only the parts
 * searched so far.
 */
const VIEW_FIND_PARTS_MS = 4 * SECOND_MS;

type ViewScope = { frameId: string; backendNodeId: number };

export type ViewOptions = {
  interactiveOnly?: boolean | undefined;
  /** False to give headings and texts refs, and to list all options. Default: true. */
  compact?: boolean | undefined;
  /** Shows only matches, each with its row or section. Text, or a regular expression between slashes. */
  find?: string | undefined;
  /** Number of lines before and after each match; 0 by default. */
  context?: number | undefined;
  /** Maximum UTF-8 bytes of text. */
  maxBytes?: number | undefined;
  /** The `next` token of an earlier view, which this view continues. */
  after?: string | undefined;
};

/** Options that select the lines of a page. The other options decide only how many of them a view shows. */
type LookOptions = Pick<ViewOptions, 'interactiveOnly' | 'compact' | 'find' | 'context'> & {
  /** Called with the page that was read. */
  onRead?: (page: Page) => void;
};

/** A page as text in which page content mixes with the server's notes. Results always fence it as untrusted. */
export type View = {
  text: string;
  shown: number;
  total: number;
  /** Token to pass as `after` for the lines that follow; `null` at the end. */
  next: string | null;
  /** Set if the text equals an earlier result and is omitted: number of calls since that result. */
  sameFor?: number;
};

/** All lines of a page or of a part of it. A view shows some of them, but all are compared with the next reading. */
export type PageScan = {
  /** Identifies the documents and options of the lines. Scans with different values cannot be compared. */
  generation: string;
  /** CDP loader id of the tab's main document. */
  loaderId: string;
  lines: readonly ViewLine[];
  /** The lines of the page before a modal dialog hid them. */
  behind?: readonly ViewLine[];
  /** Lines that searches have shown since this scan, as full text. */
  found?: ReadonlySet<string>;
  /** Set for a large document that is read in parts: the backend node ids at which this part and the next begin. */
  part?: { from: number | null; next: number | null };
};

/**
 * Takes a view of a tab's page or of one element. Elements in the view get refs.
 * @throws {PeriscopeError} `invalid_argument` when `after` no longer fits the page
 */
export async function takeView(
  tab: Tab,
  refs: ElementRefs,
  scope: ViewScope | null,
  options: ViewOptions,
  signal: AbortSignal,
): Promise<{ view: View; lines: readonly ViewLine[] }> {
  return paginateScanWithLines(
    await scanPage(tab, refs, scope, options, signal, parseTokenPart(options.after)),
    options,
  );
}

/**
 * Reads a page as lines and gives its elements refs.
 * @param partFrom first node of the part to read of a large document; if the node is gone, the beginning is read
 */
export async function scanPage(
  tab: Tab,
  refs: ElementRefs,
  scope: ViewScope | null,
  options: LookOptions,
  signal: AbortSignal,
  partFrom: number | null = null,
): Promise<PageScan> {
  const find = options.find === undefined ? null : compileFinder(options.find);
  const named = scope === null && partFrom === null ? await lookForWords(tab, refs, options, find, signal) : null;
  if (named !== null) return named;
  const until = Date.now() + VIEW_FIND_PARTS_MS;
  const found: ViewLine[] = [];
  const unsearched: ViewLine[] = [];
  for (let from = partFrom; ;) {
    const wanted = { frameId: scope?.frameId ?? tab.main().id, within: scope?.backendNodeId ?? null, from };
    const page = await readTabPage(tab, wanted, signal);
    options.onRead?.(page);
    const { lines, generation, isWhole } = linesOf(tab, page, refs, scope, options, find);
    found.push(...lines);
    if (isRegex(options.find ?? '') && unsearched.length === 0) unsearched.push(...noteUnsearchedTexts(page));
    const part = page.documents.find(({ frame }) => frame.id === wanted.frameId)?.part ?? null;
    const begins = from === partFrom ? (part?.from ?? null) : partFrom;
    const next = part?.next ?? null;
    if (find !== null && next !== null && Date.now() < until) {
      from = next;
      continue;
    }
    const notes = [
      ...(isWhole || found.length === 0 ? [] : [LISTENERS_UNKNOWN_NOTE]),
      ...describeViewPart(page, part, begins, find !== null),
      ...unsearched,
      ...notesOnHiddenLines(page),
      ...describeMaskedFields(page, tab),
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
 * Reads only the parts of a large document that contain the searched text. `null` without a search for plain words, for
 * a smaller document, for too many matches, and for no match, because the text may be a word that the server adds, such
 * as a role.
 */
async function lookForWords(
  tab: Tab,
  refs: ElementRefs,
  options: LookOptions,
  find: TextFinder | null,
  signal: AbortSignal,
): Promise<PageScan | null> {
  const words = options.find ?? '';
  const main = tab.main();
  if (find === null || isRegex(words) || !tab.sizes.isLarge(main)) return null;
  const wanted = { frameId: main.id, within: null, from: null, named: words };
  const page = await readTabPage(tab, wanted, signal);
  if (page.main.part?.isAll !== true) return null;
  const { lines, generation } = linesOf(tab, page, refs, null, options, find);
  return lines.length === 0 ? null : { generation, loaderId: page.main.frame.loaderId, lines };
}

function linesOf(
  tab: Tab,
  page: Page,
  refs: ElementRefs,
  scope: ViewScope | null,
  options: LookOptions,
  find: TextFinder | null,
) {
  const compact = options.compact ?? true;
  const interactiveOnly = options.interactiveOnly ?? false;
  const root = scope === null ? page.main.root : scopedRoot(page, scope);
  const refOf = refMinter(tab, page, refs, compact ? () => false : isNamed);
  const all =
    root === null
      ? []
      : orderFrontFirst(
          writeOutline(page, root, refOf, {
            compact,
            interactiveOnly,
            allOptions: !compact || find !== null,
            textCharsMax: find === null ? VIEW_TEXT_CHARS_MAX : Number.POSITIVE_INFINITY,
          }),
          page,
        );
  const generation = [tab.id, root?.document.loaderId, scope?.backendNodeId, compact, interactiveOnly];
  if (find !== null) generation.push(options.find, options.context ?? 0);
  return {
    lines: withoutTree(find === null ? all : findLines(all, find, createPageRowTest(page), options.context), page),
    generation: generation.join(' '),
    isWhole: page.documents.every(({ reacting }) => reacting !== null),
  };
}

/** Copies lines without their reference to the accessibility tree, which would use far more of the session's memory. */
function withoutTree(lines: readonly OutlineLine[], page: Page): ViewLine[] {
  const layers = new PageLayers(page);
  const rows = new PageRows(page);
  return lines.map(({ within, ...line }) => {
    const row = rows.around(line.kind === 'text' ? within : within.parent);
    return { ...line, over: layers.around(within), ...(row === null ? {} : { row }) };
  });
}

type Paging = Pick<ViewOptions, 'maxBytes' | 'after'>;

/** The lines that fit into one view. @throws {PeriscopeError} `invalid_argument` when `after` does not fit */
export function paginateView(look: PageScan, paging: Paging): View {
  return paginateScanWithLines(look, paging).view;
}

export function paginateScanWithLines(
  { generation, lines, part }: PageScan,
  { maxBytes, after }: Paging,
): { view: View; lines: readonly ViewLine[] } {
  const budget = Math.min(Math.max(maxBytes ?? VIEW_BYTES_DEFAULT, VIEW_BYTES_MIN), VIEW_BYTES_MAX);
  const from = part?.from ?? null;
  if (parseTokenPart(after) !== from && after !== undefined) return failPaging('lines');
  const beginning = paginateLines(lines, generation, budget, after, from);
  if (typeof beginning === 'string') return failPaging(beginning);
  const near = after === undefined ? linesAroundFocus(lines, beginning.to, budget / FOCUSED_PART_SHARE) : [];
  const focused = near.length === 0 ? [] : wrapFocusedLines(near);
  const shown =
    focused.length === 0 ? beginning : paginateLines(lines, generation, budget - bytesOfLines(focused), after, from);
  if (typeof shown === 'string') return failPaging(shown);
  const following = part?.next ?? null;
  const nextPart = following === null ? null : writePartToken(generation, following);
  const inOrder = lines.slice(shown.from, shown.to);
  const view = {
    text: [...focused, ...inOrder].map(writeLine).join('\n'),
    shown: inOrder.length,
    total: lines.length,
    next: shown.next ?? nextPart,
  };
  return { view, lines: [...near, ...inOrder] };
}

/** Divisor of the view size for the lines around the focus: they may take a quarter of a view. */
const FOCUSED_PART_SHARE = 4;

export type DescribedElement = { element: AxElement; line: ViewLine };

export async function describeElementsByNodeId(
  tab: Tab,
  refs: ElementRefs,
  frameId: string,
  backendNodeIds: readonly number[],
  signal: AbortSignal,
): Promise<DescribedElement[]> {
  const page = await readTabPage(tab, { frameId, from: null, within: null, nodes: backendNodeIds }, signal);
  const root = page.documents.find(({ frame }) => frame.id === frameId)?.root;
  if (root === undefined) return [];
  const asked = backendNodeIds.flatMap((id) => elementOfNode(root, id) ?? []);
  const roles = new Set(asked.map(({ role }) => role));
  // Elements of the same role are included, because a ref stores the text that distinguishes its element from them.
  const refOf = refMinter(tab, page, refs, ({ role, backendNodeId }) => roles.has(role) && backendNodeId !== null);
  const style = {
    allOptions: false,
    withUrls: true,
    toldUrls: new Set<string>(),
    addresses: new AddressShortener(page),
    places: new ElementPositions(page),
    names: new NameShortener(page),
  };
  return asked.map((element) => {
    const shown = describeElementLine(element, refOf(element), page, style);
    // Elements of one role without names are distinguished by their text.
    const words = resolveShownName(element, page) === '' ? textWithin(element) : '';
    const parts = words === '' ? [shown] : [shown, ` ${quotePageText(words, VIEW_ELEMENT_DETAIL_CHARS_MAX)}`];
    return { element, line: { depth: 0, kind: 'element', parts } };
  });
}

function scopedRoot(page: Page, { frameId, backendNodeId }: ViewScope): AxElement | null {
  const document = page.documents.find(({ frame }) => frame.id === frameId);
  return document === undefined ? null : elementOfNode(document.root, backendNodeId);
}

/** @param isOther true for elements that get refs although they are not interactive */
function refMinter(
  tab: Tab,
  page: Page,
  refs: ElementRefs,
  isOther: (element: AxElement) => boolean,
): (element: AxElement) => string | null {
  const contexts = new Map<AxElement, RefSurroundings | null>();
  const alone = new Map<AxElement, string>();
  for (const { root, part } of page.documents) {
    const all = [...everyElement(root)];
    const acting = new Set(all.filter((element) => isInteractive(element, page)));
    const others = all.filter((element) => !acting.has(element) && isOther(element));
    for (const elements of [[...acting], others]) {
      const found = findRefContexts(elements);
      for (const element of elements) contexts.set(element, found.get(element) ?? null);
    }
    for (const element of others) contexts.set(element, contexts.get(element) ?? ownWords(element));
    if (part !== null) dropUncertain(contexts, all, part.divided);
    // In a partly read document, elements with the same text may exist outside the part.
    const known = part === null ? [...acting].map((element) => [element, contexts.get(element) ?? null] as const) : [];
    for (const [element, outlined] of findUniqueElements(new Map(known))) alone.set(element, outlined);
  }
  return (element) => {
    const context = contexts.get(element);
    return context === undefined
      ? null
      : mint(tab, refs, element, { context, alone: alone.get(element) ?? null }, page.isUnderHand);
  };
}

/**
 * Keeps context only if it is the text of an element that was read whole. Other context may be outside the part read.
 */
function dropUncertain(
  contexts: Map<AxElement, RefSurroundings | null>,
  elements: readonly AxElement[],
  divided: ReadonlySet<number>,
): void {
  for (const element of elements) {
    const context = contexts.get(element);
    const isCertain = context?.kind === 'part' && !divided.has(context.backendNodeId);
    if (context !== undefined && !isCertain) contexts.set(element, null);
  }
}

/** An unnamed element's text as ref context. If the page reuses the element for other content, the ref then fails. */
function ownWords(element: AxElement): RefSurroundings | null {
  const { backendNodeId, name } = element;
  if (backendNodeId === null || name !== '') return null;
  const texts = readContextTexts(element, element, 'texts');
  return texts.text === '' ? null : { kind: 'part', backendNodeId, ...texts, kindOfWords: 'texts' };
}

function isNamed({ role, name, backendNodeId, ignored }: AxElement): boolean {
  return backendNodeId !== null && !ignored && name !== '' && role !== 'StaticText' && role !== 'RootWebArea';
}

function mint(
  tab: Tab,
  refs: ElementRefs,
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
    ...toElementIdentity(element),
    ...bound,
  };
  return refs.mint(target, (before) => readCurrentContextText(element, before, isUnderHand));
}
