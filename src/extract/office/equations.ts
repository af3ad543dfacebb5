import type { XmlElement } from '#extract/xml/tree.ts';
import { textOf } from '#extract/xml/tree.ts';

/** Converts an `m:oMath` (ECMA-376 part 1 §22.1) to TeX. The XML reader limits the depth, and so the recursion. */
export function equationToTex(equation: XmlElement): string {
  return contentOf(equation).replace(/\s+/g, ' ').trim();
}

function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}

function elementsOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || localName(child) === name),
  );
}

function part(element: XmlElement, name: string): string {
  const [found] = elementsOf(element, name);
  return found === undefined ? '' : contentOf(found).trim();
}

/** Returns a property of an equation, such as the character of an accent. */
function property(element: XmlElement, name: string): string | undefined {
  const properties = elementsOf(element).find((child) => localName(child).endsWith('Pr'));
  const [found] = elementsOf(properties, name);
  return found === undefined ? undefined : (found.attributes['m:val'] ?? found.attributes['val'] ?? '');
}

function contentOf(element: XmlElement): string {
  return elementsOf(element).map(written).join('');
}

const WRITERS: Readonly<Record<string, (element: XmlElement) => string>> = {
  r: run,
  f: fraction,
  sSup: (element) => `${group(part(element, 'e'))}^{${part(element, 'sup')}}`,
  sSub: (element) => `${group(part(element, 'e'))}_{${part(element, 'sub')}}`,
  sSubSup: (element) => `${group(part(element, 'e'))}_{${part(element, 'sub')}}^{${part(element, 'sup')}}`,
  sPre: (element) => `{}_{${part(element, 'sub')}}^{${part(element, 'sup')}}${group(part(element, 'e'))}`,
  rad: root,
  nary,
  d: delimited,
  m: (element) => `\\begin{matrix} ${rowsOf(element)} \\end{matrix}`,
  eqArr: (element) => `\\begin{aligned} ${cellsOf(element).join(' \\\\ ')} \\end{aligned}`,
  func: (element) => `${part(element, 'fName')}{${part(element, 'e')}}`,
  limLow: (element) => limit(element, '_'),
  limUpp: (element) => limit(element, '^'),
  acc: (element) => `${accentOf(property(element, 'chr') ?? '\u0302')}{${part(element, 'e')}}`,
  bar: (element) => `${property(element, 'pos') === 'top' ? '\\overline' : '\\underline'}{${part(element, 'e')}}`,
  groupChr: (element) =>
    `${property(element, 'pos') === 'top' ? '\\overbrace' : '\\underbrace'}{${part(element, 'e')}}`,
  borderBox: (element) => `\\boxed{${part(element, 'e')}}`,
  del: () => '',
};

function written(element: XmlElement): string {
  const name = localName(element);
  if (name.endsWith('Pr')) return '';
  return WRITERS[name]?.(element) ?? contentOf(element);
}

const NAMED =
  'sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker gcd'.split(
    ' ',
  );
const NAMES: ReadonlySet<string> = new Set(NAMED);
const SPECIAL = /[\\{}%#&_$^~]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\backslash ', '^': '\\hat{}', '~': '\\sim ' };

function run(element: XmlElement): string {
  const text = elementsOf(element)
    .filter((child) => localName(child) === 't')
    .map(textOf)
    .join('');
  if (NAMES.has(text.trim())) return `\\${text.trim()} `;
  const escaped = text.replaceAll('\u2212', '-').replace(SPECIAL, (mark) => ESCAPES[mark] ?? `\\${mark}`);
  return property(element, 'nor') === undefined || text.trim() === '' ? escaped : `\\text{${escaped}}`;
}

function fraction(element: XmlElement): string {
  const [above, below] = [part(element, 'num'), part(element, 'den')];
  const type = property(element, 'type');
  if (type === 'lin') return `${group(above)}/${group(below)}`;
  return type === 'noBar' ? `{${above} \\atop ${below}}` : `\\frac{${above}}{${below}}`;
}

function root(element: XmlElement): string {
  const degree = part(element, 'deg');
  return degree === '' ? `\\sqrt{${part(element, 'e')}}` : `\\sqrt[${degree}]{${part(element, 'e')}}`;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∐': '\\coprod',
  '∫': '\\int',
  '∬': '\\iint',
  '∭': '\\iiint',
  '∮': '\\oint',
  '⋃': '\\bigcup',
  '⋂': '\\bigcap',
  '⋁': '\\bigvee',
  '⋀': '\\bigwedge',
};

function nary(element: XmlElement): string {
  const mark = property(element, 'chr') ?? '∫';
  const [below, above] = [part(element, 'sub'), part(element, 'sup')];
  const limits = `${below === '' ? '' : `_{${below}}`}${above === '' ? '' : `^{${above}}`}`;
  return `${OPERATORS[mark] ?? mark}${limits} ${part(element, 'e')}`;
}

function delimited(element: XmlElement): string {
  const open = property(element, 'begChr') ?? '(';
  const close = property(element, 'endChr') ?? ')';
  const content = cellsOf(element).join(` ${property(element, 'sepChr') ?? '|'} `);
  return `\\left${delimiter(open)} ${content} \\right${delimiter(close)}`;
}

function delimiter(mark: string): string {
  if (mark === '') return '.';
  return mark === '{' || mark === '}' ? `\\${mark}` : mark;
}

function cellsOf(element: XmlElement): string[] {
  return elementsOf(element, 'e').map((cell) => contentOf(cell).trim());
}

function rowsOf(matrix: XmlElement): string {
  return elementsOf(matrix, 'mr')
    .map((row) => cellsOf(row).join(' & '))
    .join(' \\\\ ');
}

function limit(element: XmlElement, mark: '_' | '^'): string {
  return `${group(part(element, 'e'))}${mark}{${part(element, 'lim')}}`;
}

const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '\\grave',
  '\u0301': '\\acute',
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0306': '\\breve',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u030c': '\\check',
  '\u20d7': '\\vec',
};

function accentOf(mark: string): string {
  return ACCENTS[mark] ?? '\\hat';
}

/** Puts braces around a base of several characters, so that `^` and `_` apply to all of it. */
function group(base: string): string {
  return base.length === 1 || /^\\[a-z]+ ?$/i.test(base) ? base.trim() : `{${base}}`;
}
