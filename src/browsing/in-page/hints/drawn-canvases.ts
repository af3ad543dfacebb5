import type { AriaHiddenText } from '#browsing/in-page/script-types.ts';
import { isBlank } from '#core/text/blank.ts';
import { parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';

const CANVASES_MAX = 20;
const AROUND_MAX = 8;
/** Minimum size in pixels of a canvas that counts. Smaller ones measure text or track visitors. */
const CANVAS_PX_MIN = 20;

/** Visible canvases. The accessibility tree omits a canvas that has neither text nor listeners. */
export function findVisibleCanvases(root: Node): AriaHiddenText<Node>[] {
  if (!(root instanceof Document || root instanceof ShadowRoot || root instanceof Element)) return [];
  const all = [...root.querySelectorAll('canvas')].slice(0, CANVASES_MAX);
  return all.filter(isSeen).map((canvas) => ({
    block: canvas,
    words: '',
    chars: 0,
    unread: 0,
    after: textBefore(canvas),
    around: around(canvas),
  }));
}

function isSeen(canvas: Element): boolean {
  const { width, height } = Element.prototype.getBoundingClientRect.call(canvas);
  const isDrawn = Element.prototype.checkVisibility.call(canvas, { visibilityProperty: true, opacityProperty: true });
  return isDrawn && width >= CANVAS_PX_MIN && height >= CANVAS_PX_MIN;
}

function textBefore(element: Element): Node | null {
  const walker = Document.prototype.createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT);
  walker.currentNode = element;
  for (let text = walker.previousNode(); text !== null; text = walker.previousNode()) {
    const parent = parentElementOf(text);
    const isShown = parent !== null && Element.prototype.checkVisibility.call(parent);
    if (isShown && !isBlank(text.nodeValue ?? '')) return text;
  }
  return null;
}

function around(element: Element): Node[] {
  const found: Node[] = [];
  for (let at = parentElementOf(element); at !== null && found.length < AROUND_MAX; at = parentElementOf(at))
    found.push(at);
  return found;
}
