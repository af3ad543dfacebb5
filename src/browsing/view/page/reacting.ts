import { isBlank } from '#core/text/blank.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { everyElement, hasTrueProperty } from '#browsing/tree/ax-tree.ts';
import { CONTROL_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';
import type { DocumentDomFacts } from './page-facts.ts';

/**
 * Maximum characters of a clickable element that counts as one button. An element with more text is a section of the
 * page.
 */
const REACTING_TEXT_CHARS_MAX = 80;
/** Levels searched below a container with a click listener: a table has a body, rows and cells. */
const REACTING_DEPTH_MAX = 4;

/**
 * Finds elements that react to clicks without looking clickable. These are elements with a listener of their own and,
 * if a container listens for its content, its repeated parts, such as cells, tiles and list items.
 */
export function findElementsWithListeners(
  root: AxElement,
  { clickable }: DocumentDomFacts,
  listening: ReadonlySet<number>,
): ReadonlySet<AxElement> {
  const reacting = new Set<AxElement>();
  if (listening.size === 0) return reacting;
  const known = (element: AxElement) =>
    isControl(element) || clickable.has(element.backendNodeId ?? 0) || listening.has(element.backendNodeId ?? 0);
  for (const element of everyElement(root)) {
    if (!listening.has(element.backendNodeId ?? 0) || isPageRoot(element) || isControl(element)) continue;
    if (hasTrueProperty(element, 'hidden') && !clickable.has(element.backendNodeId ?? 0)) continue;
    // A row with its own listener is one click target. If the table listens, its cells are the targets.
    if (element.role === 'row' || element.role === 'LayoutTableRow') {
      reacting.add(element);
      continue;
    }
    const isButton =
      clickable.has(element.backendNodeId ?? 0) || alikeIn(element, known).length === 0 || isDecorated(element);
    // A cell is a click target even if it contains another one, such as a handle that resizes the column.
    const isReacting = CELLS.has(element.role) ? nothing : known;
    const isWhole = !HOLDS_ITEMS.has(element.role) && isButton && isSmall(element, isReacting);
    const items = isWhole ? [element] : itemsOf(element, known);
    const isField =
      items.length > 0 && !isWhole && [...everyElement(element)].some(({ role }) => FIELD_ROLES.has(role));
    // Next to a field, elements without text are decoration, such as the arrow of a dropdown.
    const telling = isField ? items.filter(hasWords) : items;
    for (const item of items.length === 0 && isSmall(element, known) ? [element] : telling) reacting.add(item);
  }
  return reacting;
}

/**
 * True if an element only wraps one control, or a combobox with its value, so that a click on either has the same
 * effect. The wrapper may itself have the role combobox. A wrapper of a check box does not count, because pages often
 * hide the native box and draw the wrapper, so that only the wrapper can be clicked.
 */
export function isWrapperOfControl(frame: AxElement): boolean {
  if (!isBox(frame) && frame.role !== 'combobox') return false;
  let only: AxElement | null = null;
  let chars = 0;
  const open = [...frame.children];
  let looked = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    looked += 1;
    if (isControl(one) && !isBox(one)) {
      if (only !== null || !FRAMED.has(one.role)) return false;
      only = one;
    } else if (one.role === 'StaticText') chars += one.name.length;
    else if (one.role === 'image' && one.name !== '') return false;
    else open.push(...one.children);
    if (chars > REACTING_TEXT_CHARS_MAX || looked > FRAME_ELEMENTS_MAX) return false;
  }
  return (
    only !== null && (frame.role === 'combobox' ? only.role === 'combobox' : chars === 0 || only.role === 'combobox')
  );
}

/** Maximum elements in a wrapper. Wrappers in component libraries have about a dozen. */
const FRAME_ELEMENTS_MAX = 60;

/** True for a generic element without a name, even if it can be focused. */
function isBox({ role, name, properties }: AxElement): boolean {
  return role === 'generic' && name === '' && !properties.has('editable');
}

const FRAMED: ReadonlySet<string> = new Set([
  'button',
  'link',
  'tab',
  'combobox',
  'textbox',
  'searchbox',
  'option',
  'menuitem',
]);

function hasWords(element: AxElement): boolean {
  return [...everyElement(element)].some(
    ({ role, name, ignored }) => !ignored && !isBlank(name) && (role === 'StaticText' || role === 'image'),
  );
}

/** True for the document, `<html>` and `<body>`, whose listeners reveal nothing about clickable content. */
export function isPageRoot({ parent }: AxElement): boolean {
  return parent === null || parent.parent === null || parent.parent.parent === null;
}

function isControl(element: AxElement): boolean {
  return CONTROL_ROLES.has(element.role) || hasTrueProperty(element, 'focusable') || element.properties.has('editable');
}

/** True if an element has no more text than a button and none of its descendants reacts to clicks. */
function isSmall(element: AxElement, isKnown: (element: AxElement) => boolean): boolean {
  let chars = 0;
  let count = 0;
  for (const inner of everyElement(element)) {
    if (inner !== element && isKnown(inner)) return false;
    if (inner.role === 'StaticText') chars += inner.name.length;
    count += 1;
    if (chars > REACTING_TEXT_CHARS_MAX || count > REACTING_TEXT_CHARS_MAX) return false;
  }
  return true;
}

function itemsOf(container: AxElement, isKnown: (element: AxElement) => boolean): AxElement[] {
  const items: AxElement[] = [];
  let level: AxElement[] = [container];
  for (let depth = 0; depth < REACTING_DEPTH_MAX && level.length > 0; depth += 1) {
    const next: AxElement[] = [];
    for (const parent of level) {
      const alike = alikeIn(parent, isKnown);
      if (alike.length > 0) items.push(...alike);
      else next.push(...parent.children.filter((child) => !isKnown(child)));
    }
    level = next;
  }
  return items;
}

/**
 * The repeated parts that make up most of an element's content, each small and without a listener; `[]` if there are
 * fewer than two.
 */
function alikeIn({ children }: AxElement, isKnown: (element: AxElement) => boolean): AxElement[] {
  const small = children.filter((child) => ITEM_LIKE.has(child.role) && !isKnown(child) && isSmall(child, isKnown));
  return small.length >= ITEMS_MIN && small.length * 2 > children.length ? small : [];
}

/** True for a single text among a few nearly empty parts, such as a button with an icon. */
function isDecorated({ children }: AxElement): boolean {
  const parts = children.map((child) => [...everyElement(child)]);
  const texts = parts.filter((inner) => inner.some(({ role }) => role === 'StaticText'));
  return (
    texts.length === 1 &&
    parts.length <= DECORATED_PARTS_MAX &&
    parts.every((inner) => inner.length <= DECORATION_ELEMENTS_MAX)
  );
}

const DECORATED_PARTS_MAX = 5;
const DECORATION_ELEMENTS_MAX = 4;

function nothing(): boolean {
  return false;
}

const CELLS: ReadonlySet<string> = new Set(['columnheader', 'rowheader', 'cell', 'gridcell', 'LayoutTableCell']);

/** Roles of containers that listen for clicks on the items inside them, such as a table that listens for its cells. */
const HOLDS_ITEMS: ReadonlySet<string> = new Set(['table', 'LayoutTable', 'grid', 'rowgroup', 'list', 'SvgRoot']);
const ITEMS_MIN = 2;
const ITEM_LIKE: ReadonlySet<string> = new Set([
  'generic',
  'group',
  'listitem',
  'cell',
  'gridcell',
  'LayoutTableCell',
  'image',
  'graphics-symbol',
]);
