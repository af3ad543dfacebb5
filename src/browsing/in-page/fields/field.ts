import { isPrivateField } from '#core/secrets/private-fields.ts';
import { findLabelledControl, labelsOf, queryAll } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import { truncateWithContext } from '#browsing/in-page/view/cut.ts';
import { isOpen, tellOfInput } from './options.ts';
import { getEditContext, selectInEditContext } from './edit-context.ts';
import { readEditorPlaceholder } from './editor-placeholder.ts';
import type {
  SelectOptions,
  FieldFacts,
  FieldKind,
  FieldState,
  FocusKind,
  InvalidFieldInPage,
  Tick,
} from '#browsing/in-page/script-types.ts';
import type { TextWithCuts } from '#core/text/page-texts.ts';
import { isBlank } from '#core/text/blank.ts';
import { scriptState } from '#browsing/in-page/page/script-state.ts';

/** @param role the role in the accessibility tree, which also includes roles set through `ElementInternals` */
export function describeField(this: AnyElement, role = ''): FieldFacts {
  const control = findLabelledControl(this);
  const state = stateOf(control, role);
  return { ...state, value: valueOf(control, state.kind), lacksOption: lacksOption(control, role) };
}

/** As {@link describeField}, without the value, which may have millions of characters. */
export function describeFieldState(this: AnyElement, role = ''): FieldState {
  return stateOf(findLabelledControl(this), role);
}

function stateOf(control: AnyElement, role: string): FieldState {
  return {
    kind: kindOf(control, role),
    type: getEditContext(control) === null ? typeOf(control) : 'edit-context',
    isSecret: isPrivateControl(control),
    isReadOnly: control.readOnly === true || control.getAttribute('aria-readonly') === 'true',
    isThere: control.isConnected,
    hasFocus: isFocused(hostOf(control)),
  };
}

/**
 * True if the field has options and its text is not known to be one of them. False if any text is valid and the options
 * are only suggestions, as in searches, addresses, comments and rich text.
 */
function lacksOption(control: AnyElement, role: string): boolean {
  const kind = kindOf(control, role);
  const value = valueOf(control, kind);
  const options = [...(control.list?.options ?? [])];
  if (value === '' || options.some((option) => option.value === value) || isFreeText(control, kind, role)) return false;
  const completes = /^(?:list|both)$/u.test(control.getAttribute('aria-autocomplete') ?? '');
  return options.length > 0 || completes || role === 'combobox' || control.getAttribute('role') === 'combobox';
}

function isFreeText(control: AnyElement, kind: FieldKind, role: string): boolean {
  if (kind === 'editable' || control.localName === 'textarea' || role === 'searchbox') return true;
  if (/^(?:search|email|url|tel)$/u.test(control.type ?? '')) return true;
  return control.closest('search,[role~="search"],[role~="searchbox"]') !== null;
}

function typeOf(control: AnyElement): string {
  return control.localName === 'input' ? (control.type ?? '') : control.localName;
}

export function isPrivateControl(control: AnyElement): boolean {
  const of = (name: string) => Element.prototype.getAttribute.call(control, name) ?? '';
  return isPrivateField({ type: control.type ?? '', autocomplete: of('autocomplete'), name: of('name'), id: of('id') });
}

function kindOf(control: AnyElement, treeRole: string): FieldKind {
  if (control.localName === 'textarea') return 'text';
  if (control.localName === 'select') return 'choice';
  if (control.isContentEditable || getEditContext(control) !== null) return 'editable';
  if (control.localName !== 'input') {
    const role = (control.getAttribute('role') ?? '').trim() || treeRole;
    return /^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/u.test(role) ? 'check' : 'none';
  }
  const type = control.type ?? 'text';
  if (type === 'checkbox' || type === 'radio') return 'check';
  if (type === 'file') return 'file';
  if (/^(?:date|datetime-local|month|week|time|color|range)$/u.test(type)) return 'exact';
  return /^(?:submit|button|image|reset|hidden)$/u.test(type) ? 'none' : 'text';
}

function valueOf(control: AnyElement, kind: FieldKind): string {
  if (kind === 'check') return String(control.checked ?? control.getAttribute('aria-checked') === 'true');
  const context = getEditContext(control);
  if (context !== null) return context.text;
  if (kind === 'editable') return readEditorPlaceholder(control) === '' ? (control.innerText ?? '') : '';
  if (kind !== 'choice') return control.value ?? '';
  const chosen = [...(control.options ?? [])].filter(({ selected }) => selected);
  return chosen.map(({ label }) => label.trim()).join('\n');
}

/** The element that takes the focus. For rich text, the outermost editable element. */
function hostOf(control: AnyElement): HTMLElement {
  let host: HTMLElement = control;
  while (host.isContentEditable) {
    const outer = host.parentElement;
    if (outer?.isContentEditable !== true) return host;
    host = outer;
  }
  return host;
}

/**
 * Focuses the field and selects its content, or moves the caret to the end. Checks the focus again after a task,
 * because some pages move the focus in a later task.
 * @returns true if the field has the focus in both checks
 */
export async function focusField(this: AnyElement, selects: 'all' | 'end'): Promise<boolean> {
  if (!focusControl(this, selects)) return false;
  await new Promise<void>((resolve) => setTimeout(resolve));
  return isFocused(hostOf(findLabelledControl(this)));
}

export function focusControl(element: AnyElement, selects: 'all' | 'end'): boolean {
  const control = findLabelledControl(element);
  const hadFocus = isFocused(hostOf(control));
  hostOf(control).focus({ preventScroll: true });
  const context = getEditContext(control);
  if (context !== null) {
    selectInEditContext(context, selects, hadFocus);
  } else if (control.isContentEditable) {
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

/** True if the element itself has the focus, even in a shadow tree, where the document reports only the host. */
function isFocused(element: HTMLElement): boolean {
  if (element.matches(':focus')) return true;
  const active: unknown = Reflect.get(Document.prototype, 'activeElement', document);
  // Without a focused element, the body is active. It receives keys only if the whole document is editable.
  if (document.designMode === 'on') return active === document.body || active === element;
  return active === element && element !== document.body;
}

/**
 * Sets a value as a date or colour picker would. Returns the value that the field makes of it. If the field does not
 * take the value, its earlier value is restored.
 */
export function setFieldValue(this: AnyElement, value: string): string {
  const control = findLabelledControl(this);
  control.focus({ preventScroll: true });
  // Scripts in the isolated world bypass a setter that the page put on the field, so frameworks notice the change.
  const before = control.value ?? '';
  control.value = value;
  const after = control.value ?? '';
  const isTaken = after === value || (control.type === 'color' && after === value.toLowerCase());
  if (!isTaken && control.type !== 'range') {
    control.value = before;
    return after;
  }
  tellOfInput(control);
  return control.value ?? '';
}

type Watch = { fields: InvalidFieldInPage[]; stop: () => void };

declare global {
  interface ScriptState {
    invalid?: Watch;
  }
}

const PROBLEM_CHARS_MAX = 200;

/** Starts recording fields whose validation blocks a form, because the browser draws its messages outside the page. */
export function recordInvalidFields(fieldsMax: number): void {
  scriptState().invalid?.stop();
  const fields: InvalidFieldInPage[] = [];
  const note = ({ target }: Event) => {
    if (fields.length >= fieldsMax || !isField(target)) return;
    fields.push({ name: fieldName(target), problem: truncateWithContext(target.validationMessage, PROBLEM_CHARS_MAX) });
  };
  window.addEventListener('invalid', note, true);
  scriptState().invalid = { fields, stop: () => window.removeEventListener('invalid', note, true) };
}

function isField(target: EventTarget | null): target is HTMLInputElement {
  return target !== null && 'validationMessage' in target;
}

/** Returns the recorded fields and stops recording. */
export function takeInvalidFields(): InvalidFieldInPage[] {
  const { fields = [], stop } = scriptState().invalid ?? {};
  stop?.();
  delete scriptState().invalid;
  return fields;
}

/** The focused `<select>`, whose open list the browser draws outside the page; `null` for any other focus. */
export function listSelectOptions(max: number): SelectOptions | null {
  const list = focused();
  if (list === null) return null;
  const labels = [...list.options].slice(0, max).map((option) => (isOpen(option) ? option.label : ''));
  const { left, top, width, height } = list.getBoundingClientRect();
  const place = {
    x: left / innerWidth,
    y: top / innerHeight,
    width: width / innerWidth,
    height: height / innerHeight,
  };
  return { labels, chosen: list.selectedIndex, place };
}

/** Chooses an option in the focused `<select>` and sends the events of a user's choice. */
export function chooseSelectOption(at: number): void {
  const list = focused();
  const option = list?.options[at];
  if (list === null || option === undefined || !isOpen(option)) return;
  if (list.multiple) option.selected = !option.selected;
  else list.selectedIndex = at;
  list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  list.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * The kind of the focused element, which decides what keys do. A focus inside an iframe is not visible to this
 * document.
 */
export function readFocusKind(): FocusKind {
  const at = innermost();
  if (at instanceof HTMLElement && at.isContentEditable) return 'field';
  if (at === null || at === document.body || at === document.documentElement) return 'nothing';
  if (at instanceof HTMLInputElement)
    return /^(?:button|submit|reset|image|checkbox|radio|file)$/u.test(at.type) ? 'control' : 'field';
  // An element with an ARIA role is a widget that may handle any key.
  return /^(?:a|button|summary)$/u.test(at.localName) && !at.hasAttribute('role') ? 'control' : 'field';
}

/** The iframe with the focus; `null` for none. Only its own document knows the focused element. */
export function findFocusedIframe(): Element | null {
  const at = innermost();
  return at instanceof HTMLIFrameElement || at instanceof HTMLFrameElement ? at : null;
}

function focused(): HTMLSelectElement | null {
  const at = innermost();
  return at instanceof HTMLSelectElement && !at.disabled ? at : null;
}

function innermost(): Element | null {
  let at: Element | null = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** Names of fields whose content differs from what the page loaded, and of all rich text editors with text. */
export function listUnsavedFields(max: number): TextWithCuts[] {
  const names = new Map<string, TextWithCuts>();
  for (const element of queryAll(document, 'input,textarea,select,[contenteditable]')) {
    if (names.size >= max) break;
    if (!isTyped(element)) continue;
    const name = fieldName(element);
    names.set(name.uncut, name);
  }
  return [...names.values()];
}

function isTyped(element: AnyElement): boolean {
  if (element instanceof HTMLInputElement) {
    if (/^(?:checkbox|radio)$/u.test(element.type)) return element.checked !== element.defaultChecked;
    return element.type !== 'hidden' && element.value !== element.defaultValue;
  }
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
  if (element instanceof HTMLSelectElement) return isChosenAnew([...element.options]);
  return element.isContentEditable && !isBlank(element.textContent);
}

function isChosenAnew(options: readonly HTMLOptionElement[]): boolean {
  // If the page preselects no option, the browser selects the first one.
  return options.some(({ defaultSelected }) => defaultSelected)
    ? options.some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : options.some(({ selected }, at) => selected && at > 0);
}

const NAME_CHARS_MAX = 100;

function fieldName(control: AnyElement): TextWithCuts {
  const [label] = labelsOf(control);
  const names = [control.getAttribute('aria-label'), label?.innerText, control.getAttribute('placeholder')];
  const name = names.find((words) => words !== null && words !== undefined && !isBlank(words));
  return truncateWithContext((name ?? control.getAttribute('name') ?? control.id).trim(), NAME_CHARS_MAX);
}

const ROLES = ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'];
/** Elements that act on a click themselves, so that the label around them does not. */
const ACTING = `a[href],button,input,select,textarea,label,${ROLES.map((role) => `[role=${role}]`).join(',')}`;

/** State of a check box, switch or radio button, or of the one that a click on this label sets; `null` for others. */
export function tickState(this: AnyElement): Tick | null {
  // A form's fields can hide its members.
  if (this.localName === 'form') return null;
  const control = findLabelledControl(this.closest<AnyElement>(ACTING) ?? this);
  if (!control.isConnected) return null;
  const isNative = control.localName === 'input' && /^(?:checkbox|radio)$/u.test(control.type ?? '');
  const role = isNative ? (control.type ?? '') : (control.getAttribute('role') ?? '');
  const isRadio = role.endsWith('radio');
  const aria = control.getAttribute('aria-checked');
  if (!ROLES.includes(role) || (!isNative && aria === null)) return null;
  const isMixed = isNative ? !isRadio && control.matches(':indeterminate') : aria === 'mixed';
  const isOn = isNative ? control.checked === true : aria === 'true';
  return { isRadio, state: isMixed ? 'mixed' : isOn ? 'on' : 'off' };
}
