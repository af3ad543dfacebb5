import { elementWalker, readers } from './readers.ts';
import type { Readers } from './readers.ts';

/** How many elements a document has, those of its open shadow trees included. From `enough` on, it is a rough number. */
export function countElements(enough: number): number {
  let count = 0;
  const roots: Node[] = [document];
  for (let root = roots.pop(); root !== undefined && count < enough; root = roots.pop()) {
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null && count < enough; element = walker.nextNode()) {
      count += 1;
      const shadow: ShadowRoot | null = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow !== null) roots.push(shadow);
    }
  }
  return Math.max(count, Document.prototype.getElementsByTagName.call(document, '*').length);
}

/** A node whose children are being visited. `isNew`: it was reached in this part, from its first child on. */
type Level = {
  node: Node;
  children: readonly Node[];
  at: number;
  isNew: boolean;
  /** The accessibility tree may have its content in its place. */
  isLoose: boolean;
  nodesBefore: number;
  wholeBefore: number;
};

/**
 * A part of a document in reading order: about `max` nodes that are displayed. Gives a list: how many elements the document
 * has; whether the part begins where it was to; what is in it with all that it holds, an element before what it holds; `null`; what stands around that; `null`;
 * where the next part begins, if there is one.
 * @param from where the part begins; `null` for the beginning
 * @param within the element that is divided; `null` for the document
 */
export function partOf(max: number, from: Node | null, within: Element | null): readonly unknown[] {
  const read = readers();
  const isThere = from === null || from.isConnected;
  const levels = levelsTo((isThere ? from : null) ?? within ?? document.documentElement, within, read);
  const whole: Node[] = [];
  const passed: Node[] = [];
  let nodes = 0;
  let next: Node | null = null;
  for (let level = levels.at(-1); level !== undefined && next === null; level = levels.at(-1)) {
    const node = level.children[level.at];
    if (node === undefined) {
      levels.pop();
      if (level.isNew) whole.splice(level.wholeBefore, level.isLoose ? 0 : whole.length, level.node);
      else passed.push(level.node);
    } else if (nodes >= max) {
      next = cutBefore(node, levels, max * SHARE_UNDIVIDED, whole);
    } else {
      level.at += 1;
      const display = read.nodeType(node) === 1 ? read.style(node).display : '';
      if (display === 'none') continue;
      nodes += 1;
      const isLoose = (display === 'inline' || display === 'contents') && read.localName(node) !== 'a';
      const children = childrenOf(node, read);
      if (children.length === 0) whole.push(node);
      else levels.push({ node, children, at: 0, isNew: true, isLoose, nodesBefore: nodes, wholeBefore: whole.length });
    }
  }
  const around = [...levels.map(({ node }) => node), ...passed.reverse()];
  return [countElements(0), isThere, ...whole, null, ...around, null, ...(next === null ? [] : [next])];
}

/** What stands around a node, the outermost first, each at its child that leads there. Nothing follows what is divided. */
function levelsTo(start: Node, within: Element | null, read: Readers): Level[] {
  const levels: Level[] = [];
  let child = start;
  let isInside = within !== null;
  for (let node = outer(child, read); node !== null; node = outer(child, read)) {
    if (child === within) isInside = false;
    const children = childrenOf(node, read);
    const at = children.indexOf(child);
    const isEnd = within !== null && !isInside;
    levels.unshift({
      node,
      children: isEnd ? children.slice(0, at + 1) : children,
      at: child === start ? at : at + 1,
      isNew: false,
      isLoose: false,
      nodesBefore: 0,
      wholeBefore: 0,
    });
    child = node;
  }
  return levels;
}

/** A part that has only just begun is left to the next one, so that a row is not divided. */
function cutBefore(node: Node, levels: Level[], least: number, whole: Node[]): Node {
  const at = levels.findIndex(({ isNew, nodesBefore }) => isNew && nodesBefore > least);
  const begun = levels[at];
  if (begun === undefined) return node;
  whole.length = begun.wholeBefore;
  levels.length = at;
  return begun.node;
}

const SHARE_UNDIVIDED = 0.9;

/** As they are laid out: a shadow tree in place of what its host holds, and in a slot what stands there. */
function childrenOf(node: Node, read: Readers): Node[] {
  const isElement = read.nodeType(node) === 1;
  const assigned = isElement && read.localName(node) === 'slot' ? read.assigned(node) : [];
  if (assigned.length > 0) return assigned.filter((child) => isShownKind(child, read));
  const parent = (isElement ? read.shadowRoot(node) : null) ?? node;
  const children: Node[] = [];
  for (let child = read.firstChild(parent); child !== null; child = read.nextSibling(child)) {
    if (isShownKind(child, read)) children.push(child);
  }
  return children;
}

function isShownKind(node: Node, read: Readers): boolean {
  return read.nodeType(node) === 1 || read.nodeType(node) === 3;
}

function outer(node: Node, read: Readers): Node | null {
  const kind = read.nodeType(node);
  if (kind === 9) return null;
  const slot: Node | null = Reflect.get(kind === 1 ? Element.prototype : Text.prototype, 'assignedSlot', node);
  const parent = slot ?? read.parentNode(node);
  return parent instanceof ShadowRoot ? parent.host : parent;
}
