import { isElement, isText } from '#extract/html/dom.ts';
import type { DomElement, DomNode } from '#extract/html/dom.ts';
import { toPlain } from '#core/plain.ts';
import { enterElement } from './elements.ts';
import { Footnotes } from './footnotes.ts';
import { Links } from './urls.ts';
import { Writing } from './writing.ts';

/**
 * Writes the content of `root` as Markdown lines (a paragraph may still be one long line). Without recursion, each
 * node once, the same for the same page. `base` is the absolute URL that links are resolved against; the nodes in
 * `skip`, and what is below them, are left out.
 */
export function toMarkdown(root: DomElement, base: string, skip: ReadonlySet<DomNode>): string[] {
  const writing = new Writing(new Links(base), new Footnotes(root, skip));
  walk(root, writing, skip);
  writing.breakBlock();
  return writing.blocks.finish();
}

type Open = { node: DomNode; leave: () => void };

function walk(root: DomElement, writing: Writing, skip: ReadonlySet<DomNode>): void {
  const open: Open[] = [];
  let node: DomNode = root;
  let before: DomNode | null = null;
  for (;;) {
    const entered = skip.has(node) ? 'skip' : enter(node, before, writing, skip);
    if (typeof entered === 'function') open.push({ node, leave: entered });
    const child = entered === 'skip' ? null : node.firstChild;
    if (child !== null) {
      node = child;
      before = null;
      continue;
    }
    let next: DomNode | null = null;
    for (;;) {
      if (open.at(-1)?.node === node) open.pop()?.leave();
      if (node === root) return;
      next = node.nextSibling;
      if (next !== null || node.parentNode === null) break;
      node = node.parentNode;
    }
    if (next === null) return;
    before = node;
    node = next;
  }
}

/** `before`: the neighbour that was just left, if any. */
function enter(
  node: DomNode,
  before: DomNode | null,
  writing: Writing,
  skip: ReadonlySet<DomNode>,
): 'skip' | 'descend' | (() => void) {
  if (isText(node)) {
    const isRead = before !== null && isText(before) && !skip.has(before);
    if (!isRead) writing.text(toPlain(wholeText(node, skip)), node);
    return 'skip';
  }
  return isElement(node) ? enterElement(node, writing) : 'skip';
}

/** The parser ends a text node at each character reference: what an escape depends on may stand in the next one. */
function wholeText(first: DomNode, skip: ReadonlySet<DomNode>): string {
  let text = first.textContent ?? '';
  for (let next = first.nextSibling; next !== null && isText(next) && !skip.has(next); next = next.nextSibling) {
    text += next.textContent ?? '';
  }
  return text;
}
