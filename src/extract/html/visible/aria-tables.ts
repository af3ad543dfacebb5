import { isElement, nextInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** ARIA roles of tables, and tags of the parts of a table that are moved. */
export const TABLE_ROLES: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid']);
export const TABLE_PARTS: ReadonlySet<string> = new Set(['thead', 'tfoot']);
/** Maps ARIA roles of table parts (WAI-ARIA 1.2 §5.3.3) to the elements with the same meaning. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['rowgroup', 'tbody'],
  ['row', 'tr'],
  ['cell', 'td'],
  ['gridcell', 'td'],
  ['columnheader', 'th'],
  ['rowheader', 'th'],
]);
/** Elements that may become table parts. Their own tags add no meaning, as `button` or `a` would. */
const RENAMED: ReadonlySet<string> = new Set('div span ul ol li section article p header'.split(' '));

/**
 * Turns ARIA tables, such as `<div role="row">`, into `table`, `tr` and `td` elements, and moves the head and foot of a
 * table to its beginning and end, where browsers show them. Linear in the tree.
 */
export function arrangeTables(body: DomElement): void {
  let table: DomElement | null = null;
  const parts: DomElement[] = [];
  for (let node = nextInside(body, body); node !== null; node = nextInside(body, node)) {
    if (!isElement(node)) continue;
    if (TABLE_PARTS.has(node.localName)) parts.push(node);
    if (table !== null && node.depth <= table.depth) table = null;
    const role = node.getAttribute('role');
    if (role === null || !(RENAMED.has(node.localName) || node.localName.includes('-'))) continue;
    if (TABLE_ROLES.has(role) && table === null && hasRow(node)) {
      node.localName = 'table';
      table = node;
    } else if (table !== null) {
      node.localName = PARTS.get(role) ?? node.localName;
      setSpans(node);
    }
  }
  moveParts(parts);
}

const BEFORE_HEAD: ReadonlySet<string> = new Set(['caption', 'colgroup']);

/** Moves the first head and the first foot of each table. Browsers show any others where the source has them. */
function moveParts(parts: readonly DomElement[]): void {
  const moved = new Map<DomElement, Set<string>>();
  for (const part of parts) {
    const { parentNode: table, localName: name } = part;
    if (table === null || table.localName !== 'table') continue;
    const names = moved.get(table) ?? new Set();
    moved.set(table, names);
    if (names.has(name)) continue;
    names.add(name);
    if (name === 'tfoot') {
      if (part.nextElementSibling === null) continue;
      part.remove();
      table.append(part);
    } else {
      let before = part.previousElementSibling;
      while (before !== null && BEFORE_HEAD.has(before.localName)) before = before.previousElementSibling;
      if (before === null) continue;
      part.remove();
      table.insertBefore(part, firstPart(table));
    }
  }
}

function firstPart(table: DomElement): DomElement | null {
  return table.children.find(({ localName }) => !BEFORE_HEAD.has(localName)) ?? null;
}

/** Copies `aria-rowspan` and `aria-colspan` to the attributes that HTML uses for the same. */
function setSpans(cell: DomElement): void {
  for (const span of ['rowspan', 'colspan']) {
    const value = cell.getAttribute(`aria-${span}`);
    if (value !== null) cell.attributes = { ...cell.attributes, [span]: value };
  }
}

/** Maximum nodes that are searched for the first row of a table. */
const NODES_BEFORE_ROW_MAX = 50;

function hasRow(table: DomElement): boolean {
  let count = 0;
  for (let node = nextInside(table, table); node !== null; node = nextInside(table, node)) {
    if (isElement(node) && node.getAttribute('role') === 'row') return true;
    count += 1;
    if (count > NODES_BEFORE_ROW_MAX) return false;
  }
  return false;
}
