import type { DomElement, DomNode, Rect } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: { documentElement: DomElement };
declare const window: { scrollX: number; scrollY: number };
declare const Node: { prototype: object };
declare const Element: { prototype: object };
declare const HTMLSlotElement: { prototype: object };
declare const getComputedStyle: (element: DomNode) => Style;

export type VisibleOptions = { charsMax: number; attributeCharsMax: number; looksMax: number };
/** `hidden`: parts that are marked as not to be seen, and texts left out because nobody sees them. */
export type VisibleHtml = { html: string; isCut: boolean; hidden: number };

type Attribute = { name: string; value: string };
type Style = {
  display: string;
  visibility: string;
  opacity: string;
  contentVisibility: string;
  position: string;
  overflowX: string;
  overflowY: string;
  clip: string;
  clipPath: string;
  transform: string;
  fontSize: string;
  textIndent: string;
  backgroundColor: string;
  backgroundClip: string;
  webkitTextFillColor: string;
};
/** A node that is still to be written. */
type Open = string | { node: DomNode; isLaidOut: boolean; isTextSeen: boolean };
type Look = { mark: string; isTextSeen: boolean; isLaidOut: boolean };
type Write = {
  parts: string[];
  chars: number;
  hidden: number;
  looksLeft: number;
  options: VisibleOptions;
  read: Readers;
};
/** Members read past what named fields of a form put in their place. */
type Readers = {
  firstChild: (node: DomNode) => DomNode | null;
  nextSibling: (node: DomNode) => DomNode | null;
  nodeType: (node: DomNode) => number;
  localName: (node: DomNode) => string;
  attributes: (node: DomNode) => Iterable<Attribute>;
  shadowRoot: (node: DomNode) => DomNode | null;
  rect: (node: DomNode) => Rect;
  assigned: (slot: DomNode) => readonly DomNode[];
};

const PARTS = [
  visit,
  childrenOf,
  leftOut,
  openTag,
  put,
  lookAt,
  hidingOf,
  boxHiding,
  isTextDrawn,
  isSeeThrough,
  showsAfterAll,
  isFormula,
  readers,
];

/** The document as a person sees it, as HTML. */
export const VISIBLE_DOCUMENT = pageScript(visibleDocument, [visibleHtml, ...PARTS]);
/** The element, `this`, in the same way. */
export const VISIBLE_ELEMENT = pageScript(visibleElement, [visibleHtml, ...PARTS]);

function visibleDocument(options: VisibleOptions): VisibleHtml {
  return visibleHtml(document.documentElement, options);
}

function visibleElement(this: DomElement, options: VisibleOptions): VisibleHtml {
  return visibleHtml(this, options);
}

/** Without recursion: pages nest as deep as they like. */
function visibleHtml(top: DomNode, options: VisibleOptions): VisibleHtml {
  const write: Write = { parts: [], chars: 0, hidden: 0, looksLeft: options.looksMax, options, read: readers() };
  const open: Open[] = [{ node: top, isLaidOut: true, isTextSeen: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (write.chars >= options.charsMax) return { html: write.parts.join(''), isCut: true, hidden: write.hidden };
    if (typeof next === 'string') put(next, write);
    else visit(next, open, write);
  }
  return { html: write.parts.join(''), isCut: false, hidden: write.hidden };
}

function put(text: string, write: Write): void {
  write.parts.push(text.slice(0, write.options.charsMax - write.chars));
  write.chars += text.length;
}

/** Writes what opens a node, and puts what comes after it on the stack, the last first. */
function visit(at: Exclude<Open, string>, open: Open[], write: Write): void {
  const { read } = write;
  const { node } = at;
  const kind = read.nodeType(node);
  if (kind === 3) {
    const text = node.nodeValue ?? '';
    if (at.isTextSeen) put(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'), write);
    else if (/\S/u.test(text)) write.hidden += 1;
  }
  if (kind !== 1) return;
  const name = read.localName(node);
  const attributes = [...read.attributes(node)];
  if (leftOut(name, attributes)) return;
  const look = lookAt(node, name, at, write);
  if (look.mark !== '') write.hidden += 1;
  put(openTag(name, attributes, look.mark, write.options), write);
  if (/^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/u.test(name)) return;
  open.push(`</${name}>`);
  const shadow = read.shadowRoot(node);
  if (shadow !== null) open.push('</template>');
  const { isLaidOut, isTextSeen } = look;
  for (const child of childrenOf(shadow ?? node, name, read)) open.push({ node: child, isLaidOut, isTextSeen });
  if (shadow !== null) open.push('<template shadowrootmode="open">');
}

/** The last first. What stands in a slot is where the slot is, not where it is declared. */
function childrenOf(parent: DomNode, name: string, read: Readers): DomNode[] {
  const assigned = name === 'slot' ? read.assigned(parent) : [];
  if (assigned.length > 0) return [...assigned].reverse();
  const children: DomNode[] = [];
  for (let child = read.firstChild(parent); child !== null; child = read.nextSibling(child)) children.push(child);
  return children.reverse();
}

/** What shows nothing, and what people have typed. Data and formulas in scripts are content. */
function leftOut(name: string, attributes: readonly Attribute[]): boolean {
  if (/^(?:style|noscript|template|canvas|textarea)$/u.test(name)) return true;
  const of = (wanted: string) => attributes.find((attribute) => attribute.name === wanted)?.value ?? '';
  if (name === 'script') return !/^\s*(?:application\/ld\+json|math\/tex)/iu.test(of('type'));
  return name === 'link' && !/^\s*(?:canonical|alternate)\s*$/iu.test(of('rel'));
}

function openTag(name: string, attributes: readonly Attribute[], mark: string, options: VisibleOptions): string {
  const isButton = attributes.some(({ name: key, value }) => key === 'type' && /^(?:submit|button)$/iu.test(value));
  let tag = `<${name}`;
  for (const { name: key, value } of attributes) {
    // What hides is told by `mark` alone: it is what came of all styles together.
    if (/^(?:style|hidden|nonce|integrity|d|points|on[a-z]+)$/u.test(key) || !/^[\w:.@-]+$/u.test(key)) continue;
    if (key === 'value' && name === 'input' && !isButton) continue;
    const isData = /^\s*data:/iu.test(value);
    const kept = isData ? 'data:,' : value.slice(0, options.attributeCharsMax);
    tag += value === '' ? ` ${key}` : ` ${key}="${kept.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  }
  return mark === '' ? `${tag}>` : `${tag} style="${mark}">`;
}

function lookAt(node: DomNode, name: string, at: { isLaidOut: boolean; isTextSeen: boolean }, write: Write): Look {
  const { isLaidOut } = at;
  if (/^(?:html|head|title|meta|base|link|script|br)$/u.test(name)) return { mark: '', isLaidOut, isTextSeen: true };
  const style = getComputedStyle(node);
  const mark = isFormula(node, name, write.read) ? '' : hidingOf(node, name, style, isLaidOut, write);
  const isGone = style.display === 'none' || style.display === '' || style.contentVisibility === 'hidden';
  return { mark, isLaidOut: isLaidOut && !isGone, isTextSeen: isTextDrawn(style) };
}

/** How the element is hidden with all that is in it, as a style that says the same; empty when it is not. */
function hidingOf(node: DomNode, name: string, style: Style, isLaidOut: boolean, write: Write): string {
  if (style.display === 'none' || style.display === '') return 'display:none';
  if (style.contentVisibility === 'hidden') return 'content-visibility:hidden';
  if (Number(style.opacity) < 0.1) return 'opacity:0';
  if (style.visibility !== 'visible' && !showsAfterAll(node, write)) return 'visibility:hidden';
  if (!isLaidOut || style.display === 'contents' || name === 'body') return '';
  return boxHiding(style, write.read.rect(node));
}

/** Boxes without size, cut away, or outside of what can be scrolled to. */
function boxHiding(style: Style, { left, top, width, height }: Rect): string {
  const isCut = /hidden|clip/u.test(style.overflowX + style.overflowY);
  if (isCut && style.display !== 'inline' && height <= 1) return 'height:0;overflow:hidden';
  if (isCut && style.display !== 'inline' && width <= 1) return 'width:0;overflow:hidden';
  if (style.transform !== 'none' && (width === 0 || height === 0)) return 'scale:0';
  if (
    /inset\((?:[5-9]\d|100)(?:\.\d+)?%|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)*\)/u.test(
      style.clipPath,
    )
  )
    return 'clip-path:inset(100%)';
  if (style.position !== 'absolute' && style.position !== 'fixed') return '';
  if (/rect\((?:[01](?:px)?[, ]*){4}\)/u.test(style.clip)) return 'clip:rect(0,0,0,0)';
  const scrolled = style.position === 'fixed' ? { x: 0, y: 0 } : { x: window.scrollX, y: window.scrollY };
  const isOutside = left + width + scrolled.x <= 0 || top + height + scrolled.y <= 0;
  return isOutside && width * height > 0 ? 'position:absolute;left:-9999px' : '';
}

/** Whether text that stands directly in the element can be seen; what is in elements of its own is looked at there. */
function isTextDrawn(style: Style): boolean {
  if (style.visibility !== 'visible') return false;
  if (Number.parseFloat(style.fontSize) <= 1 || Number.parseFloat(style.textIndent) <= -100) return false;
  const isClipped = /text/u.test(style.backgroundClip);
  const colour = style.webkitTextFillColor;
  if (isSeeThrough(colour)) return isClipped;
  return isClipped || colour !== style.backgroundColor;
}

/** Chromium writes computed colours in one way each: `rgb(…)`, `rgba(…)`, or by their space, opacity after a slash. */
function isSeeThrough(colour: string): boolean {
  const alpha = /^rgba\([^)]*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/u.exec(colour);
  return alpha !== null && Number(alpha[1] ?? alpha[2]) < 0.1;
}

/** Whether something in a part that is made invisible is made visible again. */
function showsAfterAll(top: DomNode, write: Write): boolean {
  const { read } = write;
  const open: DomNode[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (let child = read.firstChild(next); child !== null; child = read.nextSibling(child)) {
      if (read.nodeType(child) !== 1) continue;
      write.looksLeft -= 1;
      if (write.looksLeft < 0) return false;
      if (getComputedStyle(child).visibility === 'visible') return true;
      open.push(child);
    }
  }
  return false;
}

/** MathML that is there for screen readers, beside a picture or boxes of the same formula: it is what can be read. */
function isFormula(node: DomNode, name: string, read: Readers): boolean {
  if (name === 'math') return true;
  if (name !== 'span' && name !== 'mjx-assistive-mml') return false;
  const child = read.firstChild(node);
  return (
    child !== null && read.nodeType(child) === 1 && read.localName(child) === 'math' && read.nextSibling(child) === null
  );
}

function readers(): Readers {
  const reader = (prototype: object, name: string) => (node: DomNode) => Reflect.get(prototype, name, node);
  const caller = (prototype: object, name: string) => {
    const method = Reflect.get(prototype, name);
    return (node: DomNode) => method.call(node);
  };
  return {
    firstChild: reader(Node.prototype, 'firstChild'),
    nextSibling: reader(Node.prototype, 'nextSibling'),
    nodeType: reader(Node.prototype, 'nodeType'),
    localName: reader(Element.prototype, 'localName'),
    attributes: reader(Element.prototype, 'attributes'),
    shadowRoot: reader(Element.prototype, 'shadowRoot'),
    rect: caller(Element.prototype, 'getBoundingClientRect'),
    assigned: caller(HTMLSlotElement.prototype, 'assignedNodes'),
  };
}
