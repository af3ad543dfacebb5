import { html as HTML } from 'parse5';
import type { Token } from 'parse5';
import { ATTRIBUTE_CHARS_MAX } from '#core/limits.ts';
import { DOM_ELEMENTS_MAX, DOM_CHARS_MAX, PARSED_ELEMENTS_MAX, DOM_DEPTH_MAX } from '#extract/limits.ts';
import { readHiding, readStyleEffects } from '#extract/html/visible/hidden.ts';
import { DIFF_ACTION_ATTRIBUTE } from '#extract/html/visible/diff-words.ts';
import { DIFF_SIGN_ATTRIBUTES } from '#extract/html/visible/diffs.ts';
import { STYLE_EFFECTS_ATTRIBUTE } from '#extract/html/visible/looks.ts';
import { SUSPENSE_END_TAG, SUSPENSE_START_TAG, STREAM_PLACEHOLDER_ID } from '#extract/html/visible/streamed-parts.ts';
import { DrawingLabels, createDrawingElement, isUndrawnPart } from './drawing-labels.ts';
import { DROPPED_TAGS, EMBEDDED_TAGS, VOID_TAGS, DomElement, DomText, isText } from './tree.ts';
import type { HtmlAttributes, DomNode } from './tree.ts';

/** Depth value of an element whose content is not stored. */
export const DROPPED_CONTENT_DEPTH = -1;
/** Depth value of an element nested too deeply. A copy of it at the maximum depth stores its text. */
const TOO_DEEP = -2;
/** Maximum pieces of text joined in one go. The parser reports each word and each space as a separate piece. */
const PIECES_MAX = 4_096;
/** Maximum characters of all documents in `srcdoc` attributes of `iframe` elements on a page. */
const FRAME_CHARS_MAX = 200_000;
/** Elements of an SVG drawing that contain a description. All others are shapes. */
const TEXTS_OF_DRAWING: ReadonlySet<string> = new Set(['title', 'desc']);
/** Maximum drawings with titles or labels on a page, in addition to `HTML_PART_ELEMENTS_MAX`. */
const DRAWINGS_MAX = 1_000;
/** Maximum options of one `select` field: enough for a list of all 249 countries. */
const CHOICES_MAX = 300;
/** Maximum options of all fields on a page. More options would use up the limit for the page's text. */
const PAGE_CHOICES_MAX = 3_000;
/** Attribute that stores how many options were omitted. A page cannot set it, because its name contains spaces. */
export const OMITTED_OPTIONS_ATTRIBUTE = 'choices left out';
export const BLANK_TEXT = /^\s*$/;
export const COMMENT_PLACEHOLDER = new DomText('');

type TooDeep = { host: DomElement; copy: DomElement | null };

export class TreeBuilder {
  readonly root = new DomElement('');
  mode = HTML.DOCUMENT_MODE.NO_QUIRKS;
  isFull = false;
  onFull = () => {};
  private readonly isHeadOnly: boolean;
  private readonly elementsMax: number;
  private hasShadowRoots = false;
  /** True if the page has placeholders for content that comes later in the source, as streamed by React. */
  private hasPlaces = false;
  private readonly cuts = new Set<string>();
  private readonly tooDeep = new Map<DomElement, TooDeep>();
  private readonly texts = new Map<string, string>();
  private readonly classes = new Map<string, string>();
  private drawings = 0;
  private readonly labels = new DrawingLabels();
  private drawing: { element: DomElement; parent: DomElement; next: DomNode | null } | null = null;
  /** For each `select` element, the number of its options, and of those omitted. */
  private readonly choices = new Map<DomElement, number>();
  private readonly leftOutChoices = new Map<DomElement, number>();
  private choicesLeft = PAGE_CHOICES_MAX;
  private created = 0;
  private elements = 0;
  private chars = 0;
  private scripts = 0;
  private frameChars = 0;
  /** Parent of the text that is being collected, and its pieces. */
  private run: DomElement | null = null;
  private runNext: DomNode | null = null;
  private readonly pieces: string[] = [];

  constructor(isHeadOnly: boolean, elementsMax: number = DOM_ELEMENTS_MAX) {
    this.isHeadOnly = isHeadOnly;
    this.elementsMax = elementsMax;
  }

  element(written: string, attributes: readonly Token.Attribute[], namespace: HTML.NS | null): DomElement {
    this.created += 1;
    const name = this.shared(written);
    if (this.created > PARSED_ELEMENTS_MAX) {
      this.stop(`The page makes more than ${PARSED_ELEMENTS_MAX} elements: the rest was left out.`);
    }
    // Without attributes, the element shares one empty object, because a page may have a million such elements.
    if (namespace === HTML.NS.SVG && name !== 'svg') return createDrawingElement(name, attributes);
    if (attributes.length === 0 && name !== 'dialog') return new DomElement(name, undefined, null, namespace);
    return new DomElement(name, this.storedAttributes(attributes), hidingIn(name, attributes), namespace);
  }

  adopt(element: DomElement, attributes: readonly Token.Attribute[]): void {
    element.attributes = { ...this.storedAttributes(attributes), ...element.attributes };
  }

  /** @param next the child of `parent` to insert before; `null` to append */
  insert(parent: DomElement, node: DomNode, next: DomNode | null): void {
    this.endRun();
    if (node === COMMENT_PLACEHOLDER) return;
    if (isText(node)) this.insertText(parent, node.textContent, next);
    else this.insertElement(parent, node, next);
  }

  text(parent: DomElement, text: string, next: DomNode | null): void {
    if (this.run !== parent || this.runNext !== next || this.pieces.length >= PIECES_MAX) {
      this.endRun();
      this.run = parent;
      this.runNext = next;
    }
    this.pieces.push(text);
  }

  endRun(): void {
    const { run, pieces } = this;
    if (run === null) return;
    this.run = null;
    const text = pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
    pieces.length = 0;
    this.insertText(run, text, this.runNext);
  }

  stop(cut?: string): void {
    if (cut !== undefined) this.cuts.add(cut);
    this.isFull = true;
    this.onFull();
  }

  /** Drops a comment, unless it marks content that the server streams later, as React's `<!--$-->` does. */
  comment(data: string): DomNode {
    if (!this.hasPlaces) return COMMENT_PLACEHOLDER;
    if (data === '/$') return new DomElement(SUSPENSE_END_TAG);
    return /^\$[?!]?$/.test(data) ? new DomElement(SUSPENSE_START_TAG) : COMMENT_PLACEHOLDER;
  }

  finish(): {
    scripts: number;
    elements: number;
    hasShadowRoots: boolean;
    hasPlaces: boolean;
    cuts: readonly string[];
  } {
    this.endRun();
    for (const [list, count] of this.leftOutChoices) {
      list.attributes = { ...list.attributes, [OMITTED_OPTIONS_ATTRIBUTE]: String(count) };
    }
    if (this.tooDeep.size > 0) {
      this.cuts.add(`Elements nested deeper than ${DOM_DEPTH_MAX} levels were read as neighbours.`);
    }
    const { scripts, elements, hasShadowRoots, hasPlaces } = this;
    return { scripts, elements, hasShadowRoots, hasPlaces, cuts: [...this.cuts] };
  }

  /** Returns the same string object for equal texts, such as tag names. The parser creates a new string each time. */
  private shared(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, text);
    return text;
  }

  private insertElement(parent: DomElement, element: DomElement, next: DomNode | null): void {
    if (element.localName === 'script') this.scripts += 1;
    if (this.isHeadOnly && (element.localName === 'body' || element.localName === 'frameset')) this.stop();
    const drawing = this.labels.note(parent, element);
    if (drawing !== null) {
      this.keepDrawing(drawing);
      if (drawing.depth === DROPPED_CONTENT_DEPTH) element.depth = DROPPED_CONTENT_DEPTH;
      else this.insertAt(drawing, element, null);
      return;
    }
    if (parent.localName === 'svg' && TEXTS_OF_DRAWING.has(element.localName)) this.keepDrawing(parent);
    if (parent.depth === DROPPED_CONTENT_DEPTH || isDropped(element) || this.isLeftOut(parent, element)) {
      element.depth = DROPPED_CONTENT_DEPTH;
      if (element.localName === 'svg' && parent.depth !== DROPPED_CONTENT_DEPTH)
        this.drawing = { element, parent, next };
      return;
    }
    if (element.localName === 'template') {
      if (isPlace(element)) this.hasPlaces = true;
      else this.hasShadowRoots = true;
    }
    const host = parent.depth === TOO_DEEP ? this.tooDeep.get(parent)?.host : parent;
    if (host !== undefined && host.depth >= DOM_DEPTH_MAX) {
      element.depth = TOO_DEEP;
      this.tooDeep.set(element, { host, copy: null });
      if (VOID_TAGS.has(element.localName)) this.insertAt(host, copyOf(element), null);
      return;
    }
    this.insertAt(parent, element, next);
  }

  /** Stores an SVG drawing once it has a title or label. Others are not stored, because a page may have thousands of icons. */
  private keepDrawing(svg: DomElement): void {
    const { drawing } = this;
    if (drawing?.element !== svg) return;
    this.drawing = null;
    const { parent, next } = drawing;
    this.drawings += 1;
    if (this.drawings > DRAWINGS_MAX) {
      this.cuts.add(`More than ${DRAWINGS_MAX} drawings have titles or labels: the others were left out.`);
      return;
    }
    if (parent.depth < 0 || (next !== null && next.parentNode !== parent)) return;
    this.insertAt(parent, svg, next);
  }

  /** True for shapes of a drawing, fallback content of a frame, and options beyond the limits: they are not stored. */
  private isLeftOut(parent: DomElement, element: DomElement): boolean {
    const name = element.localName;
    if (parent.localName === 'svg') return !TEXTS_OF_DRAWING.has(name);
    if (EMBEDDED_TAGS.has(parent.localName)) return name !== 'source';
    if (isUndrawnPart(parent, element)) return true;
    return name === 'option' && !this.takeChoice(parent);
  }

  /** Counts an option. Returns true if it is within the limits of its list and of the page. */
  private takeChoice(parent: DomElement): boolean {
    const list = parent.localName === 'optgroup' ? (parent.parentNode ?? parent) : parent;
    const count = this.choices.get(list) ?? 0;
    this.choices.set(list, count + 1);
    if (count >= CHOICES_MAX || this.choicesLeft <= 0) {
      this.leftOutChoices.set(list, (this.leftOutChoices.get(list) ?? 0) + 1);
      return false;
    }
    this.choicesLeft -= 1;
    return true;
  }

  private insertAt(parent: DomElement, element: DomElement, next: DomNode | null): void {
    if (this.elements >= this.elementsMax) {
      this.stop(`The page has more than ${this.elementsMax} elements: the rest was left out.`);
      return;
    }
    this.elements += 1;
    element.depth = parent.depth + 1;
    parent.insertBefore(element, next);
  }

  private insertText(parent: DomElement, whole: string, next: DomNode | null): void {
    if (parent.depth === DROPPED_CONTENT_DEPTH || this.isFull || EMBEDDED_TAGS.has(parent.localName)) return;
    const left = DOM_CHARS_MAX - this.chars;
    const text = whole.length > left ? whole.slice(0, left) : whole;
    this.chars += text.length;
    const target = parent.depth === TOO_DEEP ? this.deepTarget(parent, text) : parent;
    const before = next === null ? target.lastChild : next.previousSibling;
    if (before !== null && isText(before)) before.textContent += text;
    else target.insertBefore(new DomText(text), next);
    if (whole.length > left) {
      this.stop(`The page has more than ${DOM_CHARS_MAX} characters of content: the rest was left out.`);
    }
  }

  /** Returns the element that stores the text of an element nested too deeply. All texts stay in document order. */
  private deepTarget(element: DomElement, text: string): DomElement {
    const deep = this.tooDeep.get(element);
    if (deep === undefined) return element;
    if (deep.copy !== null && deep.host.lastChild === deep.copy) return deep.copy;
    if (BLANK_TEXT.test(text)) return deep.host;
    deep.copy = copyOf(element);
    this.insertAt(deep.host, deep.copy, null);
    return deep.copy;
  }

  private storedAttributes(attributes: readonly Token.Attribute[]): HtmlAttributes | undefined {
    let stored: Record<string, string> | undefined;
    for (const { name: written, value } of attributes) {
      const name = KEPT_ATTRIBUTES.get(written);
      if (name === undefined) continue;
      if (name === 'srcdoc') {
        stored ??= {};
        stored[name] = this.documentOfFrame(value);
        continue;
      }
      if (value.length > ATTRIBUTE_CHARS_MAX && LINKS.has(name)) {
        if (name === 'href') this.cuts.add(`Links longer than ${ATTRIBUTE_CHARS_MAX} characters were left out.`);
        continue;
      }
      const short = name === STYLE_EFFECTS_ATTRIBUTE ? readStyleEffects(value) : value.slice(0, ATTRIBUTE_CHARS_MAX);
      if (name === STYLE_EFFECTS_ATTRIBUTE && short === '') continue;
      stored ??= {};
      stored[name] = name === 'class' ? this.classNames(short) : short;
      this.chars += short.length;
    }
    return stored;
  }

  /** Cuts the document in the `srcdoc` attribute of an `iframe` at the limits. */
  private documentOfFrame(source: string): string {
    const left = Math.min(FRAME_CHARS_MAX - this.frameChars, DOM_CHARS_MAX - this.chars);
    if (source.length > left) this.cuts.add(`Documents in frames of more than ${FRAME_CHARS_MAX} characters were cut.`);
    const kept = source.slice(0, Math.max(0, left));
    this.frameChars += kept.length;
    return kept;
  }

  private classNames(value: string): string {
    let names = this.classes.get(value);
    if (names === undefined) {
      names = /\s/.test(value) ? [...new Set(value.split(/\s+/))].filter((name) => name !== '').join(' ') : value;
      this.classes.set(value, names);
    }
    return names;
  }
}

/** Attributes that are stored, because they affect the content or the search for hidden panels, such as tabs. */
const KEPT_ATTRIBUTES: ReadonlyMap<string, string> = new Map(
  (
    'class id href src data-src data-original data-lazy-src data-srcset srcset alt title lang xml:lang colspan rowspan start value type ' +
    'checked role aria-label datetime itemprop itemtype itemscope rel open name encoding display alttext viewBox reversed close data-syntaxhighlighter-params ' +
    'data-lang data-language data-line-number data-tex property content charset http-equiv width height scope disabled aria-level aria-checked data-testid data-component-type data-footnote-ref data-footnote-backref data-syntax data-enlighter-language data-code-language data-mode data-as ' +
    'aria-rowspan aria-colspan aria-controls aria-expanded aria-labelledby aria-haspopup epub:type shadowrootmode ng-version data-reactroot ' +
    'for placeholder required selected multiple size list label max min accept autocomplete readonly slot srcdoc data-target data-bs-target ' +
    `aria-modal hidden data linethickness notation selection ${DIFF_ACTION_ATTRIBUTE} ${DIFF_SIGN_ATTRIBUTES.join(' ')}`
  )
    .split(' ')
    .map((name): [string, string] => [name, name])
    .concat([['style', STYLE_EFFECTS_ATTRIBUTE]]),
);
/** Attributes whose values are URLs. */
const LINKS: ReadonlySet<string> = new Set([
  'href',
  'data',
  'src',
  'data-src',
  'data-original',
  'data-lazy-src',
  'srcset',
  'data-srcset',
]);
const HIDING_ATTRIBUTES: ReadonlySet<string> = new Set(['style', 'hidden', 'aria-hidden']);

function hidingIn(name: string, attributes: readonly Token.Attribute[]) {
  if (name !== 'dialog' && !attributes.some((attribute) => HIDING_ATTRIBUTES.has(attribute.name))) return null;
  return readHiding(name, new Map(attributes.map((attribute) => [attribute.name, attribute.value])));
}

/** Kinds of scripts whose text is read: structured data, inline and display formulas (`math/tex`), and code. */
type ScriptKind = 'json' | 'inline' | 'display' | 'code';

export function scriptKind(script: DomElement): ScriptKind | undefined {
  const type = script.getAttribute('type')?.trim().toLowerCase() ?? '';
  if (type === 'application/ld+json') return 'json';
  // Old syntax highlighters keep the code to show in a `script`, so that tags in it are not parsed.
  if (type === 'syntaxhighlighter') return 'code';
  if (!type.startsWith('math/tex')) return undefined;
  return type.includes('mode=display') ? 'display' : 'inline';
}

function isDropped(element: DomElement): boolean {
  const name = element.localName;
  if (!DROPPED_TAGS.has(name)) return false;
  if (name === 'script') return scriptKind(element) === undefined;
  if (name === 'svg') return !element.hasAttribute('aria-label');
  return name !== 'template' || !(element.hasAttribute('shadowrootmode') || isPlace(element));
}

function isPlace(template: DomElement): boolean {
  return STREAM_PLACEHOLDER_ID.test(template.getAttribute('id') ?? '');
}

function copyOf({ localName, attributes, hiding, namespace }: DomElement): DomElement {
  return new DomElement(localName, attributes, hiding, namespace);
}
