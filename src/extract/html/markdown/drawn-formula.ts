import { classOf, isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

const DEPTH_MAX = 60;
const SCRIPTS = /(?:^|\s)msupsub(?:\s|$)/;
const FRACTION = /(?:^|\s)mfrac(?:\s|$)/;
const ROOT = /(?:^|\s)sqrt(?:\s|$)/;
/**
 * Matches KaTeX's class for the stacked parts of a fraction, a root or a script. KaTeX lists these parts from the
 * bottom up.
 */
const STACK = /(?:^|\s)vlist(?:\s|$)/;
const TWO_SIDED = /(?:^|\s)vlist-t2(?:\s|$)/;

/**
 * Returns the TeX of a formula that KaTeX rendered with `output: "html"`. That output does not contain the TeX source.
 */
export function texOfDrawing(element: DomElement, depth = 0): string {
  if (depth > DEPTH_MAX) return '';
  const className = classOf(element);
  if (SCRIPTS.test(className)) return scripts(element, depth);
  if (FRACTION.test(className)) {
    const [below = '', above = ''] = stacked(element, depth);
    return `\\frac{${above}}{${below}}`;
  }
  if (ROOT.test(className)) return `\\sqrt{${stacked(element, depth)[0] ?? ''}}`;
  return partsOf(element, depth).join('');
}

function partsOf(element: DomElement, depth: number): string[] {
  const parts: string[] = [];
  for (let child: DomNode | null = element.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) parts.push(child.textContent.replace(/[\s\u200b]+/g, ' '));
    else if (isElement(child)) parts.push(texOfDrawing(child, depth + 1));
  }
  return parts;
}

/**
 * Writes sub- and superscripts of a formula that KaTeX rendered. A stack with two parts, or with a strut below it,
 * contains a subscript.
 */
function scripts(element: DomElement, depth: number): string {
  const parts = stacked(element, depth);
  const [first = '', second] = parts;
  if (second !== undefined) return `_{${first}}^{${second}}`;
  return element.children.some((child) => TWO_SIDED.test(classOf(child))) ? `_{${first}}` : `^{${first}}`;
}

function stacked(element: DomElement, depth: number): string[] {
  let stack: DomElement | null = element;
  for (let at = 0; stack !== null && !STACK.test(classOf(stack)) && at < DEPTH_MAX; at += 1) {
    stack = stack.children.find((child) => child.textContent.trim() !== '') ?? null;
  }
  if (stack === null) return [];
  return stack.children
    .map((child) => texOfDrawing(child, depth + 1).trim())
    .filter((part) => !/^[\s\u200b]*$/.test(part));
}
