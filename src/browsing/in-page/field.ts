import type { DomDocument, DomElement, DomOption, DomRange } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: DomDocument;
declare const Event: new (type: string, options: object) => object;
declare function getSelection(): { removeAllRanges: () => void; addRange: (range: DomRange) => void } | null;

/**
 * How a field is filled: `text` by typing, `exact` by a value in a set format, `choice` from a list, `check` on or off,
 * `none` not at all.
 */
export type FieldKind = 'text' | 'editable' | 'exact' | 'choice' | 'check' | 'file' | 'none';
export type Field = {
  kind: FieldKind;
  type: string;
  isSecret: boolean;
  isReadOnly: boolean;
  value: string;
  /** Part of its document, not of one that was or of nothing any more. */
  isThere: boolean;
};
export type Choice = { chosen: number; missing: string[]; options: string[]; isMultiple: boolean };

/** The element is `this`; a label stands for its control. */
export const FIELD = pageScript(field, [controlOf, kindOf, isSecretField, valueOf]);
/** Gives the focus to the field and selects what it holds, or puts the caret behind it. @returns whether it has the focus */
export const FOCUS_FIELD = pageScript(focusField, [controlOf, hostOf, isFocused]);
/** Sets a value that a picker would give. @returns what the field holds then */
export const SET_EXACT = pageScript(setExact, [controlOf]);
export const CHOOSE = pageScript(choose, [controlOf, matching]);

function field(this: DomElement): Field {
  const control = controlOf(this);
  const kind = kindOf(control);
  const isReadOnly = control.readOnly === true || control.getAttribute('aria-readonly') === 'true';
  return {
    kind,
    type: control.localName === 'input' ? (control.type ?? '') : control.localName,
    isSecret: isSecretField(control),
    isReadOnly,
    value: valueOf(control, kind),
    isThere: control.isConnected,
  };
}

function controlOf(element: DomElement): DomElement {
  return element.localName === 'label' ? (element.control ?? element) : element;
}

function kindOf(control: DomElement): FieldKind {
  if (control.localName === 'textarea') return 'text';
  if (control.localName === 'select') return 'choice';
  if (control.isContentEditable === true) return 'editable';
  if (control.localName !== 'input') {
    const role = (control.getAttribute('role') ?? '').trim();
    return /^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/u.test(role) ? 'check' : 'none';
  }
  const type = control.type ?? 'text';
  if (type === 'checkbox' || type === 'radio') return 'check';
  if (type === 'file') return 'file';
  if (/^(?:date|datetime-local|month|week|time|color|range)$/u.test(type)) return 'exact';
  return /^(?:submit|button|image|reset|hidden)$/u.test(type) ? 'none' : 'text';
}

function isSecretField(control: DomElement): boolean {
  return control.type === 'password' || /password/u.test(control.autocomplete ?? '');
}

function valueOf(control: DomElement, kind: FieldKind): string {
  if (kind === 'check') return String(control.checked ?? control.getAttribute('aria-checked') === 'true');
  if (kind === 'editable') return control.innerText ?? '';
  if (kind !== 'choice') return control.value ?? '';
  const chosen = [...(control.options ?? [])].filter(({ selected }) => selected);
  return chosen.map(({ label }) => label.trim()).join('\n');
}

/** What takes the focus: of rich text its outermost editable element. */
function hostOf(control: DomElement): DomElement {
  let host = control;
  while (host.isContentEditable === true) {
    const outer = host.parentElement;
    if (outer?.isContentEditable !== true) return host;
    host = outer;
  }
  return host;
}

function focusField(this: DomElement, selects: 'all' | 'end'): boolean {
  const control = controlOf(this);
  const hadFocus = isFocused(hostOf(control));
  hostOf(control).focus({ preventScroll: true });
  if (control.isContentEditable === true) {
    const range = document.createRange();
    range.selectNodeContents(control);
    if (selects === 'end') range.collapse(false);
    if (selects === 'all' || !hadFocus) {
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    }
  } else if (selects === 'all') {
    control.select?.();
  } else if (!hadFocus && /^(?:text|search|url|tel|password|textarea)$/u.test(control.type ?? '')) {
    const length = (control.value ?? '').length;
    control.setSelectionRange?.(length, length);
  }
  return isFocused(hostOf(control));
}

function isFocused(element: DomElement): boolean {
  return element.matches?.(':focus') === true || element.matches?.(':focus-within') === true;
}

function setExact(this: DomElement, value: string): string {
  const control = controlOf(this);
  control.focus({ preventScroll: true });
  // A setter that the page put on the field is not seen from here, so the page's own watch notices the change.
  const before = control.value ?? '';
  control.value = value;
  const after = control.value ?? '';
  const isTaken = after === value || (control.type === 'color' && after === value.toLowerCase());
  if (!isTaken && control.type !== 'range') {
    control.value = before;
    return after;
  }
  control.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
  return control.value ?? '';
}

function choose(this: DomElement, wanted: readonly string[], maxShown: number): Choice {
  const list = controlOf(this);
  const options = [...(list.options ?? [])];
  const found = wanted.map((name) => matching(options, name));
  const missing = wanted.filter((_, at) => found[at] === null);
  const isMultiple = list.multiple === true;
  const result = {
    chosen: found.length,
    missing,
    options: options
      .filter((option) => option.matches?.(':disabled') !== true)
      .slice(0, maxShown)
      .map(({ label }) => label.trim().slice(0, 60)),
    isMultiple,
  };
  if (missing.length > 0 || (!isMultiple && found.length !== 1)) return result;
  list.focus({ preventScroll: true });
  for (const option of options) option.selected = found.includes(option);
  list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  list.dispatchEvent(new Event('change', { bubbles: true }));
  return result;
}

/** By label, else by value, else by label in any case; never one that cannot be chosen. */
function matching(options: readonly DomOption[], wanted: string): DomOption | null {
  const flat = (text: string) => text.replace(/\s+/gu, ' ').trim();
  const isOpen = (option: DomOption) => option.matches?.(':disabled') !== true;
  const name = flat(wanted);
  return (
    options.find((option) => isOpen(option) && flat(option.label) === name) ??
    options.find((option) => isOpen(option) && option.value === wanted) ??
    options.find((option) => isOpen(option) && flat(option.label).toLowerCase() === name.toLowerCase()) ??
    null
  );
}
