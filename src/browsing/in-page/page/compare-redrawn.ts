import { parentElementOf, createDomReaders, textWalker } from '#browsing/in-page/elements/safe-dom.ts';

/** Matches the elements that get refs in a view, as far as the DOM shows it. */
export const INTERACTIVE_SELECTOR =
  'a,button,input,select,textarea,summary,option,[role],[tabindex],[contenteditable],[onclick],[draggable=true]';
/** Attributes that identify an element together with its text. */
const TELLING = ['role', 'aria-label', 'title', 'alt', 'placeholder', 'href', 'type', 'name', 'value', 'for'] as const;
/** Maximum characters of a row's text. Longer rows are not compared. */
const RECORD_CHARS_MAX = 2_000;
/** Maximum characters of a row's text before white space is collapsed, with the indentation of the markup. */
const MARKUP_CHARS_MAX = 4 * RECORD_CHARS_MAX;

type Pair = readonly [went: Element, now: Element];

/**
 * Pairs removed elements with the new elements that replaced them. A budget limits the work, because it grows with the
 * elements and their rows. Pairs beyond the budget are omitted.
 * @param gone elements of trees that are no longer in the document
 * @param fresh elements that are in the document for the first time
 * @param selector matches the elements that may have been replaced
 * @param readsMax budget: maximum reads of node members
 */
export function pairReplacedElements(
  gone: readonly Element[],
  fresh: ReadonlySet<Element>,
  selector: string,
  readsMax: number,
): { pairs: Pair[]; reads: number } {
  const redrawn = new Redrawn(selector, readsMax);
  return { pairs: redrawn.pairs(gone, fresh), reads: redrawn.reads };
}

class Redrawn {
  reads = 0;
  readonly #selector: string;
  readonly #readsMax: number;
  readonly #read = createDomReaders();
  readonly #kinds = new Map<Element, string>();
  /** Text of each node as in the DOM; `null` for a text that is too long. */
  readonly #texts = new Map<Node, string | null>();
  /** Text of each node with collapsed white space; `null` for a text that is too long. */
  readonly #words = new Map<Node, string | null>();

  constructor(selector: string, readsMax: number) {
    this.#selector = selector;
    this.#readsMax = readsMax;
  }

  pairs(gone: readonly Element[], fresh: ReadonlySet<Element>): Pair[] {
    const kinds = new Set(this.#take(fresh, (element) => this.#kindOf(element)));
    const before = this.#groupAlike(gone, (kind) => kinds.has(kind));
    if (before.size === 0) return [];
    const names = new Set([...before.values()].map(([first]) => first?.localName));
    const there = [...Document.prototype.querySelectorAll.call(document, this.#selector)];
    this.reads += there.length;
    const wanted = new Set([...before.keys()].map((alike) => alike.slice(0, alike.lastIndexOf('\n'))));
    const named = there.filter(({ localName }) => names.has(localName));
    const now = this.#groupAlike(named, (kind) => wanted.has(kind));
    const pairs: Pair[] = [];
    for (const [alike, twins] of before) {
      const candidates = now.get(alike) ?? [];
      const found = candidates.some((one) => fresh.has(one)) ? this.#pairsOf(twins, candidates) : [];
      if (this.#isSpent) return pairs;
      pairs.push(...found.filter(([, one]) => fresh.has(one)));
    }
    return pairs;
  }

  get #isSpent(): boolean {
    return this.reads > this.#readsMax;
  }

  /** Yields results for the elements until the budget is spent. */
  *#take<T>(elements: Iterable<Element>, of: (element: Element) => T): Generator<T> {
    for (const element of elements) {
      if (this.#isSpent) return;
      yield of(element);
    }
  }

  #groupAlike(elements: readonly Element[], isWanted: (kind: string) => boolean): Map<string, Element[]> {
    const groups = new Map<string, Element[]>();
    for (const [element, kind] of this.#take(elements, (one) => [one, this.#kindOf(one)] as const)) {
      const words = isWanted(kind) ? this.#wordsOf(element) : null;
      if (words === null) continue;
      addTo(groups, `${kind}\n${words}`, element);
    }
    return this.#isSpent ? new Map() : groups;
  }

  #kindOf(element: Element): string {
    const known = this.#kinds.get(element);
    if (known !== undefined) return known;
    this.reads += TELLING.length;
    const said = TELLING.map((name) => this.#read.attribute(element, name)?.replaceAll('\n', ' ') ?? '');
    const kind = [element.localName, ...said].join('\n');
    this.#kinds.set(element, kind);
    return kind;
  }

  /** Pairs removed elements with candidates whose row has equal text, if neither side has a second match. */
  #pairsOf(twins: readonly Element[], candidates: readonly Element[]): Pair[] {
    const held = this.#countHeld(twins);
    const records = new Set([...this.#take(twins, (twin) => this.#recordOf(twin, held))].filter((one) => one !== null));
    const went = this.#inRecords(twins, records);
    const came = this.#inRecords(candidates, records);
    return [...records].flatMap((record) => {
      const [[one, ...others], [now, ...more]] = [went.get(record) ?? [], came.get(record) ?? []];
      return one === undefined || now === undefined || others.length + more.length > 0 ? [] : [[one, now] as const];
    });
  }

  #countHeld(twins: readonly Element[]): ReadonlyMap<Element, number> {
    const held = new Map<Element, number>();
    for (const twin of twins) {
      for (let at: Element | null = twin; at !== null && !this.#isSpent; at = this.#around(at))
        held.set(at, (held.get(at) ?? 0) + 1);
    }
    return held;
  }

  /** The text of the largest container around an element that contains no equal element, such as its table row. */
  #recordOf(twin: Element, held: ReadonlyMap<Element, number>): string | null {
    let part = twin;
    for (let at = this.#around(twin); at !== null && held.get(at) === 1; at = this.#around(at)) part = at;
    return this.#wordsOf(part);
  }

  /** For each row text, the elements in a container with exactly this text. */
  #inRecords(elements: readonly Element[], records: ReadonlySet<string>): ReadonlyMap<string, readonly Element[]> {
    const found = new Map<string, Element[]>();
    const longest = Math.max(0, ...[...records].map(({ length }) => length));
    for (const element of elements) {
      let last: string | null = null;
      for (let at: Element | null = element; at !== null && !this.#isSpent; at = this.#around(at)) {
        const words = this.#wordsOf(at);
        if (words === null || words.length > longest) break;
        if (words !== last && records.has(words)) addTo(found, words, element);
        last = words;
      }
    }
    return found;
  }

  #around(element: Element): Element | null {
    this.reads += 1;
    return parentElementOf(element);
  }

  #wordsOf(element: Element): string | null {
    const known = this.#words.get(element);
    if (known !== undefined) return known;
    const words = this.#textOf(element)?.replaceAll(/\s+/gu, ' ').trim() ?? null;
    const told = words === null || words.length > RECORD_CHARS_MAX ? null : words;
    this.#words.set(element, told);
    return told;
  }

  /** Reads the text of an element. Cached per element. */
  #textOf(element: Element): string | null {
    const known = this.#texts.get(element);
    if (known !== undefined) return known;
    let text: string | null = '';
    for (let at = this.#read.firstChild(element); at !== null && text !== null; at = this.#read.nextSibling(at)) {
      this.reads += 1;
      const kind = this.#read.nodeType(at);
      text = joined(text, kind === 1 ? this.#textsIn(at) : kind === 3 ? at.nodeValue : '');
      if (this.#isSpent) text = null;
    }
    this.#texts.set(element, text);
    return text;
  }

  #textsIn(element: Node): string | null {
    const known = this.#texts.get(element);
    if (known !== undefined) return known;
    let text: string | null = '';
    const walker = textWalker(element);
    for (let at = walker.nextNode(); at !== null && text !== null; at = walker.nextNode()) {
      this.reads += 1;
      text = joined(text, at.nodeValue);
    }
    this.#texts.set(element, text);
    return text;
  }
}

function addTo(groups: Map<string, Element[]>, key: string, element: Element): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [element]);
  else group.push(element);
}

function joined(text: string, part: string | null): string | null {
  return part === null || text.length + part.length > MARKUP_CHARS_MAX ? null : text + part;
}
