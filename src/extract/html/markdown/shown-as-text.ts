import { isPrivateField } from '#core/secrets/private-fields.ts';
import { isBlank } from '#core/text/blank.ts';
import { oneLine, quoteCurly } from '#core/text/text.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { escapeInline } from '#extract/escape.ts';
import { drawingLabels } from '#extract/html/drawing-labels.ts';
import { EMBEDDED_TAGS, beginningOfText, elementsInside, isText } from '#extract/html/tree.ts';
import { fileNameOrHost } from './urls.ts';
import { isTinyFrame } from '#extract/html/visible/frames.ts';
import { OMITTED_OPTIONS_ATTRIBUTE } from '#extract/html/tree-builder.ts';
import type { DomElement } from '#extract/html/tree.ts';
import type { EnterResult, MarkdownWriter } from './markdown-writer.ts';

/** Maximum characters of a field's default value: enough for a URL or a few paragraphs. */
const VALUE_CHARS_MAX = 2_000;
const CHOICE_CHARS_MAX = 200;
/** Maximum characters of a drawing's title and description. */
const DRAWING_CHARS_MAX = 500;
/** Maximum characters of all labels of a drawing. */
const LABELS_CHARS_MAX = 2_000;
const LABEL_SEPARATOR = ' · ';

/**
 * Describes a form field, frame or drawing in text, such as `[text field]`, because they are visible but contain no
 * text.
 */
export function writeReplacedElement(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  if (EMBEDDED_TAGS.has(name)) writeEmbedded(element, writing);
  else if (name === 'area') writeArea(element, writing);
  else if (name === 'svg') writeDrawing(element, writing);
  else if (name !== 'datalist') writeField(element, writing);
  return 'skip';
}

const SOURCES: ReadonlySet<string> = new Set(['source']);
const LABELS: Readonly<Record<string, string>> = { object: 'File', embed: 'File', video: 'Video', audio: 'Audio' };

function writeEmbedded(element: DomElement, writing: MarkdownWriter): void {
  if (isTinyFrame(element)) return;
  const url = writing.links.resolve(addressOf(element));
  if (url === null || !/^https?:/.test(url)) return;
  const given =
    element.getAttribute('title') ?? element.getAttribute('aria-label') ?? element.getAttribute('name') ?? '';
  const title = oneLine(given, CHOICE_CHARS_MAX);
  const label = LABELS[element.localName] ?? 'Frame';
  const name = title !== '' ? title : label === 'Frame' ? (URL.parse(url)?.hostname ?? '') : fileNameOrHost(url);
  writing.breakBlock();
  writing.atom(`[${label}: ${escaped(name, writing)}](${url})`);
  writing.breakBlock();
}

function addressOf(element: DomElement): string {
  for (const name of ['src', 'data', 'data-src']) {
    const address = element.getAttribute(name);
    if (address !== null && address.trim() !== '') return address;
  }
  for (const source of elementsInside(element, SOURCES)) {
    const address = source.getAttribute('src');
    if (address !== null) return address;
  }
  return '';
}

function writeArea(area: DomElement, writing: MarkdownWriter): void {
  const url = writing.links.resolve(area.getAttribute('href') ?? '');
  if (url === null) return;
  const name = oneLine(area.getAttribute('alt') ?? area.getAttribute('title') ?? '', CHOICE_CHARS_MAX);
  writing.space();
  writing.atom(`[${escaped(name === '' ? fileNameOrHost(url) : name, writing)}](${url})`);
  writing.space();
}

const DRAWING_TEXTS: ReadonlySet<string> = new Set(['title', 'desc']);

/**
 * Writes the title of a drawing: as text in a link or cell, which it names, and otherwise as an image. Its labels follow
 * as a paragraph.
 */
function writeDrawing(svg: DomElement, writing: MarkdownWriter): void {
  if (isTinyFrame(svg)) return;
  const label = svg.getAttribute('aria-label');
  const texts = [...elementsInside(svg, DRAWING_TEXTS)].map((text) => beginningOfText(text, DRAWING_CHARS_MAX) ?? '');
  const isTold = label !== null || [...elementsInside(svg, new Set(['title']))].length > 0;
  const parts = label === null ? texts : [label, ...texts];
  const told = isTold ? oneLine([...new Set(parts)].filter((part) => part !== '').join(': '), DRAWING_CHARS_MAX) : '';
  const isName = writing.isCell() || writing.marks.some(({ kind }) => kind === 'link');
  if (isName && told !== '') writing.text(told);
  else if (told !== '') writing.atom(`![${escaped(told, writing)}]()`);
  const labels = drawingLabels(svg);
  const [first = ''] = labels;
  if (first === '' || first === told || (isName && told !== '')) return;
  // A drawing with one word, outside of text, is a logo or a switch.
  if (labels.length === 1 && told === '' && !isName && !writing.isInText()) return;
  // One word in the coordinates of an icon is its sign.
  if (labels.length === 1 && !first.includes(' ') && isSmall(svg) && !writing.isCell()) return;
  const after = svg.nextSibling !== null && isText(svg.nextSibling) ? svg.nextSibling.textContent : '';
  const isBlock = labels.length > 1 && !writing.isLine() && !(writing.isInText() && !isBlank(after));
  if (isBlock) writing.breakBlock();
  else writing.space();
  writing.text(oneLine(labels.map((one) => sanitizeText(one)).join(LABEL_SEPARATOR), LABELS_CHARS_MAX));
  if (isBlock) writing.breakBlock();
  else if (/^[\p{L}\p{N}]/u.test(after)) writing.space();
}

/** Maximum width of the coordinates of an icon. */
const ICON_UNITS_MAX = 32;

/** True for a drawing with the coordinates of an icon. Its size on the screen is in a style sheet. */
function isSmall(svg: DomElement): boolean {
  const width = Number(
    svg
      .getAttribute('viewBox')
      ?.trim()
      .split(/[\s,]+/)[2] ?? Infinity,
  );
  return width <= ICON_UNITS_MAX;
}

function writeField(field: DomElement, writing: MarkdownWriter): void {
  const type = typeOf(field);
  if (type === 'hidden') return;
  if (isButton(type)) {
    writing.space();
    writing.text(oneLine(field.getAttribute(type === 'image' ? 'alt' : 'value') ?? '', CHOICE_CHARS_MAX));
    writing.space();
    return;
  }
  const { isLabelled, isInForm, name } = writing.fields.nameOf(field);
  const isMark = type === 'checkbox' || type === 'radio';
  const isTold = isLabelled || name !== '' || isInForm || writing.isInText() || writing.isCell();
  // Outside a form, a checkbox without a value only opens a menu or the like, by a style sheet. In a table cell, it may
  // mean yes or no.
  const isAnswer = writing.isCell() && (field.hasAttribute('disabled') || field.hasAttribute('checked'));
  const isSwitch = isMark && !isInForm && !isAnswer && (field.getAttribute('value') ?? '') === '';
  if (!isTold || isSwitch) return;
  writing.space();
  if (isMark) writing.atom(markOf(field, type));
  if (name !== '') {
    if (isMark) writing.space();
    writing.text(name);
    writing.space();
  }
  if (!isMark) writing.atom(`[${partsOf(field, type, writing).join(', ')}]`);
  writing.space();
}

function typeOf(field: DomElement): string {
  return field.localName === 'input' ? (field.getAttribute('type') ?? 'text').trim().toLowerCase() : field.localName;
}

function isButton(type: string): boolean {
  return type === 'submit' || type === 'button' || type === 'reset' || type === 'image';
}

function markOf(field: DomElement, type: string): string {
  const isOn = field.hasAttribute('checked') && !isPrivate(field, type);
  return type === 'radio' ? (isOn ? '◉' : '○') : isOn ? '☑' : '☐';
}

const KINDS: Readonly<Record<string, string>> = {
  email: 'email field',
  url: 'address field',
  tel: 'telephone field',
  number: 'number field',
  password: 'password field',
  search: 'search field',
  date: 'date field',
  time: 'time field',
  'datetime-local': 'date and time field',
  month: 'month field',
  week: 'week field',
  color: 'colour field',
  file: 'file field',
  range: 'slider',
  textarea: 'text area',
};

function partsOf(field: DomElement, type: string, writing: MarkdownWriter): string[] {
  const text = (name: string) => escaped(oneLine(field.getAttribute(name) ?? '', CHOICE_CHARS_MAX), writing);
  if (type === 'meter' || type === 'progress') return [`${type} ${text('value') || '?'} of ${text('max') || '1'}`];
  const isChoice = type === 'select';
  const kind = isChoice ? choiceKind(field, writing) : Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  const isRequired = field.hasAttribute('required');
  const limits = { min: text('min'), max: text('max'), accept: text('accept'), placeholder: text('placeholder') };
  const isSecret = isPrivate(field, type);
  const value = isChoice || type === 'file' || isSecret ? '' : valueOf(field, writing);
  const list = type === 'textarea' || isChoice || isSecret ? undefined : writing.fields.suggestions(field);
  return [
    kind ?? 'text field',
    ...(limits.min === '' ? [] : [`from ${limits.min}`]),
    ...(limits.max === '' ? [] : [`up to ${limits.max}`]),
    ...(limits.accept === '' ? [] : [`takes ${limits.accept}`]),
    ...(isRequired ? ['required'] : []),
    ...(field.hasAttribute('disabled') ? ['disabled'] : []),
    ...(field.hasAttribute('readonly') ? ['read-only'] : []),
    ...(limits.placeholder === '' ? [] : [`placeholder ${quoteCurly(limits.placeholder)}`]),
    ...(value === '' ? [] : [`value ${quoteCurly(value)}`]),
    ...(list === undefined ? [] : [list === null ? 'suggests what a field above does' : suggested(list, writing)]),
  ];
}

function suggested(list: DomElement, writing: MarkdownWriter): string {
  return `suggests: ${choicesOf(list, null, writing)}`;
}

function isPrivate(field: DomElement, type: string): boolean {
  const of = (name: string) => field.getAttribute(name) ?? '';
  return isPrivateField({ type, autocomplete: of('autocomplete'), name: of('name'), id: of('id') });
}

function valueOf(field: DomElement, writing: MarkdownWriter): string {
  const source = field.localName === 'textarea' ? field.textContent : (field.getAttribute('value') ?? '');
  const whole = sanitizeText(source).replace(/\s+/g, ' ').trim();
  const left = whole.length - VALUE_CHARS_MAX;
  return escaped(left > 0 ? `${oneLine(whole, VALUE_CHARS_MAX)} (${left} more characters)` : whole, writing);
}

const OPTIONS: ReadonlySet<string> = new Set(['option']);

function choiceKind(select: DomElement, writing: MarkdownWriter): string {
  const isMultiple = select.hasAttribute('multiple');
  const options = [...elementsInside(select, OPTIONS)];
  const hasChosen = options.some((option) => option.hasAttribute('selected'));
  const isWhole = select.getAttribute(OMITTED_OPTIONS_ATTRIBUTE) === null;
  const hasDefault = isWhole && !hasChosen && !isMultiple && !isListBox(select) && !isPrivate(select, 'select');
  const byDefault = hasDefault ? (options.find((option) => !isDisabled(option)) ?? null) : null;
  return `${isMultiple ? 'any of' : 'one of'}: ${choicesOf(select, byDefault, writing)}`;
}

/** True for a list with several visible lines, where browsers do not preselect the first option. */
function isListBox(select: DomElement): boolean {
  return Number(select.getAttribute('size') ?? 1) > 1;
}

function isDisabled(option: DomElement): boolean {
  const group = option.parentNode;
  return option.hasAttribute('disabled') || (group?.localName === 'optgroup' && group.hasAttribute('disabled'));
}

/** Lists the visible options of a field, such as `A; Fruits (apple; pear)` for one option and a group. */
function choicesOf(list: DomElement, byDefault: DomElement | null, writing: MarkdownWriter): string {
  const isSecret = isPrivate(list, 'select');
  const shown: string[] = [];
  let group: DomElement | null = null;
  let members: string[] = [];
  const endGroup = () => {
    if (group !== null && members.length > 0) {
      const label = escaped(oneLine(group.getAttribute('label') ?? '', CHOICE_CHARS_MAX), writing);
      shown.push(`${label} (${members.join('; ')})`);
    }
    members = [];
  };
  for (const option of elementsInside(list, OPTIONS)) {
    const around = option.parentNode?.localName === 'optgroup' ? option.parentNode : null;
    if (around !== group) endGroup();
    group = around;
    const isShown = option.hiding === null && (around === null || around.hiding === null);
    const label = isShown ? labelOf(option) : '';
    if (label === '') continue;
    const isChosen = !isSecret && (option === byDefault || option.hasAttribute('selected'));
    (group === null ? shown : members).push(`${escaped(label, writing)}${isChosen ? ' (chosen)' : ''}`);
  }
  endGroup();
  const left = list.getAttribute(OMITTED_OPTIONS_ATTRIBUTE);
  return [...shown, ...(left === null ? [] : [`and ${left} more that are left out here`])].join('; ');
}

function labelOf(option: DomElement): string {
  const text = beginningOfText(option, CHOICE_CHARS_MAX) ?? '';
  if (text !== '') return text;
  const given = option.getAttribute('label') ?? option.getAttribute('value') ?? '';
  return oneLine(given, CHOICE_CHARS_MAX);
}

function escaped(text: string, writing: MarkdownWriter): string {
  return escapeInline(sanitizeText(text), { inLink: true, inCell: writing.isCell() });
}
