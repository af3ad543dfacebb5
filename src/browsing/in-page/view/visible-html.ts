import { isPrivateField } from '#core/secrets/private-fields.ts';
import { elementCalledOn, createDomReaders, rootElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement, DomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import { CHARS_AFTER_CUT, TextWithCutsBuilder } from './cut.ts';
import { isPrivateControl } from '#browsing/in-page/fields/field.ts';
import { escapeAttribute } from './html.ts';
import { ImageBoxes } from './pictures.ts';
import type { VisibleHtml, VisibleHtmlOptions } from '#browsing/in-page/script-types.ts';

type Open = string | { node: Node; isLaidOut: boolean; isTextSeen: boolean };
type Look = { mark: string; isTextSeen: boolean; isLaidOut: boolean };
type Write = {
  html: TextWithCutsBuilder;
  hidden: number;
  looksLeft: number;
  options: VisibleHtmlOptions;
  read: DomReaders;
  pictures: ImageBoxes;
};
/** Maximum characters of a frame's `srcdoc` attribute, which contains a whole document. */
const FRAME_CHARS_MAX = 100_000;

export function serializeVisibleHtml(this: AnyElement | Window, options: VisibleHtmlOptions): VisibleHtml {
  const element = elementCalledOn(this);
  const typed = element === null ? null : typedIn(element);
  if (typed !== null) return fieldHtml(options.hidesFields ? '' : typed, options.charsMax);
  return seenFrom(element ?? rootElement(), options);
}

/** The text of a text field; `null` for a private field, such as a password, and for other elements. */
function typedIn(element: Element): string | null {
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (!(element instanceof HTMLInputElement) || !/^(?:text|search|url|email|tel|number)$/u.test(element.type))
    return null;
  return isPrivateControl(element) ? null : element.value;
}

function fieldHtml(typed: string, charsMax: number): VisibleHtml {
  const html = new TextWithCutsBuilder();
  html.add('<pre>');
  html.addCut(typed, charsMax, asText, '');
  html.add('</pre>');
  return { html: html.cut(html.chars), isCut: typed.length > charsMax, hidden: 0 };
}

/** HTML of the visible content. Iterative, because deep nesting would overflow the stack. */
function seenFrom(top: Node, options: VisibleHtmlOptions): VisibleHtml {
  const read = createDomReaders();
  const write: Write = {
    html: new TextWithCutsBuilder(),
    hidden: 0,
    looksLeft: options.looksMax,
    options,
    read,
    pictures: new ImageBoxes(read),
  };
  const open: Open[] = [{ node: top, isLaidOut: true, isTextSeen: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (write.html.chars >= options.charsMax + CHARS_AFTER_CUT) break;
    if (typeof next === 'string') write.html.add(next);
    else visit(next, open, write);
  }
  const { html, hidden } = write;
  return { html: html.cut(options.charsMax), isCut: html.chars > options.charsMax, hidden };
}

function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Writes the start tag of a node and pushes its content on the stack in reverse order. */
function visit(at: Exclude<Open, string>, open: Open[], write: Write): void {
  const { read } = write;
  const { node } = at;
  const kind = read.nodeType(node);
  if (kind === 3) {
    const text = node.nodeValue ?? '';
    if (at.isTextSeen) write.html.add(asText(text));
    else if (/\S/u.test(text)) write.hidden += 1;
  }
  if (kind !== 1) return;
  const name = read.localName(node);
  const attributes = [...read.attributes(node)];
  if (leftOut(name, attributes)) return;
  const look = lookAt(node, name, at, write);
  if (look.mark !== '') write.hidden += 1;
  openTag(node, name, attributes, look.mark, write);
  if (/^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/u.test(name)) return;
  open.push(`</${name}>`);
  if (name === 'textarea' && !keepsValue(attributes, write)) return;
  if (write.options.hidesFields && attributes.some((attribute) => attribute.name === 'contenteditable')) return;
  const shadow = read.shadowRoot(node);
  if (shadow !== null) open.push('</template>');
  const { isLaidOut, isTextSeen } = look;
  for (const child of childrenOf(shadow ?? node, name, read)) open.push({ node: child, isLaidOut, isTextSeen });
  if (shadow !== null) open.push('<template shadowrootmode="open">');
}

/** Children in reverse order. Content assigned to a slot is visited at the slot, where it is displayed. */
function childrenOf(parent: Node, name: string, read: DomReaders): Node[] {
  const assigned = name === 'slot' ? read.assigned(parent) : [];
  if (assigned.length > 0) return [...assigned].reverse();
  const children: Node[] = [];
  for (let child = read.firstChild(parent); child !== null; child = read.nextSibling(child)) children.push(child);
  return children.reverse();
}

/** True for elements without visible content. Structured data (JSON-LD) and formulas in scripts count as content. */
function leftOut(name: string, attributes: readonly Attr[]): boolean {
  if (/^(?:style|noscript|template|canvas)$/u.test(name)) return true;
  const of = (wanted: string) => valueOf(attributes, wanted);
  if (name === 'script') return !/^\s*(?:application\/ld\+json|math\/tex)/iu.test(of('type'));
  return name === 'link' && !/^\s*(?:canonical|alternate)\s*$/iu.test(of('rel'));
}

function valueOf(attributes: readonly Attr[], wanted: string): string {
  return attributes.find(({ name }) => name === wanted)?.value ?? '';
}

/** True if a field's `value` attribute may be shown. Scripts may store typed text in it. */
function keepsValue(attributes: readonly Attr[], { options }: Write): boolean {
  const of = (wanted: string) => valueOf(attributes, wanted);
  const words = { type: of('type'), autocomplete: of('autocomplete'), name: of('name'), id: of('id') };
  return options.keepsValues && !options.hidesFields && !isPrivateField(words);
}

function openTag(node: Node, name: string, attributes: readonly Attr[], mark: string, write: Write): void {
  const { html, options } = write;
  // Users do not type the values of buttons and check boxes.
  const isTyped = name === 'input' && !/^(?:submit|button|reset|radio|checkbox)$/iu.test(valueOf(attributes, 'type'));
  html.add(`<${name}${choiceNow(node)}`);
  for (const { name: key, value } of attributes) {
    // Attributes such as `hidden` are omitted: `mark` says whether the element is hidden, with all styles considered.
    if (/^(?:style|hidden|nonce|integrity|d|points|checked|selected|on[a-z]+)$/u.test(key) || !/^[\w:.@-]+$/u.test(key))
      continue;
    if (key === 'value' && isTyped && !keepsValue(attributes, write)) continue;
    html.add(` ${key}`);
    if (value === '') continue;
    html.add('="');
    const charsMax = key === 'srcdoc' ? FRAME_CHARS_MAX : options.attributeCharsMax;
    html.addCut(/^\s*data:/iu.test(value) ? 'data:,' : value, charsMax, escapeAttribute, '');
    html.add('"');
  }
  html.add(mark === '' ? '>' : ` style="${mark}">`);
}

/**
 * Attribute for the current state of a check box, radio button or option, because the page's attributes have the
 * initial state. A `<select>` without a chosen option gets `size="2"`, because a drop-down list always has a chosen
 * option.
 */
function choiceNow(node: Node): string {
  if (node instanceof HTMLInputElement) return node.checked ? ' checked' : '';
  if (node instanceof HTMLOptionElement) return node.selected ? ' selected' : '';
  return node instanceof HTMLSelectElement && node.selectedIndex === -1 ? ' size="2"' : '';
}

function lookAt(node: Node, name: string, at: { isLaidOut: boolean; isTextSeen: boolean }, write: Write): Look {
  const { isLaidOut } = at;
  if (/^(?:html|head|title|meta|base|link|script|br|datalist)$/u.test(name))
    return { mark: '', isLaidOut, isTextSeen: true };
  const style = write.read.style(node);
  const mark = isFormula(node, name, write.read) ? '' : hidingOf(node, name, style, isLaidOut, write);
  const isGone = style.display === 'none' || style.display === '' || style.contentVisibility === 'hidden';
  return { mark, isLaidOut: isLaidOut && !isGone, isTextSeen: isTextDrawn(style, () => write.pictures.isUnder(node)) };
}

/** A style that hides the element in the copy as it is hidden in the page; `''` for a visible element. */
function hidingOf(node: Node, name: string, style: CSSStyleDeclaration, isLaidOut: boolean, write: Write): string {
  if (style.display === 'none' || style.display === '') return 'display:none';
  if (style.contentVisibility === 'hidden') return 'content-visibility:hidden';
  if (isTransparent(style)) return 'opacity:0';
  if (style.visibility !== 'visible' && !showsAfterAll(node, write)) return 'visibility:hidden';
  // An option is drawn only while its list is open, so its box is not examined.
  if (!isLaidOut || style.display === 'contents' || /^(?:body|option|optgroup)$/u.test(name)) return '';
  return describeHiddenBox(style, node, write.read);
}

/** True for an element drawn with less than 10 % opacity. Chromium serializes a percentage in a filter as a number. */
export function isTransparent({ opacity, filter }: CSSStyleDeclaration): boolean {
  const [, filtered = '1'] = /\bopacity\(([\d.e-]{1,20})\)/u.exec(filter) ?? [];
  return Math.min(Number(opacity), Number(filtered)) < 0.1;
}

const CUTS: ReadonlySet<string> = new Set(['hidden', 'clip']);

/** A style for boxes without size, clipped away, or out of scrolling range; `''` for other boxes. */
export function describeHiddenBox(style: CSSStyleDeclaration, element: Node, read: DomReaders): string {
  const isCut = CUTS.has(style.overflowX) || CUTS.has(style.overflowY);
  const { position } = style;
  const isPlaced = position === 'absolute' || position === 'fixed';
  if (!isCut && !isPlaced && style.transform === 'none' && style.clipPath === 'none') return '';
  const { left, top, width, height } = read.rect(element);
  if (isCut && style.display !== 'inline' && height <= 1) return 'height:0;overflow:hidden';
  if (isCut && style.display !== 'inline' && width <= 1) return 'width:0;overflow:hidden';
  if (style.transform !== 'none' && (width === 0 || height === 0)) return 'scale:0';
  if (
    /inset\((?:[5-9]\d|100)(?:\.\d+)?%|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)*\)/u.test(
      style.clipPath,
    )
  )
    return 'clip-path:inset(100%)';
  if (!isPlaced) return '';
  if (/rect\((?:[01](?:px)?[, ]*){4}\)/u.test(style.clip)) return 'clip:rect(0,0,0,0)';
  if (width * height === 0 || (left + width > 0 && top + height > 0)) return '';
  const scrolled = position === 'fixed' ? { x: 0, y: 0 } : scrolledAround(element, read);
  const isOutside = left + width + scrolled.x <= 0 || top + height + scrolled.y <= 0;
  return isOutside ? 'position:absolute;left:-9999px' : '';
}

/**
 * Scroll offsets of the document and the boxes around an element. They are considered because content scrolled out of
 * view is not hidden.
 */
function scrolledAround(element: Node, read: DomReaders): { x: number; y: number } {
  let { scrollX: x, scrollY: y } = window;
  let at: Node | null = element;
  for (let steps = 0; at !== null && steps < BOXES_AROUND_MAX; steps += 1) {
    const parent = read.parentNode(at);
    at = parent instanceof ShadowRoot ? parent.host : parent;
    if (at === null || read.nodeType(at) !== 1 || at === document.scrollingElement) continue;
    x += Math.abs(Reflect.get(Element.prototype, 'scrollLeft', at));
    y += Reflect.get(Element.prototype, 'scrollTop', at);
  }
  return { x, y };
}

/** Maximum levels climbed from an element. Real pages nest less deeply. */
const BOXES_AROUND_MAX = 200;

/**
 * True if the element's own text is visible. The text of its children is examined separately.
 * @param isDrawn called for transparent text; returns true if an image under the element shows the text
 */
export function isTextDrawn(style: CSSStyleDeclaration, isDrawn: () => boolean): boolean {
  if (style.visibility !== 'visible') return false;
  if (Number.parseFloat(style.fontSize) <= 1 || Number.parseFloat(style.textIndent) <= -100) return false;
  const isClipped = /text/u.test(style.backgroundClip);
  const colour = style.webkitTextFillColor;
  if (isSeeThrough(colour)) return isClipped || isDrawn();
  return isClipped || colour !== style.backgroundColor;
}

/**
 * True for a colour with less than 10 % opacity. Chromium serializes computed colours as `rgb(…)`, `rgba(…)`, or by
 * colour space with the opacity after a slash.
 */
function isSeeThrough(colour: string): boolean {
  if (colour.startsWith('rgb(')) return false;
  const alpha = /^rgba\([^)]*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/u.exec(colour);
  return alpha !== null && Number(alpha[1] ?? alpha[2]) < 0.1;
}

/** True if an element with `visibility: hidden` contains a visible element. */
function showsAfterAll(top: Node, write: Write): boolean {
  const { read } = write;
  const open: Node[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (let child = read.firstChild(next); child !== null; child = read.nextSibling(child)) {
      if (read.nodeType(child) !== 1) continue;
      write.looksLeft -= 1;
      if (write.looksLeft < 0) return false;
      if (read.style(child).visibility === 'visible') return true;
      open.push(child);
    }
  }
  return false;
}

/** True for the hidden MathML of a drawn formula. It is meant for screen readers, but it is the readable form. */
function isFormula(node: Node, name: string, read: DomReaders): boolean {
  if (name === 'math') return true;
  if (name !== 'span' && name !== 'mjx-assistive-mml') return false;
  const child = read.firstChild(node);
  return (
    child !== null && read.nodeType(child) === 1 && read.localName(child) === 'math' && read.nextSibling(child) === null
  );
}
