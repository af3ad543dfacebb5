import { isElement, nextInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

const TABLES: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid']);
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

/** Turns ARIA tables, such as `<div role="row">`, into `table`, `tr` and `td` elements. Linear in the tree. */
export function renameAriaTables(body: DomElement): void {
  let table: DomElement | null = null;
  for (let node = nextInside(body, body); node !== null; node = nextInside(body, node)) {
    if (!isElement(node)) continue;
    if (table !== null && node.depth <= table.depth) table = null;
    const role = node.getAttribute('role');
    if (role === null || !(RENAMED.has(node.localName) || node.localName.includes('-'))) continue;
    if (TABLES.has(role) && table === null && hasRow(node)) {
      node.localName = 'table';
      table = node;
    } else if (table !== null) {
      node.localName = PARTS.get(role) ?? node.localName;
      setSpans(node);
    }
  }
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
