import { isBlank } from '#core/text/blank.ts';
import {
  DomText,
  classOf,
  childrenOf,
  elementsInside,
  firstInside,
  containsAnyTag,
  isBelow,
  isElement,
  isText,
  nearestByTag,
  nextInside,
  BLOCK_TAGS,
} from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

export const DIFF_SIGN_ATTRIBUTES = ['data-code-marker', 'data-type-marker', 'data-line-type-marker'] as const;

type Sign = '+' | '-';

/** Matches all class names of changes and others. It is tested first, because most elements have none. */
const MAY_BE_CHANGE = /add|ins|new|del|remove|old|diff_/;

/** Matches classes that only diff viewers give to a line of code. */
const VIEWER_LINE: readonly (readonly [Sign, RegExp])[] = [
  ['+', /(?:^|\s)(?:blob-code-addition|code-block-diff-add-line|diff-addedline|d2h-ins|vc_diff_add|diff_in)(?:\s|$)/],
  [
    '-',
    /(?:^|\s)(?:blob-code-deletion|code-block-diff-remove-line|diff-deletedline|d2h-del|vc_diff_remove|diff_out)(?:\s|$)/,
  ],
];
/** Matches classes of a line in a diff, which other pages may use for other changes. */
const LINE: readonly (readonly [Sign, RegExp])[] = [
  [
    '+',
    /(?:^|\s)(?:diff-add(?:ed)?(?:-line)?|diff-(?:line|code)-(?:add(?:ed|ition)?|insert(?:ed)?)|line-(?:added|inserted)|code-line-(?:added|inserted))(?:\s|$)/,
  ],
  [
    '-',
    /(?:^|\s)(?:diff-(?:remove|delete)d?(?:-line)?|diff-(?:line|code)-(?:removed?|deleted?|deletion)|line-(?:removed|deleted)|code-line-(?:removed|deleted))(?:\s|$)/,
  ],
];
/** Matches classes of lines in a diff. Next to one of them, words such as `added` or `old` mark a line. */
const COMPARED = /(?:^|\s)(?:diff|diff-text|ec-line|line_content|d2h-code-line|has-diff|diff-line|gr-diff)(?:\s|$)/;
const COMPARED_WORD: readonly (readonly [Sign, RegExp])[] = [
  ['+', /(?:^|\s)(?:add|added|addition|ins|insert|inserted|new)(?:\s|$)/],
  ['-', /(?:^|\s)(?:remove|removed|del|delete|deleted|deletion|old)(?:\s|$)/],
];
/** Matches classes that mark a line by a colour within an element with a diff's class. */
const COLOURED: readonly (readonly [Sign, RegExp])[] = [
  ['+', /(?:^|\s)(?:add|added|addition|ins|inserted)(?:\s|$)/],
  ['-', /(?:^|\s)(?:del|deleted|deletion|removed)(?:\s|$)/],
];
const CHANGED_CELL = /(?:^|\s)(?:changed|modified|vc_diff_change)(?:\s|$)/;
/** Matches classes of the two versions in a row of a viewer. */
const VERSION: readonly (readonly [Sign, RegExp])[] = [
  ['+', /(?:^|\s)new(?:\s|$)/],
  ['-', /(?:^|\s)old(?:\s|$)/],
];
/** Matches the class of a line's number, and of the column with the sign, that only diffs and code have. */
const NUMBER_CELL =
  /line[_-]?num|lineno|blob-num|_line(?:\s|$)|(?:^|\s)(?:(?:diff-)?gutter|diff-marker|diff-lineheader)(?:\s|$)/i;
/** Matches the class of a cell with the sign of the line in another cell, and of a cell whose sign begins the line. */
const MARKER = /(?:^|\s)(?:diff-marker|diff-lineheader|marker|sign)(?:\s|$)/;
const FIRST_PART = /(?:^|\s)lines-type-marker(?:\s|$)/;
/** Matches the class of an element within a line that contains only the sign. */
const SIGN_PART = /marker|prefix|sign/;

/** Matches the class of an element around a diff, such as `ssdiff` or `file-diff`. */
const AROUND = /(?:^|[\s_-])(?:ss|side|split|unified)?[_-]?diff(?:s|view|table)?(?:[\s_-]|$)/i;
/** Matches the class of a viewer, in which lines are code. */
const VIEWER =
  /(?:^|\s)(?:ssdiff|vc_diff_block|gr-diff|(?:d2h|trac|git|code|source|file|prose|rich|differential|split|unified|side-by-side)-diff(?:-table)?|diff-(?:file|view|viewer|table|type-table|[12]up)|diff-?lines)(?:\s|$)/i;
/** Matches the class of Trac, whose tables name the files above their columns. */
const TRAC = /(?:^|\s)trac-diff(?:\s|$)/;
/** Matches the class of a viewer, or of another table with two columns. */
const VIEWER_OR_COLUMNS = new RegExp(`${VIEWER.source}|(?:^|\\s)sidebyside(?:\\s|$)`, 'i');
/** Elements outside of a line that are searched for the class of a diff. */
const AROUND_LEVELS_MAX = 6;
const LINES: ReadonlySet<string> = new Set(['tr', 'td', 'th', 'div', 'li', 'p']);
const CODE: ReadonlySet<string> = new Set(['pre', 'code']);
const PRE: ReadonlySet<string> = new Set(['pre']);
const IMAGES: ReadonlySet<string> = new Set(['img', 'svg', 'picture']);
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const ROWS: ReadonlySet<string> = new Set(['tr']);
const NO_LINES: ReadonlySet<string> = new Set(['table', 'h1', 'h2', 'h3', 'form', 'pre']);
const ATTRIBUTE_CHARS_MAX = 4;

/** A line with a sign. `around`: the diff, if only other facts about it show that it is one. */
type SignedLine = { element: DomElement; sign: Sign; around: DomElement | null };

/**
 * Writes `+` and `-` into the lines of a diff whose signs only a style sheet shows. A table of such lines becomes a
 * code block. Text is a diff if a known viewer wrote it, or if it looks like changed code. Linear in the tree.
 */
export function writeDiffSigns(body: DomElement): void {
  const lines = withoutOtherChanges(signedLines(body));
  const tables = new Set<DomElement>();
  const rows = new Set<DomElement>();
  for (const { element, sign } of lines) {
    const table = nearestByTag('table', element);
    const row = nearestByTag('tr', element);
    if (table !== null) tables.add(table);
    if (row !== null) rows.add(row);
    writeSign(element, sign);
  }
  for (const table of tables) {
    for (const pre of elementsInside(table, PRE)) if (isOnlyLineOfCell(pre)) pre.localName = 'code';
    if (!containsAnyTag(table, NO_LINES)) becomeListing(table, rows);
  }
}

/** True for a code block with one line, as in viewers with a block in each cell. */
function isOnlyLineOfCell(pre: DomElement): boolean {
  const { parentNode, textContent } = pre;
  return parentNode !== null && CELLS.has(parentNode.localName) && !textContent.trim().includes('\n');
}

function signedLines(body: DomElement): SignedLine[] {
  const lines: SignedLine[] = [];
  const sides: ChangedSides = new Map();
  /** The last element with a sign, to skip elements inside it. */
  let last: DomElement | null = null;
  for (let node = nextInside(body, body); node !== null; node = nextInside(body, node)) {
    if (!isElement(node) || !node.hasAttributes()) continue;
    const line = ownSign(node) ?? colouredLine(node, sides);
    if (line === null || (last !== null && isBelow(node, last)) || isPicture(node)) continue;
    last = node;
    lines.push({ element: node, ...line });
  }
  return lines;
}

/** Leaves out lines that are no diff, or whose text has the signs. */
function withoutOtherChanges(lines: readonly SignedLine[]): SignedLine[] {
  const groups = Map.groupBy(lines, ({ around }) => around);
  const others = new Set<DomElement>();
  for (const [around, members] of groups) {
    if (around === null) continue;
    const hasSigns = members.some(({ element, sign }) => {
      const text = firstTextIn(element);
      return text !== sign && text.startsWith(sign);
    });
    if (hasSigns || !(isViewer(around, members) || areCodeOfDiff(members))) others.add(around);
  }
  const dataTables = new Map<DomElement | null, boolean>();
  return lines.filter(({ element, around }) => {
    if (around === null) return true;
    const table = nearestByTag('table', element);
    if (!dataTables.has(table))
      dataTables.set(table, table !== null && !TRAC.test(classOf(table)) && hasColumnNames(table));
    return !others.has(around) && dataTables.get(table) !== true;
  });
}

/** True for an element that only shows a picture, as in a comparison of two pictures. */
function isPicture(element: DomElement): boolean {
  return isBlank(element.textContent) && firstInside(element, IMAGES) !== null;
}

/**
 * True for lines in a code block, for code next to line numbers, and for code or numbered lines with both signs: a list
 * of new functions is no diff.
 */
function areCodeOfDiff(lines: readonly SignedLine[]): boolean {
  const elements = lines.map(({ element }) => element);
  const rows = new Set(elements.map((line) => nearestByTag('tr', line)));
  const numbered = new Set([...rows].filter((row) => row?.children.some((cell) => NUMBER_CELL.test(classOf(cell)))));
  const isNumbered = (line: DomElement) => numbered.has(nearestByTag('tr', line));
  if (elements.every((line) => nearestByTag('pre', line) !== null || (isNumbered(line) && hasCode(line)))) return true;
  return (
    new Set(lines.map(({ sign }) => sign)).size === 2 && elements.every((line) => hasCode(line) || isNumbered(line))
  );
}

function isViewer(around: DomElement, lines: readonly SignedLine[]): boolean {
  const names = classOf(around);
  return VIEWER.test(names) || (VIEWER_OR_COLUMNS.test(names) && lines.every(({ element }) => hasCode(element)));
}

const hasCode = (line: DomElement) => isInCode(line) || firstInside(line, CODE) !== null;

function isInCode(element: DomElement): boolean {
  return nearestByTag('pre', element) !== null || nearestByTag('code', element) !== null;
}

/** True for a table of data, such as a list of changed options: its first row names two columns or more. */
function hasColumnNames(table: DomElement): boolean {
  const cells = firstInside(table, ROWS)?.children ?? [];
  const names = cells.filter(
    (cell) => cell.localName === 'th' && !cell.hasAttribute('colspan') && /\p{L}/u.test(cell.textContent),
  );
  return names.length >= 2;
}

/** Returns the first text in an element: only `+` or `-` on sites that write these signs into the page. */
function firstTextIn(element: DomElement): string {
  return firstText(element)?.textContent.trim() ?? '';
}

function firstText(element: DomElement): DomText | null {
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    if (isText(node) && !isBlank(node.textContent)) return node;
  }
  return null;
}

type Found = { sign: Sign; around: DomElement | null } | null;

function ownSign(element: DomElement): Found {
  for (const name of DIFF_SIGN_ATTRIBUTES) {
    const mark = element.getAttribute(name);
    const sign = mark === null || mark.length > ATTRIBUTE_CHARS_MAX ? null : signIn(mark.trim());
    if (mark !== null && mark.length <= ATTRIBUTE_CHARS_MAX) return sign === null ? null : { sign, around: null };
  }
  const names = classOf(element);
  if (!MAY_BE_CHANGE.test(names) || isBesideLine(names)) return null;
  const ofViewer = signAmong(VIEWER_LINE, names);
  if (ofViewer !== null) return { sign: ofViewer, around: null };
  const sign = signAmong(LINE, names) ?? (COMPARED.test(names) ? signAmong(COMPARED_WORD, names) : null);
  if (sign === null) return null;
  return { sign, around: isInCode(element) ? null : (diffAround(element) ?? element.parentNode) };
}

/** True for an element inside a line that gets a sign. */
export function isInSignedLine(element: DomElement): boolean {
  let at = element.parentNode;
  for (let level = 0; at !== null && level < AROUND_LEVELS_MAX; level += 1, at = at.parentNode)
    if (LINES.has(at.localName) && (ownSign(at) ?? colouredLine(at, new Map())) !== null) return true;
  return false;
}

/** True for the classes of a cell next to a line, with its number or sign. */
function isBesideLine(names: string): boolean {
  return NUMBER_CELL.test(names) || MARKER.test(names);
}

function signAmong(kinds: readonly (readonly [Sign, RegExp])[], names: string): Sign | null {
  return kinds.find(([, pattern]) => pattern.test(names))?.[0] ?? null;
}

function signIn(mark: string): Sign | null {
  if (mark === '+') return '+';
  return mark === '-' || mark === '−' ? '-' : null;
}

/** Returns the sign of a line that only a class such as `add` or `del` marks, within an element with a diff's class. */
function colouredLine(element: DomElement, sides: ChangedSides): Found {
  const names = LINES.has(element.localName) ? classOf(element) : '';
  if (names === '' || isBesideLine(names)) return null;
  const coloured = signAmong(COLOURED, names) ?? (CHANGED_CELL.test(names) ? signOfSide(element, sides) : null);
  const sign = coloured ?? signOfVersion(element, names);
  const around = sign === null ? null : diffAround(element);
  if (sign === null || around === null) return null;
  return coloured === null && !VIEWER_OR_COLUMNS.test(classOf(around)) ? null : { sign, around };
}

/** Matches classes of the parts of a table that have only the old version, and of all changed parts. */
const OLD_PART = /(?:^|\s)(?:rem|delete)(?:\s|$)/;
const NEW_PART = /(?:^|\s)(?:add|insert)(?:\s|$)/;
const BOTH_PARTS = /(?:^|\s)(?:mod|replace)(?:\s|$)/;

/** Returns the sign of a cell in a viewer: `old` and `new`, or in Trac `l` and `r` in a changed part of the table. */
function signOfVersion(cell: DomElement, names: string): Sign | null {
  if (!CELLS.has(cell.localName)) return null;
  const side = /(?:^|\s)([lr])(?:\s|$)/.exec(names)?.[1];
  const part = classOf(cell.parentNode?.parentNode ?? cell);
  if (side === undefined) return signAmong(VERSION, names);
  const isBoth = BOTH_PARTS.test(part);
  if (side === 'l') return isBoth || OLD_PART.test(part) ? '-' : null;
  return isBoth || NEW_PART.test(part) ? '+' : null;
}

/** The changed cells of each row that has been seen. */
type ChangedSides = Map<DomElement, readonly DomElement[]>;

/** Returns the sign of a changed cell: the old version is on the left of the new one. */
function signOfSide(cell: DomElement, sides: ChangedSides): Sign | null {
  const { parentNode: row } = cell;
  if (row === null || !CELLS.has(cell.localName)) return null;
  const cells = sides.get(row) ?? row.children.filter((one) => CHANGED_CELL.test(classOf(one)));
  sides.set(row, cells);
  if (cells.length !== 2) return null;
  return cells[0] === cell ? '-' : '+';
}

function diffAround(element: DomElement): DomElement | null {
  let at = element.parentNode;
  let nearest: DomElement | null = null;
  for (let level = 0; at !== null && level < AROUND_LEVELS_MAX; level += 1, at = at.parentNode) {
    if (VIEWER_OR_COLUMNS.test(classOf(at))) return at;
    if (nearest === null && AROUND.test(classOf(at))) nearest = at;
  }
  return nearest;
}

const NUMBER = /^\d*$/;
/** Maximum elements around the whole text of a line that are entered. */
const WRAPPERS_MAX = 6;
const HUNK = /^\s*(?:@@|diff )/;

/**
 * Turns the table of a diff into a code block. In a row with two texts, the old line is next to the new one.
 * @param signed rows with a sign; others are unchanged lines
 */
function becomeListing(table: DomElement, signed: ReadonlySet<DomElement>): void {
  for (const part of [table, ...elementsInside(table, PARTS)])
    if (!CELLS.has(part.localName) || onlyBlock(part) !== null) removeBlanks(part);
  for (const row of elementsInside(table, ROWS)) {
    const cells = row.children.filter((cell) => CELLS.has(cell.localName));
    const isSigned = signed.has(row);
    // The number of a line is before the line, so the last cell is none.
    for (const cell of cells.slice(0, -1))
      if (NUMBER.test(cell.textContent.trim()) || (isSigned && isMarker(cell))) cell.remove();
    const texts = cells.filter((cell) => !isBlank(cell.textContent) && cell.parentNode === row);
    const [first] = texts;
    if (first !== undefined && !isSigned && !HUNK.test(first.textContent) && !isMarker(first)) writeSign(first, ' ');
    separateTexts(texts);
  }
  table.localName = 'pre';
  for (const element of [table, firstInside(table, CODE)])
    if (element !== null) element.attributes = { ...element.attributes, 'data-lang': 'diff' };
}

/** Writes each text of a row into its own line, and a text that is in both versions once. */
function separateTexts(cells: readonly DomElement[]): void {
  let before: DomElement | null = null;
  for (const cell of cells) {
    const isMarked = before !== null && (FIRST_PART.test(classOf(before)) || isMarker(before));
    if (before !== null && !isMarked) {
      if (before.textContent.trim() === cell.textContent.trim()) {
        cell.remove();
        continue;
      }
      if (!beginsWithBlock(cell)) cell.insertBefore(new DomText('\n'), cell.firstChild);
    }
    before = cell;
  }
}

/** True if the whole text of a cell is in a block, which begins a line. */
function beginsWithBlock(cell: DomElement): boolean {
  let block = onlyBlock(cell);
  for (let level = 0; block?.localName === 'code' && level < WRAPPERS_MAX; level += 1) block = onlyBlock(block);
  return block !== null && block.localName !== 'code';
}

const PARTS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tr', 'td', 'th']);

/** Removes the white space between the parts of a table, which would be lines of code. */
function removeBlanks(part: DomElement): void {
  for (const child of childrenOf(part)) if (isText(child) && isBlank(child.textContent)) child.remove();
}

/** True for a cell that has no words, but a sign for the line in the next cell. */
function isMarker(cell: DomElement): boolean {
  return MARKER.test(classOf(cell)) && !/[\p{L}\p{N}]/u.test(cell.textContent);
}

/** Writes a sign at the beginning of a line's text, in place of the sign that the page itself writes there. */
function writeSign(line: DomElement, sign: string): void {
  const own = firstText(line);
  if (own !== null && isSignOf(line, own, sign)) own.textContent = '';
  let block = lastCellOfBlankRow(line) ?? line;
  for (let level = 0; level < WRAPPERS_MAX; level += 1) block = onlyBlock(block) ?? block;
  block.insertBefore(new DomText(sign), block.firstChild);
}

/** Returns the last cell of a row that has only numbers of lines; `null` for other elements. */
function lastCellOfBlankRow(row: DomElement): DomElement | null {
  if (row.localName !== 'tr' || row.children.some((cell) => !NUMBER.test(cell.textContent.trim()))) return null;
  return row.children.at(-1) ?? null;
}

/** True if the page wrote this text as the sign. In a line with a sign in an attribute, it is the code's own text. */
function isSignOf(line: DomElement, { textContent, parentNode }: DomText, sign: string): boolean {
  if (signIn(textContent.trim()) !== sign) return false;
  const isPart = parentNode !== null && parentNode !== line && SIGN_PART.test(classOf(parentNode));
  return isPart || (signIn(textContent) === sign && !hasSignAttribute(line));
}

function hasSignAttribute(line: DomElement): boolean {
  for (let node: DomNode | null = line; node !== null; node = nextInside(line, node))
    if (isElement(node) && namesSign(node)) return true;
  return false;
}

function namesSign(element: DomElement): boolean {
  return DIFF_SIGN_ATTRIBUTES.some((name) => element.hasAttribute(name));
}

/** Returns the block that contains the whole text of an element; `null` for none. */
function onlyBlock(element: DomElement): DomElement | null {
  const [first, ...others] = childrenOf(element).filter((child) => !isBlank(child.textContent));
  const isWrapper = first !== undefined && isElement(first) && others.length === 0;
  return isWrapper && (BLOCK_TAGS.has(first.localName) || first.localName === 'code') ? first : null;
}
