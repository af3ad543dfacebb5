import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { SeenFieldInPage, SeenFormInPage } from './seen.ts';
import { resolveUrl, allIn, asAny, attribute, closestTo, readLocalName, parentOrHost } from './safe.ts';
import { readControlNames, readVisibleTextInside } from './texts.ts';

/** Maximum number of fields read from one form. */
const FIELDS_MAX = 120;
const VALUE_CHARS_MAX = 2_000;
const LABEL_CHARS_MAX = 80;
/** Maximum levels climbed from a button outside any `<form>` to find the fields that belong to it. */
const LEVELS_MAX = 6;
/** Maximum buttons read around a field. There may be dozens of tags before a field, each with its own button. */
const BUTTONS_MAX = 100;

/** Maximum characters of an entry that a field shows, such as a tag. */
const ENTRY_CHARS_MAX = 80;

const EDITORS = '[contenteditable=""],[contenteditable=true],[contenteditable=plaintext-only]';
const FIELDS = `input,textarea,select,${EDITORS}`;
const SEARCH = '[role=search],search';

export function readForm(control: AnyElement): SeenFormInPage | null {
  const form = findOwnForm(control);
  return form === null ? withoutForm(control) : ofForm(form, control);
}

function findOwnForm(control: AnyElement): Element | null {
  const kinds = [HTMLButtonElement, HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement];
  const kind = kinds.find((one) => control instanceof one);
  return kind === undefined ? closestTo(control, 'form') : Reflect.get(kind.prototype, 'form', control);
}

function ofForm(form: Element, control: AnyElement): SeenFormInPage {
  const elements: Iterable<Element> = Reflect.get(HTMLFormElement.prototype, 'elements', form);
  const listed = [...elements].slice(0, FIELDS_MAX).map(asAny);
  const submitters = [...elements].map(asAny).filter(isSubmitter);
  const own = isSubmitter(control) ? control : (submitters[0] ?? null);
  const of = (name: string) => (own === null ? '' : attribute(own, `form${name}`)) || attribute(form, name);
  const fields = [...listed.filter((one) => readLocalName(one) !== 'button'), ...allIn(form, EDITORS, FIELDS_MAX)];
  const texts = fields.filter(isTextual);
  const isImplicit = submitsByEnter(control) && (submitters.length > 0 || texts.length <= 1);
  return {
    method: submitters.length === 0 ? 'script' : readMethod(of('method')),
    action: resolveUrl(of('action'))?.href ?? '',
    isSearch: isSearch(form, texts),
    submit: own === null ? '' : readControlNames(own),
    entryButtons: '',
    fields: fields.slice(0, FIELDS_MAX).map(seen),
    digest: digestOf([...elements, ...allIn(form, EDITORS, Infinity)]),
    submits: isSubmitter(control) || isImplicit || submitters.length === 0,
  };
}

function readMethod(written: string): SeenFormInPage['method'] {
  const method = written.trim().toLowerCase();
  return method === 'post' || method === 'dialog' ? method : 'get';
}

/** The form of a control outside any `<form>`, as is common in web apps: the nearest container with fields. */
function withoutForm(control: AnyElement): SeenFormInPage | null {
  let around = parentOrHost(control);
  for (let level = 0; around !== null && level < LEVELS_MAX; level += 1, around = parentOrHost(around)) {
    if (/^(?:body|html)$/u.test(readLocalName(around))) return null;
    const fields = allIn(around, FIELDS, FIELDS_MAX);
    if (!fields.some((one) => one !== control && !UNTYPED.test(one.type ?? ''))) continue;
    return {
      method: 'script',
      action: location.href,
      isSearch: closestTo(around, SEARCH) !== null || fields.every((one) => one.type === 'search'),
      ...readButtons(control, around),
      fields: fields.map(seen),
      digest: digestOf(allIn(around, FIELDS, Infinity)),
      submits: true,
    };
  }
  return null;
}

/** The names of the buttons that Enter may press. The first button after the field never counts as part of an entry. */
function readButtons(control: AnyElement, around: Element): Pick<SeenFormInPage, 'submit' | 'entryButtons'> {
  const buttons = allIn(around, BUTTONS, BUTTONS_MAX).filter((one) => one !== control);
  const next = buttons.find((one) => comesAfter(control, one));
  const ofEntries = buttons.filter((one) => one !== next && isInEntry(one, control));
  const names = (some: readonly AnyElement[]) => [...new Set(some.map(readControlNames))].join('\n');
  return { submit: names(buttons.filter((one) => !ofEntries.includes(one))), entryButtons: names(ofEntries) };
}

const BUTTONS = 'button,[role=button]';
const ROWS = 'tr,li,article,[role=row],[role=listitem]';

/**
 * True for a button that belongs to an entry: in a row without fields, or the only button in a short text beside the
 * field.
 */
function isInEntry(button: AnyElement, control: AnyElement): boolean {
  const row = closestTo(button, ROWS);
  if (row !== null && allIn(row, FIELDS, 1).length === 0 && !Node.prototype.contains.call(row, control)) return true;
  const own = readVisibleTextInside(button, ENTRY_CHARS_MAX);
  for (let at = parentOrHost(button); at !== null; at = parentOrHost(at)) {
    if (Node.prototype.contains.call(at, control)) return false;
    const text = readVisibleTextInside(at, ENTRY_CHARS_MAX);
    if (text === own) continue;
    return text.length < ENTRY_CHARS_MAX && allIn(at, `${BUTTONS},${FIELDS}`, 2).length === 1;
  }
  return false;
}

function comesAfter(element: Element, other: Element): boolean {
  const place = Node.prototype.compareDocumentPosition.call(element, other);
  return (place & Node.DOCUMENT_POSITION_DISCONNECTED) === 0 && (place & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

const UNTYPED = /^(?:hidden|checkbox|radio|button|submit|reset|image)$/u;
const TEXTUAL = /^(?:text|search|email|tel|url|number|password|date|month|week|time|datetime-local)$/u;

function isTextual(element: AnyElement): boolean {
  return element instanceof HTMLInputElement && TEXTUAL.test(element.type);
}

/** True if Chromium submits the form on Enter: in inputs except buttons and file inputs, and in a closed `<select>`. */
function submitsByEnter(element: AnyElement): boolean {
  if (element instanceof HTMLSelectElement) return true;
  return element instanceof HTMLInputElement && !/^(?:hidden|button|reset|submit|image|file)$/u.test(element.type);
}

function isSubmitter(element: AnyElement): boolean {
  if (element instanceof HTMLButtonElement) return element.type === 'submit';
  return element instanceof HTMLInputElement && /^(?:submit|image)$/u.test(element.type);
}

function isSearch(form: Element, texts: readonly AnyElement[]): boolean {
  if (closestTo(form, SEARCH) !== null) return true;
  const [only, ...others] = texts;
  if (only === undefined || others.length > 0) return false;
  return only.type === 'search' || /^(?:q|query|search|s)$/iu.test(attribute(only, 'name'));
}

function seen(field: AnyElement): SeenFieldInPage {
  const kind = readLocalName(field);
  const isEditor = !/^(?:input|textarea|select)$/u.test(kind);
  const type = isEditor ? 'editor' : kind === 'input' ? (field.type ?? 'text') : kind;
  const isOff = /^(?:checkbox|radio)$/u.test(type) && field.checked !== true;
  const value = isOff ? '' : isEditor ? (field.textContent ?? '') : (field.value ?? '');
  return {
    type,
    name: attribute(field, 'name'),
    label: type === 'hidden' ? '' : readControlNames(field).slice(0, LABEL_CHARS_MAX),
    autocomplete: attribute(field, 'autocomplete'),
    value: value.slice(0, VALUE_CHARS_MAX),
    chars: value.length,
  };
}

/** The value of a field. For a `<select>`, the values of all chosen options. */
function heldBy(field: AnyElement): string {
  if (!(field instanceof HTMLSelectElement)) return field.value ?? field.textContent ?? '';
  return Array.from(field.selectedOptions, ({ value }) => value).join('\n');
}

/**
 * Digest of all values, including characters and fields beyond the listed ones. A
 * cryptographic hash would not help, because a hostile page can change its form while it is submitted, after the
 * approval.
 */
function digestOf(fields: readonly Element[]): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (const field of fields.map(asAny)) {
    const value = `${attribute(field, 'name')}=${heldBy(field)};${field.checked === true ? 1 : 0}`;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      one = Math.imul(one ^ code, 2_654_435_761);
      other = Math.imul(other ^ code, 1_597_334_677);
    }
  }
  return `${fields.length} ${one >>> 0} ${other >>> 0}`;
}
