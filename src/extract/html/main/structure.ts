import { keepHeadings, keepLed, keepTitle, headingOf } from './headings.ts';
import type { Frame, Segment } from './segments.ts';
import type { Selection } from './selection.ts';
import { classOf } from '#extract/html/tree.ts';

const LIST_TAGS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl']);
/** Elements that the items of a plain list never contain. With them, each item is a part of its own, such as a post. */
const PARTS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 article section nav header footer aside form button main'.split(' '),
);
/** Elements around which a `div` is only a wrapper. */
const WRAPPED: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'pre', 'table', 'div']);

/**
 * The outermost lists whose items contain only text, code, tables and lists. @param frames outer frames before inner
 * ones
 */
function plainLists(frames: readonly Frame[]): Frame[] {
  const withParts = new Set<Frame>();
  const inner = new Map<Frame, Frame | null>();
  for (const frame of frames) {
    const { parent } = frame;
    if (parent !== null) inner.set(parent, inner.has(parent) ? null : frame);
  }
  for (const frame of frames.toReversed()) {
    if (!withParts.has(frame) && !PARTS.has(frame.element.localName) && !isDivided(frame, inner)) continue;
    withParts.add(frame);
    if (frame.parent !== null) withParts.add(frame.parent);
  }
  const within = new Set<Frame>();
  const found: Frame[] = [];
  for (const frame of frames) {
    const isWithin = frame.parent !== null && within.has(frame.parent);
    const isPlain = LIST_TAGS.has(frame.element.localName) && !withParts.has(frame);
    if (isWithin || isPlain) within.add(frame);
    if (isPlain && !isWithin) found.push(frame);
  }
  return found;
}

/** A `div` with several texts or wrapped blocks is layout for a part of the page. */
function isDivided(frame: Frame, inner: ReadonlyMap<Frame, Frame | null>): boolean {
  if (frame.element.localName !== 'div' || frame.blocks === 1) return false;
  const only = inner.get(frame);
  return only === undefined || only === null || !WRAPPED.has(only.element.localName);
}

/** A line that introduces the block after it. */
const ANNOUNCES = /[:：][)"”’»]?$/;
/** Blocks that such a line introduces. */
const ANNOUNCED: ReadonlySet<string> = new Set(['p', 'pre', 'table', 'blockquote', ...LIST_TAGS]);
/** Blocks of running text. Authors do not use them for what stands beside the text. */
const TEXT_BLOCKS: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote', 'table', 'figcaption', 'dd', 'dt', 'li']);
/** In reference documentation, also cells of tables that lay out declarations. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

const CAPTIONS: ReadonlySet<string> = new Set(['figcaption', 'summary']);
/** Their foot names the author of a quotation. */
const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'figure']);

function isCaption(name: string, parent: string): boolean {
  return CAPTIONS.has(name) || (name === 'footer' && QUOTES.has(parent));
}

/** Steps up from a block to an element with kept blocks before and after it, and to one with kept blocks before it. */
const STEPS_MAX = { between: 4, follows: 1 };
/** In reference documentation, entries have wrappers of their own and fill their section. */
const STEPS_IN_REFERENCE_MAX = { between: 6, follows: 3 };
/** In reference documentation, names of entries stand in any kind of element, in the same part as their description. */
const NEIGHBOUR_STEPS = 0;
/** Text that is farther below the bar than this stays only on reference pages. */
const REFERENCE_REACH_MIN = 2;
/** A block that only follows kept text must be closer to the bar than one between kept text, and have few links. */
const FOLLOWS_LEAN = 0.5;
const FOLLOWS_LINKS_MAX = 0.3;
/** A table that is not farther below the bar stays: almost every table within a text belongs to it. */
const TABLE_LEAN_MIN = -3;
/** A list of links that is farther below is a menu, whatever comes before it. */
const MENU_LEAN_MAX = -2;
const MENU_LINKS_MIN = 0.8;
/** Steps up from an announcing line to an element that contains the block after it. */
const ANNOUNCER_STEPS_MAX = 3;
/** Kept blocks can make others belong to them, so the passes are repeated. */
const PASSES = 2;

/**
 * Turns a choice of single segments into one that a person would make: what belongs together stays or goes together. A
 * list goes by the majority of its words. Everything else is only added to what is kept. @param foot the segments of the
 * page's foot
 */
export function keepTogether(selection: Selection, foot: readonly boolean[]): void {
  const frames = framesIn(selection.segments);
  for (const { first, last } of plainLists(frames)) selection.unite(first, last);
  const isReference = selection.reach > REFERENCE_REACH_MIN;
  if (isReference) keepHeadings(selection, isReference);
  keepBetween(selection, isReference, foot);
  for (let pass = 0; pass < PASSES; pass += 1) {
    if (isReference) keepAlike(selection, frames, foot);
    keepEnclosed(selection);
    for (const segment of selection.segments) keepAnnounced(selection, segment);
    keepTerms(selection, frames);
    keepCaptions(selection, frames);
    keepHeadings(selection, isReference);
    if (isReference) keepLed(selection, foot);
  }
  // Last, because a title far above the text would make all between them belong to it.
  if (isReference) keepTitle(selection);
}

/** Frames with text, outer ones before inner ones, in page order. */
function framesIn(segments: readonly Segment[]): Frame[] {
  const frames: Frame[] = [];
  const seen = new Set<Frame>();
  const waiting: Frame[] = [];
  for (const segment of segments) {
    for (let frame: Frame | null = segment.frame; frame !== null && !seen.has(frame); frame = frame.parent) {
      seen.add(frame);
      waiting.push(frame);
    }
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) frames.push(next);
  }
  return frames;
}

/**
 * A block of text or a heading between kept blocks is left out only for a reason. The same holds for one that follows
 * them and has no links.
 */
function keepBetween(selection: Selection, isReference: boolean, foot: readonly boolean[]): void {
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

/** For each segment, the number of the next one that is kept. */
function nextOf(keep: readonly boolean[]): Float64Array {
  const next = new Float64Array(keep.length).fill(Infinity);
  for (let index = keep.length - 2; index >= 0; index -= 1) {
    next[index] = keep[index + 1] === true ? index + 1 : (next[index + 1] ?? Infinity);
  }
  return next;
}

function isTextBlock(segment: Segment, last: number, isReference: boolean): boolean {
  const name = segment.frame.element.localName;
  const isUnited = last > segment.index;
  return isUnited || TEXT_BLOCKS.has(name) || (isReference && CELLS.has(name)) || headingOf(segment) !== null;
}

/** The elements around a block, the nearest first. A wrapper around nothing else is part of the block. */
function holdersOf({ frame, index }: Segment, last: number, steps: number): Frame[] {
  const holders: Frame[] = [];
  for (let holder = frame.parent; holder !== null && holders.length <= steps; holder = holder.parent) {
    const isWrapper = last > index && holder.first >= index && holder.last <= last;
    if (!isWrapper) holders.push(holder);
  }
  return holders;
}

/** Code between kept segments stays, and so does a table that is not far below the bar. */
function keepEnclosed(selection: Selection): void {
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

function staysEnclosed({ segments, lean }: Selection, index: number): boolean {
  return segments[index]?.kind === 'code' || (lean[index] ?? 0) > TABLE_LEAN_MIN;
}

/** A sentence that ends in a colon keeps what follows it. */
function keepAnnounced(selection: Selection, { index, text, frame }: Segment): void {
  const next = selection.segments[index + 1];
  if (next === undefined || !selection.has(index) || selection.has(index + 1) || !ANNOUNCES.test(text)) return;
  let around: Frame = frame;
  for (let step = 0; around.last === index; step += 1) {
    if (around.parent === null || step === ANNOUNCER_STEPS_MAX) return;
    around = around.parent;
  }
  let block: Frame | null = null;
  for (let up: Frame | null = next.frame; up !== null && up !== around && up.first === next.index; up = up.parent) {
    if (ANNOUNCED.has(up.element.localName)) block = up;
  }
  if (block === null || headingOf(next) !== null || isMenu(selection, block)) return;
  selection.add(block.first, block.last);
}

function isMenu(selection: Selection, { element, first, last, linkChars, chars }: Frame): boolean {
  if (!LIST_TAGS.has(element.localName) || linkChars < chars * MENU_LINKS_MIN) return false;
  return selection.leanOf(first, last) < MENU_LEAN_MAX;
}

/** Terms and their descriptions stay together. */
function keepTerms(selection: Selection, frames: readonly Frame[]): void {
  const groups = new Map<Frame, Frame[]>();
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

function listOf({ parent }: Frame): Frame | null {
  const list = parent?.element.localName === 'div' ? parent.parent : parent;
  return list?.element.localName === 'dl' ? list : null;
}

function keepGroup(selection: Selection, group: readonly Frame[]): void {
  if (!group.some(({ first, last }) => selection.hasAny(first, last))) return;
  const terms = group.filter(({ element }) => element.localName === 'dt');
  const meanings = group.filter(({ element }) => element.localName === 'dd');
  for (const { first, last } of terms) selection.add(first, last);
  if (meanings.some(({ first, last }) => selection.hasAny(first, last))) return;
  for (const { first, last } of meanings) selection.add(first, last);
}

/** A figure keeps its caption, and a collapsible part keeps its summary. */
function keepCaptions(selection: Selection, frames: readonly Frame[]): void {
  for (const { element, parent, first, last } of frames) {
    if (parent === null || !isCaption(element.localName, parent.element.localName)) continue;
    if (selection.hasAny(parent.first, parent.last)) selection.add(first, last);
  }
}

/** Fewer elements do not make a kind. */
const ALIKE_MIN = 3;
/** Share of the elements that are drawn alike of which something must be kept. */
const KEPT_SHARE_MIN = 0.5;
/** A part that consists almost only of links, such as one to the source, stays out. */
const LINKS_MAX = 0.8;
/** Without a class, these elements say nothing about their content. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'span']);

type Kind = { all: number; kept: number };

/**
 * In reference documentation, entries (functions, methods, implementations) look alike wherever they stand. If
 * something is kept of most entries of one kind, it is kept of the others, too. Linear.
 */
function keepAlike(selection: Selection, frames: readonly Frame[], foot: readonly boolean[]): void {
  const keptBefore = sumsOf(selection.keep);
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

function keepWithin(selection: Selection, index: number): void {
  if (selection.has(index)) return;
  const isFar = (selection.lean[index] ?? 0) < -selection.reach;
  if (!isFar && selection.linksIn(index, index) < LINKS_MAX) selection.add(index, index);
}

function isNamed({ element }: Frame): boolean {
  return !NAMELESS.has(element.localName) || classOf(element) !== '';
}

/** For each segment, how many segments before it are kept. */
function sumsOf(keep: readonly boolean[]): Float64Array {
  const sums = new Float64Array(keep.length + 1);
  for (const [index, isKept] of keep.entries()) sums[index + 1] = (sums[index] ?? 0) + (isKept ? 1 : 0);
  return sums;
}
