import { isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { toPlain } from '#core/plain.ts';
import { BLOCK_TAGS } from '#extract/html/tags.ts';
import type { Parts } from '#extract/html/parts.ts';
import { enterElement, isWrittenWhole } from './elements.ts';
import { Footnotes } from './footnotes.ts';
import type { WrittenBlocks } from './blocks.ts';
import { placeName } from './place-name.ts';
import type { Links } from './urls.ts';
import { Writing } from './writing.ts';
import type { Entered } from './writing.ts';

/**
 * Writes the content of `root` as Markdown lines; a paragraph may still be one long line. Without recursion; each node
 * once; the same result for the same page. The nodes in `skip`, and everything below them, are left out.
 */
export function toMarkdown(root: DomElement, links: Links, skip: ReadonlySet<DomNode>): WrittenBlocks {
  return write(root, new Writing(links, new Footnotes(root, skip)), skip, NOTHING);
}

/**
 * Writes what the main part leaves of the body. Notes are not footnotes here, because their labels would repeat those
 * of the main part.
 */
export function restToMarkdown(body: DomElement, links: Links, { rest, shared }: Parts): WrittenBlocks {
  return write(body, new Writing(links, new Footnotes(null, rest), true), rest, shared);
}

const NOTHING: ReadonlySet<DomNode> = new Set();

/** @param shared elements that may be written only in part, never as a whole */
function write(
  root: DomElement,
  writing: Writing,
  skip: ReadonlySet<DomNode>,
  shared: ReadonlySet<DomNode>,
): WrittenBlocks {
  walk(root, writing, skip, shared);
  writing.breakBlock();
  return writing.blocks.finish();
}

type Open = { node: DomNode; leave: () => void };

function walk(root: DomElement, writing: Writing, skip: ReadonlySet<DomNode>, shared: ReadonlySet<DomNode>): void {
  const open: Open[] = [];
  let node: DomNode = root;
  let before: DomNode | null = null;
  for (;;) {
    const entered: Entered = skip.has(node) ? pass(node, writing) : enter(node, before, writing, skip, shared);
    if (typeof entered === 'function') open.push({ node, leave: entered });
    const child: DomNode | null = entered === 'skip' ? null : node.firstChild;
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

/** A node that is left out still separates what stands before and after it. */
function pass(node: DomNode, writing: Writing): 'skip' {
  writing.blocks.passOver();
  if (isElement(node) && BLOCK_TAGS.has(node.localName)) writing.breakBlock();
  return 'skip';
}

/** A block ends the text before it; its name does not lead to that text. */
function noteAnchor(element: DomElement, writing: Writing): void {
  const name = placeName(element);
  if (name === null) return;
  if (BLOCK_TAGS.has(element.localName)) writing.breakBlock();
  writing.anchor(name);
}

/** @param before the neighbour that was just left, if any */
function enter(
  node: DomNode,
  before: DomNode | null,
  writing: Writing,
  skip: ReadonlySet<DomNode>,
  shared: ReadonlySet<DomNode>,
): 'skip' | 'descend' | (() => void) {
  if (isText(node)) {
    const isRead = before !== null && isText(before) && !skip.has(before);
    if (!isRead) writing.text(toPlain(wholeText(node, skip)), node);
    return 'skip';
  }
  if (!isElement(node)) return 'skip';
  noteAnchor(node, writing);
  return shared.has(node) && isWrittenWhole(node) ? 'descend' : enterElement(node, writing);
}

/** The parser ends a text node at each character reference, and an escape may depend on the next node. */
function wholeText(first: DomNode, skip: ReadonlySet<DomNode>): string {
  let text = first.textContent ?? '';
  for (let next = first.nextSibling; next !== null && isText(next) && !skip.has(next); next = next.nextSibling) {
    text += next.textContent ?? '';
  }
  return text;
}
