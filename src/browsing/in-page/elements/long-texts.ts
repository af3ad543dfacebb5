import type { LongText } from '#browsing/in-page/script-types.ts';
import type { OmittedRanges, TextWithCuts } from '#core/text/page-texts.ts';
import { isTextSeen } from '#browsing/in-page/hints/unseen-texts.ts';
import { BEFORE_CHARS, CHARS_AFTER_CUT, sliceWithContext, truncateWithContext } from '#browsing/in-page/view/cut.ts';
import { firstText, hasLongText, nameOfField, readLongField, statesOf } from '#browsing/in-page/fields/long-field.ts';
import type { LongField } from '#browsing/in-page/fields/long-field.ts';
import { NAME_ATTRIBUTES, hasLongAttributes } from './document-size.ts';
import { createDomReaders } from './safe-dom.ts';
import type { DomReaders } from './safe-dom.ts';

/** Characters read of a long text: more than a view shows, because white space and invisible characters are omitted. */
const READ_CHARS = 8_000;
/** Characters of a name before its white space is shortened. */
const FLAT_CHARS = 2 * READ_CHARS;
/** Characters read before the searched words. */
const CHARS_BEFORE_MATCH = 200;
/** Size of such an excerpt in elements. */
export const EXCERPT_SIZE = READ_CHARS / 80;

type Kind = 'text' | 'field' | 'named';

/**
 * Excerpts of the visible long texts of a part: the beginning, or the text around the searched words. Also describes the
 * elements that Chromium would name by a whole long text.
 */
export class LongTexts {
  readonly all: LongText[] = [];
  readonly nodes: Node[] = [];
  readonly #read: DomReaders;
  readonly #wanted: RegExp | null;
  readonly #known = new Map<Node, Kind>();
  /** Described drop-down lists of which each option is long, so that nothing else attaches the options. */
  readonly #longLists = new Set<Node | null>();
  #last: Node | null = null;

  constructor(read: DomReaders, words = '') {
    this.#read = read;
    this.#wanted = words.trim() === '' ? null : patternOf(words);
  }

  /**
   * Adds a text node. HTML parsers divide a long text into several nodes, which count as one text.
   * @returns true for the beginning of a visible text
   */
  addText(node: Node): boolean {
    if (this.#known.has(node)) return false;
    this.#known.set(node, 'text');
    const text = node.nodeValue ?? '';
    const before = this.all.at(-1);
    const continues = before !== undefined && this.#last !== null && this.#read.nextSibling(this.#last) === node;
    if (!continues && !isTextSeen(node, this.#read)) return false;
    this.#last = node;
    const at = this.#wanted === null ? -1 : text.search(this.#wanted);
    if (continues) {
      Object.assign(
        before,
        { chars: before.chars + text.length },
        at === -1 ? {} : excerpt(text, at, textBefore(node)),
      );
      return false;
    }
    const inside = this.#indexAround(node);
    const read = excerpt(text, Math.max(at, 0), textBefore(node));
    this.#add(node, { ...NOTHING, role: 'StaticText', inside, chars: text.length, ...read });
    return true;
  }

  /** Adds a field with a long value, or an element with long attributes. @returns `null` for other nodes */
  addLong(node: Node): Kind | null {
    const known = this.#known.get(node) ?? null;
    if (known !== null || !(node instanceof Element)) return known;
    const isLong = hasLongAttributes(node, this.#read);
    const field = readLongField(node, this.#read, isLong);
    if (field !== null) return this.#addField(node, field);
    if (!isLong) return null;
    const role = roleOf(node, this.#read);
    return this.#addNamed(node, NAMED_BY_TEXT.has(role) || CONTAINERS.test(role) ? role : 'generic');
  }

  #addField(node: Element, field: LongField): Kind {
    const { value, ...facts } = field;
    const at = Math.max(0, this.#wanted === null ? 0 : value.search(this.#wanted));
    const read = excerpt(value, at, textBefore(node));
    const name = flat(nameOfField(node, this.#read, FLAT_CHARS));
    const shown = truncateWithContext(name.words, Math.min(READ_CHARS, name.shown));
    this.#known.set(node, 'field');
    if (node instanceof HTMLSelectElement && [...node.options].every(hasLongText)) this.#longLists.add(node);
    this.#add(node, {
      ...NOTHING,
      ...facts,
      ...read,
      states: [...facts.states, ...statesOf(node, this.#read)],
      chars: value.length,
      name: shown.uncut,
      nameEnd: shown.leftOut[0]?.[0] ?? shown.uncut.length,
      lines: linesIn(value),
      linesBefore: linesIn(value.slice(0, Math.max(0, at - CHARS_BEFORE_MATCH))) - 1,
    });
    return 'field';
  }

  /** Adds an element that Chromium would name by a whole long text. @returns false for an element of another role */
  addElement(element: Node): boolean {
    if (this.#known.has(element)) return true;
    const role = element instanceof Element ? roleOf(element, this.#read) : '';
    return element instanceof Element && NAMED_BY_TEXT.has(role) && this.#addNamed(element, role) === 'named';
  }

  #addNamed(element: Element, role: string): Kind {
    const attributes = NAME_ATTRIBUTES.map((name) => this.#read.attribute(element, name) ?? '');
    const text = NAMED_BY_TEXT.has(role) ? firstText(element, FLAT_CHARS) : '';
    const name = [...attributes.slice(0, 3), text, ...attributes.slice(3)].find((one) => /\S/u.test(one));
    const { words, shown } = flat(name ?? '');
    const read = excerpt(words, 0, name === text ? textBefore(element) : '');
    const states = statesOf(element, this.#read);
    this.#known.set(element, 'named');
    this.#add(element, {
      ...NOTHING,
      ...read,
      to: Math.min(read.to, read.from + shown),
      role,
      inside: this.#longLists.has(this.#read.parentNode(element)) ? this.#indexAround(element) : -1,
      ...urlOf(element),
      states,
      chars: words.length,
    });
    return 'named';
  }

  #indexAround(node: Node): number {
    const parent = this.#read.parentNode(node);
    return parent === null ? -1 : this.nodes.indexOf(parent);
  }

  #add(node: Node, text: LongText): void {
    this.nodes.push(node);
    this.all.push(text);
  }
}

const NOTHING = {
  url: '',
  urlEnd: 0,
  inside: -1,
  states: [],
  name: null,
  nameEnd: 0,
  isSecret: false,
  lines: 1,
  linesBefore: 0,
} satisfies Partial<LongText>;

function linesIn(text: string): number {
  return text.split('\n').length;
}

/**
 * The beginning of a text on one line. Longer white space is rare.
 * @returns `shown`: number of characters that are shown. The others would be the cut beginning of a secret.
 */
function flat(text: string): { words: string; shown: number } {
  const words = text.slice(0, FLAT_CHARS).replaceAll(/\s+/gu, ' ').trim();
  return { words, shown: text.length < FLAT_CHARS ? words.length : Math.max(0, words.length - CHARS_AFTER_CUT) };
}

function urlOf(element: Element): Pick<LongText, 'url' | 'urlEnd'> {
  if (!(element instanceof HTMLAnchorElement)) return { url: '', urlEnd: 0 };
  const url: string = Reflect.get(HTMLAnchorElement.prototype, 'href', element);
  const { uncut, leftOut } = truncateWithContext(url, READ_CHARS);
  return { url: uncut, urlEnd: leftOut[0]?.[0] ?? uncut.length };
}

/** Identity of an element with long attributes or a long text; `null` for other elements. */
export function readLongIdentity(this: Element): { role: string; url: TextWithCuts; name: TextWithCuts } | null {
  const texts = new LongTexts(createDomReaders());
  if (!texts.addLong(this) && !(hasLongText(this) && texts.addElement(this))) return null;
  const [text] = texts.all;
  if (text === undefined) return null;
  const { role, url, urlEnd, uncut, from, to, name, nameEnd } = text;
  const leftOut = (
    name === null
      ? [
          [0, from],
          [to, uncut.length],
        ]
      : [[nameEnd, name.length]]
  ) satisfies OmittedRanges;
  return { role, url: { uncut: url, leftOut: [[urlEnd, url.length]] }, name: { uncut: name ?? uncut, leftOut } };
}

/** Roles of elements that Chromium names by their text, and of images. */
const NAMED_BY_TEXT: ReadonlySet<string> = new Set(
  'button checkbox heading image link menuitem menuitemcheckbox menuitemradio option radio switch tab tooltip treeitem DisclosureTriangle'.split(
    ' ',
  ),
);
const CONTAINERS =
  /^(?:article|banner|complementary|contentinfo|dialog|form|group|list|listitem|main|navigation|region|search)$/u;
const ROLES: Readonly<Record<string, string>> = {
  a: 'link',
  button: 'button',
  img: 'image',
  optgroup: 'group',
  option: 'option',
  summary: 'DisclosureTriangle',
};

function roleOf(element: Element, read: DomReaders): string {
  const [given = ''] = (read.attribute(element, 'role') ?? '').trim().toLowerCase().split(/\s/u);
  const name = read.localName(element);
  if (given !== '') return given === 'img' ? 'image' : given;
  if (name === 'a' && read.attribute(element, 'href') === null) return '';
  return /^h[1-6]$/u.test(name) ? 'heading' : (ROLES[name] ?? '');
}

const TEXTS_BEFORE_MAX = 50;
/** Separator of texts. Secrets are recognized across tags. */
const TAG = '<>';

/** The end of the text before a node. It is needed to mask a secret that begins there. */
function textBefore(node: Node): string {
  const walker = Document.prototype.createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT);
  walker.currentNode = node;
  let text = '';
  for (let read = 0; read < TEXTS_BEFORE_MAX && text.length < BEFORE_CHARS; read += 1)
    text = (walker.previousNode()?.nodeValue ?? '').slice(-BEFORE_CHARS) + TAG + text;
  return text.slice(-BEFORE_CHARS);
}

/** @param before the text before, which is not part of the excerpt */
function excerpt(text: string, match: number, before = ''): Pick<LongText, 'uncut' | 'from' | 'to'> {
  const start = before.length + Math.max(0, match - CHARS_BEFORE_MATCH);
  const { uncut, leftOut } = sliceWithContext(before + text, start, start + READ_CHARS);
  const [, from] = leftOut.find(([begun]) => begun === 0) ?? [0, 0];
  const [to] = leftOut.find(([begun]) => begun > 0) ?? [uncut.length];
  return { uncut, from, to };
}

function patternOf(words: string): RegExp {
  const escaped = words.trim().replaceAll(/[$()*+./?[\\\]^{|}-]/gu, String.raw`\$&`);
  return new RegExp(escaped.replaceAll(/\s+/gu, String.raw`\s+`), 'i');
}
