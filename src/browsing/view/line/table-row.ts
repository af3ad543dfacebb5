import { isBlank } from '#core/text/blank.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { INLINE_ROLES } from '#browsing/tree/roles.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { roleWord, textWithin } from './element-line.ts';
import { isInteractive } from '#browsing/view/interactive.ts';
import { listShownChildren } from '#browsing/view/pieces.ts';
import type { LinePart } from '#browsing/view/view-line.ts';

export const CELL_ROLES: ReadonlySet<string> = new Set([
  'cell',
  'gridcell',
  'columnheader',
  'rowheader',
  'LayoutTableCell',
]);

/**
 * The cells of a row, also those in wrappers. A clickable wrapper precedes its cells; handles that resize columns come
 * last. `null` if the row shows anything else, such as the events of a calendar day.
 */
export function findRowCells(part: AxElement, page: Page): AxElement[] | null {
  const cells: AxElement[] = [];
  const handles: AxElement[] = [];
  for (const child of listShownChildren(part, page)) {
    if (CELL_ROLES.has(child.role)) cells.push(child);
    else if (isHandle(child, page)) handles.push(child);
    else {
      const inner = INLINE_ROLES.has(child.role) ? null : findRowCells(child, page);
      const isWrapper = inner !== null && inner.length > 0;
      if (!isWrapper && showsSomething(child, page)) return null;
      if (isWrapper && isInteractive(child, page)) cells.push(child);
      cells.push(...(inner ?? []));
    }
  }
  if (cells.length === 0 && handles.length > 0) return null;
  return [...cells, ...handles];
}

function isHandle(part: AxElement, page: Page): boolean {
  return part.name === '' && part.children.length === 0 && isInteractive(part, page) && roleWord(part) === 'clickable';
}

function showsSomething(part: AxElement, page: Page): boolean {
  for (const inner of everyElement(part)) {
    if (isInteractive(inner, page)) return true;
    const isWord = inner.role === 'StaticText' || (inner.role === 'image' && !inner.ignored);
    if (isWord && !isBlank(inner.name) && !page.isUnseen(inner)) return true;
  }
  return false;
}

export function fitsOneLine(row: AxElement): boolean {
  let chars = 0;
  for (const element of everyElement(row)) {
    if (element !== row && BLOCKS_IN_CELLS.has(element.role)) return false;
    if (element.role === 'StaticText') chars += element.name.length;
    if (chars > ROW_CHARS_MAX) return false;
  }
  return true;
}

/** Maximum characters of a table row that is written on one line. */
const ROW_CHARS_MAX = 600;
const BLOCKS_IN_CELLS = new Set(['table', 'grid', 'list', 'form', 'Iframe', 'row']);

/** Text of a row outside its controls; `''` if it has no controls, or if their names already contain all the text. */
export function readRowTextOutsideControls(row: AxElement, page: Page): string {
  const controls = [...everyElement(row)].filter((inner) => inner !== row && isInteractive(inner, page));
  const said = new Set(controls.flatMap((control) => [control.name, textWithin(control)].map((words) => words.trim())));
  const texts = [...everyElement(row)].flatMap(({ role, name, ignored }) =>
    role === 'StaticText' && !ignored && !isBlank(name) ? [name.trim()] : [],
  );
  return controls.length === 0 || texts.every((text) => said.has(text)) ? '' : texts.join(' ');
}

/** The texts of a row that are not the names of controls in it; the names of its links if there are no other texts. */
export function readTextOfRow(row: AxElement, page: Page): string {
  const texts: string[] = [];
  const links: string[] = [];
  const open = [row];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.role === 'link') links.push(at.name.trim());
    if (at !== row && isInteractive(at, page)) continue;
    if (at.role === 'StaticText' && !at.ignored && !isBlank(at.name)) texts.push(at.name.trim());
    open.push(...at.children.toReversed());
  }
  return (texts.some((text) => /\p{L}/u.test(text)) ? texts : [...links, ...texts]).join(' ');
}

/** Replaces `|` in page text, because `|` separates the cells of a row. */
export function withoutBars(part: LinePart): LinePart {
  const bare = (words: string) => words.replaceAll(' | ', ' ¦ ');
  if (typeof part === 'string') return bare(part);
  const { name, place, details, address } = part;
  return { ...part, name: bare(name), place: place.map(bare), details: details.map(bare), address: bare(address) };
}
