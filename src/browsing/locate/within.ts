import { isUnspacedScript } from '#core/words/words.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { textWithin } from '#browsing/view/line/element-line.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { isInteractive } from '#browsing/view/interactive.ts';
import { isPageRoot } from '#browsing/view/page/reacting.ts';
import { createPageRowTest } from '#browsing/view/page-rows.ts';
import { toComparableText } from '#browsing/view/words.ts';
import type { ClickedNode } from '#browsing/tabs/tab.ts';
import { LAYER_ROLES } from '#browsing/view/page/layers.ts';
import { filterInsideKind, filterInsideOpenedLayer, frameOwners, partAround } from './scopes.ts';
import { DIALOG_ROLES, ITEM_ROLES, LANDMARK_ROLES, NAMED_GROUP_ROLES } from '#browsing/tree/roles.ts';

/** Kinds of containers with a name or heading. Any other kind, such as `row` or `item`, is identified by its text. */
const PARTS: ReadonlySet<string> = new Set(
  `dialog alertdialog modal popup drawer form region section group fieldset panel tabpanel nav navigation menu toolbar list
   table grid card column lane article main aside sidebar iframe frame`.split(/\s+/u),
);
const OVER_WORDS: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'modal', 'popup', 'drawer']);

/** `words`: `''` for any container of this kind. `part`: the kind of container, if given. */
type Container = { words: string; part: string | undefined };

/**
 * The elements inside the container with these words: a dialog or section with this name, or a row with this text. If it
 * contains none of them, the elements in the menu that one of its elements opened.
 * @param clicked the element that was clicked last
 */
export function filterInsideContainer(
  elements: readonly AxElement[],
  container: Container,
  page: Page,
  clicked: ClickedNode | null = null,
): AxElement[] {
  const { words, part } = container;
  if (words === '' && part !== undefined) return filterInsideKind(elements, part, page);
  const inside = filterInsideNamed(elements, container, page);
  if (inside.length > 0) return inside;
  return filterInsideOpenedLayer(elements, page, clicked, (openers) => filterInsideNamed(openers, container, page));
}

function filterInsideNamed(elements: readonly AxElement[], { words, part }: Container, page: Page): AxElement[] {
  const isOver = part !== undefined && OVER_WORDS.has(part);
  const mayHead = part !== undefined && PARTS.has(part) && !isOver;
  if (part === undefined || isOver || mayHead) {
    const owners = frameOwners(page);
    const known = new Map<AxElement, string>();
    for (const isWord of [sameWords, sameWithoutCount]) {
      const has = (name: string) => isWord(name, words);
      const called = elements.filter((element) => isInCalled(element, words, { owners, known, isOver, mayHead, has }));
      if (called.length > 0) return called;
    }
    if (isOver) return [];
  }
  const { found, isWhole, isRow } = inRowOf(elements, words, page);
  const headed = part === undefined && !isWhole ? inHeaded(elements, words, page) : [];
  if (headed.length > 0) return headed;
  // A container that merely includes a heading may also include other sections.
  const under =
    !isRow && (mayHead || (part === undefined && found.length > 0)) ? underHeading(elements, words, page) : [];
  if (under.length > 0) return under;
  // Last, because a whole application may also look like an overlay that covers the page.
  return found.length === 0 && part === undefined ? inHeaded(elements, words, page, page.isFront) : found;
}

function sameWords(name: string, words: string): boolean {
  return name === words;
}

/**
 * True if the name equals the words, apart from a count: "Doing 2", "Doing (2)", "Doing, 2 cards". "Sprint 12" is not
 * "Sprint 1".
 */
function sameWithoutCount(name: string, words: string): boolean {
  const at = name.indexOf(words);
  const after = name.slice(at + words.length);
  if (at === -1 || words === '' || (/\d$/u.test(words) && /^\d/u.test(after))) return false;
  return COUNT_BEFORE.test(name.slice(0, at)) && COUNT_AFTER.test(after);
}

const COUNT_BEFORE = /^(?:\d{1,6} )?$/u;
const COUNT_AFTER = /^(?: ?[,:·•|–-]? ?[([]?\d{1,6}(?:\+|\/\d{1,6})?(?: \p{L}+)?[)\]]?)?$/u;

/** The elements in a part with this heading: by default, one of several sections, such as the columns of a board. */
function inHeaded(
  elements: readonly AxElement[],
  words: string,
  page: Page,
  isPart = createSectionTest(page),
): AxElement[] {
  const read = { owners: frameOwners(page), known: new Map<AxElement, string>() };
  for (const isWord of [sameWords, sameWithoutCount]) {
    const isIn = (element: AxElement) => headingsAround(element, read, isPart).some((name) => isWord(name, words));
    const found = elements.filter(isIn);
    if (found.length > 0) return found;
  }
  return [];
}

function createSectionTest({ documents }: Page): (part: AxElement) => boolean {
  const levels = documents.flatMap(({ root }) => headingsIn(root)).map(levelOf);
  const hasSections = new Set(levels).size < levels.length;
  return (part) => hasSections && !isPageRoot(part);
}

/** The elements that follow a heading with these words, up to the next heading of its level, without a container. */
function underHeading(elements: readonly AxElement[], words: string, page: Page): AxElement[] {
  const wanted = new Set(elements);
  return page.documents.flatMap(({ root }) => {
    const found: AxElement[] = [];
    let over: { level: number; section: AxElement } | null = null;
    for (const one of everyElement(root)) {
      if (one.role === 'heading' && !one.ignored && !(over !== null && levelOf(one) > over.level)) {
        const isMeant = toComparableText(one.name || textWithin(one)) === words;
        over = isMeant && one.parent !== null ? { level: levelOf(one), section: one.parent } : null;
      }
      if (over !== null && wanted.has(one) && isDescendantOf(one, over.section)) found.push(one);
    }
    return found;
  });
}

type Around = {
  owners: ReadonlyMap<string, AxElement>;
  /** Section headings, cached by element. */
  known: Map<AxElement, string>;
};

type Called = Around & {
  isOver: boolean;
  mayHead: boolean;
  has: (name: string) => boolean;
};

/** True if an ancestor has these words as its name or, for dialogs and sections, as its heading. */
function isInCalled(element: AxElement, words: string, { isOver, mayHead, has, ...around }: Called): boolean {
  for (let at = partAround(element, around.owners); at !== null; at = partAround(at, around.owners)) {
    const isDialog = DIALOG_ROLES.has(at.role);
    // A dialog may be a direct child of the page, although other direct children do not count as containers.
    if (!isDialog && (isOver || isPageRoot(at))) continue;
    const name = isDialog || GROUP_ROLES.has(at.role) ? toComparableText(at.name) : '';
    if (has(name) || (isDialog && has(toComparableText(headingOf(at))))) return true;
    if (isOver && (containsWholeWords(name, words) || containsWholeWords(toComparableText(headingOf(at)), words)))
      return true;
  }
  return mayHead && headingsAround(element, around).some(has);
}

/** Headings of the sections around an element, also of those around its frame. */
function headingsAround(
  element: AxElement,
  around: Around,
  isPart = (part: AxElement): boolean => !isPageRoot(part),
): string[] {
  const headings: string[] = [];
  for (let at = partAround(element, around.owners); at !== null; at = partAround(at, around.owners)) {
    if (!isPart(at)) continue;
    const heading = around.known.get(at) ?? sectionHeading(at);
    around.known.set(at, heading);
    if (heading !== '') headings.push(heading);
  }
  return headings;
}

/**
 * The first heading of a container; `''` if there is none, if another heading of the same or a higher level shows that
 * there are several sections, and for dialogs.
 */
function sectionHeading(part: AxElement): string {
  if (DIALOG_ROLES.has(part.role)) return '';
  const [first, ...others] = headingsIn(part);
  const isOne = first !== undefined && others.every((other) => levelOf(other) > levelOf(first));
  return isOne ? toComparableText(first.name || textWithin(first)) : '';
}

function headingsIn(part: AxElement): AxElement[] {
  return [...everyElement(part)].filter(({ role, ignored }) => role === 'heading' && !ignored);
}

function levelOf({ properties }: AxElement): number {
  return Number(properties.get('level') ?? HEADING_LEVEL);
}

/** Level of an ARIA heading without `aria-level`. */
const HEADING_LEVEL = 2;

const GROUP_ROLES: ReadonlySet<string> = new Set([
  ...NAMED_GROUP_ROLES,
  ...LANDMARK_ROLES,
  'article',
  'Iframe',
  'IframePresentational',
]);

/**
 * The elements inside the modal dialog or overlay in front; all elements if there is none, or if it contains none of
 * them. `behind`: number of elements left out.
 */
export function filterInFrontOfDialog(
  elements: readonly AxElement[],
  page: Page,
): { front: readonly AxElement[]; behind: number } {
  const all = page.documents.flatMap(({ root }) => [...everyElement(root)]);
  const modal = all.findLast((element) => page.isFront(element)) ?? all.findLast(isModal);
  const front = modal === undefined ? [] : elements.filter((element) => isDescendantOf(element, modal));
  return front.length === 0 ? { front: elements, behind: 0 } : { front, behind: elements.length - front.length };
}

function isModal({ properties, ignored }: AxElement): boolean {
  return !ignored && properties.get('modal') === true;
}

/** Name of a section, or name or first heading of a dialog; `''` for other elements. */
export function findContainerName(part: AxElement): string {
  return DIALOG_ROLES.has(part.role) ? part.name || headingOf(part) : GROUP_ROLES.has(part.role) ? part.name : '';
}

export function isDescendantOf(element: AxElement, part: AxElement): boolean {
  for (let at = element.parent; at !== null; at = at.parent) if (at === part) return true;
  return false;
}

function headingOf(part: AxElement): string {
  for (const one of everyElement(part)) if (one.role === 'heading' && !one.ignored) return one.name || textWithin(one);
  return '';
}

/**
 * The elements inside a row with these words, such as the button of one order among many. If the words are the whole
 * text of a cell in any row, rows that contain them within longer texts do not count.
 */
function inRowOf(elements: readonly AxElement[], words: string, page: Page) {
  // Cached, because every element of a large container would otherwise read the container's whole text again.
  const read: Reads = {
    isRow: createPageRowTest(page),
    isLayer: (part) => LAYER_ROLES.has(part.role) || page.isOver(part),
    textOf: cached((part) => toComparableText(textWithin(part))),
    hasOnlyControls: cached((part) => plainTexts(part, page).next().done === true),
    shapeOf: cached((part) => controlsIn(part, page).join(' ')),
  };
  const found = elements.flatMap((element) => {
    const row = rowWith(element, words, read);
    return row === null ? [] : [{ element, row, isWhole: holdsWhole(row, words) }];
  });
  const whole = found.filter(({ isWhole }) => isWhole);
  const rows = whole.length > 0 ? whole : found;
  const isRow = rows.some(({ row }) => read.isRow(row));
  return { found: rows.map(({ element }) => element), isWhole: whole.length > 0, isRow };
}

type Reads = {
  isRow: (part: AxElement) => boolean;
  isLayer: (part: AxElement) => boolean;
  textOf: (part: AxElement) => string;
  hasOnlyControls: (part: AxElement) => boolean;
  /** The roles of the controls inside, which are the same in similar records. */
  shapeOf: (part: AxElement) => string;
};

function cached<T>(read: (part: AxElement) => T): (part: AxElement) => T {
  const known = new Map<AxElement, T>();
  return (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const now = read(part);
    known.set(part, now);
    return now;
  };
}

/** The texts of a container outside the controls in it. */
function* plainTexts(part: AxElement, page: Page): Generator<AxElement> {
  const open = [part];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at !== part && isInteractive(at, page)) continue;
    if (!at.ignored && at.role === 'StaticText' && at.name.trim() !== '') yield at;
    open.push(...at.children);
  }
}

function controlsIn(part: AxElement, page: Page): string[] {
  return [...everyElement(part)].filter((one) => isInteractive(one, page)).map(({ role }) => role);
}

/**
 * The row around an element, if it contains the words. Without a row: the smallest container with more text than the
 * element, because a larger one may include another record. A toolbar does not count as such a container, because the
 * names of its other controls do not identify the record.
 */
function rowWith(element: AxElement, words: string, read: Reads): AxElement | null {
  const { isRow, isLayer, textOf, hasOnlyControls } = read;
  const own = textOf(element);
  let isAlone = true;
  let toolbar: AxElement | null = null;
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    const isOfRow: boolean = isRow(at);
    const text: string = isOfRow || isAlone ? textOf(at) : own;
    if (text !== own && containsWholeWords(text, words)) {
      const isOther = toolbar !== null && !isOfRow && !isRecordOf(toolbar, at, words, read);
      return isOther || isSaidInDialog(at, element, words, textOf) ? null : at;
    }
    // Nameless buttons make the parts of one record look alike, so that a toolbar may be taken for a row.
    const mayBeToolbar: boolean = isAlone && at !== element && !ROW_ROLES.has(at.role) && hasOnlyControls(at);
    // The text around a dialog or menu in the document is not its row.
    if ((isOfRow && !mayBeToolbar) || isLayer(at)) return null;
    if (mayBeToolbar && (isOfRow || text !== own)) toolbar = at;
    isAlone &&= text === own || mayBeToolbar;
  }
  return null;
}

/** Roles of rows, as opposed to rows that are recognized only because they look alike. */
const ROW_ROLES: ReadonlySet<string> = new Set([...ITEM_ROLES, 'LayoutTableRow']);

/**
 * True if a container is a record with a toolbar: neighbouring containers also have a toolbar, and the words are in a
 * part of the container that is neither a toolbar nor contains records.
 */
function isRecordOf(toolbar: AxElement, record: AxElement, words: string, read: Reads): boolean {
  const { isRow, textOf, hasOnlyControls, shapeOf } = read;
  const hasToolbar = (part: AxElement) => part.children.some((one) => hasOnlyControls(one) && shapeOf(one) !== '');
  const isOneOfSeveral = record.parent?.children.some((one) => one !== record && hasToolbar(one)) === true;
  if (DIALOG_ROLES.has(record.role) || !isOneOfSeveral) return false;
  const others = record.children.filter((one) => one !== toolbar && !isDescendantOf(toolbar, one));
  if (others.some((one) => shapeOf(one) === shapeOf(toolbar))) return false;
  const holding = others.filter((one) => !hasOnlyControls(one) && containsWholeWords(textOf(one), words));
  const isListed = (row: AxElement) =>
    isRow(row) &&
    containsWholeWords(textOf(row), words) &&
    (ROW_ROLES.has(row.role) || row.parent !== record || others.some((one) => one !== row && isRow(one)));
  return holding.length > 0 && !holding.some((one) => [...everyElement(one)].some(isListed));
}

/** True if the words are in a dialog outside the element, so that they are not in the element's row. */
function isSaidInDialog(
  part: AxElement,
  element: AxElement,
  words: string,
  textOf: (part: AxElement) => string,
): boolean {
  for (const one of everyElement(part)) {
    if (!DIALOG_ROLES.has(one.role) || !containsWholeWords(textOf(one), words)) continue;
    if (!isDescendantOf(element, one)) return true;
  }
  return false;
}

function holdsWhole(row: AxElement, words: string): boolean {
  return [...everyElement(row)].some(({ role, name }) => role === 'StaticText' && toComparableText(name) === words);
}

/** True if the text contains the words as whole words. For example, "Order 1" must not match the row of order 17. */
export function containsWholeWords(text: string, words: string): boolean {
  if (words === '') return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (!isWithinWord(text, at) && !isWithinWord(text, end)) return true;
  }
  return false;
}

/**
 * True if a name contains the words as whole words. The texts that make up a name are words of their own: Chromium names
 * `Inbox<span>3</span>` "Inbox3", and a field after its label.
 * @param name as it is compared
 */
export function isNamedWith(element: AxElement, name: string, words: string): boolean {
  if (containsWholeWords(name, words)) return true;
  // A single letter may be the underlined key of a word.
  if (words.length < 2 || !name.includes(words)) return false;
  const sources = element.labels.length === 0 ? [element] : labelsOf(element);
  return sources.some((source) => containsWholeWords(toComparableText(textWithin(source)), words));
}

/** True for the beginning of a name as a view shows it, with `…` (`...` in comparable text) in place of its end. */
export function isCutName(wanted: string, name: string): boolean {
  const [whole, beginning = ''] = /^(.{8,})\.\.\.$/su.exec(wanted) ?? [];
  return whole !== undefined && name.startsWith(beginning.trimEnd());
}

function labelsOf(element: AxElement): AxElement[] {
  let root = element;
  while (root.parent !== null) root = root.parent;
  return element.labels.flatMap((id) => elementOfNode(root, id) ?? []);
}

function isWithinWord(text: string, at: number): boolean {
  const [before = ''] = LETTER_BEFORE.exec(text.slice(Math.max(0, at - 2), at)) ?? [];
  const [after = ''] = LETTER_AFTER.exec(text.slice(at, at + 2)) ?? [];
  return before !== '' && after !== '' && !isUnspacedScript(before) && !isUnspacedScript(after);
}

const LETTER_BEFORE = /[\p{L}\p{N}\p{M}]$/u;
const LETTER_AFTER = /^[\p{L}\p{N}\p{M}]/u;
