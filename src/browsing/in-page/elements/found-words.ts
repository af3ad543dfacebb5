import { scriptState } from '#browsing/in-page/page/script-state.ts';
import { createDomReaders, nodeWalker } from './safe-dom.ts';
import type { DomReaders } from './safe-dom.ts';

declare global {
  interface ScriptState {
    foundWords?: WeakMap<Element, FoundWords>;
  }
}

/** Texts and attributes of an element, and those of its row or card, separated by tabs. */
type FoundWords = { own: string; around: string };

/** Budget for reading an element, and for reading its row: about 0.2 ms each. */
const NODES_MAX = 100;
const CHARS_MAX = 1_000;
/** Levels climbed from an element to its row. */
const LEVELS_MAX = 12;
/** Maximum levels and nodes of the part around an element that is in no row, such as a card. */
const CARD_LEVELS_MAX = 4;
const CARD_NODES_MAX = 60;
const ROWS = 'tr,li,[role=row],[role=listitem],[role=option],[role=treeitem],[role=article],article';
const NAMING = ['aria-label', 'title', 'alt', 'value', 'href'];
const NAMED = NAMING.map((name) => `[${name}]`).join();

/** Notes the words of an element that was found, and those of its row, for {@link findChangedWords}. */
export function noteFoundWords(element: Element): void {
  const state = scriptState();
  state.foundWords ??= new WeakMap();
  state.foundWords.set(element, readWords(element));
}

/** Called for a disabled element, because it may count down until it is enabled, as in `Resend (3)`. */
export function forgetFoundWords(element: Element): void {
  scriptState().foundWords?.delete(element);
}

/**
 * Compares the words of an element with those that it had when it was found, because pages reuse elements for other
 * names. Compares once. The words are compared only with earlier words, because scripts cannot compute the accessible
 * name as Chromium does.
 * @returns `row` if only its row has lost words. A row that only gains words is loading its content
 */
export function findChangedWords(element: Element): 'element' | 'row' | null {
  const noted = scriptState().foundWords?.get(element);
  if (noted === undefined) return null;
  forgetFoundWords(element);
  const now = readWords(element);
  if (now.own !== noted.own) return 'element';
  return hasLostWords(noted.around, now.around) ? 'row' : null;
}

function hasLostWords(before: string, now: string): boolean {
  const words = before.split('\t').filter((word) => word.trim() !== '');
  let found = 0;
  for (const word of now.split('\t')) if (word === words[found]) found += 1;
  return found < words.length;
}

function readWords(element: Element): FoundWords {
  const read = createDomReaders();
  const row = rowAround(element, read);
  const around = row === null ? cardAround(element, read) : wordsIn(row, read, NODES_MAX).words;
  return { own: wordsIn(element, read, NODES_MAX).words, around };
}

function rowAround(element: Element, read: DomReaders): Element | null {
  let at: Element | null = element;
  for (let levels = 0; at !== null && levels < LEVELS_MAX; levels += 1) {
    if (Element.prototype.matches.call(at, ROWS)) return at;
    at = outerElement(at, read);
  }
  return null;
}

/** Words of the largest part around the element that has few nodes. */
function cardAround(element: Element, read: DomReaders): string {
  let words = '';
  let at = outerElement(element, read);
  for (let levels = 0; at !== null && levels < CARD_LEVELS_MAX; levels += 1) {
    const wider = wordsIn(at, read, CARD_NODES_MAX);
    if (wider.isCut) break;
    ({ words } = wider);
    at = outerElement(at, read);
  }
  return words;
}

function outerElement(element: Element, read: DomReaders): Element | null {
  const parent = read.parentNode(element);
  if (parent instanceof ShadowRoot) return Reflect.get(ShadowRoot.prototype, 'host', parent);
  return parent instanceof Element ? parent : null;
}

/** Texts and naming attributes. `isCut`: true if the element has more of them. */
function wordsIn(root: Element, read: DomReaders, nodesMax: number): { words: string; isCut: boolean } {
  const walker = nodeWalker(root);
  let words = '';
  let node: Node | null = root;
  for (let nodes = 0; node !== null; nodes += 1) {
    if (nodes === nodesMax || words.length > CHARS_MAX) return { words, isCut: true };
    if (!(node instanceof Element)) words += `${(node.nodeValue ?? '').slice(0, CHARS_MAX)}\t`;
    else if (Element.prototype.matches.call(node, NAMED))
      for (const name of NAMING) words += `${read.attribute(node, name) ?? ''}\t`;
    node = walker.nextNode();
  }
  return { words, isCut: false };
}
