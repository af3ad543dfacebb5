import { Parser as XmlParser } from 'htmlparser2';
import { html as HTML, Parser } from 'parse5';
import type { Token, Tokenizer, TreeAdapter, TreeAdapterTypeMap } from 'parse5';
import { XHTML_DEPTH_MAX } from '#extract/limits.ts';
import { VOID_TAGS, DomDocument, DomElement, DomText, childrenOf, isElement, isText } from './tree.ts';
import { fillSlots } from '#extract/html/visible/shadow-roots.ts';
import { placeStreamedParts } from '#extract/html/visible/streamed-parts.ts';
import type { DomNode } from './tree.ts';
import { BLANK_TEXT, COMMENT_PLACEHOLDER, DROPPED_CONTENT_DEPTH, TreeBuilder } from './tree-builder.ts';

type Source = {
  html: string;
  /** True for XHTML: `<a id="x"/>` is then a complete element, and CDATA sections are text. */
  xml: boolean;
  /** True to parse like a browser with scripts enabled, in which the content of `noscript` is text, not elements. */
  scripting: boolean;
  isHeadOnly?: boolean;
  elementsMax?: number;
};

export type BuiltTree = {
  document: DomDocument;
  /** Number of all `script` elements in the source. The tree stores only those with data, formulas or code. */
  scripts: number;
  elements: number;
  /** Sentences for the result that say which limits were reached. They contain no text from the page. */
  cuts: readonly string[];
  /** True if a limit was reached and the end of the page is missing. */
  isFull: boolean;
};

/**
 * Parses a page into the tree that a browser builds (WHATWG HTML §13.2), without comments and elements that never show
 * text, such as `style`. Takes linear time, up to the limits; never throws.
 */
export function parseHtmlTree(source: Source): BuiltTree {
  const builder = new TreeBuilder(source.isHeadOnly === true, source.elementsMax);
  if (source.xml) readXhtml(source.html, builder);
  else readHtml(source, builder);
  const { scripts, elements, hasShadowRoots, hasPlaces, cuts } = builder.finish();
  if (hasPlaces) placeStreamedParts(builder.root);
  if (hasShadowRoots) fillSlots(builder.root);
  return { document: documentIn(builder.root), scripts, elements, cuts, isFull: builder.isFull };
}

function readHtml({ html, scripting, isHeadOnly = false }: Source, builder: TreeBuilder): void {
  const adapter: TreeAdapter<Nodes> = {
    ...adapterOf(builder),
    onItemPush: (element) => passSource(element, tokenizer),
    onItemPop(element) {
      if (isHeadOnly && element.localName === 'head') builder.stop();
    },
  };
  const { tokenizer } = new Parser<Nodes>({ treeAdapter: adapter, scriptingEnabled: scripting }, builder.root);
  builder.onFull = () => tokenizer.pause();
  tokenizer.write(html, true);
}

const SCRIPT_END = /<\/script(?=[\t\n\f\r />])/gi;
const STYLE_END = /<\/style(?=[\t\n\f\r />])/gi;

/**
 * Moves the parser past the source of a script or style sheet that is not stored. On average, these are a third of a
 * page. A script with `<!--` is parsed normally, because in its comment a `</script` may not be the end tag.
 */
function passSource({ localName, depth, namespace }: DomElement, { preprocessor }: Tokenizer): void {
  if (
    depth !== DROPPED_CONTENT_DEPTH ||
    namespace !== HTML.NS.HTML ||
    (localName !== 'script' && localName !== 'style')
  )
    return;
  const { html, pos } = preprocessor;
  const ends = localName === 'script' ? SCRIPT_END : STYLE_END;
  ends.lastIndex = pos;
  const end = ends.exec(html)?.index ?? html.length;
  if (localName === 'style' || !html.slice(pos, end).includes('<!--')) preprocessor.pos = end - 1;
}

/** Characters of XHTML per parsing step. Parsing can stop at a limit, such as that of elements, only between steps. */
const STEP_CHARS = 32 * 1024;
/** Matches a DOCTYPE with an internal subset (`[<!ENTITY …>]`), whose quoted text may look like tags. */
const DOCUMENT_TYPE_WITH_SUBSET = /^[^<]*<!doctype[^<>[]*\[[^]*?\]\s*>/i;
/**
 * Matches XML comments and processing instructions, which are removed, because the parser ends them too early, by the
 * rules of HTML. CDATA sections also match, but stay, because a `<!--` in them is text.
 */
const COMMENT_OR_INSTRUCTION = /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|<\?[^]*?(?:\?>|$)/g;

function readXhtml(html: string, builder: TreeBuilder): void {
  const open: DomElement[] = [builder.root];
  let isCdata = false;
  const top = () => open.at(-1) ?? builder.root;
  const parser = new XmlParser(
    {
      onopentag(name, given) {
        const attributes = Object.entries(given).map(([key, value]) => ({
          name: key,
          value: decodeCharacterReferences(value),
        }));
        const element = builder.element(name, attributes, null);
        builder.insert(top(), element, null);
        // In XHTML, `<br>` without an end tag is an error. The elements after it must not become its children.
        open.push(VOID_TAGS.has(name) ? top() : element);
        if (open.length > XHTML_DEPTH_MAX) {
          builder.stop(`Elements nested deeper than ${XHTML_DEPTH_MAX} levels: the rest was left out.`);
        }
      },
      ontext: (text) => builder.text(top(), isCdata ? text : decodeCharacterReferences(text), null),
      oncdatastart: () => void (isCdata = true),
      oncdataend: () => void (isCdata = false),
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: false },
  );
  const source = html
    .replace(COMMENT_OR_INSTRUCTION, (whole) => (whole.startsWith('<![') ? whole : ''))
    .replace(DOCUMENT_TYPE_WITH_SUBSET, '');
  for (let at = 0; at < source.length && !builder.isFull;) {
    // Each step ends before a tag, so that no character reference, such as `&amp;`, is split.
    const end = source.indexOf('<', at + STEP_CHARS);
    parser.write(source.slice(at, end < 0 ? source.length : end));
    at = end < 0 ? source.length : end;
  }
  if (!builder.isFull) parser.end();
}

/** Decodes character references such as `&nbsp;`. An XML parser would know only the five names of XML. */
export function decodeCharacterReferences(source: string): string {
  if (!source.includes('&')) return source;
  let text = '';
  new XmlParser({ ontext: (piece) => void (text += piece) }, { decodeEntities: true }).end(
    source.replaceAll('<', '&lt;'),
  );
  return text;
}

function toAttribute([name, value]: [string, string]): Token.Attribute {
  return { name, value };
}

/**
 * Finds `html`, `head` and `body`. In XHTML without these elements, such as a fragment, all content becomes the body.
 */
function documentIn(root: DomElement): DomDocument {
  const html = root.children.find(({ localName }) => localName === 'html') ?? new DomElement('html');
  html.remove();
  const document = new DomDocument(html);
  const { head, body } = document;
  for (const node of [...childrenOf(root), ...childrenOf(html)]) {
    if (node === head || node === body) continue;
    node.remove();
    if (isElement(node) || !BLANK_TEXT.test(node.textContent)) body.append(node);
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
  DomNode,
  DomText,
  DomElement,
  never
>;

/** Connects parse5 to `builder`, which stores the nodes. Document types and source positions are not stored. */
function adapterOf(builder: TreeBuilder): TreeAdapter<Nodes> {
  return {
    createDocument: () => builder.root,
    createDocumentFragment: () => new DomElement(''),
    createElement: (name, namespace, attributes) => builder.element(name, attributes, namespace),
    createCommentNode: (data) => builder.comment(data),
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
    // The content of a `template` becomes its children instead of a separate fragment, so that shadow roots are read.
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
    isCommentNode: (node): node is DomNode => node === COMMENT_PLACEHOLDER,
    isDocumentTypeNode: (node): node is never => !isElement(node) && !isText(node),
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
