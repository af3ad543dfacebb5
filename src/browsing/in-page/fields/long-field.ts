import { labelledBy, labelsOf } from '#browsing/in-page/elements/safe-dom.ts';
import type { DomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import { isPrivateControl } from './field.ts';

/** Characters of a value, text or attributes from which an element is described in the page, by an excerpt. */
export const LONG_CHARS = 24_000;

/** A field whose value the page script describes itself, because Chromium would send the whole value. */
export type LongField = { role: string; value: string; isSecret: boolean; states: string[] };

/** @returns `null` for other elements, and for a short field. @param anyLength true to include short fields */
export function readLongField(element: Element, read: DomReaders, anyLength = false): LongField | null {
  const value = valueOf(element, read);
  if (value === null || (!anyLength && value.length < LONG_CHARS)) return null;
  const isList = element instanceof HTMLSelectElement;
  const isEditor = !isTextInput(element) && !isList;
  const isMultiline = isEditor || element instanceof HTMLTextAreaElement;
  const [given = ''] = (read.attribute(element, 'role') ?? '').trim().toLowerCase().split(/\s/u);
  const isSearch = element instanceof HTMLInputElement && element.type === 'search';
  return {
    role: FIELD_ROLES.test(given) ? given : isList ? 'combobox' : isSearch ? 'searchbox' : 'textbox',
    value,
    isSecret: element instanceof HTMLElement && isPrivateControl(element),
    states: [
      ...(isList ? [] : [`editable=${isEditor ? 'richtext' : 'plaintext'}`]),
      ...(isMultiline ? ['multiline'] : []),
    ],
  };
}

const FIELD_ROLES = /^(?:textbox|searchbox|combobox|spinbutton)$/u;

/** The value of a text field, drop-down list or editor; `null` for other elements, and for an editor with a short text. */
function valueOf(element: Element, read: DomReaders): string | null {
  if (element instanceof HTMLTextAreaElement) return Reflect.get(HTMLTextAreaElement.prototype, 'value', element);
  if (element instanceof HTMLInputElement)
    return isTextInput(element) ? Reflect.get(HTMLInputElement.prototype, 'value', element) : null;
  if (element instanceof HTMLSelectElement) return element.multiple || element.size > 1 ? null : read.chosen(element);
  return isLongEditor(element, read) ? Reflect.get(HTMLElement.prototype, 'innerText', element) : null;
}

function isTextInput(element: Element): boolean {
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && TYPED.test(element.type);
}

const TYPED = /^(?:text|search|url|tel|email|password|number)$/u;

/** True for the outermost editable element of an editor with a long text. */
export function isLongEditor(node: Node, read: DomReaders): boolean {
  if (!(node instanceof HTMLElement) || read.attribute(node, 'contenteditable') === null) return false;
  const parent = read.parentNode(node);
  const isHost = node.isContentEditable && !(parent instanceof HTMLElement && parent.isContentEditable);
  return isHost && hasLongText(node);
}

/** True if an element has a long text. Counts only up to `LONG_CHARS`. */
export function hasLongText(element: Node): boolean {
  return firstText(element, LONG_CHARS).length >= LONG_CHARS;
}

/** At least the first `max` characters of the text in an element, or its whole text. */
export function firstText(element: Node, max: number): string {
  const walker = Document.prototype.createTreeWalker.call(document, element, NodeFilter.SHOW_TEXT);
  const parts: string[] = [];
  let chars = 0;
  for (let node = walker.nextNode(); node !== null && chars < max; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').slice(0, max);
    parts.push(text);
    // Counts empty texts as well, so that the walk ends.
    chars += Math.max(text.length, 1);
  }
  return parts.join('');
}

/** The accessible name of a field. At least its first `max` characters are whole. */
export function nameOfField(element: Element, read: DomReaders, max: number): string {
  const root = Node.prototype.getRootNode.call(element);
  const names = [
    root instanceof Document || root instanceof ShadowRoot ? labelledBy(element, root, max) : '',
    read.attribute(element, 'aria-label'),
    element instanceof HTMLElement
      ? labelsOf(element)
          .map((label) => firstText(label, LONG_CHARS))
          .join(' ')
      : '',
    read.attribute(element, 'title'),
    read.attribute(element, 'placeholder'),
  ];
  return names.find((words) => words !== null && /\S/u.test(words)) ?? '';
}

/** States of an element, as `name` or `name=value`, by the names of the accessibility tree. */
export function statesOf(element: Element, read: DomReaders): string[] {
  const has = (name: string) => read.attribute(element, name) === 'true';
  const is = (selector: string) => Element.prototype.matches.call(element, selector);
  const on = [
    is(':disabled') || has('aria-disabled') ? 'disabled' : '',
    is(':required') || has('aria-required') ? 'required' : '',
    is('input[readonly],textarea[readonly]') || has('aria-readonly') ? 'readonly' : '',
    is(':focus') ? 'focused' : '',
    is('option:checked') ? 'selected' : '',
  ];
  const given = ['expanded', 'pressed', 'checked', 'selected', 'invalid'].flatMap((name) => {
    const value = read.attribute(element, `aria-${name}`) ?? '';
    return /^(?:true|false|mixed)$/u.test(value) ? [`${name}=${value}`] : [];
  });
  return [...on.filter((name) => name !== ''), ...given];
}
