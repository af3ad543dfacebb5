import type { DomDocument, DomElement, DomRoot, DomStyle } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: DomDocument;
declare const Document: { prototype: { elementFromPoint: DomRoot['elementFromPoint'] } };
declare function getComputedStyle(element: DomElement): DomStyle;

/**
 * The `<iframe>` is `this`: where a point of its viewport lies in the viewport of the document around it, and whether
 * the page hits the frame there.
 */
export const FRAME_POINT = pageScript(framePoint, [isHitIn]);

function framePoint(this: DomElement, x: number, y: number): { x: number; y: number; isHit: boolean } {
  const rect = this.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(this);
  const scaleX = this.offsetWidth ? rect.width / this.offsetWidth : 1;
  const scaleY = this.offsetHeight ? rect.height / this.offsetHeight : 1;
  const outerX = rect.left + scaleX * (this.clientLeft + Number.parseFloat(paddingLeft) + x);
  const outerY = rect.top + scaleY * (this.clientTop + Number.parseFloat(paddingTop) + y);
  return { x: outerX, y: outerY, isHit: isHitIn(this, outerX, outerY) };
}

/** Every tree from the frame up to the document must agree: a closed shadow root shows only its host outside. */
function isHitIn(frame: DomElement, x: number, y: number): boolean {
  let wanted = frame;
  for (let root = frame.getRootNode(); ; root = wanted.getRootNode()) {
    const isDocument = root === document;
    // Named elements of a page stand in for the members of its document, but not for those of the prototype.
    const hit = isDocument ? Document.prototype.elementFromPoint.call(root, x, y) : root.elementFromPoint(x, y);
    if (hit !== wanted) return false;
    if (isDocument || root.host === undefined) return true;
    wanted = root.host;
  }
}
