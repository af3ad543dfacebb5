import { elementCalledOn, parentElementOf, rootElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { VirtualList } from '#browsing/in-page/view/scrolling.ts';

/**
 * Limits of the search: elements, scrollable boxes, and texts in each box. A text without words counts but is not
 * measured.
 */
const ELEMENTS_MAX = 10_000;
const PANES_MAX = 50;
const TEXTS_MAX = 1_000;
const TEXTS_SEEN_MAX = 4_000;
/** Maximum share of a virtualized list's scroll height that its drawn texts cover. */
const DRAWN_SHARE_MAX = 0.5;
/** Minimum scroll height of a box, as a multiple of its visible height. */
const HEIGHTS_MIN = 3;

/** The longest list of which the page draws only a visible part; `null` if there is none. */
export function findVirtualList(this: AnyElement | Window): VirtualList | null {
  const element = elementCalledOn(this);
  const around = element === null ? [] : panesAround(element);
  const inside = element ?? rootElement();
  let longest: VirtualList | null = null;
  for (const pane of [...around, ...panesIn(inside)].slice(0, PANES_MAX)) {
    const shown = drawnHeight(pane);
    const height = Math.round(pane.scrollHeight);
    if (shown > height * DRAWN_SHARE_MAX || height <= (longest?.height ?? 0)) continue;
    longest = { shown: Math.round(shown), height };
  }
  return longest;
}

function panesAround(element: Element): Element[] {
  const panes: Element[] = [];
  for (let at = parentElementOf(element); at !== null; at = parentElementOf(at)) if (isLong(at)) panes.push(at);
  return panes;
}

function panesIn(top: Element): Element[] {
  const panes = isLong(top) ? [top] : [];
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT);
  for (let count = 0; count < ELEMENTS_MAX; count += 1) {
    const node = walker.nextNode();
    if (node === null) break;
    if (node instanceof Element && isLong(node)) panes.push(node);
  }
  return panes;
}

function isLong(element: Element): boolean {
  const isPage = element === document.scrollingElement;
  const shown = isPage ? innerHeight : element.clientHeight;
  if (shown === 0 || element.scrollHeight < shown * HEIGHTS_MIN) return false;
  return isPage || /^(?:auto|scroll|hidden|overlay)$/u.test(getComputedStyle(element).overflowY);
}

/** Height from the first text in the box to the last. A box with too many texts to measure counts as fully drawn. */
function drawnHeight(pane: Element): number {
  const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  let top = Infinity;
  let bottom = -Infinity;
  let count = 0;
  let seen = 0;
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    seen += 1;
    if (seen > TEXTS_SEEN_MAX) return Infinity;
    if (!/\S/u.test(text.nodeValue ?? '')) continue;
    count += 1;
    if (count > TEXTS_MAX) return Infinity;
    const rect = parentElementOf(text)?.getBoundingClientRect();
    if (rect === undefined || rect.height === 0) continue;
    top = Math.min(top, rect.top);
    bottom = Math.max(bottom, rect.bottom);
  }
  return count === 0 ? Infinity : bottom - top;
}
