import type { DomDocument, DomElement, DomStyle } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: DomDocument;
declare const window: { innerWidth: number; innerHeight: number };
declare function getComputedStyle(element: DomElement): DomStyle;

/** Pixels. `x`, `y`: how far it is scrolled; `width`, `height`: of all there is; `shown…`: of what is shown at once. */
export type Scrolled = {
  x: number;
  y: number;
  width: number;
  height: number;
  shownWidth: number;
  shownHeight: number;
  /** The middle of what is scrolled, in the frame's viewport: where a wheel would be turned. */
  middle: { x: number; y: number };
};

/** How far: in pixels, or in lengths of what is shown less a tenth, so that the reader keeps the place. */
export type Distance = { unit: 'px' | 'pages'; right: number; down: number };

/** In the document: its own scrolling, or that of the largest pane when the document itself has nothing to scroll. */
export const SCROLL_DOCUMENT = pageScript(scrollDocument, [scrollBy, placeOf, mainPane, canScroll]);
/** The element is `this`: it, or what scrolls around it. */
export const SCROLL_ELEMENT = pageScript(scrollElement, [scrollBy, placeOf, canScroll]);

function scrollDocument(distance: Distance): Scrolled {
  return scrollBy(mainPane(), distance);
}

function scrollElement(this: DomElement, distance: Distance): Scrolled {
  for (let pane: DomElement | null = this.closest('*'); pane !== null; pane = pane.parentElement) {
    if (canScroll(pane)) return scrollBy(pane, distance);
  }
  return scrollBy(document.scrollingElement ?? document.documentElement, distance);
}

function scrollBy(pane: DomElement, { unit, right, down }: Distance): Scrolled {
  const isPage = pane === document.scrollingElement;
  const stepX = unit === 'px' ? 1 : (isPage ? window.innerWidth : pane.clientWidth) * 0.9;
  const stepY = unit === 'px' ? 1 : (isPage ? window.innerHeight : pane.clientHeight) * 0.9;
  if (right !== 0 || down !== 0) {
    pane.scrollBy({ left: right * stepX, top: down * stepY, behavior: 'instant' });
  }
  return placeOf(pane);
}

function placeOf(pane: DomElement): Scrolled {
  const isPage = pane === document.scrollingElement;
  const { left, top, width, height } = pane.getBoundingClientRect();
  return {
    x: Math.round(pane.scrollLeft),
    y: Math.round(pane.scrollTop),
    width: pane.scrollWidth,
    height: pane.scrollHeight,
    shownWidth: isPage ? window.innerWidth : pane.clientWidth,
    shownHeight: isPage ? window.innerHeight : pane.clientHeight,
    middle: isPage
      ? { x: window.innerWidth / 2, y: window.innerHeight / 2 }
      : { x: left + width / 2, y: top + height / 2 },
  };
}

function mainPane(): DomElement {
  const page = document.scrollingElement ?? document.documentElement;
  if (page.scrollHeight > window.innerHeight + 1 || page.scrollWidth > window.innerWidth + 1) return page;
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

function canScroll(element: DomElement): boolean {
  if (element === document.scrollingElement) return true;
  const { overflowX, overflowY } = getComputedStyle(element);
  const scrolls = /auto|scroll|overlay/u;
  const isTall = element.scrollHeight > element.clientHeight + 1 && scrolls.test(overflowY);
  return isTall || (element.scrollWidth > element.clientWidth + 1 && scrolls.test(overflowX));
}
