import { REPLACED_TAGS, isElement, isText, nextInside } from './tree.ts';
import type { DomElement, DomNode } from './tree.ts';

/**
 * The main part of a page and the rest (menus, comments, related links). Each is given by the nodes that it leaves out.
 * Each text of the body is in exactly one of the two.
 */
export type PageParts = {
  /** Nodes that are left out when the main part is written. */
  main: ReadonlySet<DomNode>;
  /** Nodes that are left out when the rest of the page (menus, comments) is written. */
  rest: ReadonlySet<DomNode>;
  /**
   * Elements with text of both parts, such as an article around its comments. In the rest, only their tags are
   * repeated.
   */
  shared: ReadonlySet<DomNode>;
};

const DRAWN = new Set(['img', 'hr', 'math', 'x-tex', 'x-tex-block', 'mjx-container', ...REPLACED_TAGS]);

/**
 * Divides the body: `root` without the nodes of `left` is the main part, and all other text is the rest (menus,
 * comments). An element that is left with nothing visible in the main part goes to the rest as a whole. Linear time.
 */
export function divideMainAndRest(root: DomElement, left: ReadonlySet<DomNode>): PageParts {
  const around = elementsAround(root, left);
  if (around.size === 0) return { main: left, rest: new Set([root]), shared: around };
  const inOrder = [...inDocumentOrder(root, around, left)];
  const main = new Set(left);
  for (const node of inOrder.toReversed()) if (node !== root && isLeft(node, around, main)) main.add(node);
  const rest = new Set<DomNode>();
  for (const node of inOrder) {
    if (main.has(node)) continue;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (!main.has(child) && !around.has(child)) rest.add(child);
    }
  }
  return { main, rest, shared: around };
}

/** Returns `root` and its descendants that contain nodes of `left`. */
function elementsAround(root: DomElement, left: ReadonlySet<DomNode>): Set<DomNode> {
  const around = new Set<DomNode>();
  for (const node of left) {
    for (let at = node === root ? null : node.parentNode; at !== null && !around.has(at); at = at.parentNode) {
      around.add(at);
      if (at === root) break;
    }
  }
  return around;
}

function* inDocumentOrder(
  root: DomNode,
  among: ReadonlySet<DomNode>,
  without: ReadonlySet<DomNode>,
): Generator<DomNode> {
  const open: DomNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    const inside: DomNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (among.has(child) && !without.has(child)) inside.push(child);
    }
    open.push(...inside.toReversed());
  }
}

function isLeft(node: DomNode, around: ReadonlySet<DomNode>, left: ReadonlySet<DomNode>): boolean {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (!left.has(child) && (around.has(child) || showsSomething(child))) return false;
  }
  return true;
}

function showsSomething(root: DomNode): boolean {
  for (let node: DomNode | null = root; node !== null; node = nextInside(root, node)) {
    if (isText(node) ? /\S/.test(node.textContent ?? '') : isElement(node) && DRAWN.has(node.localName)) return true;
  }
  return false;
}
