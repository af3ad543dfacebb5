import { html as HTML } from 'parse5';
import type { Token } from 'parse5';
import { isBlank } from '#core/text/blank.ts';
import { readHiding } from '#extract/html/visible/hidden.ts';
import { DomElement, isElement, isText, nextAfter, nextInside } from './tree.ts';
import type { DomNode } from './tree.ts';

/** Elements of an SVG drawing that contain visible text. */
const LABELS: ReadonlySet<string> = new Set(['text', 'foreignObject']);
/** Parts of a label that SVG draws. Other elements in a `text` are not visible. */
const LABEL_PARTS: ReadonlySet<string> = new Set(['tspan', 'textPath', 'a']);
/** Elements whose content is drawn in place. Browsers do not draw that of others, such as `defs` and `symbol`. */
const GROUPS: ReadonlySet<string> = new Set(['g', 'a', 'switch', 'svg']);
/** Maximum labels of one drawing, and of all drawings of a page. A chart has up to some hundred. */
const LABELS_MAX = 300;
const PAGE_LABELS_MAX = 3_000;
/** Maximum width or height of an icon, whose text is a sign rather than content. */
const ICON_PIXELS_MAX = 32;
/** Marks a part of a label that is drawn at a place of its own. A page cannot set it, because its name has spaces. */
const OWN_PLACE = 'at its own place';
/** Coordinate in px outside of every drawing, in which pages hide text. */
const OFF_SCREEN_MAX = -1_000;

/** Finds the labels of SVG drawings while the tree is built, where most parts of a drawing are not stored. */
export class DrawingLabels {
  /** Maps the drawn groups of the current drawing to the drawing. */
  private readonly groups = new Map<DomElement, DomElement>();
  private count = 0;
  private pageCount = 0;

  /** Notes an element that is inserted. Returns the drawing of which it is a visible label; `null` for others. */
  note(parent: DomElement, element: DomElement): DomElement | null {
    if (element.namespace !== HTML.NS.SVG || element.hiding !== null) return null;
    const root = this.groups.get(parent);
    if (root === undefined) {
      if (element.localName === 'svg' && parent.namespace !== HTML.NS.SVG) this.begin(element);
      return null;
    }
    if (GROUPS.has(element.localName)) this.groups.set(element, root);
    // Browsers draw one child of a `switch`. Programs write a label as HTML there, and then as a `text`.
    if (parent.localName === 'switch' && this.groups.delete(parent) && element.localName === 'g')
      this.groups.set(element, root);
    if (!LABELS.has(element.localName) || this.count >= LABELS_MAX || this.pageCount >= PAGE_LABELS_MAX) return null;
    this.count += 1;
    this.pageCount += 1;
    return root;
  }

  private begin(drawing: DomElement): void {
    this.groups.clear();
    this.count = 0;
    if (!isIcon(drawing)) this.groups.set(drawing, drawing);
  }
}

function isIcon(drawing: DomElement): boolean {
  return ['width', 'height'].some((side) => {
    const value = drawing.getAttribute(side) ?? '';
    return !value.includes('%') && Number.parseInt(value, 10) <= ICON_PIXELS_MAX;
  });
}

/** True for an element inside a label that SVG does not draw. */
export function isUndrawnPart(parent: DomElement, element: DomElement): boolean {
  const isInLabel = parent.localName === 'text' || LABEL_PARTS.has(parent.localName);
  return parent.namespace === HTML.NS.SVG && isInLabel && !LABEL_PARTS.has(element.localName);
}

/** Creates an element of a drawing. Only what hides a text or places it apart is stored. */
export function createDrawingElement(name: string, attributes: readonly Token.Attribute[]): DomElement {
  const isRead = LABELS.has(name) || LABEL_PARTS.has(name) || GROUPS.has(name);
  if (!isRead || attributes.length === 0) return new DomElement(name, undefined, null, HTML.NS.SVG);
  const given = new Map(attributes.map((attribute) => [attribute.name, attribute.value]));
  const hiding = readHiding(name, given.set('style', `${styleOf(given)};${given.get('style') ?? ''}`));
  const isApart = name === 'tspan' && given.has('x');
  return new DomElement(name, isApart ? { [OWN_PLACE]: '' } : undefined, hiding, HTML.NS.SVG);
}

/** Returns the presentation attributes (SVG 2 §6.6) that may hide a text, as a style. */
function styleOf(given: ReadonlyMap<string, string>): string {
  const of = (name: string) => (given.get(name) ?? '').trim();
  const isTransparent = of('fill') === 'none' && of('stroke') === '';
  const fill = isTransparent || Number.parseFloat(of('fill-opacity')) === 0 ? 'transparent' : '';
  const isOff = ['x', 'y'].some((side) => Number.parseFloat(of(side)) <= OFF_SCREEN_MAX);
  const size = /^[\d.]+$/.test(of('font-size')) ? `${of('font-size')}px` : of('font-size');
  return [
    ['display', of('display')],
    ['visibility', of('visibility')],
    ['opacity', of('opacity')],
    ['font-size', size],
    ['color', fill || (/^(?:#|rgb|hsl|transparent)/.test(of('fill')) ? of('fill') : '')],
    ['text-indent', isOff ? '-9999px' : ''],
  ]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
}

/** Returns the visible labels of a drawing, each on one line, in the order of the source. */
export function drawingLabels(drawing: DomElement): string[] {
  const labels: string[] = [];
  for (const label of drawing.children) if (LABELS.has(label.localName)) labels.push(...linesOf(label));
  return labels;
}

function linesOf(label: DomElement): string[] {
  let text = '';
  for (let node = nextInside(label, label); node !== null;) {
    if (isText(node)) text += node.textContent;
    else if (beginsLine(node)) text += ' ';
    node = isElement(node) && node.hiding !== null ? nextAfter(label, node) : nextInside(label, node);
  }
  const line = text.replace(/\s+/g, ' ').trim();
  return isBlank(line) ? [] : [line];
}

function beginsLine(node: DomNode): boolean {
  if (!isElement(node)) return false;
  return node.hasAttribute(OWN_PLACE) || node.localName === 'br' || node.localName === 'p' || node.localName === 'div';
}
