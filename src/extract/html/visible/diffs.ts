import { isBlank } from '#core/text/blank.ts';
import {
  DomText,
  nextAfter,
  classOf,
  elementsInside,
  firstInside,
  containsAnyTag,
  isElement,
  isText,
  nearestByTag,
  nextInside,
} from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

export const DIFF_SIGN_ATTRIBUTES = ['data-code-marker', 'data-type-marker', 'data-line-type-marker'] as const;

const ADDED =
  /(?:^|\s)(?:blob-code-addition|(?:code-block-)?diff-add(?:ed)?(?:-line)?|diff-(?:line|code)-(?:add(?:ed|ition)?|insert(?:ed)?)|line-(?:added|inserted)|code-line-(?:added|inserted))(?:\s|$)/;
const REMOVED =
  /(?:^|\s)(?:blob-code-deletion|(?:code-block-)?diff-(?:remove|delete)d?(?:-line)?|diff-(?:line|code)-(?:removed?|deleted?|deletion)|line-(?:removed|deleted)|code-line-(?:removed|deleted))(?:\s|$)/;
/** Matches classes of lines in a diff. Only next to one of them do words such as `added` or `old` mark a line. */
const COMPARED = /(?:^|\s)(?:diff|ec-line|line_content|d2h-code-line|has-diff|diff-line)(?:\s|$)/;
const ADDED_WORD = /(?:^|\s)(?:add|added|addition|ins|insert|inserted|new)(?:\s|$)/;
const REMOVED_WORD = /(?:^|\s)(?:remove|removed|del|delete|deleted|deletion|old)(?:\s|$)/;

/** Matches the class of an element around a diff, such as `ssdiff` or `file-diff`. */
const AROUND = /(?:^|[\s_-])(?:ss|side|split|unified)?[_-]?diff(?:s|view|table)?(?:[\s_-]|$)/i;
/** Elements outside of a line that are searched for the class of a diff. */
const AROUND_LEVELS_MAX = 6;
const ADDED_LINE = /(?:^|\s)(?:add|added|addition|ins|inserted)(?:\s|$)/;
const REMOVED_LINE = /(?:^|\s)(?:del|deleted|deletion|removed)(?:\s|$)/;
const CHANGED_CELL = /(?:^|\s)(?:changed|modified)(?:\s|$)/;
const LINES: ReadonlySet<string> = new Set(['tr', 'td', 'th', 'div', 'li', 'p']);

const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const ROWS: ReadonlySet<string> = new Set(['tr']);
const NO_LINES: ReadonlySet<string> = new Set(['table', 'h1', 'h2', 'h3', 'form', 'pre']);
const ATTRIBUTE_CHARS_MAX = 4;

/**
 * Writes `+` and `-` into the lines of a diff whose signs only a style sheet shows. A table of such lines becomes a
 * code block. Linear in the tree.
 */
export function writeDiffSigns(body: DomElement): void {
  const lines: { element: DomElement; sign: string; around: DomElement | null }[] = [];
  const sides: ChangedSides = new Map();
  /** The last element with a sign, to skip elements inside it. */
  let last: DomElement | null = null;
  for (let node = nextInside(body, body); node !== null; node = nextInside(body, node)) {
    if (!isElement(node) || !node.hasAttributes()) continue;
    const own = signOf(node);
    const { sign, around } = own === '' ? colouredLine(node, sides) : { sign: own, around: null };
    if (sign === '' || (last !== null && isBelow(node, last))) continue;
    last = node;
    lines.push({ element: node, sign, around });
  }
  /** Elements around diffs whose text has signs. */
  const written = new Set<DomElement>();
  for (const { element, sign, around } of lines)
    if (around !== null && firstTextIn(element).startsWith(sign)) written.add(around);
  const tables = new Set<DomElement>();
  const rows = new Set<DomElement>();
  const dataTables = new Map<DomElement | null, boolean>();
  for (const { element, sign, around } of lines) {
    if (around !== null && written.has(around)) continue;
    const table = nearestByTag('table', element);
    if (!dataTables.has(table)) dataTables.set(table, table !== null && hasColumnNames(table));
    if (around !== null && dataTables.get(table) === true) continue;
    const row = nearestByTag('tr', element);
    if (table !== null) tables.add(table);
    if (row !== null) rows.add(row);
    if (firstTextIn(element) !== sign) element.insertBefore(new DomText(sign), element.firstChild);
  }
  for (const table of tables) if (!containsAnyTag(table, NO_LINES)) becomeListing(table, rows);
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
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    if (isText(node) && !isBlank(node.textContent)) return node.textContent.trim();
  }
  return '';
}

/** True if `element` is inside `outer`. Stops at the depth of `outer`, because it is called for every element. */
function isBelow(element: DomElement, outer: DomElement): boolean {
  let at: DomElement | null = element;
  while (at !== null && at.depth > outer.depth) at = at.parentNode;
  return at === outer;
}

function signOf(element: DomElement): '+' | '-' | '' {
  for (const name of DIFF_SIGN_ATTRIBUTES) {
    const sign = element.getAttribute(name);
    if (sign !== null && sign.length <= ATTRIBUTE_CHARS_MAX) return signIn(sign.trim());
  }
  const names = classOf(element);
  if (names === '') return '';
  if (ADDED.test(names)) return '+';
  if (REMOVED.test(names)) return '-';
  if (!COMPARED.test(names)) return '';
  return ADDED_WORD.test(names) ? '+' : REMOVED_WORD.test(names) ? '-' : '';
}

type Coloured = { sign: '+' | '-' | ''; around: DomElement | null };

/** Returns the sign of a line that only a class such as `add` or `del` marks, within an element with a diff's class. */
function colouredLine(element: DomElement, sides: ChangedSides): Coloured {
  const names = LINES.has(element.localName) ? classOf(element) : '';
  const sign = ADDED_LINE.test(names)
    ? '+'
    : REMOVED_LINE.test(names)
      ? '-'
      : CHANGED_CELL.test(names)
        ? signOfSide(element, sides)
        : '';
  const around = sign === '' ? null : diffAround(element);
  return around === null ? { sign: '', around } : { sign, around };
}

/** The changed cells of each row that has been seen. */
type ChangedSides = Map<DomElement, readonly DomElement[]>;

/** Returns the sign of a changed cell: the old version is on the left of the new one. */
function signOfSide(cell: DomElement, sides: ChangedSides): '+' | '-' | '' {
  const { parentNode: row } = cell;
  if (row === null || !CELLS.has(cell.localName)) return '';
  const cells = sides.get(row) ?? row.children.filter((one) => CHANGED_CELL.test(classOf(one)));
  sides.set(row, cells);
  if (cells.length !== 2) return '';
  return cells[0] === cell ? '-' : '+';
}

function diffAround(element: DomElement): DomElement | null {
  let at = element.parentNode;
  for (let level = 0; at !== null && level < AROUND_LEVELS_MAX; level += 1, at = at.parentNode)
    if (AROUND.test(classOf(at))) return at;
  return null;
}

const PRE: ReadonlySet<string> = new Set(['pre']);
const EDITS: ReadonlySet<string> = new Set(['del', 's', 'strike', 'ins']);

type Edit = { element: DomElement; isAtStart: boolean; isAtEnd: boolean };

/**
 * Marks deleted and inserted text in code: whole lines with `-` and `+`, other text as `[-old-]` and `{+new+}`. Code
 * without deleted text is unchanged. Linear in the tree.
 */
export function markEditsInCode(body: DomElement): void {
  /** The last code block, to skip code blocks inside it. */
  let last: DomElement | null = null;
  for (const pre of elementsInside(body, PRE)) {
    if (last !== null && isBelow(pre, last)) continue;
    last = pre;
    const edits = editsIn(pre);
    if (edits.every(({ element }) => element.localName === 'ins')) continue;
    for (const edit of edits) markEdit(edit);
  }
}

function editsIn(pre: DomElement): Edit[] {
  const edits: Edit[] = [];
  let before = '\n';
  let open: Edit | null = null;
  for (let node = nextInside(pre, pre); node !== null;) {
    const isEdit = isElement(node) && EDITS.has(node.localName);
    const text = isEdit ? [...nodesInside(node)].map(codeOf).join('') : codeOf(node);
    if (open !== null && text !== '') {
      open.isAtEnd ||= text.startsWith('\n');
      open = null;
    }
    if (isElement(node) && isEdit && text !== '') {
      open = { element: node, isAtStart: (before + text.charAt(0)).includes('\n'), isAtEnd: text.endsWith('\n') };
      edits.push(open);
    }
    before = text.at(-1) ?? before;
    node = isEdit ? nextAfter(pre, node) : nextInside(pre, node);
  }
  if (open !== null) open.isAtEnd = true;
  return edits;
}

function* nodesInside(element: DomNode): Generator<DomNode> {
  for (let node = element.firstChild; node !== null; node = nextInside(element, node)) yield node;
}

/** Returns the code that a node itself adds, without the nodes inside it. */
function codeOf(node: DomNode): string {
  if (isText(node)) return node.textContent;
  return isElement(node) && node.localName === 'br' ? '\n' : '';
}

function markEdit({ element, isAtStart, isAtEnd }: Edit): void {
  const isInserted = element.localName === 'ins';
  if (!isAtStart || !isAtEnd) {
    element.insertBefore(new DomText(isInserted ? '{+' : '[-'), element.firstChild);
    element.append(new DomText(isInserted ? '+}' : '-]'));
    return;
  }
  const sign = isInserted ? '+' : '-';
  let before = '\n';
  for (const node of nodesInside(element)) {
    const text = codeOf(node);
    if (isText(node)) node.textContent = text.replace(before === '\n' ? /^(?=.)/gm : /(?<=\n)(?=.)/g, sign);
    before = text.at(-1) ?? before;
  }
}

function signIn(mark: string): '+' | '-' | '' {
  if (mark === '+') return '+';
  return mark === '-' || mark === '−' ? '-' : '';
}

const NUMBER = /^\d*$/;
const HUNK = /^\s*(?:@@|diff )/;

/**
 * Turns the table of a diff into a code block. In a row with two texts, the old line is next to the new one.
 * @param signed rows with a sign; others are unchanged lines
 */
function becomeListing(table: DomElement, signed: ReadonlySet<DomElement>): void {
  for (const row of elementsInside(table, ROWS)) {
    const cells = row.children.filter((cell) => CELLS.has(cell.localName));
    // The number of a line is before the line, so the last cell is none.
    for (const cell of cells.slice(0, -1)) if (NUMBER.test(cell.textContent.trim())) cell.remove();
    const [first, second] = cells.filter((cell) => !isBlank(cell.textContent) && cell.parentNode === row);
    if (first !== undefined && !signed.has(row) && !HUNK.test(first.textContent))
      first.insertBefore(new DomText(' '), first.firstChild);
    if (first === undefined || second === undefined) continue;
    if (first.textContent.trim() === second.textContent.trim()) second.remove();
    else second.insertBefore(new DomText('\n'), second.firstChild);
  }
  table.localName = 'pre';
  table.attributes = { ...table.attributes, 'data-lang': 'diff' };
}
