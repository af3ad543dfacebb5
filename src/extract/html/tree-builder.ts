import { Parser as XhtmlParser } from 'htmlparser2';
import { html as HTML, Parser } from 'parse5';
import type { Token, Tokenizer, TreeAdapter, TreeAdapterTypeMap } from 'parse5';
import { ATTRIBUTE_CHARS_MAX } from '#core/limits.ts';
import { DOM_ELEMENTS_MAX } from '#extract/limits.ts';
import { DOM_CHARS_MAX, DOM_CREATED_MAX, DOM_DEPTH_MAX, XHTML_DEPTH_MAX } from './limits.ts';
import { hidingOf } from './hidden.ts';
import { DROPPED_TAGS, VOID_TAGS } from './tags.ts';
import { DomDocument, DomElement, DomText, childrenOf, isElement, isText } from './tree.ts';
import type { Attributes, DomNode } from './tree.ts';

export type Source = {
  html: string;
  /** XHTML: `<a id="x"/>` is a complete element, and CDATA sections are text. */
  xml: boolean;
  /** Whether the page is read as by a browser that runs scripts: `noscript` is text then. */
  scripting: boolean;
  /** Reading ends where the body begins. */
  isHeadOnly?: boolean;
};

export type Built = {
  document: DomDocument;
  /** How many `script` elements there are. The tree has only those whose text is read. */
  scripts: number;
  /** What was left out because of a limit, in complete sentences of our own. */
  cuts: readonly string[];
};

/**
 * Parses a page into the tree that a browser builds (WHATWG HTML §13.2), without comments and without the content of
 * elements that are never text of a page. Linear in the source, up to the limits; never throws.
 */
export function buildTree(source: Source): Built {
  const builder = new TreeBuilder(source.isHeadOnly === true);
  if (source.xml) readXhtml(source.html, builder);
  else readHtml(source, builder);
  return builder.finish();
}

function readHtml({ html, scripting }: Source, builder: TreeBuilder): void {
  const adapter: TreeAdapter<Nodes> = {
    ...adapterOf(builder),
    onItemPush: (element) => passSource(element, tokenizer),
  };
  const { tokenizer } = new Parser<Nodes>({ treeAdapter: adapter, scriptingEnabled: scripting }, builder.root);
  builder.onFull = () => tokenizer.pause();
  tokenizer.write(html, true);
}

const SCRIPT_END = /<\/script(?=[\t\n\f\r />])/gi;
const STYLE_END = /<\/style(?=[\t\n\f\r />])/gi;

/**
 * Moves the parser past the source of a script or style sheet that is not stored: a third of all pages is that, and the
 * parser would look at each character. In a script, a comment may hide what looks like its end, so such a script is read.
 */
function passSource({ localName, depth, namespace }: DomElement, { preprocessor }: Tokenizer): void {
  if (depth !== DROPPED || namespace !== HTML.NS.HTML || (localName !== 'script' && localName !== 'style')) return;
  const { html, pos } = preprocessor;
  const ends = localName === 'script' ? SCRIPT_END : STYLE_END;
  ends.lastIndex = pos;
  const end = ends.exec(html)?.index ?? html.length;
  if (localName === 'style' || !html.slice(pos, end).includes('<!--')) preprocessor.pos = end - 1;
}

/** How much XHTML is parsed at a time. Reading can stop after each step. */
const STEP_CHARS = 32 * 1024;
/** A document type with declarations of its own, which contain tags in quotes. */
const DOCUMENT_TYPE_WITH_SUBSET = /^[^<]*(?:<\?[^>]*>[^<]*)?<!doctype[^<>[]*\[[^]*?\]\s*>/i;

function readXhtml(html: string, builder: TreeBuilder): void {
  const open: DomElement[] = [builder.root];
  const top = () => open.at(-1) ?? builder.root;
  const parser = new XhtmlParser(
    {
      onopentag(name, attributes) {
        const element = builder.element(name, Object.entries(attributes).map(toAttribute), null);
        builder.insert(top(), element, null);
        open.push(element);
        if (open.length > XHTML_DEPTH_MAX) {
          builder.stop(`Elements nested deeper than ${XHTML_DEPTH_MAX} levels: the rest was left out.`);
        }
      },
      ontext: (text) => builder.text(top(), text, null),
      onclosetag: () => void open.pop(),
    },
    { recognizeSelfClosing: true, recognizeCDATA: true, decodeEntities: true },
  );
  const source = html.replace(DOCUMENT_TYPE_WITH_SUBSET, '');
  for (let at = 0; at < source.length && !builder.isFull; at += STEP_CHARS) {
    parser.write(source.slice(at, at + STEP_CHARS));
  }
  if (!builder.isFull) parser.end();
}

function toAttribute([name, value]: [string, string]): Token.Attribute {
  return { name, value };
}

/** In place of its own depth, an element has this when nothing below it is stored. */
const DROPPED = -1;
/** And this when it is too deep: its text is stored in copies of it that stand beside each other. */
const TOO_DEEP = -2;
/** Texts of a run that are joined at once: the parser gives each word and each space by itself. */
const PIECES_MAX = 4_096;
const BLANK = /^\s*$/;
const COMMENT = new DomText('');

type TooDeep = { host: DomElement; copy: DomElement | null };

/** Takes what a parser makes, and keeps the tree within its limits. */
class TreeBuilder {
  readonly root = new DomElement('');
  mode = HTML.DOCUMENT_MODE.NO_QUIRKS;
  isFull = false;
  onFull = () => {};
  private readonly isHeadOnly: boolean;
  private readonly cuts = new Set<string>();
  private readonly tooDeep = new Map<DomElement, TooDeep>();
  private readonly texts = new Map<string, string>();
  private readonly classes = new Map<string, string>();
  private created = 0;
  private elements = 0;
  private chars = 0;
  private scripts = 0;
  /** Where the text goes that waits for more of it, and its pieces. */
  private run: DomElement | null = null;
  private runNext: DomNode | null = null;
  private readonly pieces: string[] = [];

  constructor(isHeadOnly: boolean) {
    this.isHeadOnly = isHeadOnly;
  }

  element(written: string, attributes: readonly Token.Attribute[], namespace: HTML.NS | null): DomElement {
    this.created += 1;
    const name = this.shared(written);
    if (this.created > DOM_CREATED_MAX) {
      this.stop(`The page makes more than ${DOM_CREATED_MAX} elements: the rest was left out.`);
    }
    // A million tags without attributes should not make a million objects.
    if (namespace === HTML.NS.SVG || (attributes.length === 0 && name !== 'dialog'))
      return new DomElement(name, undefined, null, namespace);
    return new DomElement(name, this.kept(attributes), hidingIn(name, attributes), namespace);
  }

  /** Adds attributes that the element does not have yet. */
  adopt(element: DomElement, attributes: readonly Token.Attribute[]): void {
    element.attributes = { ...this.kept(attributes), ...element.attributes };
  }

  /** @param next a child of `parent`; `null` for the end */
  insert(parent: DomElement, node: DomNode, next: DomNode | null): void {
    this.endRun();
    if (node === COMMENT) return;
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

  /** Writes the text that waits for more of it. */
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

  finish(): Built {
    this.endRun();
    if (this.tooDeep.size > 0) {
      this.cuts.add(`Elements nested deeper than ${DOM_DEPTH_MAX} levels were read as neighbours.`);
    }
    return { document: documentIn(this.root), scripts: this.scripts, cuts: [...this.cuts] };
  }

  /** One string for all of its copies: the parser makes a new one for each element. */
  private shared(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, text);
    return text;
  }

  private insertElement(parent: DomElement, element: DomElement, next: DomNode | null): void {
    if (element.localName === 'script') this.scripts += 1;
    if (this.isHeadOnly && (element.localName === 'body' || element.localName === 'frameset')) this.stop();
    if (parent.depth === DROPPED || isDropped(element)) {
      element.depth = DROPPED;
      return;
    }
    const host = parent.depth === TOO_DEEP ? this.tooDeep.get(parent)?.host : parent;
    if (host !== undefined && host.depth >= DOM_DEPTH_MAX) {
      element.depth = TOO_DEEP;
      this.tooDeep.set(element, { host, copy: null });
      if (VOID_TAGS.has(element.localName)) this.place(host, copyOf(element), null);
      return;
    }
    this.place(parent, element, next);
  }

  private place(parent: DomElement, element: DomElement, next: DomNode | null): void {
    if (this.elements >= DOM_ELEMENTS_MAX) {
      this.stop(`The page has more than ${DOM_ELEMENTS_MAX} elements: the rest was left out.`);
      return;
    }
    this.elements += 1;
    element.depth = parent.depth + 1;
    parent.insertBefore(element, next);
  }

  private insertText(parent: DomElement, whole: string, next: DomNode | null): void {
    if (parent.depth === DROPPED || this.isFull) return;
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

  /** Where text of an element that is too deep goes, so that it stays in order. */
  private deepTarget(element: DomElement, text: string): DomElement {
    const deep = this.tooDeep.get(element);
    if (deep === undefined) return element;
    if (deep.copy !== null && deep.host.lastChild === deep.copy) return deep.copy;
    if (BLANK.test(text)) return deep.host;
    deep.copy = copyOf(element);
    this.place(deep.host, deep.copy, null);
    return deep.copy;
  }

  private kept(attributes: readonly Token.Attribute[]): Attributes | undefined {
    let kept: Record<string, string> | undefined;
    for (const { name: written, value } of attributes) {
      const name = KEPT_ATTRIBUTES.get(written);
      if (name === undefined) continue;
      if (value.length > ATTRIBUTE_CHARS_MAX && LINKS.has(name)) {
        if (name === 'href') this.cuts.add(`Links longer than ${ATTRIBUTE_CHARS_MAX} characters were left out.`);
        continue;
      }
      const short = value.slice(0, ATTRIBUTE_CHARS_MAX);
      kept ??= {};
      kept[name] = name === 'class' ? this.classNames(short) : short;
      this.chars += short.length;
    }
    return kept;
  }

  /** The class names, each once, separated by single spaces. */
  private classNames(value: string): string {
    let names = this.classes.get(value);
    if (names === undefined) {
      names = /\s/.test(value) ? [...new Set(value.split(/\s+/))].filter((name) => name !== '').join(' ') : value;
      this.classes.set(value, names);
    }
    return names;
  }
}

/** Attributes that matter for content, and those that say what opens a closed part. */
const KEPT_ATTRIBUTES: ReadonlyMap<string, string> = new Map(
  (
    'class id href src data-src data-original data-lazy-src data-srcset srcset alt title lang xml:lang colspan rowspan start value type ' +
    'checked role aria-label datetime itemprop itemtype itemscope rel open name encoding display alttext reversed close data-syntaxhighlighter-params ' +
    'data-lang data-language data-line-number data-tex property content charset http-equiv width height scope disabled aria-level aria-checked data-testid data-component-type data-footnote-ref data-footnote-backref data-syntax data-enlighter-language data-code-language data-mode data-as ' +
    'aria-controls aria-labelledby aria-haspopup shadowrootmode ng-version data-reactroot'
  )
    .split(' ')
    .map((name) => [name, name]),
);
/** Attributes that hold addresses. */
const LINKS: ReadonlySet<string> = new Set([
  'href',
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
  return hidingOf(name, new Map(attributes.map((attribute) => [attribute.name, attribute.value])));
}

/** Scripts whose text is kept: metadata, and formulas within or between lines. */
export type ScriptKind = 'json' | 'inline' | 'display';

export function scriptKind(script: DomElement): ScriptKind | undefined {
  const type = script.getAttribute('type')?.trim().toLowerCase() ?? '';
  if (type === 'application/ld+json') return 'json';
  if (!type.startsWith('math/tex')) return undefined;
  return type.includes('mode=display') ? 'display' : 'inline';
}

function isDropped(element: DomElement): boolean {
  const name = element.localName;
  if (!DROPPED_TAGS.has(name)) return false;
  if (name === 'script') return scriptKind(element) === undefined;
  return name !== 'template' || !element.hasAttribute('shadowrootmode');
}

function copyOf({ localName, attributes, hiding, namespace }: DomElement): DomElement {
  return new DomElement(localName, attributes, hiding, namespace);
}

/** Whatever stands beside `head` and `body`, in XHTML that has neither, is the body. */
function documentIn(root: DomElement): DomDocument {
  const html = root.children.find(({ localName }) => localName === 'html') ?? new DomElement('html');
  html.remove();
  const document = new DomDocument(html);
  const { head, body } = document;
  for (const node of [...childrenOf(root), ...childrenOf(html)]) {
    if (node === head || node === body) continue;
    node.remove();
    if (isElement(node) || !BLANK.test(node.textContent)) body.append(node);
  }
  return document;
}

type Nodes = TreeAdapterTypeMap<
  DomNode,
  DomElement,
  DomNode,
  DomElement,
  DomElement,
  DomElement,
  DomText,
  DomText,
  DomElement,
  never
>;

/** The builder as parse5 sees it. It asks only for what a parser needs; document types and places are not kept. */
function adapterOf(builder: TreeBuilder): TreeAdapter<Nodes> {
  return {
    createDocument: () => builder.root,
    createDocumentFragment: () => new DomElement(''),
    createElement: (name, namespace, attributes) => builder.element(name, attributes, namespace),
    createCommentNode: () => COMMENT,
    createTextNode: (text) => new DomText(text),
    appendChild: (parent, node) => builder.insert(parent, node, null),
    insertBefore: (parent, node, next) => builder.insert(parent, node, next),
    insertText: (parent, text) => builder.text(parent, text, null),
    insertTextBefore: (parent, text, next) => builder.text(parent, text, next),
    detachNode(node) {
      builder.endRun();
      node.remove();
    },
    adoptAttributes: (element, attributes) => builder.adopt(element, attributes),
    // A template's content is its children: nothing else is ever asked of it.
    setTemplateContent: () => undefined,
    getTemplateContent: (template) => template,
    getChildNodes(node) {
      builder.endRun();
      return childrenOf(node);
    },
    getFirstChild(node) {
      builder.endRun();
      return node.firstChild;
    },
    getParentNode: ({ parentNode }) => parentNode,
    getTagName: ({ localName }) => localName,
    getNamespaceURI: ({ namespace }) => namespace ?? HTML.NS.HTML,
    getAttrList: ({ attributes }) => Object.entries(attributes).map(toAttribute),
    getTextNodeContent: ({ textContent }) => textContent,
    getCommentNodeContent: () => '',
    isElementNode: isElement,
    isTextNode: isText,
    isCommentNode: (node): node is DomText => node === COMMENT,
    isDocumentTypeNode: (_): _ is never => false,
    setDocumentMode(_, mode) {
      builder.mode = mode;
    },
    getDocumentMode: () => builder.mode,
    setDocumentType: () => undefined,
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => undefined,
    updateNodeSourceCodeLocation: () => undefined,
  };
}
