import { hitAt } from './elements.ts';
import type { Root } from './elements.ts';

/** Every tree from the frame up to the document must agree: a closed shadow root shows only its host outside. */
export function frameHit(this: Element, x: number, y: number): boolean {
  let wanted = this.closest('*');
  while (wanted !== null) {
    const root: Root = wanted.getRootNode();
    if (hitAt(root, x, y) !== wanted) return false;
    if (root === document || root.host === undefined) return true;
    wanted = root.host;
  }
  return false;
}
