import { hitTestDeep, elementWalker, parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';
import type { ScreenshotPointLook, ScreenshotPointState } from '#browsing/in-page/script-types.ts';
import { scriptState } from '#browsing/in-page/page/script-state.ts';

/** An element at the time of the screenshot: its box, its visibility, its own text and the address of its picture. */
type Noted = {
  element: WeakRef<Element>;
  left: number;
  top: number;
  right: number;
  bottom: number;
  isShown: boolean;
  words: string;
  source: string;
  children: number;
  isUnderHand: boolean;
};
type Picture = { mark: string; all: Noted[]; byElement: WeakMap<Element, Noted>; hits: (WeakRef<Element> | null)[] };

declare global {
  interface ScriptState {
    picture?: Picture;
  }
}

/** Distance in pixels between the grid points at which a screenshot records the topmost element. */
const NET_PX = 20;
/** Maximum characters of a row, card or menu entry whose text is compared with the screenshot. */
const ROW_CHARS_MAX = 300;
const SLACK_PX = 1;

/** Records the page at the time of a screenshot, so that {@link findScreenshotPoint} can compare a point of the page with it. */
export function recordScreenshotDocument(mark: string, elementsMax: number): void {
  const picture: Picture = { mark, all: [], byElement: new WeakMap(), hits: [] };
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      if (element.shadowRoot !== null) roots.push(element.shadowRoot);
      if (picture.all.length < elementsMax) note(element, picture);
    }
  }
  for (const { x, y } of net()) {
    const hit = hitTestDeep(document, x, y);
    picture.hits.push(hit === null ? null : new WeakRef(hit));
  }
  scriptState().picture = picture;
}

/** The element under a point of the viewport, and the state of the page there compared with the screenshot. */
export function findScreenshotPoint(mark: string, x: number, y: number): object {
  const hit = hitTestDeep(document, x, y);
  const picture = scriptState().picture;
  const isSame = hit !== null && picture?.mark === mark && isAsNoted(hit, x, y, picture);
  const isDisabled = hit !== null && (hit.matches(':disabled') || hit.closest('[aria-disabled="true"]') !== null);
  const state: ScreenshotPointState = hit === null ? 'nothing' : !isSame ? 'changed' : isDisabled ? 'disabled' : 'same';
  if (hit === null) return { state };
  const { left, top, right, bottom } = hit.getBoundingClientRect();
  const look = lookAt(hit, x, y, picture);
  return { state, hit, look, left: x - left, top: y - top, right: right - x, bottom: bottom - y };
}

/** The meaning of pixels at a point that differ from the screenshot. */
function lookAt(hit: Element, x: number, y: number, picture: Picture | undefined): ScreenshotPointLook {
  const stack = [hit, ...document.elementsFromPoint(x, y)];
  if (isEditable(hit) || stack.some((one) => one instanceof HTMLVideoElement)) return 'other';
  if (document.getAnimations().some((one) => one.playState === 'running' && isAnimating(one, hit))) return 'moving';
  // Styles for the pointer and the focus do not change what a canvas has drawn.
  if (!(hit instanceof HTMLCanvasElement) && isRestyled(hit, picture)) return 'other';
  return stack.some((one) => one instanceof HTMLCanvasElement) ? 'drawn' : 'comparable';
}

function isEditable(hit: Element): boolean {
  if (hit instanceof HTMLElement && hit.isContentEditable) return true;
  return hit instanceof HTMLTextAreaElement || (hit instanceof HTMLInputElement && hit.selectionStart !== null);
}

function isAnimating({ effect }: Animation, hit: Element): boolean {
  const target = effect instanceof KeyframeEffect ? effect.target : null;
  return target !== null && (target.contains(hit) || hit.contains(target));
}

/** True if the pointer or the focus came to the element or its card since the screenshot, or left it. */
function isRestyled(hit: Element, picture: Picture | undefined): boolean {
  for (let at: Element | null = hit; at !== null; at = parentElementOf(at)) {
    const { width, height } = at.getBoundingClientRect();
    if (width * height > (innerWidth * innerHeight) / 2) return false;
    const noted = picture?.byElement.get(at);
    if (noted !== undefined && noted.isUnderHand !== isUnderHand(at)) return true;
  }
  return false;
}

function isUnderHand(element: Element): boolean {
  return Element.prototype.matches.call(element, ':hover, :focus-within');
}

function note(element: Element, { all, byElement }: Picture): void {
  const rect = element.getBoundingClientRect();
  const { left, top, right, bottom } = rect;
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight || right <= left || bottom <= top) return;
  const noted = {
    element: new WeakRef(element),
    left,
    top,
    right,
    bottom,
    isShown: isShown(element),
    words: ownWords(element),
    source: pictureSource(element),
    children: element.childElementCount,
    isUnderHand: isUnderHand(element),
  };
  all.push(noted);
  byElement.set(element, noted);
}

function isAsNoted(hit: Element, x: number, y: number, picture: Picture): boolean {
  const noted = picture.byElement.get(hit);
  if (noted === undefined || !hasSize(hit, noted)) return false;
  // A point outside the element's box is on its overflowing content, which moves with the box.
  if (!holds(noted, x, y) && isMoved(hit, noted)) return false;
  const isStackSame = picture.all.every((one) => !holds(one, x, y) || isInPlace(one, x, y));
  return isStackSame && isNetSame(x, y, picture) && isRowSame(hit, picture);
}

function holds({ left, top, right, bottom }: Omit<Noted, 'element'>, x: number, y: number): boolean {
  return left <= x && x <= right && top <= y && y <= bottom;
}

function hasSize(element: Element, { left, top, right, bottom }: Noted): boolean {
  const { width, height } = element.getBoundingClientRect();
  return Math.abs(width - (right - left)) <= SLACK_PX && Math.abs(height - (bottom - top)) <= SLACK_PX;
}

/**
 * True if the element still exists, begins at the same place and is as visible as before. Its end may have moved if the
 * element still contains the point.
 */
function isInPlace(noted: Noted, x: number, y: number): boolean {
  const now = noted.element.deref();
  if (now === undefined || !now.isConnected || isShown(now) !== noted.isShown) return false;
  const { right, bottom } = now.getBoundingClientRect();
  return !isMoved(now, noted) && x <= right + SLACK_PX && y <= bottom + SLACK_PX;
}

function isMoved(element: Element, noted: Noted): boolean {
  const { left, top } = element.getBoundingClientRect();
  return Math.abs(left - noted.left) > SLACK_PX || Math.abs(top - noted.top) > SLACK_PX;
}

/** True if the same elements are on top at the grid points near this point. */
function isNetSame(x: number, y: number, { hits }: Picture): boolean {
  return net().every((knot, at) => {
    if (Math.abs(knot.x - x) > NET_PX / 2 || Math.abs(knot.y - y) > NET_PX / 2) return true;
    return (hits[at]?.deref() ?? null) === hitTestDeep(document, knot.x, knot.y);
  });
}

/** Compares the text around the element, because a page may show other data in a row and reuse the row's elements. */
function isRowSame(hit: Element, { byElement }: Picture): boolean {
  let row = hit;
  for (let outer = parentElementOf(hit); outer !== null; outer = parentElementOf(outer)) {
    if (outer === document.body || (outer.textContent ?? '').length > ROW_CHARS_MAX) break;
    row = outer;
  }
  return [row, ...row.querySelectorAll('*')].every((element) => {
    const noted = byElement.get(element);
    if (noted === undefined) return !isInView(element) || !isShown(element);
    const isSame = noted.words === ownWords(element) && noted.source === pictureSource(element);
    return isSame && noted.children === element.childElementCount;
  });
}

function isInView(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return right > left && bottom > top && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

function ownWords(element: Element): string {
  let words = '';
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === Node.TEXT_NODE) words += child.nodeValue ?? '';
  }
  return words.slice(0, ROW_CHARS_MAX);
}

function pictureSource(element: Element): string {
  if (element instanceof HTMLImageElement) return element.currentSrc;
  if (element instanceof HTMLInputElement) return element.src;
  return element instanceof SVGImageElement || element instanceof SVGUseElement ? element.href.baseVal : '';
}

function net(): { x: number; y: number }[] {
  const columns = Math.ceil(innerWidth / NET_PX);
  const rows = Math.ceil(innerHeight / NET_PX);
  return Array.from({ length: columns * rows }, (_, at) => ({
    x: ((at % columns) + 0.5) * NET_PX,
    y: (Math.floor(at / columns) + 0.5) * NET_PX,
  }));
}
