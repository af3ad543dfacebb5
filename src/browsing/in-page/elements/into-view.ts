import type { OutsideDirection, OutsidePlace } from '#browsing/in-page/script-types.ts';
import { scriptState } from '#browsing/in-page/page/script-state.ts';

/** A box that only scripts can scroll: its original position, and the position to which this script scrolled it. */
type Stuck = { box: Element; left: number; top: number; toLeft: number; toTop: number };

declare global {
  interface ScriptState {
    scrolled?: Stuck[];
  }
}

/**
 * Scrolls an element into view, as little as needed. Boxes with clipped overflow, which users cannot scroll, are
 * scrolled only if nothing else helps, and only until {@link restoreScrolledBoxes} is called.
 */
export function scrollElementIntoView(face: Element, block: ScrollLogicalPosition, isSeen: () => boolean): void {
  const before = stuckAround(face);
  face.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
  const moved = before
    .map((stuck) => ({ ...stuck, toLeft: stuck.box.scrollLeft, toTop: stuck.box.scrollTop }))
    .filter(({ left, top, toLeft, toTop }) => left !== toLeft || top !== toTop);
  if (moved.length === 0) return;
  for (const { box, left, top } of moved) scrollBox(box, left, top);
  if (isSeen()) return;
  for (const { box, toLeft, toTop } of moved) scrollBox(box, toLeft, toTop);
  const known = (scriptState().scrolled ??= []);
  for (const stuck of moved) {
    const earlier = known.find(({ box }) => box === stuck.box);
    if (earlier === undefined) known.push(stuck);
    else Object.assign(earlier, { toLeft: stuck.toLeft, toTop: stuck.toTop });
  }
}

/** Scrolls each box back to its original position, unless the page has scrolled it since. */
export function restoreScrolledBoxes(): void {
  for (const { box, left, top, toLeft, toTop } of scriptState().scrolled ?? []) {
    if (box.scrollLeft === toLeft && box.scrollTop === toTop) scrollBox(box, left, top);
  }
  forgetScrolledBoxes();
}

/** Leaves the boxes scrolled, because the caller asked for the element to be in view. */
export function forgetScrolledBoxes(): void {
  delete scriptState().scrolled;
}

function scrollBox(box: Element, left: number, top: number): void {
  box.scrollTo({ left, top, behavior: 'instant' });
}

function stuckAround(element: Element): Stuck[] {
  const found: Stuck[] = [];
  for (let box = outer(element); box !== null; box = outer(box)) {
    if (!isStuck(box)) continue;
    const { scrollLeft: left, scrollTop: top } = box;
    found.push({ box, left, top, toLeft: left, toTop: top });
  }
  return found;
}

/** True if the user cannot scroll the box in at least one direction. */
function isStuck(box: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(box);
  if (box !== document.scrollingElement) return isCut(overflowX) || isCut(overflowY);
  const body = document.body === null ? null : getComputedStyle(document.body);
  const isOfBody = overflowX === 'visible' && overflowY === 'visible' && body !== null;
  return isOfBody ? isCut(body.overflowX) || isCut(body.overflowY) : isCut(overflowX) || isCut(overflowY);
}

function isCut(overflow: string): boolean {
  return overflow === 'hidden' || overflow === 'clip';
}

/** The boxes of ancestors that clip an element, whether they can be scrolled or not. */
export function* clippingBoxes(element: Element): Generator<DOMRect> {
  let { position } = getComputedStyle(element);
  for (let box = outer(element); box !== null && box !== document.body; box = outer(box)) {
    if (box === document.documentElement) return;
    const { overflowX, overflowY, position: its, transform } = getComputedStyle(box);
    const holds = transform !== 'none' || position === 'static' || position === 'relative' || position === 'sticky';
    if (!holds && (position === 'fixed' || its === 'static')) continue;
    if (overflowX !== 'visible' || overflowY !== 'visible') yield box.getBoundingClientRect();
    position = its;
  }
}

type Edges = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** The side of the window beyond which an element stays even after scrolling; nothing for none. */
export function describeOutside(face: Element, places: readonly Edges[]): OutsidePlace {
  const where = SIDES.find((side) => places.length > 0 && places.every((place) => isBeyond(place, side)));
  return where === undefined ? {} : { where, isPinned: isPinnedOutside(face, where) };
}

const SIDES = ['left', 'right', 'above', 'below'] as const;

function isBeyond({ left, top, right, bottom }: Edges, side: OutsideDirection): boolean {
  if (side === 'left') return right < 1;
  if (side === 'right') return left > innerWidth - 1;
  return side === 'above' ? bottom < 1 : top > innerHeight - 1;
}

/**
 * True if the element moves with the edge of the window: in a fixed layer beyond the edge, or in a part that hangs
 * beyond a fixed layer that ends at the edge.
 */
function isPinnedOutside(face: Element, side: OutsideDirection): boolean {
  let hangs = false;
  for (let box: Element | null = face; box !== null; box = outer(box)) {
    const { position, transform } = getComputedStyle(box);
    if (position === 'static' && transform === 'none') continue;
    const edges = box.getBoundingClientRect();
    if (position === 'fixed') return isBeyond(edges, side) || (hangs && endsAt(edges, side));
    hangs = position === 'absolute' && isBeyond(edges, side);
  }
  return false;
}

function endsAt({ left, top, right, bottom }: Edges, side: OutsideDirection): boolean {
  if (side === 'left') return Math.abs(left) <= 1;
  if (side === 'right') return Math.abs(right - innerWidth) <= 1;
  return Math.abs(side === 'above' ? top : bottom - innerHeight) <= 1;
}

function outer(element: Element): Element | null {
  const slot = element.assignedSlot;
  if (slot !== null) return slot;
  const parent: unknown = Reflect.get(Node.prototype, 'parentNode', element);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** True if a visible box clips content that the user cannot scroll into view. */
export function hasClippedContent(isAcross: boolean): boolean {
  for (const box of document.querySelectorAll('*')) {
    const [shown, whole] = isAcross ? [box.clientWidth, box.scrollWidth] : [box.clientHeight, box.scrollHeight];
    if (shown < CUTTING_PX_MIN || whole <= shown + 1) continue;
    const { overflowX, overflowY } = getComputedStyle(box);
    if (isCut(isAcross ? overflowX : overflowY)) return true;
  }
  return false;
}

/** Minimum size in pixels of a box that counts as clipping content. Smaller boxes clip shadows and icons. */
const CUTTING_PX_MIN = 100;
