import { addFactTables } from './facts.ts';
import { addSectionHeadings, addTextsUnderHeadings, addTitleHeading, headingOf } from './headings.ts';
import { addSiblingTexts } from './siblings.ts';
import type { SegmentAncestor, TextSegment } from './segments.ts';
import { listSegmentAncestors } from './selection.ts';
import type { ContentSelection } from './selection.ts';
import { classOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

const LIST_TAGS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl']);
/** Elements that never occur in a plain list. A list with one of them consists of separate parts, such as posts. */
const PARTS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 article section nav header footer aside form button main'.split(' '),
);
/** Elements around which a `div` is only a wrapper, if it has no other child. */
const WRAPPED: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'pre', 'table', 'div']);

/** Returns the outermost lists whose items contain only text, code, tables and lists. */
function plainLists(frames: readonly SegmentAncestor[]): SegmentAncestor[] {
  const withParts = new Set<SegmentAncestor>();
  const inner = new Map<SegmentAncestor, SegmentAncestor | null>();
  for (const frame of frames) {
    const { parent } = frame;
    if (parent !== null) inner.set(parent, inner.has(parent) ? null : frame);
  }
  for (const frame of frames.toReversed()) {
    if (!withParts.has(frame) && !PARTS.has(frame.element.localName) && !isDivided(frame, inner)) continue;
    withParts.add(frame);
    if (frame.parent !== null) withParts.add(frame.parent);
  }
  const within = new Set<SegmentAncestor>();
  const found: SegmentAncestor[] = [];
  for (const frame of frames) {
    const isWithin = frame.parent !== null && within.has(frame.parent);
    const isPlain = LIST_TAGS.has(frame.element.localName) && !withParts.has(frame);
    if (isWithin || isPlain) within.add(frame);
    if (isPlain && !isWithin) found.push(frame);
  }
  return found;
}

/**
 * True for a `div` that lays out a part of the page: it has several texts, and not just one child that is in `WRAPPED`.
 */
function isDivided(frame: SegmentAncestor, inner: ReadonlyMap<SegmentAncestor, SegmentAncestor | null>): boolean {
  if (frame.element.localName !== 'div' || frame.blocks === 1) return false;
  const only = inner.get(frame);
  return only === undefined || only === null || !WRAPPED.has(only.element.localName);
}

const ANNOUNCES = /[:：][)"”’»]?$/;
const ANNOUNCED: ReadonlySet<string> = new Set(['p', 'pre', 'table', 'blockquote', ...LIST_TAGS]);
/** Elements of running text, which are rare in menus and the like. */
const TEXT_BLOCKS: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote', 'table', 'figcaption', 'dd', 'dt', 'li']);
/** In reference documentation, table cells also count as running text, because declarations are laid out as tables. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

/** Matches DocBook's class for the name and purpose at the start of a reference entry. */
const NAMES_OF_ENTRY = /(?:^|\s)refnamediv(?:\s|$)/;
const CAPTIONS: ReadonlySet<string> = new Set(['figcaption', 'summary']);
/** Elements in which a `footer` names the author of a quotation. */
const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'figure']);

function isCaption({ localName, parentNode }: DomElement, className: string): boolean {
  if (CAPTIONS.has(localName) || (localName === 'footer' && QUOTES.has(parentNode?.localName ?? ''))) return true;
  return NAMES_OF_ENTRY.test(className);
}

/**
 * Maximum steps up to an element that has main content on both sides of a text (`between`, counted from the parent of
 * the text), or before it (`follows`, counted from the text). A text without such an element is not added.
 */
const STEPS_MAX = { between: 4, follows: 1 };
/** Maximum steps up (see `STEPS_MAX`) in reference documentation, whose entries have several wrappers. */
const STEPS_IN_REFERENCE_MAX = { between: 6, follows: 3 };
/** In reference documentation, other text, such as an entry's name, is added only between main content. */
const NEIGHBOUR_STEPS = 0;
/** A page with a larger `ContentSelection.reach` is treated as reference documentation. */
const REFERENCE_REACH_MIN = 2;
/**
 * Pages with a larger `ContentSelection.reach` are almost certainly documentation, and are searched for gaps a second
 * time.
 */
const AGAIN_REACH_MIN = 3;
/**
 * On pages with a larger `ContentSelection.reach`, which may be documentation, gaps between similar siblings are
 * closed.
 */
const SIBLINGS_REACH_MIN = 1.3;
/**
 * Added to the minimum content score (`lean`) of a text that only follows main content, compared with a text between
 * main content. Its share of links must also be below `FOLLOWS_LINKS_MAX`.
 */
const FOLLOWS_LEAN = 0.5;
const FOLLOWS_LINKS_MAX = 0.3;
/** Minimum content score (`lean`) of a table between main content: almost every such table belongs to it. */
const TABLE_LEAN_MIN = -3;
/** Content score (`lean`) below which a list of links is a menu, even after a line that introduces it ("See:"). */
const MENU_LEAN_MAX = -2;
const MENU_LINKS_MIN = 0.8;
/**
 * Maximum steps up from a line such as "Options:" to the element that also contains the next block, which is then
 * added.
 */
const ANNOUNCER_STEPS_MAX = 3;
/** Number of passes, because text added in one pass can cause other text to be added in the next. */
const PASSES = 2;

/**
 * Turns a choice of single texts into a coherent text. A plain list is chosen or left out as a whole; all other steps
 * only add.
 * @param foot true for texts in the footer of the page
 */
export function smoothSelection(selection: ContentSelection, foot: readonly boolean[], isShop: boolean): void {
  const frames = listSegmentAncestors(selection.segments);
  for (const { first, last } of plainLists(frames)) selection.unite(first, last);
  const isReference = selection.reach > REFERENCE_REACH_MIN;
  if (isReference) addSectionHeadings(selection, isReference);
  keepBetween(selection, isReference, foot);
  if (!isShop) addFactTables(selection, frames, foot);
  if (selection.reach > SIBLINGS_REACH_MIN) addSiblingTexts(selection, frames, foot);
  for (let pass = 0; pass < PASSES; pass += 1) {
    if (isReference) keepAlike(selection, frames, foot);
    if (selection.reach > AGAIN_REACH_MIN && pass > 0) keepBetween(selection, isReference, foot);
    keepEnclosed(selection);
    for (const segment of selection.segments) keepAnnounced(selection, segment);
    keepTerms(selection, frames);
    keepCaptions(selection, frames);
    addSectionHeadings(selection, isReference);
    if (isReference) addTextsUnderHeadings(selection, foot);
  }
  // Last: with a title far above the text, everything in between would count as enclosed by main content.
  if (isReference) addTitleHeading(selection);
  addWholeAddresses(selection, frames, foot);
}

/**
 * Adds running text and headings between main content, unless their content score is below `-reach`. Running text that
 * only follows main content is added if it has few links and a higher score. In reference documentation, other text is
 * added only directly between main content.
 */
function keepBetween(selection: ContentSelection, isReference: boolean, foot: readonly boolean[]): void {
  const { segments, keep, reach } = selection;
  const steps = isReference ? STEPS_IN_REFERENCE_MAX : STEPS_MAX;
  const nextKept = nextOf(keep);
  let nearestKept = -1;
  for (const segment of segments) {
    const { index } = segment;
    if (keep[index] === true) nearestKept = index;
    const last = selection.endOf(index);
    if (keep[index] === true || last === null || foot[index] === true) continue;
    const isText = isTextBlock(segment, last, isReference);
    if (!isText && !isReference) continue;
    const lean = selection.leanOf(index, last);
    if (lean < -reach) continue;
    const holders = holdersOf(segment, last, isText ? steps.between : NEIGHBOUR_STEPS);
    const next = nextKept[last] ?? Infinity;
    const isBetween = holders.some((holder) => nearestKept >= holder.first && next <= holder.last);
    const follows =
      isText &&
      lean >= FOLLOWS_LEAN - reach &&
      holders.slice(0, steps.follows).some(({ first }) => nearestKept >= first) &&
      selection.linksIn(index, last) < FOLLOWS_LINKS_MAX;
    if (!isBetween && !follows) continue;
    selection.add(index, last);
    nearestKept = index;
  }
}

/** For each text, returns the index of the next text of the main content, or `Infinity`. */
function nextOf(keep: readonly boolean[]): Float64Array {
  const next = new Float64Array(keep.length).fill(Infinity);
  for (let index = keep.length - 2; index >= 0; index -= 1) {
    next[index] = keep[index + 1] === true ? index + 1 : (next[index + 1] ?? Infinity);
  }
  return next;
}

function isTextBlock(segment: TextSegment, last: number, isReference: boolean): boolean {
  const name = segment.frame.element.localName;
  const isUnited = last > segment.index;
  return isUnited || TEXT_BLOCKS.has(name) || (isReference && CELLS.has(name)) || headingOf(segment) !== null;
}

/** Lists the ancestors of a block, nearest first, without wrappers around this block alone. */
function holdersOf({ frame, index }: TextSegment, last: number, steps: number): SegmentAncestor[] {
  const holders: SegmentAncestor[] = [];
  for (let holder = frame.parent; holder !== null && holders.length <= steps; holder = holder.parent) {
    const isWrapper = last > index && holder.first >= index && holder.last <= last;
    if (!isWrapper) holders.push(holder);
  }
  return holders;
}

/** Adds code between main content, and tables unless their content score is below `TABLE_LEAN_MIN`. */
function keepEnclosed(selection: ContentSelection): void {
  const { segments, keep } = selection;
  let isAfterKept = false;
  let open: number[] = [];
  for (const { index, kind } of segments) {
    if (keep[index] === true) {
      if (isAfterKept)
        for (const enclosed of open) if (staysEnclosed(selection, enclosed)) selection.add(enclosed, enclosed);
      isAfterKept = true;
      open = [];
    } else if (kind === 'text') isAfterKept = false;
    else open.push(index);
  }
}

function staysEnclosed({ segments, lean }: ContentSelection, index: number): boolean {
  return segments[index]?.kind === 'code' || (lean[index] ?? 0) > TABLE_LEAN_MIN;
}

function keepAnnounced(selection: ContentSelection, { index, text, frame }: TextSegment): void {
  const next = selection.segments[index + 1];
  if (next === undefined || !selection.has(index) || selection.has(index + 1) || !ANNOUNCES.test(text)) return;
  let around: SegmentAncestor = frame;
  for (let step = 0; around.last === index; step += 1) {
    if (around.parent === null || step === ANNOUNCER_STEPS_MAX) return;
    around = around.parent;
  }
  let block: SegmentAncestor | null = null;
  for (
    let up: SegmentAncestor | null = next.frame;
    up !== null && up !== around && up.first === next.index;
    up = up.parent
  ) {
    if (ANNOUNCED.has(up.element.localName)) block = up;
  }
  if (block === null || headingOf(next) !== null || isMenu(selection, block)) return;
  selection.add(block.first, block.last);
}

function isMenu(selection: ContentSelection, { element, first, last, linkChars, chars }: SegmentAncestor): boolean {
  if (!LIST_TAGS.has(element.localName) || linkChars < chars * MENU_LINKS_MIN) return false;
  return selection.leanOf(first, last) < MENU_LEAN_MAX;
}

/**
 * Adds the terms (`dt`) of each group of `dt` and `dd` that is partly main content. If only terms are main content, adds
 * the descriptions (`dd`) too.
 */
function keepTerms(selection: ContentSelection, frames: readonly SegmentAncestor[]): void {
  const groups = new Map<SegmentAncestor, SegmentAncestor[]>();
  for (const frame of frames) {
    const name = frame.element.localName;
    const list = name === 'dt' || name === 'dd' ? listOf(frame) : null;
    if (list === null) continue;
    const group = groups.get(list) ?? [];
    groups.set(list, group);
    if (name === 'dt' && group.at(-1)?.element.localName === 'dd') keepGroup(selection, group.splice(0));
    group.push(frame);
  }
  for (const group of groups.values()) keepGroup(selection, group);
}

function listOf({ parent }: SegmentAncestor): SegmentAncestor | null {
  const list = parent?.element.localName === 'div' ? parent.parent : parent;
  return list?.element.localName === 'dl' ? list : null;
}

function keepGroup(selection: ContentSelection, group: readonly SegmentAncestor[]): void {
  if (!group.some(({ first, last }) => selection.hasAny(first, last))) return;
  const terms = group.filter(({ element }) => element.localName === 'dt');
  const meanings = group.filter(({ element }) => element.localName === 'dd');
  for (const { first, last } of terms) selection.add(first, last);
  if (meanings.some(({ first, last }) => selection.hasAny(first, last))) return;
  for (const { first, last } of meanings) selection.add(first, last);
}

/**
 * Adds the captions of figures, summaries of `details` and names of reference entries, if some of the entry or figure
 * is main content.
 */
function keepCaptions(selection: ContentSelection, frames: readonly SegmentAncestor[]): void {
  for (const { element, parent, first, last } of frames) {
    if (parent === null || !isCaption(element, classOf(element))) continue;
    if (selection.hasAny(parent.first, parent.last)) selection.add(first, last);
  }
}

const ALIKE_MIN = 3;
/**
 * Minimum share of entries with the same tags and classes that must be partly main content for all of them to be added.
 */
const KEPT_SHARE_MIN = 0.5;
/** Maximum share of links in a text that is added. A link to the source code, for example, has more. */
const LINKS_MAX = 0.8;
/** Elements whose tag says nothing about their content: they form groups only if they have a class. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'span']);

type Kind = { all: number; kept: number };

/**
 * Adds entries of reference documentation, such as functions, that have the same tags and classes as entries in the
 * main content. All entries of a kind are added if at least half are main content in part. Linear.
 */
function keepAlike(selection: ContentSelection, frames: readonly SegmentAncestor[], foot: readonly boolean[]): void {
  const keptBefore = selection.countKept();
  const kinds = new Map<number, Kind>();
  for (const frame of frames) {
    if (!isNamed(frame)) continue;
    const kind = kinds.get(frame.path) ?? { all: 0, kept: 0 };
    kinds.set(frame.path, kind);
    kind.all += 1;
    if ((keptBefore[frame.last + 1] ?? 0) > (keptBefore[frame.first] ?? 0)) kind.kept += 1;
  }
  let end = -1;
  for (const { path, first, last } of frames) {
    const { all, kept } = kinds.get(path) ?? { all: 0, kept: 0 };
    if (last <= end || all < ALIKE_MIN || kept < all * KEPT_SHARE_MIN) continue;
    for (let index = Math.max(first, end + 1); index <= last; index += 1)
      if (foot[index] !== true) keepWithin(selection, index);
    end = last;
  }
}

function keepWithin(selection: ContentSelection, index: number): void {
  if (selection.has(index)) return;
  const isFar = (selection.lean[index] ?? 0) < -selection.reach;
  if (!isFar && selection.linksIn(index, index) < LINKS_MAX) selection.add(index, index);
}

function isNamed({ element }: SegmentAncestor): boolean {
  return !NAMELESS.has(element.localName) || classOf(element) !== '';
}

/** Maximum pieces of text in an address with its name, telephone number and the like. */
const ADDRESS_PIECES_MAX = 12;
/** Maximum words of an address. More are running text. */
const ADDRESS_WORDS_MAX = 60;
/** Maximum share of link text in an address, such as its mail and map. With more, it is a menu. */
const ADDRESS_LINKS_MAX = 0.7;
/** Matches classes of an address, and names of its parts in microformats and schema.org. */
const ADDRESS = /(?:^|[\s_-])(?:address|adr|vcard|h-card)(?:$|[\s_-])/i;
const ADDRESS_TYPE = /schema\.org\/PostalAddress$/i;
const ADDRESS_PART =
  /(?:^|[\s_-])(?:street|street-?address|locality|postal-?code|zip-?code|postcode|address-?locality)(?:$|[\s_-])/i;

/**
 * Chooses addresses as a whole, because a name without its street and city is no address. An address of which nothing
 * is main content stays left out, and so does one in the footer of the page.
 */
function addWholeAddresses(
  selection: ContentSelection,
  frames: readonly SegmentAncestor[],
  foot: readonly boolean[],
): void {
  const withParts = new Set(
    frames.flatMap(({ element, parent }) => (parent !== null && isPart(element) ? [parent] : [])),
  );
  for (const frame of frames) {
    const { element, first, last } = frame;
    if (last - first >= ADDRESS_PIECES_MAX || first === last || foot[first] === true) continue;
    if (!isAddress(element) && !withParts.has(frame)) continue;
    const words = selection.segments.slice(first, last + 1).reduce((sum, segment) => sum + segment.words, 0);
    if (words > ADDRESS_WORDS_MAX || selection.linksIn(first, last) > ADDRESS_LINKS_MAX) continue;
    if (selection.hasAny(first, last)) selection.add(first, last);
  }
}

function isAddress(element: DomElement): boolean {
  if (element.localName === 'address' || ADDRESS.test(classOf(element))) return true;
  return ADDRESS_TYPE.test(element.getAttribute('itemtype') ?? '');
}

function isPart(element: DomElement): boolean {
  return ADDRESS_PART.test(`${classOf(element)} ${element.getAttribute('itemprop') ?? ''}`);
}
