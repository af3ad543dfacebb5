import { classOf, elementsInside, firstInside, nearestByTag, HEADING_TAGS } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { openLink } from './inline-elements.ts';
import type { EnterResult, MarkdownListState, MarkdownWriter } from './markdown-writer.ts';
import { readListNumbering } from './numbering.ts';
import { isBlank } from '#core/text/blank.ts';

const NOTE_INDENT = '    ';
const INDENT_IN_CELL = '  ';
const INDENTS_IN_CELL_MAX = 4;
const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role="heading"]';
/** Returns the level (1 to 6) of a heading tag or an element with role `heading`; 0 for other elements. */
export function elementHeadingLevel(element: DomElement): number {
  const name = element.localName;
  if (HEADING_TAGS.has(name)) return Number(name.charAt(1));
  if (element.getAttribute('role') !== 'heading') return 0;
  const level = Number(element.getAttribute('aria-level') ?? '2');
  return level >= 1 && level <= 6 ? Math.floor(level) : 2;
}

export function enterHeading(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  if (writing.isLine()) return () => writing.breakBlock();
  const level = elementHeadingLevel(element);
  writing.startLine('space');
  const href = hrefAround(element);
  const link = href === null ? null : openLink(href, writing);
  return () => {
    if (link !== null) writing.closeMark(link);
    const text = writing.endLine().replace(/(^|\s)(#+)$/, '$1\\$2');
    if (text !== '') writing.blocks.write([`${'#'.repeat(level)} ${text}`]);
  };
}

function hrefAround(heading: DomElement): string | null {
  let link = nearestByTag('a', heading);
  while (link !== null && !link.hasAttribute('href'))
    link = link.parentElement && nearestByTag('a', link.parentElement);
  return link?.getAttribute('href') ?? null;
}

export function enterBlock(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  const name = element.localName;
  if (name === 'hr') {
    if (!writing.isLine()) writing.blocks.write(['* * *']);
    return 'skip';
  }
  const label = writing.footnotes.note(element);
  if (label !== null && !writing.isLine()) return enterNote(label, writing);
  if (writing.isLine()) return () => writing.breakBlock();
  if (name === 'summary' || name === 'legend' || isAdmonitionTitle(element)) {
    // A `summary` with a heading is written as that heading, not in bold.
    return element.querySelector(HEADINGS) === null ? enterBold(writing) : enterBlockOnly(writing);
  }
  if (name === 'blockquote' || isAdmonition(element)) {
    writing.blocks.push('> ', '> ', false);
    const title = name === 'blockquote' ? '' : untitledLabel(element);
    if (title !== '') writeBoldLabel(title, writing);
    return () => {
      writing.breakBlock();
      writing.blocks.pop();
    };
  }
  return () => writing.breakBlock();
}

export function writeBoldLabel(label: string, writing: MarkdownWriter): void {
  const leave = enterBold(writing);
  writing.text(sanitizeText(label));
  leave();
}

export function enterBold(writing: MarkdownWriter): () => void {
  writing.startLine('space');
  const mark = writing.openMark('strong', '**', '**');
  return () => {
    if (mark !== null) writing.closeMark(mark);
    const text = writing.endLine();
    if (text !== '') writing.blocks.paragraph(text);
  };
}

function enterNote(label: string, writing: MarkdownWriter): EnterResult {
  const first = `[^${label}]: `;
  writing.blocks.push(first, NOTE_INDENT, false);
  return () => {
    writing.breakBlock();
    writing.blocks.pop();
  };
}

export function enterList(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  const outer = writing.lists.at(-1);
  // In HTML, a list directly inside a list (`<ul><ul>`) is rendered as part of the item before it.
  const inset = outer !== undefined && !writing.isLine() && isListTag(element.parentElement) ? outer.indent : '';
  if (inset !== '') writing.blocks.push(inset, inset, true);
  const ordered = element.localName === 'ol';
  const first = ordered ? firstNumber(element) : null;
  const step = ordered && element.hasAttribute('reversed') ? -1 : 1;
  const isBelowZero = first !== null && lowestNumber(element, first, step) < 0;
  const style = ordered ? (readListNumbering(element) ?? (isBelowZero ? String : null)) : null;
  // Markdown has neither lettered lists nor negative numbers. Such items become bullets that begin with the letter or
  // number, as in `- a) text`.
  const isNumbered = ordered && style === null;
  const marker = isNumbered ? writing.blocks.listMarker('.', ')') : writing.blocks.listMarker('-', '*');
  const isInItem = writing.lists.length > 0 && writing.blocks.depth() > 0 && (inset !== '' || writing.blocks.isUsed());
  // Markdown allows a numbered list directly after a paragraph only if it begins with 1 (CommonMark §5.2).
  const nested = isInItem && (!isNumbered || first === 1);
  const list: MarkdownListState = {
    marker,
    next: first,
    style,
    step,
    items: 0,
    nested,
    indent: '',
    depthInCell: depthInCell(element),
  };
  writing.lists.push(list);
  return () => {
    writing.breakBlock();
    writing.lists.pop();
    if (!writing.isLine()) writing.blocks.endList(marker);
    if (inset !== '') writing.blocks.pop();
  };
}

function depthInCell(list: DomElement): number {
  let depth = 0;
  for (
    let at = list.parentElement;
    at !== null && at.localName !== 'td' && at.localName !== 'th';
    at = at.parentElement
  ) {
    if (isListTag(at)) depth += 1;
    if (depth === INDENTS_IN_CELL_MAX) break;
  }
  return depth;
}

function isListTag(element: DomElement | null): boolean {
  return element !== null && (element.localName === 'ul' || element.localName === 'ol');
}

function firstNumber(list: DomElement): number {
  const start = Number.parseInt(list.getAttribute('start') ?? '', 10);
  if (isListNumber(Math.abs(start))) return start;
  return list.hasAttribute('reversed') ? countItems(list) : 1;
}

function lowestNumber(list: DomElement, first: number, step: number): number {
  let next = first;
  let lowest = first;
  for (const item of list.children) {
    if (item.localName !== 'li') continue;
    const value = Number.parseInt(item.getAttribute('value') ?? '', 10);
    if (isListNumber(Math.abs(value))) next = value;
    lowest = Math.min(lowest, next);
    next += step;
  }
  return lowest;
}

function countItems(list: DomElement): number {
  return list.children.filter(({ localName }) => localName === 'li').length;
}

/** True for a number that CommonMark accepts before a list item: at most nine digits. */
function isListNumber(value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= 999_999_999;
}

export function enterListItem(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  const list = writing.lists.at(-1);
  if (writing.isLine()) {
    const indent = INDENT_IN_CELL.repeat(Math.min(list?.depthInCell ?? 0, INDENTS_IN_CELL_MAX));
    if (writing.isCell()) writing.raw(`${indent}${itemMarker(list, element)}`);
    return () => writing.breakBlock();
  }
  const label = writing.footnotes.note(element);
  if (label !== null) return enterNote(label, writing);
  const numberBefore = list?.next ?? null;
  const marker = itemMarker(list, element);
  const tight = list !== undefined && (list.items > 0 || list.nested);
  // The letter of a lettered list is text of the item, so the indent is only as wide as the bullet.
  const isLettered = list !== undefined && list.style !== null;
  const indent = ' '.repeat(isLettered ? `${list.marker} `.length : marker.length);
  writing.blocks.push(marker, indent, tight);
  return () => {
    writing.breakBlock();
    if (list !== undefined && writing.blocks.isUsed()) {
      list.items += 1;
      list.indent = indent;
    } else if (list !== undefined) list.next = numberBefore;
    writing.blocks.pop();
  };
}

function itemMarker(list: MarkdownListState | undefined, item: DomElement): string {
  if (list === undefined || list.next === null) return `${list?.marker ?? '-'} `;
  const value = Number.parseInt(item.getAttribute('value') ?? '', 10);
  if (isListNumber(list.style === null ? value : Math.abs(value))) list.next = value;
  const marker = list.style === null ? `${list.next}${list.marker} ` : `${list.marker} ${list.style(list.next)}) `;
  list.next += list.step;
  if (list.style === null) list.next = Math.max(0, list.next);
  return marker;
}

export function enterDefinition(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  const name = element.localName;
  if (writing.isCell() && name === 'dt') return enterTermInCell(writing);
  if (writing.isLine()) return () => writing.breakBlock();
  if (name === 'dl') return enterDefinitionList(writing);
  const list = writing.lists.at(-1);
  if (list === undefined || !list.isDefinition) return enterBlockOnly(writing);
  if (name === 'dt') {
    closeDefinition(list, writing);
    const label = writing.footnotes.note(element);
    if (label === null) openDefinition(list, `${list.marker} `, '  ', writing);
    else openDefinition(list, `[^${label}]: `, NOTE_INDENT, writing);
    return label === null ? enterTerm(writing) : 'skip';
  }
  if (list.isOpen !== true) openDefinition(list, `${list.marker} `, '  ', writing);
  return () => writing.breakBlock();
}

function openDefinition(list: MarkdownListState, first: string, rest: string, writing: MarkdownWriter): void {
  writing.blocks.push(first, rest, list.items > 0 || list.nested);
  list.isOpen = true;
  list.items += 1;
}

function enterDefinitionList(writing: MarkdownWriter): EnterResult {
  const marker = writing.blocks.listMarker('-', '*');
  const nested = writing.lists.length > 0 && writing.blocks.depth() > 0 && writing.blocks.isUsed();
  const list: MarkdownListState = {
    marker,
    next: null,
    style: null,
    step: 1,
    items: 0,
    nested,
    indent: '',
    depthInCell: 0,
    isDefinition: true,
    isOpen: false,
  };
  writing.lists.push(list);
  return () => {
    writing.breakBlock();
    closeDefinition(list, writing);
    writing.lists.pop();
    writing.blocks.endList(marker);
  };
}

function closeDefinition(list: MarkdownListState, writing: MarkdownWriter): void {
  if (list.isOpen !== true) return;
  writing.blocks.pop();
  writing.blocks.loosen();
  list.isOpen = false;
}

function enterTerm(writing: MarkdownWriter): EnterResult {
  const leave = enterBold(writing);
  return () => {
    leave();
    if (writing.blocks.isUsed()) writing.blocks.tighten();
  };
}

function enterTermInCell(writing: MarkdownWriter): EnterResult {
  const mark = writing.openMark('strong', '**', '**');
  return () => {
    if (mark !== null) writing.closeMark(mark);
    writing.breakBlock();
  };
}

function enterBlockOnly(writing: MarkdownWriter): EnterResult {
  return () => writing.breakBlock();
}

const NAMED =
  /(?:^|\s)(?:admonition|markdown-alert|custom-block|theme-admonition\S*|callout|admonitionblock|confluence-information-macro|starlight-aside)(?:\s|$)/;
/** Matches classes that mark an admonition only together with the role `note`: `tip` alone may be a tooltip. */
const NOTED = /(?:^|\s)(?:alert|alert-\w+|notice|note|tip|warning|hint)(?:\s|$)/;
const TITLE =
  /(?:^|\s)(?:admonition-title|markdown-alert-title|custom-block-title|callout-title|callout-title-container|admonition-heading|starlight-aside__title)(?:\s|$)|admonitionHeading/;
/** Admonitions whose title has only the class `title`, which means other things elsewhere. */
const AROUND_TITLE = '.admonitionblock, .confluence-information-macro';

export function isAdmonition(element: DomElement): boolean {
  const name = element.localName;
  if (name !== 'div' && name !== 'aside') return false;
  const className = classOf(element);
  return NAMED.test(className) || (NOTED.test(className) && element.getAttribute('role') === 'note');
}

function isAdmonitionTitle(element: DomElement): boolean {
  const className = classOf(element);
  if (className === '') return false;
  return TITLE.test(className) || (className === 'title' && element.closest(AROUND_TITLE) !== null);
}

/**
 * Returns the `aria-label` of an admonition; an empty string if it has none, or if a title element shows the title
 * already.
 */
function untitledLabel(element: DomElement): string {
  const label = element.getAttribute('aria-label') ?? '';
  if (label === '') return '';
  for (const child of element.children) if (isAdmonitionTitle(child)) return '';
  return label;
}

/** Matches the classes of a note laid out as a table (DocBook, AsciiDoc): an icon in one cell, text in the next. */
const NOTE_WORD = /(?:^|\s)(?:note|tip|important|warning|caution|danger|info|admonition(?:block)?)(?:\s|$)/i;
const ICON_TAGS: ReadonlySet<string> = new Set(['img', 'svg', 'i', 'span', 'object']);
const ICON_DEPTH_MAX = 3;
/** Maximum cells of a note laid out as a table. A data table may also begin with a picture, but has more cells. */
const NOTE_CELLS_MAX = 4;

const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const HEADER_CELLS: ReadonlySet<string> = new Set(['th']);

/**
 * Returns the label of the icon, such as "Warning", if the table is only the layout of a note; otherwise `null`. Empty
 * if the icon has no label.
 */
export function findNoteIconLabel(table: DomElement): string | null {
  if (!isNamedNote(table)) return null;
  const first = firstInside(table, CELLS);
  if (first === null || !hasFewCells(table)) return null;
  const icon = iconIn(first);
  if (icon === null) return null;
  const name = icon.getAttribute('alt') ?? icon.getAttribute('title') ?? icon.getAttribute('aria-label') ?? '';
  return name.trim().replace(/^\[/, '').replace(/\]$/, '').trim();
}

export function isNoteIcon(cell: DomElement): boolean {
  return CELLS.has(cell.localName) && isFirstOfNote(cell, CELLS);
}

export function isNoteTitle(cell: DomElement): boolean {
  return cell.localName === 'th' && isFirstOfNote(cell, HEADER_CELLS);
}

function isFirstOfNote(cell: DomElement, names: ReadonlySet<string>): boolean {
  const table = nearestByTag('table', cell);
  return (
    table !== null &&
    isNamedNote(table) &&
    hasFewCells(table) &&
    firstInside(table, names) === cell &&
    findNoteIconLabel(table) !== null
  );
}

function isNamedNote(table: DomElement): boolean {
  const around = table.parentElement === null ? '' : classOf(table.parentElement);
  return (
    NOTE_WORD.test(around) || NOTE_WORD.test(classOf(table)) || NOTE_WORD.test(table.getAttribute('summary') ?? '')
  );
}

function hasFewCells(table: DomElement): boolean {
  let cells = 0;
  for (const _ of elementsInside(table, CELLS)) {
    cells += 1;
    if (cells > NOTE_CELLS_MAX) return false;
  }
  return true;
}

/** Returns the picture of a cell without text. A few wrapper elements, such as links, may be around the picture. */
function iconIn(cell: DomElement): DomElement | null {
  if (!isBlank(cell.textContent ?? '')) return null;
  let element: DomElement | undefined = onlyChild(cell);
  for (let depth = 0; element !== undefined && depth < ICON_DEPTH_MAX; depth += 1) {
    const inner: DomElement | undefined = onlyChild(element);
    if (inner === undefined) return ICON_TAGS.has(element.localName) ? element : null;
    element = inner;
  }
  return null;
}

function onlyChild(element: DomElement): DomElement | undefined {
  const [first, second] = element.children;
  return second === undefined ? first : undefined;
}
