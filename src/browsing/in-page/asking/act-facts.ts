import { findMatchingOptions } from '#browsing/in-page/fields/options.ts';
import { findLabelledControl, hitTestDeep, rootElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { SeenControlInPage } from './seen.ts';
import { readForm } from './forms.ts';
import { resolveUrl, allIn, asAny, attribute, matches, readLocalName, parentOrHost } from './safe.ts';
import { readSurroundings, readHintWords, readControlNames, readVisibleTextInside } from './texts.ts';

const ROLES = 'button link checkbox switch radio menuitem menuitemcheckbox menuitemradio option tab'.split(' ');
const NAMED_CONTROLS = [
  'a[href],button,input,select,textarea,summary,label,option',
  '[contenteditable=""],[contenteditable=true],[contenteditable=plaintext-only]',
  ...ROLES.map((role) => `[role=${role}]`),
].join();
const CONTROLS = `${NAMED_CONTROLS},[onclick]`;

/** Minimum characters in a control that may have several clickable parts, such as a card. */
const PARTS_CHARS_MIN = 60;
const LARGE_CHARS_MIN = 120;
const CHOSEN_CHARS_MAX = 200;
/** Maximum levels climbed from the clicked element to its control. */
const LEVELS_MAX = 12;
const ID_CHARS_MAX = 60;
const SIBLINGS_MAX = 1_000;
const KEYED_MAX = 200;

/** Facts about the control that a click on this element would activate. */
export function readActFacts(this: AnyElement): SeenControlInPage {
  return readFacts(this);
}

/** Facts about the control at a point of this document; `null` if no element is there. */
export function readActFactsAt(x: number, y: number): SeenControlInPage | null {
  const hit = hitTestDeep(document, x, y);
  return hit === null ? null : readFacts(asAny(hit));
}

/**
 * Facts about the control that a key press would operate; `null` for none.
 * @param accessKey the character of an access key; `''` for the control with the focus
 */
export function readFocusedActFacts(accessKey: string): SeenControlInPage | null {
  const at = accessKey === '' ? focused() : keyed(accessKey);
  return at === null ? null : readFacts(asAny(at));
}

function focused(): Element | null {
  let at: Element | null = Reflect.get(Document.prototype, 'activeElement', document);
  for (;;) {
    const inside: ShadowRoot | null = at === null ? null : Reflect.get(Element.prototype, 'shadowRoot', at);
    const inner = inside?.activeElement ?? null;
    if (inner === null) return at;
    at = inner;
  }
}

function keyed(accessKey: string): Element | null {
  const known = allIn(rootElement(), '[accesskey]', KEYED_MAX);
  return known.find((one) => attribute(one, 'accesskey').toLowerCase().split(/\s+/u).includes(accessKey)) ?? null;
}

/** Facts about a `<select>` before options are chosen. @param wanted labels or values of the options to choose */
export function readSelectFacts(this: AnyElement, wanted: readonly string[]): SeenControlInPage {
  const options = [...(findLabelledControl(this).options ?? [])];
  const labels = wanted.map((name) => findMatchingOptions(options, name)[0]?.label ?? name);
  return { ...readFacts(this), name: labels.join('\n').slice(0, CHOSEN_CHARS_MAX) };
}

function readFacts(hit: AnyElement): SeenControlInPage {
  const control = findLabelledControl(controlAround(hit));
  const name = [readControlNames(control), ...pressedPart(hit, control)].join('\n');
  const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(control);
  return {
    kind: kindOf(control),
    name,
    hints: name === '' ? readHintWords(control) : '',
    ...readSurroundings(control, name),
    opens: openedAddress(control),
    form: readForm(control),
    path: elementPath(control),
    box: [left / innerWidth, top / innerHeight, width / innerWidth, height / innerHeight],
  };
}

/**
 * The text of the clicked part of a large control. On a card, for example, a script may react differently to each part.
 */
function pressedPart(hit: AnyElement, control: AnyElement): string[] {
  if (hit === control || openedAddress(control) !== null) return [];
  if (readVisibleTextInside(control, PARTS_CHARS_MIN).length < PARTS_CHARS_MIN) return [];
  const text = readVisibleTextInside(hit, PARTS_CHARS_MIN);
  return text === '' || text.length >= PARTS_CHARS_MIN ? [] : [text];
}

function controlAround(hit: AnyElement): AnyElement {
  let at: Element | null = hit;
  for (let level = 0; at !== null && level < LEVELS_MAX; level += 1, at = parentOrHost(at)) {
    if (matches(at, CONTROLS) && (at === hit || !listensForOthers(at))) return asAny(at);
  }
  return hit;
}

/**
 * True if the element is not a control of its own kind, but probably a container whose click handler serves other
 * elements: it contains a control or much text.
 */
function listensForOthers(element: Element): boolean {
  if (matches(element, NAMED_CONTROLS)) return false;
  return (
    allIn(element, CONTROLS, 1).length > 0 || readVisibleTextInside(element, LARGE_CHARS_MIN).length >= LARGE_CHARS_MIN
  );
}

function kindOf(control: AnyElement): SeenControlInPage['kind'] {
  const role = attribute(control, 'role');
  const kind = readLocalName(control);
  if (kind === 'textarea' || control.isContentEditable) return 'multiline';
  if (kind === 'option' || role === 'option') return 'option';
  if (kind === 'select' || /^(?:radio|menuitemradio)$/u.test(role)) return 'choice';
  if (/^(?:checkbox|switch|menuitemcheckbox)$/u.test(role)) return 'check';
  if (control instanceof HTMLInputElement) return inputKind(control.type);
  if (role === 'link' || (kind === 'a' && role === '')) return 'link';
  return matches(control, CONTROLS) ? 'button' : 'other';
}

function inputKind(type: string): SeenControlInPage['kind'] {
  if (type === 'checkbox') return 'check';
  if (/^(?:radio|range|color)$/u.test(type)) return 'choice';
  if (type === 'file') return 'file';
  return /^(?:button|submit|reset|image)$/u.test(type) ? 'button' : 'text';
}

/** Attributes by which JavaScript libraries make a link send a request other than a plain GET. */
const ACTING = new Set(
  'onclick ping up-method data-method data-remote data-confirm data-turbo-method hx-post hx-put hx-patch hx-delete data-hx-post data-hx-put data-hx-patch data-hx-delete'.split(
    ' ',
  ),
);

/**
 * The address that a link opens by a plain GET; `null` for other controls, other schemes, and links with a script or to
 * a place in this document.
 */
function openedAddress(control: AnyElement): string | null {
  if (!(control instanceof HTMLAnchorElement) || attribute(control, 'role') === 'button') return null;
  if (control.getAttributeNames().some((name) => ACTING.has(name))) return null;
  const url = resolveUrl(attribute(control, 'href'));
  if (url === null || !/^https?:$/u.test(url.protocol)) return null;
  const { origin, pathname, search } = location;
  return url.origin + url.pathname + url.search === origin + pathname + search ? null : url.href;
}

/** Path from a control to its nearest ancestor with an id. It distinguishes buttons with the same text in two rows. */
function elementPath(control: Element): string {
  const steps: string[] = [];
  let at: Element | null = control;
  for (; at !== null && steps.length < LEVELS_MAX; at = parentOrHost(at)) {
    const id = attribute(at, 'id');
    if (id !== '') return [...steps, `#${id.slice(0, ID_CHARS_MAX)}`].join('<');
    steps.push(`${readLocalName(at)}:${placeAmongSiblings(at)}`);
  }
  return steps.join('<');
}

function placeAmongSiblings(element: Element): number {
  const before = (one: Element): Element | null => Reflect.get(Element.prototype, 'previousElementSibling', one);
  let place = 1;
  for (let at = before(element); at !== null && place < SIBLINGS_MAX; at = before(at)) place += 1;
  return place;
}
