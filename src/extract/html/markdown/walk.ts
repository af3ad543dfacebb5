import { isElement, isText } from '#extract/html/dom.ts';
import type { DomElement, DomNode } from '#extract/html/dom.ts';
import { toPlain } from '#extract/plain.ts';
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
  for (;;) {
    const entered = skip.has(node) ? 'skip' : enter(node, writing);
    if (typeof entered === 'function') open.push({ node, leave: entered });
    const child = entered === 'skip' ? null : node.firstChild;
    if (child !== null) {
      node = child;
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
    node = next;
  }
}

function enter(node: DomNode, writing: Writing): 'skip' | 'descend' | (() => void) {
  if (isText(node)) {
    writing.text(toPlain(node.textContent ?? ''), node);
    return 'skip';
  }
  return isElement(node) ? enterElement(node, writing) : 'skip';
}
