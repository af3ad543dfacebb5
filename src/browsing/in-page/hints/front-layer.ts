import { hitTestDeep, parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';

const MODALS = '[aria-modal=true],dialog:modal';
const CONTROLS = 'a[href],button,input,select,textarea,[tabindex]';
/** Minimum share of the viewport's width and height that an overlay without a role covers. */
const COVERING_SHARE = 0.9;
/** Points of a layer at which a hit test shows whether it is in front, as shares of its width and height. */
const POINTS = [
  [0.5, 0.5],
  [0.5, 0.1],
  [0.1, 0.5],
] as const;
const LAYERS_MAX = 20;

/**
 * The modal dialog or full-screen overlay in front of the page and of the others; `null` for none, or if several are.
 * Only a hit test shows which one it is, because the order in the document says nothing about layers with a `z-index`.
 * @param over elements that CSS positions over others
 */
export function findFrontLayer(over: readonly Element[]): Element | null {
  const modals = [...Document.prototype.querySelectorAll.call(document, MODALS)].filter(isDrawn);
  const covers = over.filter((element) => coversViewport(element) && leavesControlsOut(element));
  const layers = [...new Set([...modals, ...covers])].slice(-LAYERS_MAX);
  const hit = layers.filter((layer) => POINTS.some((point) => isHit(layer, point)));
  const [front, ...others] = hit.filter((layer) => !hit.some((other) => other !== layer && holds(layer, other)));
  return front === undefined || others.length > 0 ? null : front;
}

function isDrawn(element: Element): boolean {
  const { width, height } = rectOf(element);
  return width > 0 && height > 0 && Element.prototype.checkVisibility.call(element, { visibilityProperty: true });
}

function coversViewport(element: Element): boolean {
  const { left, top, right, bottom } = rectOf(element);
  const width = Math.min(right, innerWidth) - Math.max(left, 0);
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return width >= COVERING_SHARE * innerWidth && height >= COVERING_SHARE * innerHeight;
}

/** False for the root of an application, which covers the viewport but lies over nothing. */
function leavesControlsOut(element: Element): boolean {
  const [own, all] = [element, document.documentElement].map(
    (part) => Element.prototype.querySelectorAll.call(part, CONTROLS).length,
  );
  return own !== undefined && all !== undefined && own > 0 && own < all;
}

function isHit(layer: Element, [x, y]: (typeof POINTS)[number]): boolean {
  const { left, top, right, bottom } = rectOf(layer);
  const [from, to] = [Math.max(left, 0), Math.min(right, innerWidth)];
  const [above, below] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  const found = hitTestDeep(document, from + (to - from) * x, above + (below - above) * y);
  return found !== null && holds(layer, found);
}

function holds(outer: Element, inner: Element): boolean {
  for (let at: Element | null = inner; at !== null; at = parentElementOf(at)) if (at === outer) return true;
  return false;
}

function rectOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}
