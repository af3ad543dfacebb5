export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** `text`: what was typed there. `isThere`: it, or a part of it, may still be in the field. */
type Holding = { text: string; isThere: boolean };
/** `own`: the field that we type into at the moment. */
type Held = { fields: Map<TextField, Holding>; own: TextField | null };

declare global {
  interface Window {
    periscopeHeld?: Held;
  }
}

/**
 * From now on the field shows dots, whatever its type becomes, gives nothing away by the hands of who drives the page, and
 * is changed as a whole only: the first key that edits it empties it. Part of a secret is nothing that results can hide,
 * and a page may show what is sent to it.
 */
export function holdSecret(field: TextField, text: string, isWhole: boolean): void {
  const { fields } = heldHere();
  const before = fields.get(field);
  fields.set(field, { text: isWhole ? text : (before?.text ?? '') + text, isThere: true });
  if (before !== undefined) return;
  field.style.setProperty('-webkit-text-security', 'disc', 'important');
  for (const kind of ['copy', 'cut', 'dragstart']) field.addEventListener(kind, stop, true);
  field.addEventListener('beforeinput', beforeInput, true);
  field.addEventListener('input', afterInput, true);
  field.addEventListener('compositionstart', beforeComposition, true);
  if (field.type === 'number') keepNumber(field);
}

/** Types, as nobody else does. */
export function typeAsOurs(field: TextField, type: () => void): void {
  const held = heldHere();
  held.own = field;
  try {
    type();
  } finally {
    held.own = null;
  }
}

/** Typed at a caret in itself, it would be in two parts. */
export function emptyIfHeld(field: TextField): void {
  if (heldHere().fields.get(field)?.isThere === true && field.value !== '') empty(field);
}

/** Empties the fields that a secret was typed into, so that none keeps a part. */
export function emptySecrets(): void {
  for (const [field, { isThere }] of self.periscopeHeld?.fields ?? []) if (isThere) empty(field);
}

function heldHere(): Held {
  if (self.periscopeHeld !== undefined) return self.periscopeHeld;
  const made: Held = { fields: new Map(), own: null };
  // History would bring it back, into a field that anybody may edit.
  window.addEventListener('pagehide', () => {
    for (const field of made.fields.keys()) field.value = '';
  });
  self.periscopeHeld = made;
  return made;
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
  if (holding !== undefined) holding.isThere = false;
}

function stop(event: Event): void {
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

function beforeComposition({ currentTarget: field }: Event): void {
  if (isField(field) && heldHere().fields.get(field)?.isThere === true) empty(field);
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

function isField(target: EventTarget | null): target is TextField {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
