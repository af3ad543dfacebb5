import {
  classOf,
  isElement,
  isText,
  nearestByTag,
  BLOCK_TAGS,
  REPLACED_TAGS,
  TAB_LABEL_TAG,
  MOVED_PANEL_TAG,
} from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { codeBlock, codeSpan } from '#extract/escape.ts';
import { isBlank } from '#core/text/blank.ts';
import {
  enterBlock,
  enterBold,
  enterDefinition,
  enterHeading,
  enterList,
  enterListItem,
  elementHeadingLevel,
} from './block-elements.ts';
import { codeLanguage, codeText, isCodeContainer, isCodeControl } from './code.ts';
import type { NamedAnchor, WrittenBlocks } from './blocks.ts';
import { enterLink, enterInlineMark, writeCodeSpan, writeImage, isShowHideToggle } from './inline-elements.ts';
import { Footnotes, isBackReferenceWrapper } from './footnotes.ts';
import { TEX_SOURCE_CLASS, formulaMarkdown, readFormula, isRenderedMathCopy } from './math.ts';
import type { EnterResult } from './markdown-writer.ts';
import { sanitizeText } from '#core/text/plain.ts';
import type { PageParts } from '#extract/html/parts.ts';
import { anchorName } from './blocks.ts';
import type { LinkResolver } from './urls.ts';
import { MarkdownWriter } from './markdown-writer.ts';
import { enterTablePart } from '#extract/html/markdown/tables/table-elements.ts';
import { writeReplacedElement } from './shown-as-text.ts';

const SKIPPED = new Set(
  'script style template noscript head title meta link base canvas source track rp wbr annotation annotation-xml mphantom'.split(
    ' ',
  ),
);
const CODE_LIKE = new Set(['code', 'kbd', 'samp', 'tt']);
const MARKED = new Set(['strong', 'b', 'em', 'i', 'del', 's', 'strike', 'sub', 'sup', 'dfn', 'cite', 'var']);
const TABLE_PARTS = new Set(['table', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'caption', 'colgroup']);

function enterElement(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  if (SKIPPED.has(name)) return 'skip';
  if (REPLACED_TAGS.has(name)) return isTaskMark(element, writing) ? 'skip' : writeReplacedElement(element, writing);
  if (!writing.footnotes.isEmpty() && isBackReferenceWrapper(element)) return 'skip';
  const formula = mayBeMath(element) ? readFormula(element) : null;
  if (formula !== null) {
    if (formula.display && !writing.isLine()) {
      writing.breakBlock();
      writing.blocks.write([formulaMarkdown(formula, false)]);
    } else writing.atom(formulaMarkdown(formula, writing.isCell()));
    return 'skip';
  }
  if (isRenderedMathCopy(element) || isCodeControl(element) || isShowHideToggle(element)) return 'skip';
  if (isCodeContainer(element)) return writeCode(element, writing);
  if (elementHeadingLevel(element) > 0) return enterHeading(element, writing);
  if (TABLE_PARTS.has(name)) return enterTablePart(element, writing);
  if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') return enterList(element, writing);
  if (name === 'li') return enterListItem(element, writing);
  if (name === 'dl' || name === 'dt' || name === 'dd') return enterDefinition(element, writing);
  if (name === TAB_LABEL_TAG) return writing.isLine() ? enterBlock(element, writing) : enterLabel(writing);
  if (BLOCK_TAGS.has(name) || name === 'legend' || name === MOVED_PANEL_TAG) return enterBlock(element, writing);
  return enterInline(element, writing);
}

function enterLabel(writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  return enterBold(writing);
}

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
  if (MARKED.has(name)) return enterInlineMark(element, writing);
  if (name === 'label' || name === 'button') {
    writing.space();
    return () => writing.space();
  }
  if (name === 'q') {
    writing.text('“');
    return () => writing.text('”');
  }
  // Ruby text, such as the reading of a Chinese character, is shown above its word. It is written after it, in
  // parentheses.
  if (name === 'rt' && !isBlank(element.textContent)) {
    writing.text('(');
    return () => writing.text(')');
  }
  return 'descend';
}

/** Writes the mark of a task (`[x]`) and returns true if the element is the checkbox of a task list. */
function isTaskMark(element: DomElement, writing: MarkdownWriter): boolean {
  if (element.localName !== 'input' || element.getAttribute('type')?.toLowerCase() !== 'checkbox') return false;
  const inItem = writing.lists.length > 0 && !writing.isLine();
  if (!inItem || !/(?:^|\s)(?:task|todo|checklist)/i.test(classesAround(element))) return false;
  writing.blocks.extendMarker(element.hasAttribute('checked') ? '[x] ' : '[ ] ');
  return true;
}

function classesAround(input: DomElement): string {
  const item = nearestByTag('li', input);
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
      return /katex|mwe-math/.test(classOf(element)) || TEX_SOURCE_CLASS.test(classOf(element));
    default:
      return false;
  }
}

function writeCode(element: DomElement, writing: MarkdownWriter): EnterResult {
  const names: NamedAnchor[] = [];
  const code = codeText(element, names);
  if (code.trim() === '') return 'skip';
  if (writing.isCell()) return writeCodeInCell(code, names, writing);
  if (writing.isLine()) {
    for (const [index, line] of code.trim().split('\n').entries()) {
      if (index > 0) writing.lineBreak();
      if (line.trim() !== '') writing.code(line.trimEnd());
    }
    return 'skip';
  }
  writing.breakBlock();
  // Plus one, because the first line of the block is the fence.
  const anchors = names.map(({ name, line }) => ({ name, line: line + 1 }));
  writing.blocks.write(codeBlock(code, codeLanguage(element)), 'blank', anchors);
  return 'skip';
}

function withoutBlankLinesAround(code: string): string {
  const text = code.trimEnd();
  const indent = text.length - text.trimStart().length;
  return text.slice(text.slice(0, indent).lastIndexOf('\n') + 1);
}

function writeCodeInCell(code: string, names: readonly NamedAnchor[], writing: MarkdownWriter): EnterResult {
  for (const { name } of names) writing.anchor(name);
  const lines = withoutBlankLinesAround(code).split('\n');
  writing.breakBlock();
  writing.atom(lines.map((line) => (isBlank(line) ? '' : codeSpan(line.trimEnd(), true))).join('<br>'));
  writing.breakBlock();
  return 'skip';
}

/**
 * Writes `root` without the nodes in `skip` as Markdown, with one line per paragraph or part of it before a line break.
 * Linear, without recursion.
 */
export function convertDomToMarkdown(root: DomElement, links: LinkResolver, skip: ReadonlySet<DomNode>): WrittenBlocks {
  return write(root, new MarkdownWriter(links, new Footnotes(root, skip)), skip, NOTHING);
}

/** Writes menus and comments. Their footnotes stay links and lists, whose labels could clash with the main part's. */
export function convertRestToMarkdown(
  body: DomElement,
  links: LinkResolver,
  { rest, shared }: PageParts,
): WrittenBlocks {
  return write(body, new MarkdownWriter(links, new Footnotes(null, rest), true), rest, shared);
}

const NOTHING: ReadonlySet<DomNode> = new Set();

/** @param shared elements with text of both parts of the page, which must not be written as a whole (such as code) */
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

/** Skips a node. A skipped block still separates the texts before and after it. */
function pass(node: DomNode, writing: MarkdownWriter): 'skip' {
  writing.blocks.passOver();
  if (isElement(node) && BLOCK_TAGS.has(node.localName)) writing.breakBlock();
  return 'skip';
}

/**
 * Makes an element a link target. A block first ends the open paragraph, because the link would otherwise lead to that
 * paragraph.
 */
function noteAnchor(element: DomElement, writing: MarkdownWriter): void {
  const name = anchorName(element);
  if (name === null) return;
  if (BLOCK_TAGS.has(element.localName)) writing.breakBlock();
  writing.anchor(name);
}

/** @param before the sibling before `node`, if any */
function enter(
  node: DomNode,
  before: DomNode | null,
  writing: MarkdownWriter,
  skip: ReadonlySet<DomNode>,
  shared: ReadonlySet<DomNode>,
): 'skip' | 'descend' | (() => void) {
  if (isText(node)) {
    const isRead = before !== null && isText(before) && !skip.has(before);
    if (!isRead) writing.text(sanitizeText(wholeText(node, skip)), node);
    return 'skip';
  }
  if (!isElement(node)) return 'skip';
  noteAnchor(node, writing);
  return shared.has(node) && isWrittenWhole(node) ? 'descend' : enterElement(node, writing);
}

/** Joins adjacent text nodes, which the parser splits at `&amp;`: escaping a character depends on the next one. */
function wholeText(first: DomNode, skip: ReadonlySet<DomNode>): string {
  let text = first.textContent ?? '';
  for (let next = first.nextSibling; next !== null && isText(next) && !skip.has(next); next = next.nextSibling) {
    text += next.textContent ?? '';
  }
  return text;
}
