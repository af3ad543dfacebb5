import { isBlank } from '#core/blank.ts';
import { classOf, nearestOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

const NAMED =
  /(?:^|\s)(?:admonition|markdown-alert|custom-block|theme-admonition\S*|callout|admonitionblock|confluence-information-macro|starlight-aside)(?:\s|$)/;
/** Words that mean an admonition only together with the role of a note. */
const NOTED = /(?:^|\s)(?:alert|alert-\w+|notice|note|tip|warning|hint)(?:\s|$)/;
const TITLE =
  /(?:^|\s)(?:admonition-title|markdown-alert-title|custom-block-title|callout-title|callout-title-container|admonition-heading|starlight-aside__title)(?:\s|$)|admonitionHeading/;
/** Engines that call the title of an admonition just `title`. */
const AROUND_TITLE = '.admonitionblock, .confluence-information-macro';

/** Whether a box is set apart from the text as a note, tip or warning. */
export function isAdmonition(element: DomElement): boolean {
  const name = element.localName;
  if (name !== 'div' && name !== 'aside') return false;
  const className = classOf(element);
  return NAMED.test(className) || (NOTED.test(className) && element.getAttribute('role') === 'note');
}

export function isAdmonitionTitle(element: DomElement): boolean {
  const className = classOf(element);
  if (className === '') return false;
  return TITLE.test(className) || (className === 'title' && element.closest(AROUND_TITLE) !== null);
}

/** The label of an admonition whose title is only drawn; empty if the title is written. */
export function untitledLabel(element: DomElement): string {
  const label = element.getAttribute('aria-label') ?? '';
  if (label === '') return '';
  for (const child of element.children) if (isAdmonitionTitle(child)) return '';
  return label;
}

/** DocBook and AsciiDoc lay out a note as a table: an icon in the first cell, title and text in the others. */
const NOTE_WORD = /(?:^|\s)(?:note|tip|important|warning|caution|danger|info|admonition(?:block)?)(?:\s|$)/i;
const ICON_TAGS: ReadonlySet<string> = new Set(['img', 'svg', 'i', 'span', 'object']);
const ICON_DEPTH_MAX = 3;
/** A data table may also begin with a picture, but has more cells. */
const NOTE_CELLS_MAX = 4;

/** The label of the note that a table represents, from its icon; `null` for any other table. */
export function iconNote(table: DomElement): string | null {
  const first = table.querySelector('td, th');
  if (first === null || !isNoteTable(table)) return null;
  const icon = iconIn(first);
  if (icon === null) return null;
  const name = icon.getAttribute('alt') ?? icon.getAttribute('title') ?? icon.getAttribute('aria-label') ?? '';
  return name.replace(/^\s*\[|\]\s*$/g, '').trim();
}

/** Whether a cell holds nothing but the icon of such a note. */
export function isNoteIcon(cell: DomElement): boolean {
  const table = nearestOf('table', cell);
  return table !== null && table.querySelector('td, th') === cell && iconNote(table) !== null;
}

/** Whether a header cell is the title of such a note. */
export function isNoteTitle(cell: DomElement): boolean {
  const table = cell.localName === 'th' ? nearestOf('table', cell) : null;
  return table !== null && table.querySelector('th') === cell && iconNote(table) !== null;
}

function isNoteTable(table: DomElement): boolean {
  const around = table.parentElement === null ? '' : classOf(table.parentElement);
  const isNamed =
    NOTE_WORD.test(around) || NOTE_WORD.test(classOf(table)) || NOTE_WORD.test(table.getAttribute('summary') ?? '');
  return isNamed && table.querySelectorAll('td, th').length <= NOTE_CELLS_MAX;
}

/** The picture in a cell without text, whatever is wrapped around it. */
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
