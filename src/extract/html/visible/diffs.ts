import { isBlank } from '#core/text/blank.ts';
import {
  DomText,
  classOf,
  elementsInside,
  containsAnyTag,
  isElement,
  isText,
  nearestByTag,
  nextInside,
} from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

export const DIFF_SIGN_ATTRIBUTES = ['data-code-marker', 'data-type-marker', 'data-line-type-marker'] as const;

const ADDED =
  /(?:^|\s)(?:blob-code-addition|(?:code-block-)?diff-add(?:ed)?(?:-line)?|diff-(?:line|code)-(?:add(?:ed|ition)?|insert(?:ed)?)|line-(?:added|inserted)|code-line-(?:added|inserted))(?:\s|$)/;
const REMOVED =
  /(?:^|\s)(?:blob-code-deletion|(?:code-block-)?diff-(?:remove|delete)d?(?:-line)?|diff-(?:line|code)-(?:removed?|deleted?|deletion)|line-(?:removed|deleted)|code-line-(?:removed|deleted))(?:\s|$)/;
/** Matches classes of lines in a diff. Only next to one of them do words such as `added` or `old` mark a line. */
const COMPARED = /(?:^|\s)(?:diff|ec-line|line_content|d2h-code-line|has-diff|diff-line)(?:\s|$)/;
const ADDED_WORD = /(?:^|\s)(?:add|added|addition|ins|insert|inserted|new)(?:\s|$)/;
const REMOVED_WORD = /(?:^|\s)(?:remove|removed|del|delete|deleted|deletion|old)(?:\s|$)/;

const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const ROWS: ReadonlySet<string> = new Set(['tr']);
const NO_LINES: ReadonlySet<string> = new Set(['table', 'h1', 'h2', 'h3', 'form', 'pre']);
const ATTRIBUTE_CHARS_MAX = 4;

/**
 * Writes `+` and `-` into the lines of a diff whose signs only a style sheet shows. A table of such lines becomes a
 * code block. Linear in the tree.
 */
export function writeDiffSigns(body: DomElement): void {
  const signed: { element: DomElement; sign: string }[] = [];
  for (let node = nextInside(body, body); node !== null; node = nextInside(body, node)) {
    if (!isElement(node) || !node.hasAttributes()) continue;
    const sign = signOf(node);
    if (sign !== '') signed.push({ element: node, sign });
  }
  const tables = new Set<DomElement>();
  const rows = new Set<DomElement>();
  /** The last element that got a sign, to skip elements inside it. */
  let last: DomElement | null = null;
  for (const { element, sign } of signed) {
    if (last !== null && isBelow(element, last)) continue;
    last = element;
    const table = nearestByTag('table', element);
    const row = nearestByTag('tr', element);
    if (table !== null) tables.add(table);
    if (row !== null) rows.add(row);
    if (firstTextIn(element) !== sign) element.insertBefore(new DomText(sign), element.firstChild);
  }
  for (const table of tables) if (!containsAnyTag(table, NO_LINES)) becomeListing(table, rows);
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

function signIn(mark: string): '+' | '-' | '' {
  if (mark === '+') return '+';
  return mark === '-' || mark === '−' ? '-' : '';
}

const NUMBER = /^\d*$/;

/**
 * Turns the table of a diff into a code block. In a row with two texts, the old line is next to the new one.
 * @param signed rows with a sign; others are unchanged lines
 */
function becomeListing(table: DomElement, signed: ReadonlySet<DomElement>): void {
  for (const row of elementsInside(table, ROWS)) {
    const cells = row.children.filter((cell) => CELLS.has(cell.localName));
    for (const cell of cells) if (NUMBER.test(cell.textContent.trim())) cell.remove();
    const [first, second] = cells.filter((cell) => !isBlank(cell.textContent) && cell.parentNode === row);
    if (first !== undefined && !signed.has(row)) first.insertBefore(new DomText(' '), first.firstChild);
    if (first === undefined || second === undefined) continue;
    if (first.textContent.trim() === second.textContent.trim()) second.remove();
    else second.insertBefore(new DomText('\n'), second.firstChild);
  }
  table.localName = 'pre';
  table.attributes = { ...table.attributes, 'data-lang': 'diff' };
}
