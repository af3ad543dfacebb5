import { dialogAround, findDialogName } from './behind-dialog.ts';
import type { TextWithCuts } from '#core/text/page-texts.ts';
import { TextWithCutsBuilder } from '#browsing/in-page/view/cut.ts';
import { getEditContext } from '#browsing/in-page/fields/edit-context.ts';
import { findChangedWords, forgetFoundWords } from './found-words.ts';
import { isHitPartOfField } from './same-field.ts';
import { mayHaveClosedShadowRoot, isFrame } from './frame-hits.ts';
import { hitTestDeep, hitTestRoot, labelsOf, parentElementOf } from './safe-dom.ts';
import type { AnyElement, DocumentRoot } from './safe-dom.ts';
import { clippingBoxes, describeOutside, scrollElementIntoView, forgetScrolledBoxes } from './into-view.ts';
import type { ClickPointResult } from '#browsing/in-page/script-types.ts';
import { scriptState } from '#browsing/in-page/page/script-state.ts';

export type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom' | 'width' | 'height'>;

/**
 * Waits until the element is visible, enabled, still for three frames, and found by a hit test at its point. An element
 * that never stays still is pressed anyway, because the click guard blocks a wrong hit.
 * @param stays true if boxes that only scripts can scroll stay scrolled; otherwise `waitForChange` scrolls them back
 * @param words the text inside the element to act on; `''` for the whole element
 */
export async function waitForClickPoint(
  this: AnyElement,
  budgetMs: number,
  isHit: boolean,
  stays: boolean,
  words: string,
): Promise<ClickPointResult> {
  const readiness = await readySoon(this, budgetMs, isHit, words);
  if (stays) forgetScrolledBoxes();
  if (readiness.state !== 'ready') return readiness;
  const changed = findChangedWords(this);
  return changed === null ? readiness : { ...readiness, changed };
}

async function readySoon(
  target: AnyElement,
  budgetMs: number,
  isHit: boolean,
  words: string,
): Promise<ClickPointResult> {
  const end = performance.now() + budgetMs;
  let cover: Covered | null = null;
  for (let misses = 0; ;) {
    const readiness = await look(target, misses, isHit, words);
    if (readiness.state === 'ready' || readiness.state === 'replaced') return readiness;
    if (readiness.state === 'covered') {
      // An element scrolled to the centre shows its real cover, because fixed bars cover elements near an edge.
      const isTelling = cover === null || BLOCKS[misses % BLOCKS.length] === 'center';
      if (isTelling) cover = { readiness, by: scriptState().cover?.by ?? null };
      misses += 1;
    }
    if (performance.now() < end) continue;
    const face = faceOf(target);
    if (readiness.state === 'moved' && face !== null) return pointOn(target, face, isHit, words);
    if (readiness.state !== 'covered' || cover === null) return readiness;
    scriptState().cover = { by: cover.by, target };
    return cover.readiness;
  }
}

type Covered = { readiness: ClickPointResult; by: Element | null };

declare global {
  interface ScriptState {
    /** The last target that was covered, and the element that covered it. */
    cover?: { by: Element | null; target: Element };
  }
}

/**
 * The element that covers this element, and those of its ancestors that do not contain this element, innermost first,
 * in the same form as `findElements`.
 */
export function findCoveringElements(this: Element, max: number): object {
  const { by = null, target } = scriptState().cover ?? {};
  delete scriptState().cover;
  const found: Record<string, Element> = {};
  let count = 0;
  for (let at = target === this ? by : null; at !== null && count < max; at = parentElementOf(at)) {
    if (holds(at, this)) break;
    found[`m${count}`] = at;
    count += 1;
  }
  return { count, ...found };
}

function holds(outer: Element, inner: Element): boolean {
  for (let at: Element | null = inner; at !== null; at = parentElementOf(at)) if (at === outer) return true;
  return false;
}

/** True if none of the element's boxes is at this point of its document's viewport any more. */
export function hasLeftPoint(this: AnyElement, x: number, y: number): boolean {
  if (!this.isConnected) return false;
  const face = faceOf(this);
  const places = face === null ? [] : [...placesOf(this, face, ''), face.getBoundingClientRect()];
  return !places.some(({ left, top, right, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
}

/**
 * True if something dropped at this point of the document's viewport would miss the target: a sibling of the target or
 * a frame is there instead. False in a list that makes room for the dragged element.
 */
export function missesDrop(this: AnyElement, dragged: Element | null, x: number, y: number): boolean {
  if (!this.isConnected) return false;
  const top = hitTestDeep(this.getRootNode(), x, y);
  if (top === null || holds(this, top) || holds(top, this)) return false;
  if (isFrame(top)) return true;
  const parent = parentElementOf(this);
  const isSorted = dragged !== null && (holds(dragged, top) || parentElementOf(dragged) === parent);
  if (isSorted || !hasLeftPoint.call(this, x, y)) return false;
  for (let at: Element | null = top; at !== null; at = parentElementOf(at))
    if (parentElementOf(at) === parent) return true;
  return false;
}

async function look(target: AnyElement, misses: number, isHit: boolean, words: string): Promise<ClickPointResult> {
  if (!target.isConnected) return { state: 'replaced', by: null };
  const isDisabled = target.matches(':disabled') || target.closest('[aria-disabled="true"]') !== null;
  if (isDisabled) forgetFoundWords(target);
  const face = faceOf(target);
  if (isDisabled || face === null) {
    await nextFrame();
    return { state: isDisabled ? 'disabled' : 'hidden', by: null };
  }
  const isSeen = () => placesOf(target, face, words).some((place) => isMostlySeen(place, face));
  if (misses > 0 || !isSeen()) scrollElementIntoView(face, BLOCKS[misses % BLOCKS.length] ?? 'nearest', isSeen);
  return (await rests(face)) ? pointOn(target, face, isHit, words) : { state: 'moved', by: null };
}

const BLOCKS = ['nearest', 'center', 'start', 'end'] as const;

/**
 * True if the element stays still for three frames. Two are not enough: busy pages may move it only in every second
 * frame.
 */
async function rests(face: Element): Promise<boolean> {
  const first = face.getBoundingClientRect();
  for (let frame = 0; frame < 3; frame += 1) {
    await nextFrame();
    const { left, top, width } = face.getBoundingClientRect();
    if (left !== first.left || top !== first.top || width !== first.width) return false;
  }
  return true;
}

/** The point to press on an element. If a hidden check box is covered, the point is on its label, which users click. */
function pointOn(target: AnyElement, face: HTMLElement, isHit: boolean, words: string): ClickPointResult {
  const found = pointIn(target, face, isHit, words);
  if (found.state !== 'covered' || !isBox(target)) return found;
  const onLabels = labelsOf(target).map((label) => pointIn(target, label, isHit, words));
  return onLabels.find(({ state }) => state === 'ready') ?? found;
}

function isBox({ localName, type }: AnyElement): boolean {
  return localName === 'input' && (type === 'checkbox' || type === 'radio');
}

function pointIn(target: AnyElement, face: HTMLElement, isHit: boolean, words: string): ClickPointResult {
  const shares = [0.5, 0.25, 0.75, 0.1, 0.9];
  let blocker: Element | null = null;
  let isInView = false;
  let onFrame: ClickPointResult | null = null;
  for (const rect of placesOf(target, face, words)) {
    const part = clipToViewport(rect);
    if (part === null) continue;
    isInView = true;
    for (const [down, across] of shares.flatMap((a) => shares.map((b) => [a, b] as const))) {
      const x = part.left + part.width * across;
      const y = part.top + part.height * down;
      const found = isHit ? blockerAt(target, x, y) : 'none';
      if (found !== 'none') blocker ??= found;
      else if (!isHit) return { state: 'ready', x, y };
      else {
        const hit = hitTestDeep(target.getRootNode(), x, y);
        const mayHoldFrame = isFrame(hit) || mayHaveClosedShadowRoot(hit);
        const ready: ClickPointResult = { state: 'ready', x, y, ...(mayHoldFrame ? { mayHoldFrame } : {}) };
        // A point over an iframe inside the element is a last resort, because the iframe would receive the press.
        if (!isFrame(hit) || hit === target) return ready;
        onFrame ??= ready;
      }
    }
  }
  if (onFrame !== null) return onFrame;
  if (!isInView) return { state: 'hidden', by: null, ...describeOutside(face, placesOf(target, face, words)) };
  if (getComputedStyle(face).pointerEvents === 'none') return { state: 'disabled', by: null };
  scriptState().cover = { by: blocker, target };
  return { state: 'covered', by: blocker === null ? null : describe(blocker, dialogOver(target, blocker)) };
}

/** The parent of a code editor's key target: the editor draws its text around that element. */
function editorAround(target: AnyElement): HTMLElement[] {
  if (getEditContext(target) === null) return [];
  const around = parentElementOf(target);
  return around instanceof HTMLElement ? [around] : [];
}

/**
 * The element that a user would click: for a hidden check box, its label; for an area of an image map, the image; for
 * the hidden key target of a code editor, its parent. `null` if nothing is visible.
 */
function faceOf(target: AnyElement): HTMLElement | null {
  if (target.localName === 'area') return pictureOf(target);
  let away: HTMLElement | null = null;
  for (const face of [target, ...(isBox(target) ? labelsOf(target) : []), ...editorAround(target)]) {
    const { display, visibility } = getComputedStyle(face);
    const isShown = display === 'contents' || face.checkVisibility({ visibilityProperty: true });
    if (visibility !== 'visible' || !isShown || getLineBoxes(face).length === 0) continue;
    if (isOnPage(face)) return face;
    away ??= face;
  }
  return away;
}

/**
 * False for an element left of or above the document, because pages hide elements there, and no scrolling reaches them.
 */
function isOnPage(face: Element): boolean {
  return getLineBoxes(face).some(({ right, bottom }) => right + scrollX > 0 && bottom + scrollY > 0);
}

/** The image of an image map's area: a visible image that uses the map. */
function pictureOf(area: Element): HTMLElement | null {
  const map = area.closest('map');
  const names = [map?.getAttribute('name'), map?.id].filter((name) => name !== null && name !== '');
  for (const image of document.querySelectorAll<HTMLImageElement>('img[usemap]')) {
    const isItsOwn = names.includes((image.getAttribute('usemap') ?? '').replace(/^#/u, ''));
    if (isItsOwn && image.checkVisibility({ visibilityProperty: true })) return image;
  }
  return null;
}

function placesOf(target: Element, face: HTMLElement, words: string): Box[] {
  if (target.localName === 'area') return [areaOf(target, face)];
  return [...wordPlaces(target, words), ...getLineBoxes(face)];
}

/** The boxes of the lines with these words; `[]` if the words span several text nodes. */
function wordPlaces(target: Element, words: string): Box[] {
  const parts = words
    .trim()
    .split(/\s+/u)
    .filter((part) => part !== '');
  if (parts.length === 0) return [];
  const wanted = new RegExp(parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')).join('\\s+'), 'iu');
  const texts = document.createTreeWalker(target, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const found = wanted.exec(text.nodeValue ?? '');
    if (found === null) continue;
    const range = document.createRange();
    range.setStart(text, found.index);
    range.setEnd(text, found.index + found[0].length);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (boxes.length > 0) return boxes;
  }
  return [];
}

/** The bounding box of an image map's area, whose coordinates start at the image's outer border edge. */
function areaOf(area: Element, image: HTMLElement): Box {
  const all = image.getBoundingClientRect();
  const numbers = (area.getAttribute('coords') ?? '').split(/[,;\s]+/u).map((text) => Number.parseFloat(text));
  const shape = (area.getAttribute('shape') ?? 'rect').toLowerCase();
  const [a = 0, b = 0, c = 0] = numbers;
  const isCircle = shape === 'circle' || shape === 'circ';
  const xs = isCircle ? [a - c, a + c] : numbers.filter((_, at) => at % 2 === 0);
  const ys = isCircle ? [b - c, b + c] : numbers.filter((_, at) => at % 2 === 1);
  if (shape === 'default' || ys.length < 2 || numbers.some((number) => Number.isNaN(number))) return all;
  const across = all.width / image.offsetWidth;
  const down = all.height / image.offsetHeight;
  const left = Math.max(all.left, all.left + across * Math.min(...xs));
  const top = Math.max(all.top, all.top + down * Math.min(...ys));
  const right = Math.min(all.right, all.left + across * Math.max(...xs));
  const bottom = Math.min(all.bottom, all.top + down * Math.max(...ys));
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

/** A box for each line of the element, or of its content if the element itself has no box. */
export function getLineBoxes(element: Element): Box[] {
  const own = [...element.getClientRects()].filter(({ width, height }) => width >= 1 && height >= 1);
  if (own.length > 0 || getComputedStyle(element).overflowX !== 'visible') return own;
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].filter(({ width, height }) => width >= 1 && height >= 1);
}

export function clipToViewport(rect: Box): { left: number; top: number; width: number; height: number } | null {
  const left = Math.max(rect.left, 0);
  const top = Math.max(rect.top, 0);
  const width = Math.min(rect.right, innerWidth) - left;
  const height = Math.min(rect.bottom, innerHeight) - top;
  return width >= 1 && height >= 1 ? { left, top, width, height } : null;
}

/** True if the centre of the box is in view, or at least a part large enough to press. */
function isMostlySeen(place: Box, face: Element): boolean {
  let part: Box = place;
  for (const box of clippingBoxes(face)) part = overlap(part, box);
  part = overlap(part, {
    left: 0,
    top: 0,
    right: innerWidth,
    bottom: innerHeight,
    width: innerWidth,
    height: innerHeight,
  });
  const isEnough = (seen: number, whole: number) => seen >= 1 && (seen > whole / 2 || seen >= POINTED_AT_PX);
  return isEnough(part.width, place.width) && isEnough(part.height, place.height);
}

const POINTED_AT_PX = 100;

function overlap(one: Box, other: Box): Box {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
  const [right, bottom] = [Math.min(one.right, other.right), Math.min(one.bottom, other.bottom)];
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

/** Hit test in every tree from the element up to the document: outside a closed shadow root, it finds only the host. */
function blockerAt(target: Element, x: number, y: number): Element | null | 'none' {
  let wanted = target;
  for (let root: DocumentRoot = target.getRootNode(); ; root = wanted.getRootNode()) {
    const hit = hitTestRoot(root, x, y);
    if (hit === null) return null;
    const isIts = hit === wanted || wanted.contains(hit) || isLabelOf(hit, target);
    if (!isIts && !(wanted === target && isHitPartOfField(hit, target))) return hit;
    if (root === document || root.host === undefined) return 'none';
    wanted = root.host;
  }
}

/**
 * True if a hit test at a point of the element's document finds the element. Ignores the documents around its frame.
 */
export function isHitAt(this: AnyElement, x: number, y: number): boolean {
  return blockerAt(this, x, y) === 'none';
}

/** True if a click here activates the target through its label. False on a button inside the label. */
function isLabelOf(hit: Element, target: Element): boolean {
  const label = hit.closest('label');
  if (label === null || label.control !== target) return false;
  const inner = hit.closest('a[href],button,input,select,textarea');
  return inner === null || !label.contains(inner);
}

/** Describes an element by its tag, id, classes and text, for errors about an element without a name. */
export function describeElement(this: Element): TextWithCuts {
  return describe(this);
}

const NAME_CHARS_MAX = 100;
const WORDS_CHARS_MAX = 80;

/** The name of the dialog that a cover belongs to; `''` for none, and for a cover in the dialog of the target. */
function dialogOver(target: Element, cover: Element): string {
  const dialog = dialogAround(cover);
  return dialog === null || holds(dialog, target) ? '' : findDialogName(dialog);
}

function describe(element: Element, dialog = ''): TextWithCuts {
  const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
  const classes = (element.getAttribute('class') ?? '').trim().split(/\s+/u).slice(0, 3).join('.');
  const name = `${element.localName}${element.id === '' ? '' : `#${element.id}`}${classes === '' ? '' : `.${classes}`}`;
  const said = new TextWithCutsBuilder();
  if (dialog !== '') {
    said.add('dialog "');
    said.addCut(dialog, NAME_CHARS_MAX, String, '');
    said.add('": ');
  }
  said.addCut(name, NAME_CHARS_MAX, String, '');
  said.add(' "');
  said.addCut(text.replace(/\s+/gu, ' ').trim(), WORDS_CHARS_MAX, String, '');
  said.add('"');
  return said.cut(said.chars);
}

/** Resolves at the next frame, or after a timeout, because hidden pages get no animation frames. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(() => resolve(), 50);
  });
}
