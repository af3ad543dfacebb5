import { elementWalker, createDomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import type { DomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import { scriptState } from './script-state.ts';

declare global {
  interface ScriptState {
    state?: readonly string[];
  }
}

/** Maximum elements in a document for it to be compared. Reading a larger document twice takes too long. */
const ELEMENTS_MAX = 20_000;
/** Maximum elements in a step of `browser_do`. It is lower because a call may have many steps. */
const WATCHED_ELEMENTS_MAX = 6_000;
const CHARS_MAX = 4_000_000;
/** Class and attribute names that change with pointer and focus, whatever an action does. */
const POINTER_ATTRIBUTES = /focus|hover|ripple|active-?descendant|pointer|tabindex/iu;

/**
 * Records the elements of a document with their attributes, texts, values and scroll positions, or compares them with
 * the last record.
 * @param withFocus true if a focus on another field counts as a change
 * @returns true if something has changed; `null` when recording, if nothing was recorded before, and for a document
 * that is too large
 */
export function comparePageState(compares: boolean, withFocus = false): boolean | null {
  const before = scriptState().state;
  delete scriptState().state;
  const elementsMax = withFocus ? WATCHED_ELEMENTS_MAX : ELEMENTS_MAX;
  const now = withFocus ? [focusedAt()] : [];
  if (compares) return before === undefined ? null : differsFrom(before, now, elementsMax);
  for (const part of writtenParts(elementsMax)) {
    if (part === null) return null;
    now.push(part);
  }
  scriptState().state = now;
  return null;
}

/** Reads the document only up to the first difference. */
function differsFrom(before: readonly string[], first: readonly string[], elementsMax: number): boolean | null {
  if (first.some((part, at) => part !== before[at])) return true;
  let at = first.length;
  for (const part of writtenParts(elementsMax)) {
    if (part === null) return null;
    if (part !== before[at]) return true;
    at += 1;
  }
  return at !== before.length;
}

/** Position of the focused field as child indexes. Buttons and links do not count: any click focuses them. */
function focusedAt(): string {
  const read = createDomReaders();
  let at: Element | null = Reflect.get(Document.prototype, 'activeElement', document);
  for (let inner = at; inner !== null; inner = read.shadowRoot(inner)?.activeElement ?? null) at = inner;
  if (at === null || /^(?:a|body|button|frame|html|iframe|summary)$/u.test(read.localName(at))) return '';
  const path: number[] = [];
  for (let node: Node | null = at; node !== null; node = read.parentNode(node)) {
    let before = 0;
    for (let one = Reflect.get(Node.prototype, 'previousSibling', node); one instanceof Node; before += 1)
      one = Reflect.get(Node.prototype, 'previousSibling', one);
    path.push(before);
  }
  return path.join(' ');
}

/** True if the element is, contains or is inside a canvas, video or plug-in, whose content scripts cannot compare. */
export function isCanvasOrPlugin(this: Element): boolean {
  const drawn = 'canvas,video,object,embed';
  const around = Element.prototype.closest.call(this, drawn);
  return around !== null || Element.prototype.querySelector.call(this, drawn) !== null;
}

/** The state of one element after another, and `null` if the document is too large. */
function* writtenParts(elementsMax: number): Generator<string | null> {
  const read = createDomReaders();
  const roots: Node[] = [document];
  let elements = 0;
  let chars = 0;
  for (const root of roots) {
    const walker = elementWalker(root);
    for (let one = walker.nextNode(); one !== null; one = walker.nextNode()) {
      const shadow = read.shadowRoot(one);
      if (shadow !== null) roots.push(shadow);
      const words = isSpokenOnly(one, read) ? '' : writtenOf(one, read);
      elements += 1;
      chars += words.length;
      if (elements > elementsMax || chars > CHARS_MAX) {
        yield null;
        return;
      }
      yield words;
    }
  }
}

function writtenOf(element: Element, read: DomReaders): string {
  const { scrollLeft, scrollTop } = element;
  const attributes = [...read.attributes(element)].flatMap(({ name, value }) => attributeOf(name, value)).toSorted();
  const texts: string[] = [];
  let children = 0;
  for (let child = read.firstChild(element); child !== null; child = read.nextSibling(child)) {
    if (read.nodeType(child) === Node.TEXT_NODE) texts.push(child.nodeValue ?? '');
    if (read.nodeType(child) === Node.ELEMENT_NODE) children += 1;
  }
  const held = 'value' in element ? String(element.value) : '';
  const isChecked = 'checked' in element && element.checked === true;
  // The child counts and the order of all elements in the document together determine each element's position.
  return JSON.stringify([children, read.localName(element), attributes, texts, held, isChecked, scrollLeft, scrollTop]);
}

function attributeOf(name: string, value: string): string[] {
  if (POINTER_ATTRIBUTES.test(name)) return [];
  if (name !== 'class') return value === '' && name === 'style' ? [] : [`${name}=${value}`];
  const classes = value.split(/\s+/u).filter((word) => word !== '' && !POINTER_ATTRIBUTES.test(word));
  return classes.length === 0 ? [] : [`class=${classes.toSorted().join(' ')}`];
}

/**
 * True for an invisible live region, whose text only screen readers announce. Some pages announce a drag even if it
 * moved nothing.
 */
function isSpokenOnly(element: Element, read: DomReaders): boolean {
  if (read.attribute(element, 'aria-live') === null) return false;
  const { width, height } = read.rect(element);
  return width <= 1 && height <= 1;
}
