import {
  DomElement,
  DomText,
  childrenOf,
  isElement,
  isInside,
  isText,
  nearestByTag,
  nextInside,
} from '#extract/html/tree.ts';
import type { DomNode } from '#extract/html/tree.ts';

/**
 * Attribute that stores effects of an element's style as words. Pages cannot set it, because its name contains spaces.
 */
export const STYLE_EFFECTS_ATTRIBUTE = 'looks of style';

const STRUCK = /;text-decoration(?:-line)?:[^;]*line-through/;
const BLOCK = /;display:(?:block|list-item|table|flow-root)(?:!important)?(?:;|$)/;
const APART = /;display:(?:inline-)?(?:flex|grid|table-row)(?:!important)?(?:;|$)/;
const KEEPS_BREAKS = /;white-space:(?:pre|pre-wrap|pre-line|break-spaces)(?:!important)?(?:;|$)/;
const NUMBERING = /;list-style(?:-type)?:[^;]*\b((?:lower|upper)-(?:alpha|latin|roman))\b/;

/**
 * Returns the effects of a style that matter for reading, separated by spaces: `struck` (struck out), `block`, `apart`
 * (space between children), `breaks` (line ends are shown), or the numbering of a list.
 * @param style normalised, with a leading semicolon
 */
export function findStyleEffects(style: string): string {
  const looks: string[] = [];
  if (STRUCK.test(style)) looks.push('struck');
  if (BLOCK.test(style)) looks.push('block');
  if (APART.test(style)) looks.push('block', 'apart');
  if (KEEPS_BREAKS.test(style)) looks.push('breaks');
  const numbering = NUMBERING.exec(style)?.[1];
  if (numbering !== undefined) looks.push(numbering);
  return looks.join(' ');
}

const INLINE: ReadonlySet<string> = new Set(
  'span font label small time bdi bdo a b strong i em cite q code kbd var'.split(' '),
);
/**
 * Elements in which line ends are not replaced by `br`, even if a style around them preserves line ends: in a `pre`,
 * line ends are preserved anyway, and a script is not shown.
 */
const WHOLE: ReadonlySet<string> = new Set([
  'pre',
  'textarea',
  'select',
  'svg',
  'math',
  'script',
  'x-tex',
  'x-tex-block',
]);

/** Maximum line breaks added to a page. Further line ends become spaces. */
const BREAKS_MAX = 2_000;

/** Replaces styles by elements with the same effect, such as `line-through` by `s`. Linear in the tree. */
export function applyStyleEffects(body: DomElement): void {
  const styled: DomElement[] = [];
  for (let node = nextInside(body, body); node !== null; node = nextInside(body, node)) {
    if (isElement(node) && node.hasAttribute(STYLE_EFFECTS_ATTRIBUTE)) styled.push(node);
  }
  const breaks = { left: BREAKS_MAX };
  /** The last element in which line ends became `br`, to skip elements inside it. */
  let kept: DomElement | null = null;
  for (const element of styled) {
    if (nearestByTag('pre', element) !== null) continue;
    const looks = new Set((element.getAttribute(STYLE_EFFECTS_ATTRIBUTE) ?? '').split(' '));
    if (looks.has('breaks') && !(kept !== null && isInside(element, kept))) {
      keepBreaks(element, breaks);
      kept = element;
    }
    if (looks.has('apart')) setApart(element);
    if (looks.has('struck') && nearestByTag('s', element) === null) wrapContent(element, 's');
    if (looks.has('block')) makeBlock(element);
  }
}

/** Adds `br` around an inline element with `display: block`. A block element would separate the text by blank lines. */
function makeBlock(element: DomElement): void {
  const { parentNode, previousSibling, nextSibling, localName } = element;
  if (parentNode === null || !INLINE.has(localName)) return;
  if (previousSibling !== null && !isBreak(previousSibling)) parentNode.insertBefore(new DomElement('br'), element);
  if (nextSibling !== null && !isBreak(nextSibling)) parentNode.insertBefore(new DomElement('br'), nextSibling);
}

function isBreak(node: DomNode): boolean {
  return isElement(node) && node.localName === 'br';
}

function setApart(box: DomElement): void {
  for (const child of childrenOf(box)) {
    if (isElement(child) && child.previousSibling !== null) box.insertBefore(new DomText(' '), child);
  }
}

function keepBreaks(element: DomElement, breaks: { left: number }): void {
  if (element.localName === 'code' && element.textContent.trim().includes('\n')) {
    element.localName = 'pre';
    return;
  }
  const texts: DomText[] = [];
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    if (isText(node) && node.textContent.includes('\n')) texts.push(node);
  }
  for (const text of texts) if (!isInWhole(text, element)) breakLines(text, breaks);
}

function isInWhole(text: DomText, root: DomElement): boolean {
  for (let at = text.parentNode; at !== null && at !== root; at = at.parentNode)
    if (WHOLE.has(at.localName)) return true;
  return false;
}

function breakLines(text: DomText, breaks: { left: number }): void {
  const { parentNode: parent } = text;
  const [first = '', ...lines] = text.textContent.split('\n');
  if (parent === null || lines.length > breaks.left) return;
  breaks.left -= lines.length;
  const next = text.nextSibling;
  text.textContent = first;
  for (const line of lines) {
    parent.insertBefore(new DomElement('br'), next);
    if (line !== '') parent.insertBefore(new DomText(line), next);
  }
}

export function wrapContent(element: DomElement, name: string): void {
  const inner = new DomElement(name);
  for (const child of childrenOf(element)) {
    child.remove();
    inner.append(child);
  }
  element.append(inner);
}
