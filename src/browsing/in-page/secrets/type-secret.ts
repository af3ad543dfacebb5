import { controlOf } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import { focusNow } from '#browsing/in-page/fields/field.ts';
import type { SecretManner, SecretState, SecretTyped } from '#browsing/in-page/scripts.ts';

/**
 * Types into a field of one of the sites, and into nothing else. All of it is one task of the page's thread: no navigation
 * and no script of another document comes between the last look and the input.
 * @param text `null` only looks
 */
export function typeSecret(
  this: AnyElement,
  text: string | null,
  sites: readonly string[],
  manner: SecretManner,
): SecretTyped {
  const origins = [ownOrigin(), ...location.ancestorOrigins];
  const answer = (state: SecretState, isHeld = false, box: number | null = null) => ({ state, isHeld, origins, box });
  const field = manner === 'goOn' ? focusedBeside(this) : controlOf(this);
  const before = stateOf(field, origins, sites);
  if (before !== 'ready' || text === null) return answer(before);
  if (manner === 'goOn' && (tellsLetters() || !keepsSecretWhole.call(field))) return answer('cut');
  if (manner !== 'goOn' && !focusNow(field, manner === 'replace' ? 'all' : 'end')) return answer('unfocusable');
  if (manner !== 'goOn') beginSecret();
  if (manner !== 'replace' && !field.dispatchEvent(keyEvent('keydown', text))) {
    // The page types the letter itself, or leaves it out.
    return answer('typed', true, isTextField(field) ? holdSecret(field, text, manner !== 'goOn') : null);
  }
  // The page's own listeners have run: they may have changed anything in this document.
  const target = manner === 'replace' ? field : focusedBeside(this);
  const now = stateOf(target, origins, sites);
  if (now !== 'ready') return answer(now);
  if (!isTextField(target) || !target.matches(':focus')) return answer('unfocusable');
  if (manner === 'insert') emptyIfHeld(target);
  if (manner === 'replace' ? isTooShort(target, text) : isFull(target)) return answer('full');
  // The browser would leave out what is no digit, and the rest would be no secret that results can hide.
  if (target.type === 'number' && !/^\d+$/u.test(text)) return answer('field');
  const box = holdSecret(target, text, manner !== 'goOn');
  typeAsOurs(target, () => Document.prototype.execCommand.call(document, 'insertText', false, text));
  if (manner !== 'replace') target.dispatchEvent(keyEvent('keyup', text));
  return answer('typed', manner !== 'replace' || target.value === text, box);
}

/** Documents without an origin of their own, and those that only borrow one, have none here. */
function ownOrigin(): string {
  return /^https?:$/u.test(location.protocol) && self.origin === location.origin ? location.origin : 'null';
}

function stateOf(field: Element, [own = 'null', ...around]: readonly string[], sites: readonly string[]): SecretState {
  if (own === 'null') return 'opaque';
  if (!sites.includes(own)) return 'site';
  if (!around.every((origin) => sites.includes(origin))) return 'around';
  if (!field.isConnected || field.ownerDocument !== document) return 'gone';
  if (!isTextField(field)) return 'field';
  if (field.readOnly || field.disabled) return 'readonly';
  return targetsOf(field).every((origin) => sites.includes(origin)) ? 'ready' : 'form';
}

/** Those that hold what people type in for a site alone: not search boxes and addresses, which are sent as they are. */
function isTextField(field: Element): field is TextField {
  if (field instanceof HTMLTextAreaElement) return true;
  return field instanceof HTMLInputElement && /^(?:password|text|email|tel|number)$/u.test(field.type);
}

/** Where the form of a field, and each of its buttons, would send it. Named fields stand in for members of a form. */
function targetsOf(field: TextField): string[] {
  const { form } = field;
  if (form === null) return [];
  const of = (name: string) => Reflect.get(HTMLFormElement.prototype, name, form);
  const controls: Iterable<Element> = of('elements');
  const buttons = [...controls].flatMap((control) =>
    control.hasAttribute('formaction') ? [String(Reflect.get(control, 'formAction'))] : [],
  );
  return [String(of('action')), ...buttons]
    .filter((address) => !/^javascript:/iu.test(address))
    .map((address) => (URL.canParse(address) ? new URL(address).origin : 'null'));
}

/** The browser would take a part of it only. */
function isTooShort({ maxLength }: TextField, text: string): boolean {
  return maxLength >= 0 && maxLength < text.length;
}

/** The browser would take no further letter. */
function isFull({ maxLength, value, selectionStart, selectionEnd }: TextField): boolean {
  return maxLength >= 0 && value.length >= maxLength && selectionStart === selectionEnd;
}

/** What has the focus in the tree that an element stands in. */
function focusedBeside(element: AnyElement): AnyElement {
  const root: Node = element.getRootNode();
  // Taken out of its document, it is in none of them.
  if (root !== document && !(root instanceof ShadowRoot)) return element;
  const prototype = root === document ? Document.prototype : ShadowRoot.prototype;
  const focused: unknown = Reflect.get(prototype, 'activeElement', root);
  return focused instanceof HTMLElement ? focused : element;
}

/** For fields that go on to the next one by what key they hear. */
function keyEvent(kind: 'keydown' | 'keyup', key: string): KeyboardEvent {
  return new KeyboardEvent(kind, { key, bubbles: true, cancelable: true, composed: true });
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * `text`: what was typed there. `isThere`: it, or a part of it, may still be in the field. `isCut`: the page left a part of it, so the
 * field was emptied. `time`: which typing it was: a code may go into several fields.
 */
type Holding = { text: string; isThere: boolean; isCut: boolean; time: number };
/** `own`: the field that we type into at the moment. `typed`: the letters of this time so far. `step`: of history, when it began. */
type Held = { fields: Map<TextField, Holding>; own: TextField | null; time: number; typed: string; step: string };

declare global {
  interface Window {
    periscopeHeld?: Held;
  }
}

/** A secret is about to be typed, for the first time or anew. */
function beginSecret(): void {
  const held = heldHere();
  Object.assign(held, { time: held.time + 1, typed: '', step: stepOfHistory() });
}

/**
 * From now on the field shows dots, whatever its type becomes, gives nothing away by the hands of who drives the page, and
 * is changed as a whole only: the first key that edits it empties it. Part of a secret is nothing that results can hide,
 * and a page may show what is sent to it.
 * @returns which of the fields it is that this typing went into
 */
function holdSecret(field: TextField, text: string, isWhole: boolean): number {
  const held = heldHere();
  const before = held.fields.get(field);
  held.typed += text;
  const all = isWhole ? text : (before?.text ?? '') + text;
  held.fields.set(field, { text: all, isThere: true, isCut: false, time: held.time });
  if (before === undefined) guard(field);
  return [...held.fields].filter(([, { time }]) => time === held.time).findIndex(([one]) => one === field);
}

/** A field in which a page shows a secret that was typed elsewhere: on another page, or in another field. */
export function holdCopy(field: TextField): void {
  const { fields } = heldHere();
  const before = fields.get(field);
  if (before?.isThere === true) return;
  fields.set(field, { text: field.value, isThere: true, isCut: false, time: NO_TIME });
  if (before === undefined) guard(field);
}

/** Nothing was typed into it. */
const NO_TIME = -1;

/** As a person does who selects all of it, so that editors in pages notice. */
export function emptyByKeys(host: HTMLElement): void {
  getSelection()?.selectAllChildren(host);
  Document.prototype.execCommand.call(document, 'delete');
  if (host.textContent !== '') host.textContent = '';
}

function guard(field: TextField): void {
  field.style.setProperty('-webkit-text-security', 'disc', 'important');
  for (const kind of ['copy', 'cut', 'dragstart']) field.addEventListener(kind, stop, true);
  field.addEventListener('beforeinput', beforeInput, true);
  field.addEventListener('input', afterInput, true);
  field.addEventListener('compositionstart', beforeComposition, true);
  if (field.type === 'number') keepNumber(field);
  // The browser would send it with line ends in it.
  if (field instanceof HTMLTextAreaElement) field.wrap = 'soft';
}

/** Types, as nobody else does. */
function typeAsOurs(field: TextField, type: () => void): void {
  const held = heldHere();
  held.own = field;
  try {
    type();
  } finally {
    held.own = null;
  }
}

/** Typed at a caret in itself, it would be in two parts. */
function emptyIfHeld(field: TextField): void {
  if (heldHere().fields.get(field)?.isThere === true && field.value !== '') empty(field);
}

/** Empties the fields that a secret was typed into, and their copies, so that none keeps a part. */
export function emptySecrets(): void {
  const { fields } = heldHere();
  const parts = new Set([...fields.values()].map(({ text }) => text));
  for (const field of textFields()) if (parts.has(field.value) && !fields.has(field)) field.value = '';
  for (const [field, { isThere }] of fields) if (isThere) empty(field);
}

/**
 * Whether the page has left all of what was typed there, or taken all of it out. Where it has left a part, because it shortens, tidies
 * or locks the field, the fields are emptied.
 */
export function keepsSecretWhole(this: AnyElement): boolean {
  emptyCut();
  const { fields } = heldHere();
  const control = [...fields.keys()].find((field) => field === this || this.contains(field));
  const time = control === undefined ? heldHere().time : fields.get(control)?.time;
  return ![...fields.values()].some((holding) => holding.time === time && holding.isCut);
}

/**
 * Before the next letter: whether a page has put those before it into a new step of its history. It would then have a part for each
 * letter, so the fields are emptied.
 */
function tellsLetters(): boolean {
  const { fields, time, typed, step } = heldHere();
  if (stepOfHistory() === step || typed.length < 2 || !isIn(addressHere(), typed)) return false;
  for (const [field, holding] of fields) {
    if (holding.time !== time) continue;
    holding.isCut = true;
    empty(field);
  }
  return true;
}

/** @returns the fields */
function emptyCut(): TextField[] {
  adoptCopies();
  const { fields } = heldHere();
  // A page that has taken all of it out may use the field for something else.
  for (const [{ value }, holding] of fields) if (value === '') holding.isThere = false;
  const cut = [...fields].filter(([{ value }, { isThere, text }]) => isThere && isPart(value, text));
  for (const [field, holding] of cut) {
    holding.isCut = true;
    empty(field);
  }
  return cut.map(([field]) => field);
}

function isPart(value: string, text: string): boolean {
  return SAYS_SOMETHING.test(value) && !isIn(value, text);
}

/** Dots that a page puts in place of what it keeps elsewhere are no part of it. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** The same for as long as the page only changes the address of one. */
function stepOfHistory(): string {
  return navigation.currentEntry?.key ?? '';
}

function addressHere(): string {
  try {
    return decodeURIComponent(location.href);
  } catch {
    return location.href;
  }
}

/**
 * Whether all of a secret is in a text in a form that results hide (`browsing/secrets/mask.ts`): in any case, with spaces and signs
 * between the letters that it does not have itself. A number counts only by itself.
 */
function isIn(text: string, secret: string): boolean {
  const signs = ['-', '.', '·', '–'].filter((sign) => !secret.includes(sign)).join('');
  const between = new RegExp(`[\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}${signs.replace('-', '\\-')}]`, 'gu');
  const plain = (one: string) => one.normalize('NFKC').toUpperCase().toLowerCase().replace(between, '');
  const [has, wanted] = [plain(text), plain(secret)];
  return /^\d+$/u.test(wanted) ? has.split(/[^\d]+/u).includes(wanted) : has.includes(wanted);
}

/** A page may put another field in place of one, with what it holds, or fill one again that was empty. */
function adoptCopies(): void {
  const { fields, own } = heldHere();
  const known = [...fields.values()].filter(({ text }) => text.length >= COPIED_MIN);
  if (own !== null || known.length === 0) return;
  for (const field of textFields()) {
    const before = fields.get(field);
    if (before?.isThere === true || field.value === '') continue;
    const holding = known.find(({ text }) => isIn(field.value, text));
    if (holding === undefined) continue;
    fields.set(field, { ...holding, isThere: true, isCut: false });
    if (before === undefined) guard(field);
  }
}

/** Shorter ones, as in boxes for one digit each, are in other fields by chance. */
const COPIED_MIN = 4;

/** In the trees that secrets were typed into. */
function textFields(): TextField[] {
  const roots = new Set([document, ...[...heldHere().fields.keys()].map((field) => field.getRootNode())]);
  return [...roots].flatMap((root) =>
    root instanceof Document || root instanceof DocumentFragment
      ? [...root.querySelectorAll<TextField>('input, textarea')].filter(isField)
      : [],
  );
}

function heldHere(): Held {
  if (self.periscopeHeld !== undefined) return self.periscopeHeld;
  const made: Held = { fields: new Map(), own: null, time: 0, typed: '', step: '' };
  self.periscopeHeld = made;
  // History would bring it back, into a field that anybody may edit.
  window.addEventListener('pagehide', () => {
    for (const field of made.fields.keys()) field.value = '';
  });
  for (const kind of ['keydown', 'pointerdown', 'paste', 'drop']) window.addEventListener(kind, adoptCopies, true);
  for (const kind of ['submit', 'formdata']) window.addEventListener(kind, beforeSending, true);
  // Last, when the page's own listeners have run. Timers and answers of a server may change a field, too.
  for (const kind of ['input', 'change', 'focusout', 'keyup', 'click']) window.addEventListener(kind, afterPage);
  setInterval(emptyCut, LOOK_MS);
  return made;
}

const LOOK_MS = 100;

function afterPage({ isTrusted }: Event): void {
  // With a letter of ours the page is not through yet: frameworks put back what was typed before they take it over.
  if (isTrusted && heldHere().own === null) emptyCut();
}

/** What is sent is whole, or not there. */
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

function empty(field: TextField): void {
  const holding = heldHere().fields.get(field);
  typeAsOurs(field, () => {
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

export function stop(event: Event): void {
  event.preventDefault();
}

function beforeInput(event: Event): void {
  const { currentTarget: field } = event;
  if (!(event instanceof InputEvent) || !isField(field)) return;
  const { fields, own } = heldHere();
  const holding = fields.get(field);
  if (own === field || holding === undefined) return;
  // What an undo brings back may be a part.
  if (event.inputType.startsWith('history')) return event.preventDefault();
  // Enter in a field of one line sends its form.
  if (event.inputType === 'insertLineBreak' && field instanceof HTMLInputElement) return undefined;
  if (field.value === '') holding.isThere = false;
  if (!holding.isThere) return undefined;
  event.preventDefault();
  event.stopImmediatePropagation();
  empty(field);
  const { data } = event;
  if (data === null || !event.cancelable) return undefined;
  typeAsOurs(field, () => Document.prototype.execCommand.call(document, 'insertText', false, data));
  return undefined;
}

/** An undo that was asked for elsewhere reaches the field all the same. */
function afterInput(event: Event): void {
  const { currentTarget: field } = event;
  if (!isField(field) || heldHere().own === field) return;
  const holding = heldHere().fields.get(field);
  if (holding === undefined) return;
  if (event instanceof InputEvent && event.inputType.startsWith('history')) empty(field);
  else if (field.value.includes(holding.text)) holding.isThere = true;
}

function beforeComposition({ currentTarget: field, isTrusted }: Event): void {
  // A page may say that it composes what is typed letter by letter.
  if (isTrusted && isField(field) && heldHere().fields.get(field)?.isThere === true) empty(field);
}

/** A number that is stepped is another one. */
function keepNumber(field: TextField): void {
  field.style.setProperty('appearance', 'textfield', 'important');
  field.addEventListener('wheel', stop, { capture: true, passive: false });
  const stopSteps = (event: Event) => {
    if (event instanceof KeyboardEvent && /^Arrow(?:Up|Down)$/u.test(event.key)) event.preventDefault();
  };
  field.addEventListener('keydown', stopSteps, true);
}

export function isField(target: EventTarget | null): target is TextField {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
