import type { Protocol } from 'devtools-protocol';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { DOCUMENT_WHOLE_ELEMENTS_MAX } from '#browsing/tabs/limits.ts';
import { within } from '#core/flow/abort.ts';
import { fail } from '#core/failures/failure.ts';
import { VIEW_FRAMES_MAX, SECOND_MS } from '#core/limits.ts';
import { buildTree, elementKey, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement, DocumentKey } from '#browsing/tree/ax-tree.ts';
import { everyValue, findFacts, findSecrets, NO_FACTS } from './page-facts.ts';
import type { PageFacts } from './page-facts.ts';
import { readPart } from './page-part.ts';
import type { PagePart, WantedPart } from './page-part.ts';
import { findReacting, framesControl, isPage } from './reacting.ts';
import { addSilent, dropEchoes, dropPlaceholders } from './seen-by-people.ts';
import { LANDMARK_ROLES } from '#browsing/tree/roles.ts';

/** Time limit for reading a document. With 50,000 elements it takes 2 s; a longer one runs an endless script. */
const VIEW_FRAME_MS = 8 * SECOND_MS;
/**
 * Time limit for listeners, after the rest of a document has been read. Chromium lists the listeners of 50,000 elements
 * in less.
 */
const VIEW_LISTENERS_MS = 2 * SECOND_MS;
const VIEW_BOXES_ASKED_MAX = 100;

export type PageDocument = {
  frame: Frame;
  root: AxElement;
  facts: PageFacts;
  /** Elements that react to clicks because of listeners on or around them; `null` when listeners are unknown. */
  reacting: ReadonlySet<AxElement> | null;
  dropZones: ReadonlySet<AxElement>;
  secrets: ReadonlySet<number>;
  /** The part read of a document that is too large to read as a whole; `null` if the whole was read. */
  part: Omit<PagePart, 'nodes' | 'facts'> | null;
  /** The element of the parent document that shows this document; `null` for the main document, or if unknown. */
  owner: number | null;
};

/** A page with its frames, in the state in which it was read. */
export type Page = {
  main: PageDocument;
  /** Documents, parents before children. */
  documents: readonly PageDocument[];
  /** The document that an iframe element shows; `null` when it was not read. */
  within: (element: AxElement) => PageDocument | null;
  urlOf: (document: DocumentKey) => string;
  isClickable: (element: AxElement) => boolean;
  /** True if the element only wraps one control. */
  isFrameOfControl: (element: AxElement) => boolean;
  isCurrent: (element: AxElement) => boolean;
  isDraggable: (element: AxElement) => boolean;
  isDropZone: (element: AxElement) => boolean;
  /** Sort direction of a column; `''` for an unsorted one. */
  sortOf: (element: AxElement) => '' | (typeof SORTS)[number];
  /** The hint for an element without a name; `''` for none. */
  hintOf: (element: AxElement) => string;
  /** The title of an icon without other text; `''` for none. */
  titleOf: (element: AxElement) => string;
  /** The placeholder of an empty field; `''` for none. */
  placeholderOf: (element: AxElement) => string;
  /** `lazy` for a frame that loads when it is scrolled into view, `seen` for a visible frame, `''` for others. */
  frameState: (element: AxElement) => string;
  /** The id of the stored file that an element shows in the page; `null` for none. */
  fileOf: (element: AxElement) => string | null;
  /** `true` or `mixed` for a ticked cell; `''` for others. */
  tickOf: (element: AxElement) => string;
  isUnderHand: (element: AxElement) => boolean;
  isOver: (element: AxElement) => boolean;
  isUnseen: (text: AxElement) => boolean;
  isApart: (text: AxElement) => boolean;
  isBelow: (text: AxElement) => boolean;
  isSecret: (element: AxElement) => boolean;
};

const SORTS = ['ascending', 'descending'] as const;

const ATTEMPTS = 3;

/** The wanted part of a large document. Of other large documents, the first part is read. */
type PartOfFrame = WantedPart & { frameId: string };

/**
 * Reads a tab's page, all frames at once. A frame that loads another document meanwhile is read again; a frame that
 * does not answer is omitted.
 * @param wanted a part of a large document; `null` for the whole page
 * @throws {PeriscopeError} `timeout` when the tab's own document does not answer, `render_failed` when it is gone
 */
export async function readTabPage(tab: Tab, wanted: PartOfFrame | null, signal: AbortSignal): Promise<Page> {
  const [main, ...others] = tab.frames().slice(0, VIEW_FRAMES_MAX);
  if (main === undefined) return fail({ code: 'render_failed', reason: 'the tab shows no page' });
  const [first, ...rest] = await Promise.all([
    readDocument(tab, main.id, partIn(main, wanted), signal),
    ...others.map((frame) => readDocument(tab, frame.id, partIn(frame, wanted), signal).catch(ignoreUnlessGone)),
  ]);
  if (first === undefined || first === null) {
    return fail({ code: 'render_failed', reason: 'the page closed, or loaded others, while it was read' });
  }
  if (first === 'late') return fail({ code: 'timeout', what: 'Reading the page', afterMs: VIEW_FRAME_MS });
  const documents = [first, ...rest.filter((document) => document !== null && document !== 'late')];
  return assemble(first, documents, tab);
}

function partIn({ id }: Frame, wanted: PartOfFrame | null): WantedPart | null {
  return wanted === null || wanted.frameId === id || wanted.named !== undefined ? wanted : BEGINNING;
}

const BEGINNING: WantedPart = { from: null, within: null };

/**
 * Reads one document of a tab. Reads again until the frame shows the same document before and after.
 * @returns `null` when the frame is gone, `late` when it does not answer in time
 */
async function readDocument(
  tab: Tab,
  frameId: string,
  wanted: WantedPart | null,
  signal: AbortSignal,
): Promise<PageDocument | 'late' | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const frame = tab.frame(frameId);
    if (frame === null) return null;
    const read = readOnce(tab, frame, wanted).catch(ignoreUnlessGone);
    const found = await within(
      read.then((document) => ({ document })),
      VIEW_FRAME_MS,
      signal,
    );
    if (found === null) return 'late';
    const { document } = found;
    if (document !== null && tab.frame(frameId)?.loaderId === frame.loaderId) return document;
  }
  return null;
}

async function readOnce(tab: Tab, frame: Frame, wanted: WantedPart | null): Promise<PageDocument | null> {
  const size = wanted === null ? 0 : await tab.sizes.of(frame).catch(noSizeUnlessGone);
  const asked = findListening(tab, frame).catch(ignoreUnlessGone);
  asked.catch(() => undefined);
  const [{ nodes, facts, part }, owner] = await Promise.all([
    wanted === null || size <= DOCUMENT_WHOLE_ELEMENTS_MAX ? readWhole(tab, frame) : readLarge(tab, frame, wanted),
    ownerOf(tab, frame),
  ]);
  const root = buildTree(nodes, { frameId: frame.id, loaderId: frame.loaderId });
  if (root === null) return null;
  addSilent(root, facts.silent);
  dropEchoes(root, facts.unseen);
  dropPlaceholders(root, facts.placeholders);
  const [secrets, listening] = await Promise.all([
    tab.typedIn.has(frame.loaderId) ? everyValue(root) : findSecrets(root, frame.session, facts),
    within(asked, VIEW_LISTENERS_MS),
  ]);
  const reacting =
    listening === null ? null : await withBoxes(findReacting(root, facts, listening.clicks), facts.clickable, frame);
  const dropZones = findDropZones(root, listening?.drops ?? new Set(), facts.draggable);
  return { frame, root, facts, part, owner, secrets, reacting, dropZones };
}

type Read = Pick<PageDocument, 'facts' | 'part'> & { nodes: Protocol.Accessibility.AXNode[] };

async function readWhole(tab: Tab, frame: Frame): Promise<Read> {
  const told = findFacts(tab, frame).then((facts) => {
    if (facts.elements !== null) tab.sizes.note(frame, facts.elements);
    return facts;
  });
  // Both requests are sent at once: the browser runs the script while it transfers the long tree.
  const [early, facts] = await Promise.all([treeOf(frame), told.catch(noFactsUnlessGone)]);
  const { nodes } = facts.isTreeOld ? await treeOf(frame) : early;
  return { nodes, facts, part: null };
}

async function readLarge(tab: Tab, frame: Frame, wanted: WantedPart): Promise<Read> {
  const { nodes, facts, ...part } = await readPart(tab, frame, wanted);
  return { nodes, facts, part };
}

function treeOf({ id, session }: Frame): Promise<Protocol.Accessibility.GetFullAXTreeResponse> {
  return session.send('Accessibility.getFullAXTree', { frameId: id });
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
  const frames = new Map<AxElement, boolean>();
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
    isFrameOfControl: (element) => {
      const known = frames.get(element);
      if (known !== undefined) return known;
      const is = framesControl(element);
      frames.set(element, is);
      return is;
    },
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
    isUnderHand: holds(({ facts }) => facts.underHand),
    isOver: holds(({ facts }) => facts.over),
    isUnseen: holds(({ facts }) => facts.unseen),
    isApart: holds(({ facts }) => facts.apart),
    isBelow: holds(({ facts }) => facts.below),
    isSecret: holds(({ secrets }) => secrets),
  };
}

/**
 * Removes elements that are in the accessibility tree but not displayed. The tree ignores them, and the facts script
 * did not find them. Of adjacent elements, only one is asked for its box.
 */
async function withBoxes(
  elements: ReadonlySet<AxElement>,
  seen: ReadonlySet<number>,
  { session }: Frame,
): Promise<ReadonlySet<AxElement>> {
  const byParent = new Map<AxElement | null, AxElement[]>();
  for (const one of elements) {
    if (!one.ignored || seen.has(one.backendNodeId ?? 0)) continue;
    const beside = byParent.get(one.parent);
    if (beside === undefined) byParent.set(one.parent, [one]);
    else beside.push(one);
  }
  const asked = [...byParent.values()].slice(0, VIEW_BOXES_ASKED_MAX).map(async (group) => {
    const backendNodeId = group[0]?.backendNodeId ?? 0;
    const box = await session.send('DOM.getBoxModel', { backendNodeId }).catch(ignoreUnlessGone);
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

/** A document that cannot run the scripts is still shown, from its accessibility tree alone. */
function noFactsUnlessGone(error: unknown): PageFacts {
  ignoreUnlessGone(error);
  return NO_FACTS;
}

/** A document that cannot run the scripts cannot be divided either. */
function noSizeUnlessGone(error: unknown): number {
  ignoreUnlessGone(error);
  return 0;
}

function ignoreUnlessGone(error: unknown): null {
  if (error instanceof BrowserGone) throw error;
  return null;
}

/**
 * The parts of a document that accept drops. The document itself and containers of most of it do not count: they listen
 * only so that a misplaced file is not opened. Draggable elements that also accept drops, as in a sortable list, do not
 * count either, because the view shows them as draggable.
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
    if (!isPage(element) && !holdsPage(element)) zones.add(element);
  }
  return zones;
}

function holdsPage(element: AxElement): boolean {
  for (const { role } of everyElement(element)) if (PAGE_ROLES.has(role)) return true;
  return false;
}

/** Roles of the large parts of a page, of which it has only a few. */
const PAGE_ROLES: ReadonlySet<string> = new Set(
  [...LANDMARK_ROLES].filter((role) => !/^(?:menu|tablist|tree|search|alert)/u.test(role)),
);

/** Listening elements, by backend node id. */
type Listening = {
  clicks: ReadonlySet<number>;
  /** Elements with a listener for drags over them, or for drops. */
  drops: ReadonlySet<number>;
};

/**
 * Elements whose listeners show their purpose. The listeners of frameworks, which handle every event at their root, do
 * not count. The script uses a handle of the page's own context: asking Chromium for the listeners of all contexts
 * crashes the renderer on some pages a moment later.
 * @throws {CdpError} when the document is gone
 */
async function findListening(tab: Tab, frame: Frame): Promise<Listening> {
  const objectId = await tab.document(frame);
  if (objectId === null) return { clicks: new Set(), drops: new Set() };
  const { listeners } = await frame.session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
  const kinds = new Map<number, Set<string>>();
  for (const { backendNodeId: id = 0, type } of listeners) {
    const known = kinds.get(id);
    if (known === undefined) kinds.set(id, new Set([type]));
    else known.add(type);
  }
  const telling = [...kinds].filter(([, types]) => types.size < LISTENS_TO_EVERYTHING);
  const of = (wanted: ReadonlySet<string>) =>
    new Set(telling.flatMap(([id, types]) => ([...types].some((type) => wanted.has(type)) ? [id] : [])));
  return { clicks: of(CLICKS), drops: of(DROPS) };
}

const CLICKS = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu'.split(' '),
);
/** Until something is dragged over it, a sortable list listens only for `dragover`. */
const DROPS = new Set(['dragover', 'drop']);
/** Number of event kinds from which an element listens to everything. No single control needs so many. */
const LISTENS_TO_EVERYTHING = 25;
