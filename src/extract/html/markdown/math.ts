import { classOf, isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { sanitizeText } from '#core/text/plain.ts';

/** A formula as TeX source. `display`: true if the formula is on its own line. */
type Formula = { tex: string; display: boolean };

const DRAWN_MATH = /(?:^|\s)(?:MathJax(?:_\w+)?|MathJax_Preview|MJXc-display|mjx-chtml|katex-html)(?:\s|$)/;
const IMAGE_MATH = /(?:^|\s)(?:mwe-math-fallback-image-(?:inline|display)|latex|tex|math)(?:\s|$)/;

/** True for parts of a rendered formula, such as MathJax's drawing, that only repeat its TeX source. */
export function isRenderedMathCopy(element: DomElement): boolean {
  const className = classOf(element);
  return (className !== '' && DRAWN_MATH.test(className)) || element.localName === 'mjx-math';
}

export function readFormula(element: DomElement): Formula | null {
  const name = element.localName;
  if (name === 'math') return fromMathMl(element);
  if (name === 'x-tex' || name === 'x-tex-block')
    return toFormula(decoded(element.textContent ?? ''), name === 'x-tex-block');
  if (name === 'img') return fromImage(element);
  const className = classOf(element);
  if (
    /(?:^|\s)katex(?:-display)?(?:\s|$)/.test(className) ||
    name === 'mjx-container' ||
    /(?:^|\s)mwe-math-element/.test(className)
  ) {
    const math = element.querySelector('math');
    const drawn = math === null && /katex/.test(className) ? toFormula(texOfDrawing(element), false) : null;
    const formula = math === null ? drawn : fromMathMl(math);
    if (formula === null) return null;
    const display =
      formula.display ||
      /katex-display|display/.test(className) ||
      element.getAttribute('display') === 'true' ||
      /(?:^|\s)katex-display(?:\s|$)/.test(element.parentElement?.getAttribute('class') ?? '');
    return { tex: formula.tex, display };
  }
  return TEX_SOURCE_CLASS.test(className) ? fromSource(element) : null;
}

/** Matches the classes of elements with TeX source that a script renders (Sphinx, Pandoc, MkDocs, Discourse). */
export const TEX_SOURCE_CLASS = /(?:^|\s)(?:math|arithmatex)(?:\s|$)/;
const MARKED = /^\s*(?:\\\(([^]*)\\\)|\\\[([^]*)\\\]|\$\$([^]*)\$\$|\$([^$]*)\$)\s*$/;
const ENVIRONMENT = /^\s*\\begin\{[^]*\}\s*$/;
/** Maximum characters of a formula. Longer text in an element with the class `math` is not a formula. */
const SOURCE_CHARS_MAX = 20_000;

/** Reads the TeX source in an element, and the number that Sphinx adds to the formula. */
function fromSource(element: DomElement): Formula | null {
  const { tex: source, tag, isPlain } = sourceIn(element);
  if (source.length > SOURCE_CHARS_MAX) return null;
  const [, inline, inBrackets, inDollars, inDollar] = MARKED.exec(source) ?? [];
  const display = inBrackets ?? inDollars ?? (ENVIRONMENT.test(source) ? source : undefined);
  const tex = inline ?? inDollar ?? display ?? (isPlain ? source : undefined);
  if (tex === undefined) return null;
  const isDisplay = display !== undefined || (element.localName === 'div' && inline === undefined);
  return toFormula(tag === '' ? tex : `${tex} \\tag{${tag}}`, isDisplay);
}

function sourceIn(element: DomElement): { tex: string; tag: string; isPlain: boolean } {
  let tex = '';
  let tag = '';
  let isPlain = true;
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (isText(node)) tex += node.textContent;
    else if (/(?:^|\s)eqno(?:\s|$)/.test(classOf(node))) tag = /\(([^()]{1,20})\)/.exec(node.textContent)?.[1] ?? '';
    else {
      isPlain = false;
      tex += node.textContent;
    }
  }
  return { tex, tag, isPlain };
}

function fromImage(image: DomElement): Formula | null {
  const className = classOf(image);
  if (!IMAGE_MATH.test(className)) return null;
  return toFormula(image.getAttribute('alt') ?? '', className.includes('display'));
}

function fromMathMl(math: DomElement): Formula | null {
  const display = math.getAttribute('display') === 'block' || (math.getAttribute('mode') ?? '') === 'display';
  const source = math.querySelector('annotation[encoding="application/x-tex"], annotation[encoding="TeX"]');
  const given = source?.textContent ?? math.getAttribute('alttext') ?? '';
  return toFormula(given.trim() === '' ? toTex(math, 0) : given, display);
}

/** Decodes `&lt;`, `&gt;` and `&amp;`. HTML does not decode them in a script, but pages write TeX that way. */
function decoded(script: string): string {
  return script.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Normalises TeX so that it can be written between dollar signs; `null` for an empty formula. */
export function toFormula(raw: string, display: boolean): Formula | null {
  let tex = sanitizeText(raw).replace(/\s+/g, ' ').trim();
  const style = /^\{\\(?:displaystyle|textstyle) (.*)\}$/.exec(tex);
  if (style?.[1] !== undefined) tex = style[1].trim();
  tex = tex.replace(/\\[^]|\$/g, (token) => (token === '$' ? '\\$' : token));
  // An odd number of backslashes at the end would escape the closing dollar sign.
  if (backslashesAtEnd(tex) % 2 === 1) tex = tex.slice(0, -1).trimEnd();
  return tex === '' ? null : { tex, display };
}

function backslashesAtEnd(tex: string): number {
  let count = 0;
  while (tex.charAt(tex.length - 1 - count) === '\\') count += 1;
  return count;
}

/** Writes a formula as `$…$` or `$$…$$`. In a table cell, a pipe becomes `\vert`, because it would end the cell. */
export function formulaMarkdown(formula: Formula, inCell: boolean): string {
  const marks = formula.display ? '$$' : '$';
  const tex = inCell ? formula.tex.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ') : formula.tex;
  return marks + tex.trimEnd() + marks;
}

const DEPTH_MAX = 40;

/** Matches the thickness of a fraction without a bar, such as a binomial coefficient. */
const HAS_NO_BAR = /^\s*0(?:\.0*)?(?:[a-z]{2}|%)?\s*$/;
/** TeX commands for signs above a letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  '¯': 'bar',
  ˉ: 'bar',
  '‾': 'overline',
  '―': 'overline',
  '^': 'hat',
  ˆ: 'hat',
  '~': 'tilde',
  '˜': 'tilde',
  '→': 'vec',
  '⃗': 'vec',
  '.': 'dot',
  '˙': 'dot',
  '¨': 'ddot',
  ˇ: 'check',
  '˘': 'breve',
  '⏞': 'overbrace',
  '︷': 'overbrace',
};

/** Converts presentation MathML to TeX, for pages without TeX source. `DEPTH_MAX` limits the recursion. */
function toTex(element: DomElement, depth: number): string {
  if (depth > DEPTH_MAX) return '';
  const parts: string[] = [];
  for (const child of element.children) {
    if (isElement(child) && !child.localName.startsWith('annotation')) parts.push(toTex(child, depth + 1));
  }
  const part = (index: number) => parts[index] ?? '';
  switch (element.localName) {
    case 'mi':
    case 'mn':
    case 'mo':
      return tokenTex(element.textContent.trim());
    case 'mtext':
      return `\\text{${(element.textContent ?? '').replace(/\s+/g, ' ')}}`;
    case 'ms':
      return `\\text{"${(element.textContent ?? '').trim()}"}`;
    case 'mphantom':
      return '';
    case 'maction':
      return parts[(Number.parseInt(element.getAttribute('selection') ?? '', 10) || 1) - 1] ?? part(0);
    case 'menclose':
      return /strike/.test(element.getAttribute('notation') ?? '') ? `\\cancel{${joinRow(parts)}}` : joinRow(parts);
    case 'mfrac':
      return HAS_NO_BAR.test(element.getAttribute('linethickness') ?? '')
        ? `{${part(0)} \\atop ${part(1)}}`
        : `\\frac{${part(0)}}{${part(1)}}`;
    case 'mover':
      if (Object.hasOwn(ACCENTS, part(1))) return `\\${ACCENTS[part(1)] ?? ''}{${part(0)}}`;
      return `${group(part(0))}^{${part(1)}}`;
    case 'msup':
      return `${group(part(0))}^{${part(1)}}`;
    case 'msub':
    case 'munder':
      return `${group(part(0))}_{${part(1)}}`;
    case 'msubsup':
    case 'munderover':
      return `${group(part(0))}_{${part(1)}}^{${part(2)}}`;
    case 'msqrt':
      return `\\sqrt{${joinRow(parts)}}`;
    case 'mroot':
      return `\\sqrt[${part(1)}]{${part(0)}}`;
    case 'mtr':
    case 'mlabeledtr':
      return parts.join(' & ');
    case 'mtable':
      return `\\begin{matrix} ${parts.join(' \\\\ ')} \\end{matrix}`;
    case 'mfenced':
      return fenced(element.getAttribute('open') ?? '(', parts.join(', '), element.getAttribute('close'));
    case 'mmultiscripts':
      return multiscripts(element, parts);
    case 'mspace':
      return ' ';
    case 'mstack':
    case 'mlongdiv':
      return parts.join(' ');
    default:
      return joinRow(parts);
  }
}

/** Writes the text of a number, name or operator, in which TeX has its own meaning for some signs. */
function tokenTex(text: string): string {
  return text.replaceAll('\u2212', '-').replace(/[%{}]/g, (sign) => `\\${sign}`);
}

const ENDS_WITH_DIGIT = /\d$/;
const BEGINS_WITH_DIGIT = /^\d/;

/** Joins the parts of a row with spaces, but not the digits and the point of a number in several elements. */
function joinRow(parts: readonly string[]): string {
  let tex = '';
  for (const [index, part] of parts.entries()) {
    const [beforeLast = '', before = '', next = ''] = [parts[index - 2], parts[index - 1], parts[index + 1]];
    const digits = part === '.' ? next : part;
    const whole = part !== '.' && before === '.' ? beforeLast : before;
    const goesOn = ENDS_WITH_DIGIT.test(whole) && BEGINS_WITH_DIGIT.test(digits);
    tex += (index === 0 || goesOn ? '' : ' ') + part;
  }
  return tex;
}

/** Writes the scripts of `mmultiscripts`: those after `mprescripts` come before the base (MathML §3.4.7). */
function multiscripts(element: DomElement, parts: readonly string[]): string {
  const children = element.children.filter(({ localName }) => !localName.startsWith('annotation'));
  const at = children.findIndex(({ localName }) => localName === 'mprescripts');
  const end = at < 0 ? parts.length : at;
  return `${scriptPairs(parts.slice(end + 1), '{}')}${group(parts[0] ?? '')}${scriptPairs(parts.slice(1, end), '')}`;
}

function scriptPairs(parts: readonly string[], base: string): string {
  let tex = '';
  for (let at = 0; at < parts.length; at += 2) {
    const [sub = '', sup = ''] = [parts[at], parts[at + 1]];
    if (sub === '' && sup === '') continue;
    tex += `${tex === '' ? base : '{}'}${sub === '' ? '' : `_{${sub}}`}${sup === '' ? '' : `^{${sup}}`}`;
  }
  return tex;
}

function group(base: string): string {
  return base.length > 1 && !isCommand(base) ? `{${base}}` : base;
}

/** True for one TeX command with its arguments, without anything after it. */
function isCommand(tex: string): boolean {
  if (!tex.startsWith('\\')) return false;
  let depth = 0;
  for (const character of tex) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (depth === 0 && character === ' ') return false;
  }
  return true;
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '\\}', '|': '|', '⟨': '⟩' };

function fenced(open: string, content: string, close: string | null): string {
  return `${open === '{' ? '\\{' : open}${content}${close ?? CLOSING[open] ?? ')'}`;
}

const DRAWING_DEPTH_MAX = 60;
const SCRIPTS = /(?:^|\s)msupsub(?:\s|$)/;
const FRACTION = /(?:^|\s)mfrac(?:\s|$)/;
const ROOT = /(?:^|\s)sqrt(?:\s|$)/;
/** Matches KaTeX's class for stacked parts, such as numerator and denominator, listed from the bottom up. */
const STACK = /(?:^|\s)vlist(?:\s|$)/;
const TWO_SIDED = /(?:^|\s)vlist-t2(?:\s|$)/;

/** Rebuilds the TeX of a formula from KaTeX's `output: "html"`, which does not contain the source. */
function texOfDrawing(element: DomElement, depth = 0): string {
  if (depth > DRAWING_DEPTH_MAX) return '';
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
 * Writes scripts rendered by KaTeX. A single script is a subscript if a strut is below it, and otherwise a superscript.
 */
function scripts(element: DomElement, depth: number): string {
  const parts = stacked(element, depth);
  const [first = '', second] = parts;
  if (second !== undefined) return `_{${first}}^{${second}}`;
  return element.children.some((child) => TWO_SIDED.test(classOf(child))) ? `_{${first}}` : `^{${first}}`;
}

function stacked(element: DomElement, depth: number): string[] {
  let stack: DomElement | null = element;
  for (let at = 0; stack !== null && !STACK.test(classOf(stack)) && at < DRAWING_DEPTH_MAX; at += 1) {
    stack = stack.children.find((child) => child.textContent.trim() !== '') ?? null;
  }
  if (stack === null) return [];
  return stack.children
    .map((child) => texOfDrawing(child, depth + 1).trim())
    .filter((part) => !/^[\s\u200b]*$/.test(part));
}
