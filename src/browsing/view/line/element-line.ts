import { fileAddress } from '#core/document/file-facts.ts';
import { isBlank } from '#core/text/blank.ts';
import { VIEW_ELEMENT_DETAIL_CHARS_MAX, VIEW_NAME_CHARS_MAX } from '#browsing/view/limits.ts';
import { everyElement, hasTrueProperty, isSelectElementList } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { textNextToCheckable } from '#browsing/view/beside.ts';
import { boxKind, choiceByClass, isBoxDisabled, readCheckedState } from './choices.ts';
import { acceptsOnlyDrops } from '#browsing/view/interactive.ts';
import type { ShownElement } from '#browsing/view/view-line.ts';
import { FIELD_ROLES, INITIALS_CHARS_MAX, displayRole } from '#browsing/tree/roles.ts';
import { sanitizePageText, quotePageText, quoteFieldValue } from '#browsing/view/words.ts';
import type { AddressShortener } from './addresses.ts';

/** Maximum options of a `<select>` listed in its line: enough for the days of a month. Others are only counted. */
const VIEW_OPTIONS_MAX = 31;

export type LineOptions = {
  allOptions: boolean;
  withUrls: boolean;
  toldUrls: Set<string>;
  addresses: AddressShortener;
  /** Returns an unnamed element's position, such as `3rd of 9`. `null` if the surrounding text shows the positions. */
  places: { of: (element: AxElement) => readonly string[] } | null;
  names: { of: (name: string) => string };
};

const MASK = '••••';

/** The line of an element with its role, name, value and address: `@e4 textbox "Email" = "a@b" required`. */
export function describeElementLine(
  element: AxElement,
  ref: string | null,
  page: Page,
  style: LineOptions,
): ShownElement {
  const name = style.names.of(resolveShownName(element, page));
  const words = sanitizePageText(name, VIEW_NAME_CHARS_MAX);
  const address = linkUrl(element, words === '' ? '' : name, style);
  const hint = words === '' ? hintOf(element, page, style.places !== null) : '';
  const { shown, chars } = valueWords(element, page, style);
  return {
    ref,
    role: isDropZoneOnly(element, page) ? DROP_ZONE : boxKind(element, page) || roleWord(element),
    name: words === '' ? '' : quotePageText(name, VIEW_NAME_CHARS_MAX),
    place: words === '' && hint === '' ? placeOf(element, style) : [],
    details: [
      ...(hint === '' ? choiceByClass(element, page) : [hint]),
      ...saysMore(element, words),
      ...asksFor(element, name, page),
      ...shown,
    ],
    chars,
    excerpt: chars === null ? null : page.excerptOf(element),
    states: [...stateWords(element, page), ...describeWaysToOpen(element, ref, page)],
    address,
    isInline: false,
  };
}

/** The tool calls that load a lazy frame or open a file embedded in the page, such as a PDF. */
export function describeWaysToOpen(element: AxElement, ref: string | null, page: Page): string[] {
  const file = page.fileOf(element);
  if (file !== null) return [`(a file: open_url ${JSON.stringify({ url: fileAddress(file) })})`];
  if (page.frameState(element) !== 'lazy' || ref === null) return [];
  return [`(not loaded yet: browser_scroll ${JSON.stringify({ selector: ref, into_view: true })} loads it)`];
}

/**
 * A hint for an element without a name, such as its tooltip. Shown in brackets, because it is not visible page text.
 */
function hintOf(element: AxElement, page: Page, isAlone = false): string {
  const hint = page.hintOf(element);
  const drawn = wordsBeside(element);
  if (hint !== '' && drawn === '') return `(${sanitizePageText(hint, VIEW_ELEMENT_DETAIL_CHARS_MAX)})`;
  const beside = drawn || (isAlone ? textNextToCheckable(element) : '');
  return beside === '' ? '' : `(beside ${quotePageText(beside, VIEW_ELEMENT_DETAIL_CHARS_MAX)})`;
}

/** The position of an unnamed empty field, such as `2nd of 3`. A filled field is recognized by its value. */
function placeOf(element: AxElement, { places }: LineOptions): readonly string[] {
  return isBlank(element.value) ? (places?.of(element) ?? []) : [];
}

/** The label next to an SVG shape, such as a node of a chart; `''` if another shape comes first. */
function wordsBeside(element: AxElement): string {
  if (element.role !== 'graphics-symbol' || element.parent === null) return '';
  const { children } = element.parent;
  const at = children.indexOf(element);
  for (const next of children.slice(at + 1, at + 1 + BESIDE_STEPS_MAX)) {
    if (next.role === 'graphics-symbol') return '';
    const words = textWithin(next);
    if (words !== '') return words.length <= VIEW_ELEMENT_DETAIL_CHARS_MAX ? words : '';
  }
  return '';
}

/** Maximum siblings searched for a shape's label, because an icon may be between the shape and its label. */
const BESIDE_STEPS_MAX = 3;

/** The description (usually the tooltip) of an element with a name of at most three characters, such as "AB". */
function saysMore({ description }: AxElement, words: string): string[] {
  const isShort = words !== '' && words.length <= INITIALS_CHARS_MAX;
  const says = description.trim();
  return isShort && says !== '' && says !== words ? [`(${quotePageText(says, VIEW_ELEMENT_DETAIL_CHARS_MAX)})`] : [];
}

/** The placeholder of an empty field, unless the name already contains it. */
function asksFor(element: AxElement, name: string, page: Page): string[] {
  const placeholder = page.placeholderOf(element);
  return placeholder === '' || name.includes(placeholder)
    ? []
    : [`(placeholder ${quotePageText(placeholder, VIEW_ELEMENT_DETAIL_CHARS_MAX)})`];
}

/** Line of a non-interactive element whose tooltip explains its initials or sign, such as an avatar; else `null`. */
export function describeTooltip(element: AxElement): string | null {
  if (element.role !== 'generic' || element.description === '') return null;
  const words = textWithin(element);
  const more = saysMore(element, words);
  return more.length === 0 ? null : [sanitizePageText(words, INITIALS_CHARS_MAX), ...more].join(' ');
}

/** An element inside a line of text, in brackets: `[@e4 More]`. */
export function inlineElement(element: AxElement, ref: string | null, page: Page, style: LineOptions): ShownElement {
  if (element.role !== 'link')
    return { ...describeElementLine(element, ref, page, { ...style, withUrls: false, places: null }), isInline: true };
  const name = style.names.of(resolveShownName(element, page));
  const hint = isBlank(name) ? hintOf(element, page) : '';
  const place = isBlank(name) && hint === '' ? placeOf(element, style) : [];
  const isTold = name !== '' || hint !== '' || place.length > 0;
  return {
    ref,
    role: '',
    name: sanitizePageText(name, VIEW_NAME_CHARS_MAX),
    place,
    details: saysMore(element, name.trim()),
    chars: null,
    excerpt: null,
    states: stateWords(element, page),
    address: isTold ? hint : linkUrl(element, name, style),
    isInline: true,
  };
}

export const DROP_ZONE = 'drop zone';

/** True for an element that accepts dropped files or elements but no clicks. */
export function isDropZoneOnly(element: AxElement, page: Page): boolean {
  return roleWord(element) === 'clickable' && acceptsOnlyDrops(element, page);
}

export function roleWord({ role, properties }: AxElement): string {
  if (role === 'generic' && properties.has('editable')) return 'textbox';
  return displayRole(role);
}

/**
 * The accessible name of an element. Without one: its text, for roles in `LEAVES` and clickable elements that are not
 * editable. Without such text: its description.
 */
export function resolveShownName(element: AxElement, page: Page): string {
  if (!isBlank(element.name)) return element.name;
  if (element.properties.get('editable') !== undefined || element.role === 'Iframe') return element.description;
  return (LEAVES.has(element.role) || page.isClickable(element) ? textWithin(element) : '') || element.description;
}

/** Roles of elements that use their text as a name when they have no accessible name. */
const LEAVES: ReadonlySet<string> = new Set(['generic', 'option', 'SvgRoot']);

export function textWithin(element: AxElement): string {
  const words: string[] = [];
  for (const { role, name, ignored } of everyElement(element)) {
    if (!ignored && (role === 'StaticText' || (role === 'image' && name !== ''))) words.push(name.trim());
  }
  return words.join(' ');
}

function linkUrl(element: AxElement, name: string, { withUrls, toldUrls, addresses }: LineOptions): string {
  const { url } = element;
  if (url === '' || (!withUrls && name !== '') || (name !== '' && toldUrls.has(url))) return '';
  toldUrls.add(url);
  return addresses.of(element, name);
}

/** The value of an element. `chars`: full length of a text field's value if it is cut; `null` for any other value. */
function valueWords(element: AxElement, page: Page, style: LineOptions): { shown: string[]; chars: number | null } {
  const { role, value, properties } = element;
  if (page.isSecret(element)) return { shown: value === '' ? [] : [`= "${MASK}"`], chars: null };
  const shown: string[] = [];
  let chars: number | null = null;
  if (role === 'slider' || role === 'progressbar' || role === 'meter' || role === 'scrollbar') {
    shown.push(`= ${sanitizePageText(rounded(value), VIEW_NAME_CHARS_MAX)}${rangeWords(properties)}`);
  } else if ((!isBlank(value) || (isText(element) && /^ +$/u.test(value))) && role !== 'link' && role !== 'option') {
    const text = inLines(value, element);
    shown.push(
      `= ${isText(element) ? quoteFieldValue(text, VIEW_NAME_CHARS_MAX) : quotePageText(value, VIEW_NAME_CHARS_MAX)}`,
    );
    if (isText(element) && sanitizePageText(value, VIEW_NAME_CHARS_MAX + 1).length > VIEW_NAME_CHARS_MAX)
      chars = value.length + page.unreadChars(element);
  }
  const options = optionNames(element, page, style);
  return { shown: options === '' ? shown : [...shown, options], chars };
}

/** Shows line breaks of a value as `⏎`. In rich text, omits trailing and empty lines, which the editors add. */
function inLines(value: string, { properties }: AxElement): string {
  const text = properties.get('editable') === 'richtext' ? value.trimEnd().replaceAll(/\n{2,}/gu, '\n') : value;
  return text.replaceAll(/\r\n?|\n/gu, '⏎');
}

function isText({ role, properties }: AxElement): boolean {
  return role === 'textbox' || role === 'searchbox' || properties.has('editable');
}

/** Rounds a number, because Chromium stores some values in 32 bits, so 0.7 would be shown as 0.699999988. */
function rounded(value: string): string {
  return /^-?\d+\.\d{7,}$/u.test(value) ? String(Number(Number(value).toFixed(6))) : value;
}

function rangeWords(properties: AxElement['properties']): string {
  const from = properties.get('valuemin');
  const to = properties.get('valuemax');
  return typeof from === 'number' && typeof to === 'number' && from < to ? ` (${from}–${to})` : '';
}

/** The options of a `<select>`, written in the field's own line because options of a closed list cannot be clicked. */
function optionNames(element: AxElement, page: Page, style: LineOptions): string {
  if (element.role !== 'combobox' && element.role !== 'listbox') return '';
  const options = nativeOptions(element).filter((option) => page.closedAs(option) !== 'hidden');
  if (options.length === 0) return '';
  const names = options.slice(0, style.allOptions ? options.length : VIEW_OPTIONS_MAX).map((option) => {
    const isSelected = isMany(element) && option.properties.get('selected') === true;
    const isDisabled = page.closedAs(option) === 'disabled' && element.properties.get('disabled') !== true;
    return `${quotePageText(option.name, 60)}${isSelected ? '*' : ''}${isDisabled ? ' (disabled)' : ''}`;
  });
  const left = options.length - names.length;
  return `of ${names.join(' ')}${left > 0 ? ` +${left}` : ''}`;
}

function nativeOptions(element: AxElement): AxElement[] {
  // In a list with its own style (`appearance: base-select`), a button precedes the popup.
  const isNative =
    element.role === 'combobox'
      ? element.children.some(({ role }) => role === 'MenuListPopup')
      : isSelectElementList(element);
  if (!isNative) return [];
  return [...everyElement(element)].filter(({ role }) => role === 'option');
}

/** True for a text field or `<select>`, whose line shows all its content, so that its children need no lines. */
export function showsAllContent(element: AxElement): boolean {
  const { role, properties } = element;
  if (role === 'listbox' || role === 'combobox') return nativeOptions(element).length > 0;
  return FIELD_ROLES.has(role) || properties.has('editable');
}

function isMany(element: AxElement): boolean {
  return element.role === 'listbox';
}

const ON_WORDS = ['focused', 'required', 'readonly', 'disabled', 'selected', 'modal', 'busy'] as const;

export function stateWords(element: AxElement, page: Page): string[] {
  const { properties, role } = element;
  const words: string[] = [];
  const tick = readCheckedState(element, page);
  if (tick !== '') words.push(tick);
  const pressed = String(properties.get('pressed') ?? '');
  if (pressed === 'true') words.push('pressed');
  const expanded = properties.get('expanded');
  if (typeof expanded === 'boolean' && (expanded || role !== 'combobox'))
    words.push(expanded ? 'expanded' : 'collapsed');
  for (const word of ON_WORDS) if (hasTrueProperty(element, word)) words.push(word);
  if (isBoxDisabled(element, page)) words.push('disabled');
  const invalid = properties.get('invalid');
  if (invalid !== undefined && invalid !== 'false' && invalid !== false) words.push('invalid');
  if (page.isCurrent(element)) words.push('current');
  if (page.isDraggable(element)) words.push('draggable');
  if (page.isDropZone(element) && !isDropZoneOnly(element, page)) words.push(DROP_ZONE);
  const sort = page.sortOf(element);
  if (sort !== '') words.push(sort);
  return words;
}
