import { isBlank } from '#core/text/blank.ts';
import { parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';

/** Levels between a link and its table row: a cell and its wrappers. */
const ROW_DEPTH_MAX = 6;
/** Maximum nodes of a row that are searched for text outside its links, which most rows have in their first cells. */
const ROW_NODES_MAX = 60;
/** Elements whose text is not the row's own. */
const CONTROLS =
  'a,button,input,select,textarea,label,summary,iframe,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role^=menuitem]';

/**
 * The clickable table row around a link that has no address and inherits the row's pointer cursor; `null` for any other
 * element. Pages that handle all clicks in one listener write such links, and only the link opens the record.
 */
export function findRowOfBareLink(element: Element, { cursor, pointerEvents }: CSSStyleDeclaration): Element | null {
  if (cursor !== 'pointer' || pointerEvents === 'none' || !isBareLink(element)) return null;
  let inner = element;
  for (let steps = 0; steps < ROW_DEPTH_MAX; steps += 1) {
    const outer = parentElementOf(inner);
    if (outer === null || getComputedStyle(outer).cursor !== 'pointer') return null;
    if (isRow(outer)) return beginsPointer(outer) ? outer : null;
    if (matches(outer, `${CONTROLS},[onclick]`)) return null;
    inner = outer;
  }
  return null;
}

/**
 * The links of the rows that have text outside their links. In other rows, a click on the row and on a link is the same.
 * @param rows rows with their bare links
 */
export function listRowLinks(rows: ReadonlyMap<Element, readonly Element[]>): Element[] {
  return [...rows].flatMap(([row, links]) => (hasOwnText(row) ? links.filter(hasText) : []));
}

function hasText(link: Element): boolean {
  return !isBlank(link.textContent ?? '');
}

function hasOwnText(row: Element): boolean {
  const open: Node[] = [row];
  for (let looked = 0; looked < ROW_NODES_MAX; looked += 1) {
    const node = open.pop();
    if (node === undefined) return false;
    const next = node === row ? null : read(node, 'nextSibling');
    if (next !== null) open.push(next);
    if (node instanceof Text && !isBlank(node.data)) return true;
    const isOwn = node === row || (node instanceof Element && isPartOfRow(node));
    const first = isOwn ? read(node, 'firstChild') : null;
    if (first !== null) open.push(first);
  }
  return false;
}

/** True for a link without an address that is not an anchor for other links. */
function isBareLink(element: Element): boolean {
  return element.localName === 'a' && !matches(element, '[href],[name],[id],[role]');
}

function beginsPointer(row: Element): boolean {
  const around = parentElementOf(row);
  return around !== null && getComputedStyle(around).cursor !== 'pointer';
}

function isRow(element: Element): boolean {
  return element.localName === 'tr' ? !matches(element, '[role]:not([role=row])') : matches(element, '[role=row]');
}

function isPartOfRow(element: Element): boolean {
  if (matches(element, CONTROLS) || isRow(element)) return false;
  return Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });
}

function matches(element: Element, selector: string): boolean {
  return Element.prototype.matches.call(element, selector);
}

/** Reads through the prototype, because a form may have a field with the name of the member. */
function read(node: Node, member: 'firstChild' | 'nextSibling'): Node | null {
  return Reflect.get(Node.prototype, member, node);
}
