import { nullUnlessBrowserGone } from '#browsing/cdp/connection.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { WHOLE_DOCUMENT_ELEMENTS_MAX } from '#browsing/tabs/limits.ts';
import { resolveWhileBusy, resolveWithin } from '#core/flow/abort.ts';
import { fail } from '#core/failures/failure.ts';
import { VIEW_FRAMES_MAX, SECOND_MS } from '#core/limits.ts';
import { buildAxTree, elementKey, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement, DocumentKey } from '#browsing/tree/ax-tree.ts';
import { findTypedFields, readDomFacts, findSecretFields, NO_DOM_FACTS } from './page-facts.ts';
import type { DocumentDomFacts } from './page-facts.ts';
import { readDocumentPartNodes } from './page-part.ts';
import type { DocumentPartNodes, Excerpt, ReadProgress, RequestedDocumentPart } from './page-part.ts';
import { findElementsWithListeners, isWrapperOfControl, isPageRoot } from './reacting.ts';
import { addAriaHiddenLines, dropRepeatedOptions, dropPlaceholders } from './seen-by-people.ts';
import { LANDMARK_ROLES } from '#browsing/tree/roles.ts';

/** Time without progress after which reading a document ends. 50,000 elements take 2 s; only a page in an endless loop takes longer. */
const VIEW_FRAME_MS = 8 * SECOND_MS;
/**
 * Time limit for event listeners, counted after the rest of the document is read. Listing 50,000 listeners takes less.
 */
const VIEW_LISTENERS_MS = 2 * SECOND_MS;
const VIEW_BOXES_ASKED_MAX = 100;

export type PageDocument = {
  frame: Frame;
  root: AxElement;
  facts: DocumentDomFacts;
  /**
   * Elements made clickable by click listeners on themselves or on their ancestors; `null` if listeners are unknown.
   */
  reacting: ReadonlySet<AxElement> | null;
  dropZones: ReadonlySet<AxElement>;
  secrets: ReadonlySet<number>;
  /** For a very large document: the part that was read; `null` if the whole document was read. */
  part: Omit<DocumentPartNodes, 'nodes' | 'facts'> | null;
  /** Backend node id of the iframe element that shows this document; `null` for the main document, or if unknown. */
  owner: number | null;
};

/** A page with its frames, as it was at the moment of reading. */
export type Page = {
  main: PageDocument;
  /** Documents of the frames that were read, parents before children. */
  documents: readonly PageDocument[];
  /** The document shown by an iframe element; `null` if it was not read, and for other elements. */
  within: (element: AxElement) => PageDocument | null;
  urlOf: (document: DocumentKey) => string;
  isClickable: (element: AxElement) => boolean;
  /** True if the element only wraps one control, such as the styled box around a button, so that it needs no line. */
  isFrameOfControl: (element: AxElement) => boolean;
  isCurrent: (element: AxElement) => boolean;
  isDraggable: (element: AxElement) => boolean;
  isDropZone: (element: AxElement) => boolean;
  /** Sort direction of a column; `''` for an unsorted one. */
  sortOf: (element: AxElement) => '' | (typeof SORTS)[number];
  /** The hint for an element without a name, such as its tooltip; `''` for none. */
  hintOf: (element: AxElement) => string;
  /** The title of an icon without other text; `''` for none. */
  titleOf: (element: AxElement) => string;
  placeholderOf: (element: AxElement) => string;
  /** `lazy` for a frame that loads when it is scrolled into view, `seen` for a visible frame, `''` for others. */
  frameState: (element: AxElement) => string;
  /** The id of the stored file that an embedded viewer shows, such as a PDF; `null` for none. */
  fileOf: (element: AxElement) => string | null;
  /** `true` or `mixed` for a cell that is checked fully or partly; `''` for others. */
  tickOf: (element: AxElement) => string;
  /** The reason why nobody can choose an option of a `<select>`: `disabled` or `hidden`; `''` for none. */
  closedAs: (option: AxElement) => string;
  /** The class that marks a clickable element as chosen, such as `selected`; `''` for none. */
  chosenBy: (element: AxElement) => string;
  /** For the label of a check box or radio button that is not displayed: `radio true`; `''` for others. */
  boxOf: (element: AxElement) => string;
  isUnderHand: (element: AxElement) => boolean;
  isOver: (element: AxElement) => boolean;
  /** True for the modal dialog or full-screen overlay in front of all others. */
  isFront: (element: AxElement) => boolean;
  isUnseen: (text: AxElement) => boolean;
  isApart: (text: AxElement) => boolean;
  isBelow: (text: AxElement) => boolean;
  /** Number of characters of a long text or value that were not read. */
  unreadChars: (element: AxElement) => number;
  /** The excerpt that was read of a long text or value; `null` for one that was read whole. */
  excerptOf: (element: AxElement) => Excerpt | null;
  isSecret: (element: AxElement) => boolean;
};

const SORTS = ['ascending', 'descending'] as const;

const ATTEMPTS = 3;

/** The requested part of one large document. Other large documents of the page are read from their beginning. */
type PartOfFrame = RequestedDocumentPart & { frameId: string };

/**
 * Reads a tab's page with all its frames. A frame that navigates meanwhile is read again; a frame that does not answer
 * is omitted.
 * @param wanted the requested part of a large document; `null` to read every document whole
 * @throws {PeriscopeError} `timeout` when the main document does not answer, `render_failed` when it is gone
 */
export async function readTabPage(tab: Tab, wanted: PartOfFrame | null, signal: AbortSignal): Promise<Page> {
  const [main, ...others] = tab.frames().slice(0, VIEW_FRAMES_MAX);
  if (main === undefined) return fail({ code: 'render_failed', reason: 'the tab shows no page' });
  const [first, ...rest] = await Promise.all([
    readDocument(tab, main.id, partIn(main, wanted), signal),
    ...others.map((frame) => readDocument(tab, frame.id, partIn(frame, wanted), signal).catch(nullUnlessBrowserGone)),
  ]);
  if (first === undefined || first === null) {
    return fail({ code: 'render_failed', reason: 'the page closed, or loaded others, while it was read' });
  }
  if (first === 'late') return fail({ code: 'timeout', what: 'Reading the page', afterMs: VIEW_FRAME_MS });
  const documents = [first, ...rest.filter((document) => document !== null && document !== 'late')];
  return assemble(first, documents, tab);
}

function partIn({ id }: Frame, wanted: PartOfFrame | null): RequestedDocumentPart | null {
  return wanted === null || wanted.frameId === id || wanted.named !== undefined ? wanted : BEGINNING;
}

const BEGINNING: RequestedDocumentPart = { from: null, within: null };

/**
 * Reads one document of a tab. Repeats up to `ATTEMPTS` times until the frame shows the same document before and after
 * the reading.
 * @returns `null` when the frame is gone or keeps loading other documents, `late` when it does not answer in time
 */
async function readDocument(
  tab: Tab,
  frameId: string,
  wanted: RequestedDocumentPart | null,
  signal: AbortSignal,
): Promise<PageDocument | 'late' | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const frame = tab.frame(frameId);
    if (frame === null) return null;
    const found = await resolveWhileBusy(
      async (noteProgress) => ({
        document: await readOnce(tab, frame, wanted, { noteProgress, signal }).catch(nullUnlessBrowserGone),
      }),
      VIEW_FRAME_MS,
      signal,
    );
    if (found === null) {
      // It may have grown since it was measured. The next reading then begins with a part.
      tab.sizes.count(frame).catch(() => undefined);
      return 'late';
    }
    const { document } = found;
    if (document !== null && tab.frame(frameId)?.loaderId === frame.loaderId) return document;
  }
  return null;
}

async function readOnce(
  tab: Tab,
  frame: Frame,
  wanted: RequestedDocumentPart | null,
  progress: ReadProgress,
): Promise<PageDocument | null> {
  const size = wanted === null ? 0 : await tab.sizes.of(frame).catch(noSizeUnlessGone);
  const asked = findListening(tab, frame).catch(nullUnlessBrowserGone);
  asked.catch(() => undefined);
  const [{ root, facts, part }, owner] = await Promise.all([
    wanted === null || size <= WHOLE_DOCUMENT_ELEMENTS_MAX
      ? readWhole(tab, frame)
      : readLarge(tab, frame, wanted, progress),
    ownerOf(tab, frame),
  ]);
  if (root === null) return null;
  addAriaHiddenLines(root, facts.silent);
  dropRepeatedOptions(root, facts.unseen);
  dropPlaceholders(root, facts.placeholders);
  const [secrets, listening] = await Promise.all([
    tab.typedIn.has(frame.loaderId) ? findTypedFields(root) : findSecretFields(root, frame.session, facts),
    resolveWithin(asked, VIEW_LISTENERS_MS),
  ]);
  const reacting =
    listening === null
      ? null
      : await withBoxes(findElementsWithListeners(root, facts, listening.clicks), facts.clickable, frame);
  const dropZones = findDropZones(root, listening?.drops ?? new Set(), facts.draggable);
  return { frame, root, facts, part, owner, secrets, reacting, dropZones };
}

type Read = Pick<PageDocument, 'facts' | 'part'> & { root: AxElement | null };

async function readWhole(tab: Tab, frame: Frame): Promise<Read> {
  const told = readDomFacts(tab, frame).then((facts) => {
    if (facts.size !== null) tab.sizes.note(frame, facts.size);
    return facts;
  });
  // The requests are sent together, so that the browser runs the script while the accessibility tree is transferred.
  const [early, facts] = await Promise.all([treeOf(frame), told.catch(noFactsUnlessGone)]);
  return { root: facts.isTreeOld ? await treeOf(frame) : early, facts, part: null };
}

async function readLarge(tab: Tab, frame: Frame, wanted: RequestedDocumentPart, progress: ReadProgress): Promise<Read> {
  const { nodes, facts, ...part } = await readDocumentPartNodes(tab, frame, wanted, progress);
  return { root: buildAxTree(nodes, keyOf(frame)), facts, part };
}

async function treeOf(frame: Frame): Promise<AxElement | null> {
  const { nodes } = await frame.session.send('Accessibility.getFullAXTree', { frameId: frame.id });
  return buildAxTree(nodes, keyOf(frame));
}

function keyOf({ id, loaderId }: Frame): DocumentKey {
  return { frameId: id, loaderId };
}

function assemble(main: PageDocument, documents: PageDocument[], { files }: Tab): Page {
  const byFrame = new Map(documents.map((document) => [document.frame.id, document]));
  const inside = new Map<string, PageDocument>();
  for (const document of documents) {
    const { frame, owner } = document;
    const parent = byFrame.get(frame.parentId ?? '');
    if (parent !== undefined && owner !== null) inside.set(`${parent.frame.id} ${owner}`, document);
  }
  const holds = (set: (document: PageDocument) => ReadonlySet<number>) => (element: AxElement) => {
    const document = byFrame.get(element.document.frameId);
    return document !== undefined && element.backendNodeId !== null && set(document).has(element.backendNodeId);
  };
  const isPointedAt = holds(({ facts }) => facts.clickable);
  const told = (
    { document, backendNodeId }: AxElement,
    of: (document: PageDocument) => ReadonlyMap<number, string>,
  ) => {
    const its = byFrame.get(document.frameId);
    return its === undefined ? '' : (of(its).get(backendNodeId ?? 0) ?? '');
  };
  return {
    main,
    documents,
    within: (element) => inside.get(elementKey(element)) ?? null,
    urlOf: ({ frameId }) => byFrame.get(frameId)?.frame.url ?? '',
    isClickable: (element) =>
      isPointedAt(element) || byFrame.get(element.document.frameId)?.reacting?.has(element) === true,
    isFrameOfControl: remembered(isWrapperOfControl),
    isDraggable: holds(({ facts }) => facts.draggable),
    isDropZone: (element) => byFrame.get(element.document.frameId)?.dropZones.has(element) === true,
    sortOf: (element) => SORTS.find((sort) => sort === told(element, ({ facts }) => facts.sorted)) ?? '',
    hintOf: (element) => told(element, ({ facts }) => facts.hints),
    titleOf: (element) => told(element, ({ facts }) => facts.titles),
    placeholderOf: (element) => told(element, ({ facts }) => facts.placeholders),
    frameState: (element) => told(element, ({ facts }) => facts.frames),
    fileOf: (element) => files.get(told(element, ({ facts }) => facts.files)) ?? null,
    tickOf: (element) => told(element, ({ facts }) => facts.ticked),
    isCurrent: holds(({ facts }) => facts.current),
    closedAs: (option) => told(option, ({ facts }) => facts.closed),
    chosenBy: (element) => told(element, ({ facts }) => facts.chosen),
    boxOf: (element) => told(element, ({ facts }) => facts.boxes),
    isUnderHand: holds(({ facts }) => facts.underHand),
    isOver: holds(({ facts }) => facts.over),
    isFront: holds(({ facts }) => facts.front),
    isUnseen: holds(({ facts }) => facts.unseen),
    isApart: holds(({ facts }) => facts.apart),
    isBelow: holds(({ facts }) => facts.below),
    excerptOf: ({ document, backendNodeId }) =>
      byFrame.get(document.frameId)?.part?.excerpts.get(backendNodeId ?? 0) ?? null,
    unreadChars: ({ document, backendNodeId, properties }) =>
      byFrame.get(document.frameId)?.part?.excerpts.get(backendNodeId ?? 0)?.unread ??
      Number(properties.get('unread') ?? 0),
    isSecret: holds(({ secrets }) => secrets),
  };
}

/** The same test, which examines each element only once. */
function remembered(test: (element: AxElement) => boolean): (element: AxElement) => boolean {
  const known = new Map<AxElement, boolean>();
  return (element) => {
    const is = known.get(element) ?? test(element);
    known.set(element, is);
    return is;
  };
}

/**
 * Removes elements that are not displayed. Elements that the accessibility tree ignores and the page script did not
 * report may be invisible, so Chromium is asked for a box. Siblings share one request.
 */
async function withBoxes(
  elements: ReadonlySet<AxElement>,
  seen: ReadonlySet<number>,
  { session }: Frame,
): Promise<ReadonlySet<AxElement>> {
  const unseen = [...elements].filter((one) => one.ignored && !seen.has(one.backendNodeId ?? 0));
  const byParent = Map.groupBy(unseen, ({ parent }) => parent);
  const asked = [...byParent.values()].slice(0, VIEW_BOXES_ASKED_MAX).map(async (group) => {
    const backendNodeId = group[0]?.backendNodeId ?? 0;
    const box = await session.send('DOM.getBoxModel', { backendNodeId }).catch(nullUnlessBrowserGone);
    return box === null ? group : [];
  });
  const withoutBox = new Set((await Promise.all(asked)).flat());
  return withoutBox.size === 0 ? elements : new Set([...elements].filter((one) => !withoutBox.has(one)));
}

async function ownerOf(tab: Tab, { id, parentId }: Frame): Promise<number | null> {
  const parent = parentId === null ? null : tab.frame(parentId);
  if (parent === null) return null;
  return parent.session.send('DOM.getFrameOwner', { frameId: id }).then(
    ({ backendNodeId }) => backendNodeId,
    () => null,
  );
}

/** For a document in which scripts cannot run: no facts, so that its accessibility tree alone is shown. */
function noFactsUnlessGone(error: unknown): DocumentDomFacts {
  nullUnlessBrowserGone(error);
  return NO_DOM_FACTS;
}

/** For a document in which scripts cannot run: it counts as small, because dividing a large document needs a script. */
function noSizeUnlessGone(error: unknown): number {
  nullUnlessBrowserGone(error);
  return 0;
}

/**
 * The elements that accept drops. The document, and containers of most of its content, do not count, because they
 * usually listen only to stop the browser from opening a misplaced file. Neither do draggable elements that accept
 * drops, as in a sortable list, because the view marks them as draggable.
 */
function findDropZones(
  root: AxElement,
  drops: ReadonlySet<number>,
  draggable: ReadonlySet<number>,
): ReadonlySet<AxElement> {
  if (drops.size === 0) return new Set();
  const isSaid = [...draggable].every((id) => drops.has(id));
  const zones = new Set<AxElement>();
  for (const element of everyElement(root)) {
    const id = element.backendNodeId ?? 0;
    if (!drops.has(id) || (isSaid && draggable.has(id))) continue;
    if (!isPageRoot(element) && !holdsPage(element)) zones.add(element);
  }
  return zones;
}

function holdsPage(element: AxElement): boolean {
  for (const { role } of everyElement(element)) if (PAGE_ROLES.has(role)) return true;
  return false;
}

/** Roles of the main regions of a page, such as its header. A container of such a region holds most of the page. */
const PAGE_ROLES: ReadonlySet<string> = new Set(
  [...LANDMARK_ROLES].filter((role) => !/^(?:menu|tablist|tree|search|alert)/u.test(role)),
);

/** Backend node ids of elements with event listeners. */
type Listening = {
  clicks: ReadonlySet<number>;
  /** Elements that listen for `dragover` or `drop`. */
  drops: ReadonlySet<number>;
};

/**
 * Elements with listeners for clicks or drops. Roots on which a framework listens for every event do not count.
 * Listeners are requested for a handle in the page's own context, because on some pages requesting the listeners of all
 * contexts crashes the renderer.
 * @throws {CdpError} when the document is gone
 */
async function findListening(tab: Tab, frame: Frame): Promise<Listening> {
  const objectId = await tab.document(frame);
  if (objectId === null) return { clicks: new Set(), drops: new Set() };
  const { listeners } = await frame.session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
  const kinds = [...Map.groupBy(listeners, ({ backendNodeId = 0 }) => backendNodeId)];
  const telling = kinds.filter(([, own]) => new Set(own.map(({ type }) => type)).size < LISTENS_TO_EVERYTHING);
  const of = (wanted: ReadonlySet<string>) =>
    new Set(telling.flatMap(([id, own]) => (own.some(({ type }) => wanted.has(type)) ? [id] : [])));
  return { clicks: of(CLICKS), drops: of(DROPS) };
}

const CLICKS = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu'.split(' '),
);
/** Both, because a sortable list listens only for `dragover` until something is dragged over it. */
const DROPS = new Set(['dragover', 'drop']);
/** Minimum event types that mark the root of a framework. No single control listens for so many. */
const LISTENS_TO_EVERYTHING = 25;
