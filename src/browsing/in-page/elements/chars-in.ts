import { labelsWithControls, nodeWalker } from './safe-dom.ts';
import type { DomReaders } from './safe-dom.ts';

const known = new Map<Node, ReadonlyMap<Node, number>>();

/**
 * Number of characters in each element and its labels. Reads a tree once, because nested elements and fields with labels
 * would otherwise take quadratic time.
 */
export function charsIn(root: Document | ShadowRoot, read: DomReaders): ReadonlyMap<Node, number> {
  const before = known.get(root);
  if (before !== undefined) return before;
  const chars = countTexts(root, read);
  const ofLabels = new Map<Element, number>();
  for (const [label, control] of labelsWithControls(root))
    ofLabels.set(control, (ofLabels.get(control) ?? 0) + (chars.get(label) ?? 0));
  for (const [control, count] of ofLabels) chars.set(control, (chars.get(control) ?? 0) + count);
  known.set(root, chars);
  return chars;
}

function countTexts(root: Node, read: DomReaders): Map<Node, number> {
  const chars = new Map<Node, number>();
  const open: { element: Node; from: number }[] = [];
  let passed = 0;
  const walker = nodeWalker(root);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    closeUntil(read.parentNode(node));
    if (read.nodeType(node) === 1) open.push({ element: node, from: passed });
    else passed += (node.nodeValue ?? '').length;
  }
  closeUntil(null);
  return chars;

  function closeUntil(parent: Node | null): void {
    for (let last = open.at(-1); last !== undefined && last.element !== parent; last = open.at(-1)) {
      chars.set(last.element, passed - last.from);
      open.pop();
    }
  }
}
