import type { DomDocument, DomElement, DomRoot } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: DomDocument;
declare const Document: { prototype: { elementFromPoint: DomRoot['elementFromPoint'] } };

/** The `<iframe>` is `this`: whether the page hits it at a point of its document's viewport. */
export const FRAME_HIT = pageScript(frameHit);

/** Every tree from the frame up to the document must agree: a closed shadow root shows only its host outside. */
function frameHit(this: DomElement, x: number, y: number): boolean {
  let wanted = this.closest('*');
  while (wanted !== null) {
    const root = wanted.getRootNode();
    const isDocument = root === document;
    // Named elements of a page stand in for the members of its document, but not for those of the prototype.
    const hit = isDocument ? Document.prototype.elementFromPoint.call(root, x, y) : root.elementFromPoint(x, y);
    if (hit !== wanted) return false;
    if (isDocument || root.host === undefined) return true;
    wanted = root.host;
  }
  return false;
}
