import { scriptState } from '#browsing/in-page/page/script-state.ts';
import { createDomReaders, nodeWalker } from './safe-dom.ts';
import type { DomReaders } from './safe-dom.ts';

declare global {
  interface ScriptState {
    foundWords?: WeakMap<Element, string>;
  }
}

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

/** Notes the words of an element that was found, and those of its row, for {@link hasOtherWords}. */
export function noteFoundWords(element: Element): void {
  const state = scriptState();
  state.foundWords ??= new WeakMap();
  state.foundWords.set(element, wordsAround(element));
}

/**
 * True if an element or its row has other words than when the element was found, because pages reuse elements for other
 * names. Compares once. The words are compared only with earlier words, because scripts cannot compute the accessible
 * name as Chromium does.
 */
export function hasOtherWords(element: Element): boolean {
  const { foundWords } = scriptState();
  const noted = foundWords?.get(element);
  foundWords?.delete(element);
  return noted !== undefined && noted !== wordsAround(element);
}

function wordsAround(element: Element): string {
  const read = createDomReaders();
  const row = rowAround(element, read);
  const around = row === null ? cardAround(element, read) : wordsIn(row, read, NODES_MAX).words;
  return `${wordsIn(element, read, NODES_MAX).words}\n${around}`;
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
