import { elementCalledOn, parentElementOf, rootElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import { hasClippedContent } from '#browsing/in-page/elements/into-view.ts';
import type { ScrollDistance, ScrollMetrics } from './scrolling.ts';

/**
 * Called on a document: scrolls the page or, if the page cannot scroll, its largest scrollable box. Called on an
 * element: scrolls the nearest scrollable box.
 */
export function scrollNearestPane(this: AnyElement | Window, distance: ScrollDistance): ScrollMetrics {
  const element = elementCalledOn(this);
  if (element === null) return told(scrollPane(mainPane(), distance));
  const pane = paneAround(element);
  const place = scrollPane(pane, distance);
  // If nothing can be scrolled, the element may handle the wheel itself, like a map. In that case, it gets wheel
  // events.
  const isStill = pane === pageOf() && place.height <= place.shownHeight + 1 && place.width <= place.shownWidth + 1;
  return told(isStill ? { ...place, middle: middleOf(element) } : place);
}

/** Adds the directions in which nothing scrolls although some box clips its content. */
function told(place: Omit<ScrollMetrics, 'cutsOff'>): ScrollMetrics {
  const isStill = (across: boolean) =>
    across ? place.width <= place.shownWidth + 1 : place.height <= place.shownHeight + 1;
  return {
    ...place,
    cutsOff: { across: isStill(true) && hasClippedContent(true), down: isStill(false) && hasClippedContent(false) },
  };
}

function middleOf(element: Element): ScrollMetrics['middle'] {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x, y] = [Math.max(left, 0) + Math.min(right, innerWidth), Math.max(top, 0) + Math.min(bottom, innerHeight)];
  return { x: x / 2, y: y / 2 };
}

function paneAround(element: Element): Element {
  for (let pane = element.closest('*'); pane !== null; pane = parentElementOf(pane)) if (canScroll(pane)) return pane;
  return pageOf();
}

function pageOf(): Element {
  return document.scrollingElement ?? rootElement();
}

function scrollPane(pane: Element, { unit, right, down }: ScrollDistance): Omit<ScrollMetrics, 'cutsOff'> {
  const isPage = pane === document.scrollingElement;
  const stepX = unit === 'px' ? 1 : (isPage ? innerWidth : pane.clientWidth) * 0.9;
  const stepY = unit === 'px' ? 1 : (isPage ? innerHeight : pane.clientHeight) * 0.9;
  if (right !== 0 || down !== 0) pane.scrollBy({ left: right * stepX, top: down * stepY, behavior: 'instant' });
  return scrollOf(pane);
}

function scrollOf(pane: Element): Omit<ScrollMetrics, 'cutsOff'> {
  const isPage = pane === document.scrollingElement;
  const { left, top, width, height } = pane.getBoundingClientRect();
  return {
    x: Math.round(pane.scrollLeft),
    y: Math.round(pane.scrollTop),
    width: pane.scrollWidth,
    height: pane.scrollHeight,
    shownWidth: isPage ? innerWidth : pane.clientWidth,
    shownHeight: isPage ? innerHeight : pane.clientHeight,
    middle: isPage ? { x: innerWidth / 2, y: innerHeight / 2 } : { x: left + width / 2, y: top + height / 2 },
  };
}

function mainPane(): Element {
  const page = pageOf();
  if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1) return page;
  let largest = page;
  let area = 0;
  for (const element of document.querySelectorAll('*')) {
    if (element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth + 1) continue;
    const size = element.clientWidth * element.clientHeight;
    if (size <= area || !canScroll(element)) continue;
    largest = element;
    area = size;
  }
  return largest;
}

function canScroll(element: Element): boolean {
  if (element === document.scrollingElement) return true;
  const { overflowX, overflowY } = getComputedStyle(element);
  const scrolls = /auto|scroll|overlay/u;
  const isTall = element.scrollHeight > element.clientHeight + 1 && scrolls.test(overflowY);
  return isTall || (element.scrollWidth > element.clientWidth + 1 && scrolls.test(overflowX));
}
