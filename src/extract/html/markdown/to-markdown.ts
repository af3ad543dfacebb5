import { classOf, isElement, isText, nearestOf, BLOCK_TAGS } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { codeBlock } from '#extract/escape.ts';
import {
  enterBlock,
  enterBold,
  enterDefinition,
  enterHeading,
  enterList,
  enterListItem,
  headingLevel,
  iconNote,
  isAdmonition,
  isNoteIcon,
  isNoteTitle,
  writeLabel,
} from './block-elements.ts';
import { codeLanguage, codeText, isCodeContainer, isCodeControl } from './code.ts';
import type { NamedAnchor, WrittenBlocks } from './blocks.ts';
import { enterLink, enterMark, writeCodeSpan, writeImage, isToggle } from './inline-elements.ts';
import { Footnotes, isNoteWrapper } from './footnotes.ts';
import { formulaMarkdown, formulaOf, isDrawnMath } from './math.ts';
import type { EnterResult } from './markdown-writer.ts';
import { toPlain } from '#core/text/plain.ts';
import type { PageParts } from '#extract/html/parts.ts';
import { anchorName } from './blocks.ts';
import type { Links } from './urls.ts';
import { MarkdownWriter } from './markdown-writer.ts';
import { TABLE_COLUMNS_MAX } from '#extract/limits.ts';
import { Table, isDataTable, spanOf } from './table.ts';

const SKIPPED = new Set(
  'script style svg template noscript iframe object head title meta link base input select option textarea canvas audio video source track rp wbr annotation annotation-xml'.split(
    ' ',
  ),
);
const CODE_LIKE = new Set(['code', 'kbd', 'samp', 'tt']);
const MARKED = new Set(['strong', 'b', 'em', 'i', 'del', 's', 'strike', 'sub', 'sup', 'dfn', 'cite', 'var']);
const TABLE_PARTS = new Set(['table', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'caption', 'colgroup']);

function enterElement(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  if (SKIPPED.has(name)) return enterSkipped(element, writing);
  if (!writing.footnotes.isEmpty() && isNoteWrapper(element)) return 'skip';
  const formula = mayBeMath(element) ? formulaOf(element) : null;
  if (formula !== null) {
    if (formula.display && !writing.isLine()) {
      writing.breakBlock();
      writing.blocks.write([formulaMarkdown(formula, false)]);
    } else writing.atom(formulaMarkdown(formula, writing.isCell()));
    return 'skip';
  }
  if (isDrawnMath(element) || isCodeControl(element) || isToggle(element)) return 'skip';
  if (isCodeContainer(element)) return writeCode(element, writing);
  if (headingLevel(element) > 0) return enterHeading(element, writing);
  if (TABLE_PARTS.has(name)) return enterTablePart(element, writing);
  if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') return enterList(element, writing);
  if (name === 'li') return enterListItem(element, writing);
  if (name === 'dl' || name === 'dt' || name === 'dd') return enterDefinition(element, writing);
  if (BLOCK_TAGS.has(name) || name === 'legend') return enterBlock(element, writing);
  return enterInline(element, writing);
}

/** Whether an element is written from its text alone, whatever it contains. */
function isWrittenWhole(element: DomElement): boolean {
  return isCodeContainer(element) || CODE_LIKE.has(element.localName) || mayBeMath(element);
}

function enterInline(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  if (name === 'br') {
    writing.lineBreak();
    return 'skip';
  }
  if (name === 'a') return enterLink(element, writing);
  if (name === 'img') return writeImage(element, writing);
  if (CODE_LIKE.has(name)) return writeCodeSpan(element, writing);
  if (MARKED.has(name)) return enterMark(element, writing);
  if (name === 'label' || name === 'button') {
    writing.space();
    return () => writing.space();
  }
  if (name === 'q') {
    writing.text('“');
    return () => writing.text('”');
  }
  return 'descend';
}

function enterSkipped(element: DomElement, writing: MarkdownWriter): EnterResult {
  if (element.localName === 'input' && element.getAttribute('type')?.toLowerCase() === 'checkbox') {
    const inItem = writing.lists.length > 0 && !writing.isLine();
    if (inItem && /(?:^|\s)(?:task|todo|checklist)/i.test(classesAround(element))) {
      writing.blocks.extendMarker(element.hasAttribute('checked') ? '[x] ' : '[ ] ');
    }
  }
  return 'skip';
}

function classesAround(input: DomElement): string {
  const item = nearestOf('li', input);
  if (item === null) return '';
  const own = `${classOf(item)} ${item.parentElement?.getAttribute('class') ?? ''} ${classOf(input)}`;
  const first = item.firstChild;
  const leads = first === input || first === input.parentNode || input.parentNode === item;
  return leads ? `${own} task` : own;
}

function mayBeMath(element: DomElement): boolean {
  switch (element.localName) {
    case 'math':
    case 'x-tex':
    case 'x-tex-block':
    case 'mjx-container':
    case 'img':
      return true;
    case 'span':
    case 'div':
      return /katex|mwe-math/.test(classOf(element));
    default:
      return false;
  }
}

function writeCode(element: DomElement, writing: MarkdownWriter): EnterResult {
  const names: NamedAnchor[] = [];
  const code = codeText(element, names);
  if (code.trim() === '') return 'skip';
  if (writing.isLine()) {
    for (const [index, line] of code.trim().split('\n').entries()) {
      if (index > 0) writing.lineBreak();
      if (line.trim() !== '') writing.code(line.trimEnd());
    }
    return 'skip';
  }
  writing.breakBlock();
  // The fence is the first line.
  const anchors = names.map(({ name, line }) => ({ name, line: line + 1 }));
  writing.blocks.write(codeBlock(code, codeLanguage(element)), 'blank', anchors);
  return 'skip';
}

/**
 * Writes the content of `root` as Markdown lines; a paragraph may still be one long line. Without recursion; each node
 * once; the same result for the same page. The nodes in `skip`, and everything below them, are left out.
 */
export function toMarkdown(root: DomElement, links: Links, skip: ReadonlySet<DomNode>): WrittenBlocks {
  return write(root, new MarkdownWriter(links, new Footnotes(root, skip)), skip, NOTHING);
}

/**
 * Writes what the main part leaves of the body. Notes are not footnotes here, because their labels would repeat those
 * of the main part.
 */
export function restToMarkdown(body: DomElement, links: Links, { rest, shared }: PageParts): WrittenBlocks {
  return write(body, new MarkdownWriter(links, new Footnotes(null, rest), true), rest, shared);
}

const NOTHING: ReadonlySet<DomNode> = new Set();

/** @param shared elements that may be written only in part, never as a whole */
function write(
  root: DomElement,
  writing: MarkdownWriter,
  skip: ReadonlySet<DomNode>,
  shared: ReadonlySet<DomNode>,
): WrittenBlocks {
  walk(root, writing, skip, shared);
  writing.breakBlock();
  return writing.blocks.finish();
}

type Open = { node: DomNode; leave: () => void };

function walk(
  root: DomElement,
  writing: MarkdownWriter,
  skip: ReadonlySet<DomNode>,
  shared: ReadonlySet<DomNode>,
): void {
  const open: Open[] = [];
  let node: DomNode = root;
  let before: DomNode | null = null;
  for (;;) {
    const entered: EnterResult = skip.has(node) ? pass(node, writing) : enter(node, before, writing, skip, shared);
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
function pass(node: DomNode, writing: MarkdownWriter): 'skip' {
  writing.blocks.passOver();
  if (isElement(node) && BLOCK_TAGS.has(node.localName)) writing.breakBlock();
  return 'skip';
}

/** A block ends the text before it; its name does not lead to that text. */
function noteAnchor(element: DomElement, writing: MarkdownWriter): void {
  const name = anchorName(element);
  if (name === null) return;
  if (BLOCK_TAGS.has(element.localName)) writing.breakBlock();
  writing.anchor(name);
}

/** @param before the neighbour that was just left, if any */
function enter(
  node: DomNode,
  before: DomNode | null,
  writing: MarkdownWriter,
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

/** HTML's own limit for `rowspan`. */
const ROW_SPAN_MAX = 65_534;

function enterTablePart(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  if (name === 'table') return enterTable(element, writing);
  if (name === 'colgroup') return 'skip';
  const table = writing.tables.at(-1);
  if (table === undefined || table === null) {
    if (isNoteIcon(element)) return 'skip';
    if (!writing.isLine() && isNoteTitle(element)) return enterBold(writing);
    if (writing.isLine() && (name === 'td' || name === 'th')) {
      writing.space();
      return 'descend';
    }
    writing.breakBlock();
    return () => writing.breakBlock();
  }
  if (name === 'tr') {
    const group = element.parentElement;
    table.startRow(group?.localName === 'thead', group);
    return 'descend';
  }
  if (name === 'td' || name === 'th') return enterCell(element, name === 'th', table, writing);
  if (name === 'caption') return enterCaption(table, writing);
  return 'descend';
}

function enterTable(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  const note = writing.isLine() ? null : iconNote(element);
  if (note !== null) return enterNoteTable(element, note, writing);
  if (writing.isLine() || !isDataTable(element)) {
    writing.tables.push(null);
    return () => {
      writing.breakBlock();
      writing.tables.pop();
    };
  }
  const table = new Table(writing.repeats);
  writing.tables.push(table);
  return () => {
    writing.tables.pop();
    if (table.caption !== '') writing.blocks.paragraph(table.caption);
    const lines = table.toLines();
    if (lines.length > 0) writing.blocks.write(lines, 'blank', table.anchors());
    else for (const { name } of table.anchors()) writing.blocks.anchor(name);
  };
}

/** Writes it like a note that is drawn with boxes. @param name the label from its icon, for a note without a title */
function enterNoteTable(element: DomElement, name: string, writing: MarkdownWriter): EnterResult {
  const isInNote = element.parentElement !== null && isAdmonition(element.parentElement);
  if (!isInNote) writing.blocks.push('> ', '> ', false);
  if (name !== '' && element.querySelector('th') === null) writeLabel(name, writing);
  writing.tables.push(null);
  return () => {
    writing.breakBlock();
    writing.tables.pop();
    if (!isInNote) writing.blocks.pop();
  };
}

function enterCell(element: DomElement, isHeader: boolean, table: Table, writing: MarkdownWriter): EnterResult {
  writing.startLine('html');
  return () => {
    const text = writing.endLine();
    table.addCell(
      text,
      spanOf(element, 'colspan', TABLE_COLUMNS_MAX),
      spanOf(element, 'rowspan', ROW_SPAN_MAX),
      isHeader,
    );
  };
}

function enterCaption(table: Table, writing: MarkdownWriter): EnterResult {
  writing.startLine('space');
  return () => {
    table.caption = writing.endLine();
  };
}
