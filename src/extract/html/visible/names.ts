import { oneLine } from '#core/text/text.ts';
import { isNoteIcon } from '#extract/html/markdown/block-elements.ts';
import {
  ICON_NAME_TAG,
  DomElement,
  DomText,
  beginningOfText,
  classOf,
  isElement,
  isText,
  nextInside,
} from '#extract/html/tree.ts';

/** Maximum characters of the name of an icon. Longer text is a description. */
const NAME_CHARS_MAX = 80;
/** Maximum characters of a name in the source, where white space is not collapsed yet. */
const NAME_SOURCE_CHARS_MAX = 400;
const NAME_NODES_MAX = 10;
/** Maximum nodes inside an icon. */
const EMPTY_NODES_MAX = 30;
const PICTURES: ReadonlySet<string> = new Set(['img', 'svg', 'math']);
export const SCREEN_READER_CLASS =
  /(?:^|[\s_-])(?:sr-only|sr-text|visually-?hidden|visuallyhidden|screen-?reader(?:-?(?:text|only))?|a11y-?(?:hidden|text)|assistive-text|hidden-visually)(?:[\s_-]|$)/i;
const NAMED_BY_IT: ReadonlySet<string> = new Set(['a', 'td', 'th', 'dt', 'dd', 'button']);
/** Maximum elements between a link or cell and the text that names it. */
const WRAPPERS_MAX = 3;

/** Returns the name of an icon, or of a link or cell with an icon but no text; `null` for other elements. */
export function nameOfIconElement(element: DomElement): string | null {
  return nameInCell(element) ?? nameOfLink(element);
}

function nameOfLink(element: DomElement): string | null {
  // A link to `#name` is usually the icon next to a heading, which needs no name.
  const isLink = element.localName === 'a' && /^[^#]/.test(element.getAttribute('href') ?? '');
  if (!isLink && element.getAttribute('role') !== 'img') return null;
  if (element.localName === 'img') return null;
  const name = oneLine(element.getAttribute('aria-label') ?? '', NAME_CHARS_MAX + 1);
  if (name === '' || name.length > NAME_CHARS_MAX || !isEmpty(element)) return null;
  return name;
}

const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const CELL_ROLES = /^(?:cell|gridcell)$/;
const ICON_TAGS: ReadonlySet<string> = new Set(['i', 'span', 'img', 'em', 'b', 'div']);
/** Matches words in an icon's class or file name that mean yes, as in a table that compares features. */
const YES = /(?:^|[\s_/.-])(?:check(?:mark|ed)?|tick|yes|included|available)(?:[\s_.-]|$)/i;
/** Matches words in an icon's class or file name that mean no, as in a table that compares features. */
const NO = /(?:^|[\s_/.-])(?:x-?mark|cross|times|no|not-included|unavailable|excluded|close)(?:[\s_.-]|$)/i;
const ICON = /icon|(?:^|\s)fa[srlb]?(?:\s|-|$)|glyph|symbol|bi-|mdi|tick|check|cross|times|mark/i;

/** Returns the meaning of an icon alone in a table cell: its title or label, or `✓` or `✗` by class or file name. */
function nameInCell(element: DomElement): string | null {
  if (!ICON_TAGS.has(element.localName) || !isAloneInCell(element)) return null;
  const alt = element.getAttribute('alt') ?? '';
  if (element.localName === 'img' && alt.trim() !== '') return null;
  const given = element.getAttribute('title') ?? element.getAttribute('aria-label') ?? '';
  const name = oneLine(given, NAME_CHARS_MAX + 1);
  if (name !== '') return name.length > NAME_CHARS_MAX ? null : name;
  const source = element.getAttribute('src') ?? '';
  const names = `${classOf(element)} ${source.slice(source.lastIndexOf('/') + 1, source.lastIndexOf('/') + 1 + NAME_CHARS_MAX)}`;
  if (!ICON.test(names)) return null;
  return NO.test(names) ? '✗' : YES.test(names) ? '✓' : null;
}

/**
 * True if the element is all that is visible in its table cell and has no text. The first cell of the row must have
 * text, which says what the icon is about.
 */
function isAloneInCell(element: DomElement): boolean {
  let around = element.parentNode;
  for (let at = 0; around !== null && !isCell(around); at += 1) {
    if (at === WRAPPERS_MAX) return false;
    around = around.parentNode;
  }
  // The icon of a note laid out as a table is already written as the note's label.
  if (around === null || !isEmpty(around) || isNoteIcon(around)) return false;
  const [first] = around.parentNode?.children ?? [];
  if (first === undefined || first === around || isEmpty(first)) return false;
  // A wrapper around the icon has no name. The icon inside is examined when the walk reaches it.
  return (
    element.localName === 'img' ||
    element.firstChild === null ||
    element.hasAttribute('title') ||
    element.hasAttribute('aria-label')
  );
}

function isCell(element: DomElement): boolean {
  return CELLS.has(element.localName) || CELL_ROLES.test(element.getAttribute('role') ?? '');
}

/**
 * True if a hidden text for screen readers, with a class like `sr-only`, is the only name of a link, button, term or
 * cell.
 */
export function isScreenReaderOnlyName(hidden: DomElement): boolean {
  if (hidden.hiding?.closed === true || hidden.hiding?.when === 'late') return false;
  if (!SCREEN_READER_CLASS.test(classOf(hidden)) || hidden.hasAttribute('aria-hidden')) return false;
  let named = hidden.parentNode;
  for (let at = 0; named !== null && !NAMED_BY_IT.has(named.localName) && at < WRAPPERS_MAX; at += 1) {
    named = named.parentNode;
  }
  if (named === null || !NAMED_BY_IT.has(named.localName) || named.hiding !== null) return false;
  return beginningOfText(named, NAME_CHARS_MAX) === '' && hiddenName(hidden) !== null;
}

export function hiddenName(hidden: DomElement): string | null {
  let text = '';
  let nodes = 0;
  for (let node = nextInside(hidden, hidden); node !== null; node = nextInside(hidden, node)) {
    nodes += 1;
    if (isText(node)) text += node.textContent;
    else if (isElement(node) && node.hiding !== null) return null;
    if (text.length > NAME_SOURCE_CHARS_MAX || nodes > NAME_NODES_MAX) return null;
  }
  const name = oneLine(text, NAME_CHARS_MAX + 1);
  return name === '' || name.length > NAME_CHARS_MAX ? null : name;
}

/** Returns an element with the name, which is written as part of the text around it. */
export function createNameElement(name: string): DomElement {
  const element = new DomElement(ICON_NAME_TAG);
  element.append(new DomText(name.trim()));
  return element;
}

function isEmpty(element: DomElement): boolean {
  let nodes = 0;
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    nodes += 1;
    if (nodes > EMPTY_NODES_MAX) return false;
    if (isText(node) && node.textContent.trim() !== '') return false;
    if (isElement(node) && PICTURES.has(node.localName) && (node.localName !== 'img' || hasAlt(node))) return false;
  }
  return true;
}

function hasAlt(image: DomElement): boolean {
  return (image.getAttribute('alt') ?? '').trim() !== '';
}
