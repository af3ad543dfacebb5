import { isFrame } from './frame-hits.ts';
import { elementById, labelsOf, nodeWalker } from './safe-dom.ts';

/** `all`: also words that several inline elements form together. `null`: too many to compare. */
type Words = { own: ReadonlySet<string>; all: ReadonlySet<string> } | null;
/** Words of an element when it was found. */
type FoundName = {
  words: Words;
  /** True while the handlers of a pointer that has just reached the element may still rename it. */
  isHovered: boolean;
};
/** A refused press: the words when the element was found, and at the press. `count`: number of refusals in a row. */
type Refusal = { element: WeakRef<Element>; found: string; pressed: string; count: number; at: number };
type Names = { found: WeakMap<Element, FoundName>; refusal: Refusal | null };

declare global {
  interface Window {
    periscopeNames?: Names;
  }
}

const NAME_CHARS_MAX = 2_000;
const NAME_NODES_MAX = 200;
/** Longer names are not compared with the words of the element: callers may have cut them. */
const READ_NAME_CHARS_MAX = 100;
/** Time in which a press that is tried again counts as the same act. */
const SAME_ACT_MS = 5_000;
/** Tries after which an element is pressed whose name changes all the time. Its target was found anew for each try. */
const REFUSALS_MAX = 2;

/**
 * Records the words of an element that was found, so that {@link isRenamed} can compare them when it is pressed.
 * @param name its accessible name as the page was read. Words of it that the element lacks may be gone since then
 */
export function noteName(element: Element, name = ''): void {
  const words = readWords(element);
  const named = name.length > READ_NAME_CHARS_MAX ? [] : wordsIn(name);
  const isSame = words === null || named.every((word) => words.all.has(word));
  const found = words === null || isSame ? words : { ...words, own: new Set([...words.own, ...named]) };
  namesOfDocument().found.set(element, { words: found, isHovered: false });
}

export function noteNameOnce(element: Element): void {
  if (!namesOfDocument().found.has(element)) noteName(element);
}

function namesOfDocument(): Names {
  if (self.periscopeNames === undefined) {
    self.periscopeNames = { found: new WeakMap(), refusal: null };
    for (const kind of ['pointerover', 'pointermove', 'mousemove'])
      addEventListener(kind, noteHover, { capture: true });
  }
  return self.periscopeNames;
}

/** Accepts the new name of an element that has its old name until the pointer reaches it: pages rename it then. */
function noteHover(event: Event): void {
  if (!event.isTrusted) return;
  for (const at of event.composedPath()) {
    if (!(at instanceof Element)) continue;
    const labelled = at instanceof HTMLLabelElement ? at.control : null;
    for (const element of labelled === null ? [at] : [at, labelled]) noteHovered(element, event.type === 'mousemove');
  }
}

/**
 * Frameworks handle the pointer in a task that they post. It comes between the tasks posted at the first and at the last
 * event of a movement. Changes by earlier tasks are no effect of the pointer, nor are changes by earlier callbacks of the
 * animation frame, just before which browsers handle movements.
 */
function noteHovered(element: Element, isLast: boolean): void {
  const found = self.periscopeNames?.found.get(element);
  if (found === undefined) return;
  if (isLast && found.isHovered) {
    found.words = readWords(element);
    afterTask(() => {
      if (found.isHovered) found.words = readWords(element);
      found.isHovered = false;
    });
  }
  if (isLast || found.isHovered || !keepsWords(found.words, readWords(element))) return;
  const check = () => {
    found.isHovered &&= keepsWords(found.words, readWords(element));
  };
  found.isHovered = true;
  requestAnimationFrame(check);
  afterTask(() => {
    check();
    afterTask(() => (found.isHovered = false));
  });
}

function afterTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  const received = () => {
    port1.close();
    run();
  };
  port1.addEventListener('message', received);
  port1.start();
  port2.postMessage(null);
}

/**
 * True if words of the element are gone since it was found: pages reuse elements for other records. Further words do not
 * count. After a refusal, other numbers do not count, nor the same change again, which the pointer itself causes.
 */
export function isRenamed(element: Element): boolean {
  const names = namesOfDocument();
  names.refusal = refusalOf(element, names);
  return names.refusal !== null;
}

function refusalOf(element: Element, { found: byElement, refusal }: Names): Refusal | null {
  const found = byElement.get(element);
  if (found === undefined) return null;
  const now = readWords(element);
  if (keepsWords(found.words, now)) return null;
  const at = performance.now();
  const refused: Refusal = {
    element: new WeakRef(element),
    found: joinWords(found.words),
    pressed: joinWords(now),
    count: 1,
    at,
  };
  if (refusal?.element.deref() !== element || at - refusal.at > SAME_ACT_MS) return refused;
  const isSameAgain = refusal.found === refused.found && refusal.pressed === refused.pressed;
  const isDone = isSameAgain || refusal.count >= REFUSALS_MAX || keepsWords(found.words, now, isNoNumber);
  return isDone ? null : { ...refused, count: refusal.count + 1 };
}

function keepsWords(before: Words, now: Words, isCompared: (word: string) => boolean = () => true): boolean {
  return before === null || now === null || [...before.own].every((word) => !isCompared(word) || now.all.has(word));
}

function isNoNumber(word: string): boolean {
  return !/\p{N}/u.test(word);
}

function joinWords(words: Words): string {
  return [...(words?.own ?? [])].join(' ');
}

/** The words of an element, its labels and its tooltip, but not what is typed into it; `null` if they are too many. */
function readWords(element: Element): Words {
  const said: string[] = [];
  const labels = element instanceof HTMLElement ? labelsOf(element) : [];
  for (const part of [element, ...labels, ...namingElements(element)]) {
    said.push(' ', ...namesOf(part), ' ');
    const texts = readTexts(part);
    if (texts === null) return null;
    said.push(...texts);
  }
  const isButton = element instanceof HTMLInputElement && /^(?:button|submit|reset|image)$/u.test(element.type);
  if (isButton) said.push(' ', Element.prototype.getAttribute.call(element, 'value') ?? element.type);
  if (said.reduce((chars, text) => chars + text.length, 0) > NAME_CHARS_MAX) return null;
  const own = wordsIn(said.join(' '));
  return { own: new Set(own), all: new Set([...own, ...wordsIn(said.join(''))]) };
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
}

function namesOf(element: Element): string[] {
  return ['aria-label', 'title', 'alt', 'placeholder'].map((name) => `${attributeOf(element, name)} `);
}

function namingElements(element: Element): Element[] {
  const root = Node.prototype.getRootNode.call(element);
  const ids = attributeOf(element, 'aria-labelledby').match(/\S+/gu)?.slice(0, NAMING_ELEMENTS_MAX) ?? [];
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  return ids.flatMap((id) => elementById(root, id) ?? []);
}

const NAMING_ELEMENTS_MAX = 4;

function attributeOf(element: Element, name: string): string {
  return Element.prototype.getAttribute.call(element, name) ?? '';
}

/** The texts and named pictures in an element; `[]` for an editor; `null` for a large element. */
function readTexts(part: Element): string[] | null {
  if (/^(?:textarea|select)$/u.test(part.localName) || isFrame(part)) return [];
  if (part instanceof HTMLElement && part.isContentEditable) return [];
  const walker = nodeWalker(part);
  const said: string[] = [];
  let chars = 0;
  let nodes = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes += 1;
    const text = node instanceof Element ? namesOf(node).join('').trim() : (node.nodeValue ?? '');
    chars += text.length;
    if (nodes > NAME_NODES_MAX || chars > NAME_CHARS_MAX) return null;
    said.push(text === '' || !(node instanceof Element) ? text : ` ${text} `);
  }
  return said;
}
