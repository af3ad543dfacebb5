import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import { elementWalker, openRoots } from '#browsing/in-page/elements/safe-dom.ts';
import { scriptState } from '#browsing/in-page/page/script-state.ts';

/**
 * Keeps secrets in fields whole: a field contains the whole secret or no part of it, because a page may show a part
 * later, and masking cannot recognize a part from the middle. The first editing key therefore empties the field, and
 * its content cannot be undone, copied or dragged out.
 */

export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A secret typed into a field. */
type Holding = {
  text: string;
  /** True if the field may still contain the secret. */
  isThere: boolean;
  /** True if the page kept only a part, so the field was emptied. */
  isCut: boolean;
  /** Number of the typing operation. Fields with the same number share a secret, such as the boxes of a split code. */
  time: number;
};
/** The secrets in the fields of a document. */
type Held = {
  fields: Map<TextField, Holding>;
  /** The field into which this server is typing now; `null` if it is not typing. */
  own: TextField | null;
  time: number;
};

declare global {
  interface ScriptState {
    held?: Held;
    /** The elements whose texts {@link readEditableTexts} returned last, in the same order. */
    editables?: HTMLElement[];
  }
}

/** Interval in ms between checks of the fields that hold a secret, because timers and server responses may cut it. */
const LOOK_MS = 100;
/**
 * Minimum characters of a value that counts as a copied secret. Shorter values, such as a digit, may be equal by
 * chance.
 */
const COPIED_CHARS_MIN = 4;
/** `time` for a field into which this server typed nothing. */
const NO_TIME = -1;

export function beginSecretTyping(): void {
  heldHere().time += 1;
}

/** @returns index of the field among the fields of this typing operation, from 0 */
export function recordSecretField(field: TextField, text: string, isWhole: boolean): number {
  const { fields, time } = heldHere();
  const before = fields.get(field);
  hold(field, { text: isWhole ? text : (before?.text ?? '') + text, isThere: true, isCut: false, time });
  return [...fields].filter(([, holding]) => holding.time === time).findIndex(([one]) => one === field);
}

function hold(field: TextField, holding: Holding): void {
  const { fields } = heldHere();
  if (!fields.has(field)) guard(field);
  fields.set(field, holding);
}

function guard(field: TextField): void {
  field.style.setProperty('-webkit-text-security', 'disc', 'important');
  forbidCopies(field);
  field.addEventListener('beforeinput', beforeInput, true);
  field.addEventListener('input', afterInput, true);
  field.addEventListener('compositionstart', beforeComposition, true);
  if (field.type === 'number') keepNumber(field);
  // With `wrap="hard"`, the browser would insert line breaks into the submitted value.
  if (field instanceof HTMLTextAreaElement) field.wrap = 'soft';
}

function forbidCopies(element: HTMLElement): void {
  for (const kind of ['copy', 'cut', 'dragstart']) element.addEventListener(kind, stop, true);
}

/** Marks an edit as made by this server, so that the guards of the field do not react to it. */
export function runOwnEdit(field: TextField, type: () => void): void {
  const held = heldHere();
  held.own = field;
  try {
    type();
  } finally {
    held.own = null;
  }
}

export function emptySecretField(field: TextField): void {
  if (heldHere().fields.get(field)?.isThere === true && field.value !== '') empty(field);
}

/** Empties the fields in which a secret was typed, and other fields with the same value. */
export function emptySecretFields(): void {
  const { fields } = heldHere();
  const texts = new Set([...fields.values()].map(({ text }) => text));
  for (const field of textFields()) if (texts.has(field.value) && !fields.has(field)) field.value = '';
  for (const [field, { isThere }] of fields) if (isThere) empty(field);
}

/**
 * Empties fields in which the page kept only a part of the secret.
 * @returns false if a field of the last typing into this element was emptied
 */
export function hasKeptWholeSecret(this: AnyElement): boolean {
  emptyCut();
  const { fields, time: last } = heldHere();
  const control = [...fields.keys()].find((field) => field === this || this.contains(field));
  const time = control === undefined ? last : fields.get(control)?.time;
  return ![...fields.values()].some((holding) => holding.time === time && holding.isCut);
}

function emptyCut(): TextField[] {
  adoptCopies();
  const { fields } = heldHere();
  // A page that has removed the whole secret may use the field for something else.
  for (const [{ value }, holding] of fields) if (value === '') holding.isThere = false;
  const cut = [...fields].filter(([{ value }, { isThere, text }]) => isThere && isPart(value, text));
  for (const [field, holding] of cut) {
    holding.isCut = true;
    empty(field);
  }
  return cut.map(([field]) => field);
}

function empty(field: TextField): void {
  const holding = heldHere().fields.get(field);
  runOwnEdit(field, () => {
    if (field.matches(':focus')) {
      field.select();
      Document.prototype.execCommand.call(document, 'delete');
    }
    if (field.value === '') return;
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  });
  if (holding !== undefined) holding.isThere = isPart(field.value, holding.text);
}

/**
 * True if the value may be a part of the secret: it has letters or digits, but not the whole secret. Dots that a page
 * shows instead of characters do not count.
 */
function isPart(value: string, text: string): boolean {
  return /[\p{L}\p{N}]/u.test(value) && !isIn(value, text);
}

/**
 * True if a text contains the secret, in any case, width and grouping. A secret of digits must not be part of a longer
 * number.
 */
function isIn(text: string, secret: string): boolean {
  const signs = ['-', '.', '·', '–'].filter((sign) => !secret.includes(sign)).join('');
  const between = new RegExp(`[\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}${signs.replace('-', '\\-')}]`, 'gu');
  const plain = (one: string) => one.normalize('NFKC').toUpperCase().toLowerCase().replace(between, '');
  const [has, wanted] = [plain(text), plain(secret)];
  return /^\d+$/u.test(wanted) ? has.split(/[^\d]+/u).includes(wanted) : has.includes(wanted);
}

/**
 * Also guards other fields with the secret, because a page may copy it to another field, or refill an emptied field.
 */
function adoptCopies(): void {
  const { fields, own } = heldHere();
  const known = [...fields.values()].filter(({ text }) => text.length >= COPIED_CHARS_MIN);
  if (own !== null || known.length === 0) return;
  for (const field of textFields()) {
    if (fields.get(field)?.isThere === true || field.value === '') continue;
    const holding = known.find(({ text }) => isIn(field.value, text));
    if (holding !== undefined) hold(field, { ...holding, isThere: true, isCut: false });
  }
}

/** Text fields in the document and in the shadow trees in which secrets were typed. */
function textFields(): TextField[] {
  const roots = new Set([document, ...[...heldHere().fields.keys()].map((field) => field.getRootNode())]);
  return [...roots].flatMap((root) =>
    root instanceof Document || root instanceof DocumentFragment
      ? [...root.querySelectorAll<TextField>('input, textarea')].filter(isField)
      : [],
  );
}

function heldHere(): Held {
  const { held } = scriptState();
  if (held !== undefined) return held;
  const made: Held = { fields: new Map(), own: null, time: 0 };
  scriptState().held = made;
  // Going back in history would restore the value in a field without guards, so it is emptied when the page is left.
  window.addEventListener('pagehide', () => {
    for (const field of made.fields.keys()) field.value = '';
  });
  for (const kind of ['keydown', 'pointerdown', 'paste', 'drop']) window.addEventListener(kind, adoptCopies, true);
  for (const kind of ['submit', 'formdata']) window.addEventListener(kind, beforeSending, true);
  // These listeners run last, after the page's own.
  for (const kind of ['input', 'change', 'focusout', 'keyup', 'click']) window.addEventListener(kind, afterPage);
  setInterval(emptyCut, LOOK_MS);
  return made;
}

function afterPage({ isTrusted }: Event): void {
  // Skipped while this server types, because frameworks briefly restore the old value before they process the input.
  if (isTrusted && heldHere().own === null) emptyCut();
}

function beforeSending(event: Event): void {
  const cut = emptyCut();
  if (cut.length === 0) return;
  if (event instanceof FormDataEvent) {
    for (const { name } of cut) event.formData.delete(name);
  } else {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

function beforeInput(event: Event): void {
  const { currentTarget: field } = event;
  if (!(event instanceof InputEvent) || !isField(field)) return;
  const { fields, own } = heldHere();
  const holding = fields.get(field);
  if (own === field || holding === undefined) return;
  // Not blocked, because Enter in a single-line field submits its form.
  if (event.inputType === 'insertLineBreak' && field instanceof HTMLInputElement) return;
  if (field.value === '') holding.isThere = false;
  replaceAll(event, holding.isThere, (type) => {
    empty(field);
    if (type !== null) runOwnEdit(field, type);
  });
}

/** @param replace empties the element, then types the event's text if the event can be prevented */
function replaceAll(event: InputEvent, isHeld: boolean, replace: (type: (() => void) | null) => void): void {
  // An undo may restore a part of the secret, so it is blocked.
  if (event.inputType.startsWith('history')) return event.preventDefault();
  if (!isHeld) return undefined;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { data, cancelable } = event;
  const type = () => void Document.prototype.execCommand.call(document, 'insertText', false, data ?? '');
  return replace(data === null || !cancelable ? null : type);
}

/** Checks the field after an input event. An undo in another field may have changed this field as well. */
function afterInput(event: Event): void {
  const { currentTarget: field } = event;
  if (!isField(field) || heldHere().own === field) return;
  const holding = heldHere().fields.get(field);
  if (holding === undefined) return;
  if (event instanceof InputEvent && event.inputType.startsWith('history')) empty(field);
  else if (field.value.includes(holding.text)) holding.isThere = true;
}

function beforeComposition({ currentTarget: field, isTrusted }: Event): void {
  // Emptied before an input method composes letters, because its input events cannot be cancelled.
  if (isTrusted && isField(field)) emptySecretField(field);
}

/** Disables stepping a number field by arrow keys or wheel, because masking would not know the changed number. */
function keepNumber(field: TextField): void {
  field.style.setProperty('appearance', 'textfield', 'important');
  field.addEventListener('wheel', stop, { capture: true, passive: false });
  const stopSteps = (event: Event) => {
    if (event instanceof KeyboardEvent && /^Arrow(?:Up|Down)$/u.test(event.key)) event.preventDefault();
  };
  field.addEventListener('keydown', stopSteps, true);
}

function isField(target: EventTarget | null): target is TextField {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function stop(event: Event): void {
  event.preventDefault();
}

/** The texts of all editable elements in this document and its open shadow trees. */
export function readEditableTexts(): string[] {
  const editables = openRoots().flatMap((root) => {
    const found: HTMLElement[] = [];
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode())
      if (isField(element) || isEditor(element)) found.push(element);
    return found;
  });
  scriptState().editables = editables;
  return editables.map((one) => (isField(one) ? one.value : (one.textContent ?? '')));
}

/** Guards fields and editors that show a secret. @param at indexes in the result of {@link readEditableTexts} */
export function guardSecretEditables(at: readonly number[]): void {
  const { fields } = heldHere();
  for (const one of at) {
    const editable = scriptState().editables?.[one];
    if (editable === undefined) continue;
    if (!isField(editable)) guardEditor(editable);
    else if (fields.get(editable)?.isThere !== true)
      hold(editable, { text: editable.value, isThere: true, isCut: false, time: NO_TIME });
  }
}

function isEditor(element: Node): element is HTMLElement {
  if (!(element instanceof HTMLElement) || !element.isContentEditable) return false;
  return element.parentElement?.isContentEditable !== true;
}

/** Guarded rich text editors; true while the editor contains a secret. */
const editors = new WeakMap<HTMLElement, boolean>();

function guardEditor(editor: HTMLElement): void {
  const isKnown = editors.has(editor);
  editors.set(editor, true);
  if (isKnown) return;
  forbidCopies(editor);
  editor.addEventListener('compositionstart', () => editors.get(editor) === true && emptyEditor(editor), true);
  const before = (event: InputEvent) =>
    replaceAll(event, editors.get(editor) === true, (type) => {
      emptyEditor(editor);
      type?.();
    });
  editor.addEventListener('beforeinput', before, true);
}

/** Deletes all content with editing commands, so that the page's editor notices the change. */
function emptyEditor(editor: HTMLElement): void {
  editors.set(editor, false);
  getSelection()?.selectAllChildren(editor);
  Document.prototype.execCommand.call(document, 'delete');
  if (editor.textContent !== '') editor.textContent = '';
}
