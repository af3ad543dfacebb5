import { placeholderIn, removeInstructionTexts } from './fields.ts';
import { escapeUTF8 } from 'entities/escape';
import { firstNamedChild, namedChildren, descendantsOf, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement, XmlNode } from '#extract/xml/tree.ts';
import { equationToTex } from '#extract/office/equations.ts';
import { isWordFlagSet } from './numbering.ts';
import type { ParagraphStyle, WordNumbering } from './numbering.ts';
import type { Chart } from '#extract/office/drawing-texts.ts';

type DrawingParts = {
  chart: (relation: string) => Chart | undefined;
  diagram: (relation: string) => readonly string[];
};

/** Characters around a printed number while mammoth converts the text. No document has these noncharacters. */
const NUMBER = ['\ufdd0', '\ufdd1'] as const;
/** Characters around a formula while mammoth converts the text. No document has these noncharacters. */
const FORMULA = ['\ufdd2', '\ufdd3'] as const;
const MARKS = /[\ufdd0-\ufdd3]/g;
/** Deepest level of lists that mammoth supports. */
const LIST_LEVEL_MAX = 4;

const BULLETS = '1';
const NUMBERS = '2';
/** Replaces the document's own list definitions by two lists for mammoth: one with bullets and one with numbers. */
export const REPLACEMENT_NUMBERING_XML = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${[
  [BULLETS, 'bullet'],
  [NUMBERS, 'decimal'],
]
  .map(([id, format]) => {
    const levels = Array.from({ length: LIST_LEVEL_MAX + 1 }, (_, level) => level).map(
      (level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${format}"/></w:lvl>`,
    );
    return `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum><w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`;
  })
  .join('')}</w:numbering>`;

const BLOCK = /<(\/?)w:(p|tc)(?=[\s/>])[^<>]*>/g;

/**
 * Rewrites the XML of a Word document so that mammoth keeps what it would drop: printed numbers, fields, equations,
 * ruby text, text boxes, charts and diagrams. Removes hidden text. Paragraphs must be passed in order, because they are
 * counted.
 */
export class WordRewriter {
  readonly #numbering: WordNumbering;
  readonly #styles: ReadonlyMap<string, ParagraphStyle>;
  readonly #parts: DrawingParts;
  readonly #formulas: { tex: string; display: boolean }[] = [];
  /** Level of the previous list item; -1 outside lists. */
  #listLevel = -1;
  #isHiddenStyle = false;
  /** Runs of the paragraph whose position makes them super- or subscripts. */
  #scripts: ReadonlyMap<XmlElement, string> = new Map();
  #behind: string[] = [];
  hasHidden = false;

  constructor(numbering: WordNumbering, styles: ReadonlyMap<string, ParagraphStyle>, parts: DrawingParts) {
    this.#numbering = numbering;
    this.#styles = styles;
    this.#parts = parts;
  }

  /** Counts the numbered paragraphs of an earlier part of the document, which is not written. */
  skip(xml: string): void {
    for (const { source } of paragraphsIn(xml)) {
      if (source === null) continue;
      const end = source.search(/<\/w:pPr>|<w:pPrChange/);
      const head = source.slice(0, Math.max(0, end));
      if (!head.includes('<w:del ')) this.#numbering.next(numberingIn(head));
    }
  }

  rewrite(xml: string): string {
    const out: string[] = [];
    this.#listLevel = -1;
    for (const { text, source: written } of paragraphsIn(xml)) {
      const source = written === null ? null : removeInstructionTexts(written);
      if (source === null) {
        if (text.includes('<w:tc') || text.includes('</w:tc')) this.#listLevel = -1;
        out.push(withLeadingCells(text));
      } else {
        const plain = this.#plain(source);
        if (plain !== null) out.push(plain);
        else for (const child of parseXml(source).document.children) out.push(this.#written(child));
      }
    }
    return out.join('');
  }

  /** Rewrites a paragraph without parsing it, as most paragraphs only need a number; `null` if it must be parsed. */
  #plain(source: string): string | null {
    if (NEEDS_TREE.test(source)) return null;
    for (const [, id = ''] of source.matchAll(/<w:rStyle w:val="([^"]*)"/g)) {
      const style = this.#styles.get(id);
      if (style?.isHidden === true || style?.script !== undefined) return null;
    }
    const start = /^<w:p(?:\s[^<>]*)?>/.exec(source)?.[0] ?? '';
    const end = source.startsWith('<w:pPr>', start.length) ? source.indexOf('</w:pPr>') : -1;
    const properties = end < 0 ? '' : source.slice(start.length + '<w:pPr>'.length, end);
    const given = numberingIn(properties);
    if (this.#styles.get(given.style ?? '')?.isHidden === true) return null;
    const body = source.slice(end < 0 ? start.length : end + '</w:pPr>'.length);
    const { numbering, before } = this.#number(given, body);
    return `${start}<w:pPr>${withoutNumbering(properties)}${numbering}</w:pPr>${before}${body}`;
  }

  finish(html: string): string {
    return html
      .replace(/<input type="checkbox"( checked="checked")? \/>/g, (_, on?: string) => (on === undefined ? '☐' : '☑'))
      .replace(/<li>\ufdd0(\d{1,9})\ufdd1/g, '<li value="$1">')
      .replace(/\ufdd0(\d{1,9})\ufdd1/g, '$1. ')
      .replace(/\ufdd2(\d{1,9})\ufdd3/g, (_, index: string) => {
        const formula = this.#formulas[Number(index)];
        if (formula === undefined) return '';
        const tex = formula.tex.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        return `<script type="math/tex${formula.display ? '; mode=display' : ''}">${tex}</script>`;
      });
  }

  /** Writes a node. The recursion is limited, because the XML reader limits the depth. */
  #written(node: XmlNode): string {
    if (typeof node === 'string') return escapeUTF8(node.replace(MARKS, ''));
    switch (node.name) {
      case 'w:p':
        return this.#paragraph(node);
      case 'w:r':
        return this.#run(node);
      case 'w:fldSimple':
        return this.#field(node);
      case 'w:bdo':
      case 'w:dir':
        return this.#content(node);
      case 'w:ruby':
        return ruby(node);
      case 'w:sdt': {
        const placeholder = placeholderIn(node);
        return placeholder === null
          ? this.#element(node)
          : `${textRun('[')}${this.#content(placeholder)}${textRun(']')}`;
      }
      case 'w:dstrike':
        return this.#element({ ...node, name: 'w:strike' });
      case 'w:cr':
        return '<w:br/>';
      case 'w:ptab':
        return '<w:tab/>';
      case 'mc:AlternateContent':
        return this.#alternative(node);
      case 'w:drawing':
        return this.#drawing(node);
      case 'w:txbxContent':
        this.#behind.push(this.#content(node));
        return '';
      case 'm:oMathPara':
        return namedChildren(node, 'm:oMath')
          .map((formula) => this.#formula(formula, true))
          .join('');
      case 'm:oMath':
        return this.#formula(node, false);
      case 'w:tc':
        this.#listLevel = -1;
        return this.#element(node);
      default:
        return this.#element(node);
    }
  }

  #element(element: XmlElement, content = this.#content(element)): string {
    const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeUTF8(value)}"`);
    return `<${element.name}${attributes.join('')}>${content}</${element.name}>`;
  }

  #content(element: XmlElement): string {
    return element.children.map((child) => this.#written(child)).join('');
  }

  #paragraph(paragraph: XmlElement): string {
    const outer = { behind: this.#behind, isHidden: this.#isHiddenStyle, scripts: this.#scripts };
    this.#behind = [];
    const properties = firstNamedChild(paragraph, 'w:pPr');
    const style = firstNamedChild(properties, 'w:pStyle')?.attributes['w:val'];
    this.#isHiddenStyle = this.#styles.get(style ?? '')?.isHidden ?? false;
    this.#scripts = scriptsOfPositions(paragraph);
    const body = paragraph.children.filter((child) => child !== properties).map((child) => this.#written(child));
    const given = firstNamedChild(properties, 'w:numPr');
    const isMerged = firstNamedChild(firstNamedChild(properties, 'w:rPr'), 'w:del') !== undefined;
    const paragraphNumber = {
      style,
      num: firstNamedChild(given, 'w:numId')?.attributes['w:val'],
      level: firstNamedChild(given, 'w:ilvl')?.attributes['w:val'],
    };
    // A paragraph whose paragraph mark is deleted continues in the next one and has no number.
    const { numbering, before } = isMerged ? NO_NUMBER : this.#number(paragraphNumber, body.join(''));
    const own = properties?.children.filter((child) => typeof child === 'string' || child.name !== 'w:numPr') ?? [];
    const kept = own.map((child) => (typeof child === 'string' ? '' : this.#element(child))).join('');
    const written = this.#element(paragraph, `<w:pPr>${kept}${numbering}</w:pPr>${before}${body.join('')}`);
    const behind = this.#behind.join('');
    this.#behind = outer.behind;
    this.#isHiddenStyle = outer.isHidden;
    this.#scripts = outer.scripts;
    return written + behind;
  }

  #number(given: ParagraphNumber, body: string): { numbering: string; before: string } {
    const label = this.#numbering.next(given);
    if (!/<w:(?:t|drawing|sym|pict|object)[\s>]/.test(body)) return NO_NUMBER;
    const list = this.#listLevel;
    this.#listLevel = -1;
    if (label === null) return NO_NUMBER;
    const { text, number } = label;
    if (this.#styles.get(given.style ?? '')?.isHeading === true) return { numbering: '', before: textRun(text) };
    const level = Math.min(label.level, list + 1, LIST_LEVEL_MAX);
    const isPrinted = text !== '' && number === null;
    // Markdown lacks this number format, such as `iii)`, so the number is written as text. Below a list item, the
    // paragraph becomes an item with a bullet.
    if (isPrinted && (level === 0 || text.trim() === '')) return { numbering: '', before: textRun(text) };
    this.#listLevel = level;
    return {
      numbering: `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${number === null ? BULLETS : NUMBERS}"/></w:numPr>`,
      before: number === null ? textRun(text) : textRun(NUMBER.join(String(number))),
    };
  }

  #run(run: XmlElement): string {
    const properties = firstNamedChild(run, 'w:rPr');
    const vanish = firstNamedChild(properties, 'w:vanish');
    const style = this.#styles.get(firstNamedChild(properties, 'w:rStyle')?.attributes['w:val'] ?? '');
    const isHidden = vanish === undefined ? style?.isHidden === true || this.#isHiddenStyle : isWordFlagSet(vanish);
    if (!isHidden) return this.#visibleRun(run, properties, style?.script);
    if (descendantsOf(run, 'w:t').some((text) => textOf(text).trim() !== '')) this.hasHidden = true;
    // Field characters stay, because each start of a field needs its end.
    const fields = namedChildren(run, 'w:fldChar', 'w:instrText').map((child) => this.#element(child));
    return fields.length === 0 ? '' : this.#element(run, fields.join(''));
  }

  /** Writes the super- or subscript of a run's style or position into the run, because mammoth ignores both. */
  #visibleRun(run: XmlElement, properties: XmlElement | undefined, ofStyle: string | undefined): string {
    const script = ofStyle ?? this.#scripts.get(run);
    if (properties === undefined || script === undefined || firstNamedChild(properties, 'w:vertAlign') !== undefined)
      return this.#element(run);
    const raised = { name: 'w:vertAlign', attributes: { 'w:val': script }, children: [] };
    const own = { ...properties, children: [...properties.children, raised] };
    return this.#element({ ...run, children: run.children.map((child) => (child === properties ? own : child)) });
  }

  #field(field: XmlElement): string {
    const instruction = field.attributes['w:instr'] ?? '';
    if (!/^\s*HYPERLINK\s/.test(instruction)) return this.#content(field);
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const written = `<w:r><w:instrText>${escapeUTF8(instruction)}</w:instrText></w:r>`;
    return `${mark('begin')}${written}${mark('separate')}${this.#content(field)}${mark('end')}`;
  }

  #alternative(element: XmlElement): string {
    const choice = namedChildren(element, 'mc:Choice').find(
      (one) => descendantsOf(one, 'w:drawing', 'w:t', 'm:oMath').length > 0,
    );
    const chosen = choice ?? firstNamedChild(element, 'mc:Fallback');
    return chosen === undefined ? '' : this.#content(chosen);
  }

  #drawing(drawing: XmlElement): string {
    const [data] = descendantsOf(drawing, 'a:graphicData');
    if (firstNamedChild(data, 'pic:pic') !== undefined) return this.#element(drawing);
    const names = [...descendantsOf(drawing, 'wp:docPr'), ...descendantsOf(data, 'pic:cNvPr')];
    const texts = names.map(({ attributes }) => attributes['descr']?.trim() || attributes['title']?.trim() || '');
    for (const box of descendantsOf(data, 'w:txbxContent')) this.#behind.push(this.#content(box));
    for (const chart of descendantsOf(data, 'c:chart')) {
      const read = this.#parts.chart(chart.attributes['r:id'] ?? '');
      if (read !== undefined) this.#behind.push(blocksOfChart(read));
    }
    for (const diagram of descendantsOf(data, 'dgm:relIds'))
      this.#behind.push(...this.#parts.diagram(diagram.attributes['r:dm'] ?? '').map(textParagraph));
    return textOfRun(texts.filter((text) => text !== '').join(' '));
  }

  #formula(element: XmlElement, display: boolean): string {
    const tex = equationToTex(element);
    return tex === '' ? '' : textRun(FORMULA.join(String(this.#formulas.push({ tex, display }) - 1)));
  }
}

/** Minimum distance of a superscript or subscript from the baseline, in half-points. */
const SCRIPT_POSITION_MIN = 4;
/** Maximum characters of a superscript or subscript. Longer raised text only stands higher. */
const SCRIPT_CHARS_MAX = 12;

/** Returns the scripts of runs whose text is short, and raised or lowered beside other text of the paragraph. */
function scriptsOfPositions(paragraph: XmlElement): ReadonlyMap<XmlElement, string> {
  const groups: { script: string | undefined; chars: number; runs: XmlElement[] }[] = [];
  for (const run of descendantsOf(paragraph, 'w:r')) {
    const text = descendantsOf(run, 'w:t').map(textOf).join('');
    if (text.trim() === '') continue;
    const position = Number(firstNamedChild(firstNamedChild(run, 'w:rPr'), 'w:position')?.attributes['w:val'] ?? 0);
    const isScript = Math.abs(position) >= SCRIPT_POSITION_MIN;
    const script = isScript ? (position > 0 ? 'superscript' : 'subscript') : undefined;
    const group = groups.at(-1);
    if (group === undefined || group.script !== script) groups.push({ script, chars: text.length, runs: [run] });
    else {
      group.chars += text.length;
      group.runs.push(run);
    }
  }
  // A drop cap, or the whole text of a cell, is not a script of other text.
  if (groups.every(({ script }) => script !== undefined)) return NO_SCRIPTS;
  const short = groups.filter(({ chars }) => chars <= SCRIPT_CHARS_MAX);
  return new Map(short.flatMap(({ script, runs }) => (script === undefined ? [] : runs.map((run) => [run, script]))));
}

const NO_SCRIPTS: ReadonlyMap<XmlElement, string> = new Map();
const NO_NUMBER = { numbering: '', before: '' };
/** Matches content that mammoth drops or misreads, so that the paragraph must be parsed. */
const NEEDS_TREE =
  /<w:(?:vanish|specVanish|fldSimple|bdo|dir|ruby|cr|ptab|position|drawing|pict|txbxContent|dstrike|del|pPrChange|showingPlcHdr)[\s/>]|<mc:|<m:|[\ufdd0-\ufdd3]|&#(?:x0{0,20}fdd[0-3]|0{0,20}6497[6-9]);/i;

type ParagraphNumber = { style: string | undefined; num: string | undefined; level: string | undefined };

function numberingIn(properties: string): ParagraphNumber {
  return {
    style: /<w:pStyle w:val="([^"]*)"/.exec(properties)?.[1],
    num: /<w:numId w:val="([^"]*)"/.exec(properties)?.[1],
    level: /<w:ilvl w:val="([^"]*)"/.exec(properties)?.[1],
  };
}

function withoutNumbering(properties: string): string {
  const start = properties.indexOf('<w:numPr>');
  const end = start < 0 ? -1 : properties.indexOf('</w:numPr>', start);
  return end < 0 ? properties : properties.slice(0, start) + properties.slice(end + '</w:numPr>'.length);
}

/** Yields the outermost paragraphs (`source`) and the XML between them (`text`). Linear. */
function* paragraphsIn(xml: string): Generator<{ text: string; source: string | null }> {
  let from = 0;
  let start = 0;
  let depth = 0;
  for (const match of xml.matchAll(BLOCK)) {
    const [tag, end, name] = match;
    if (name !== 'p') continue;
    if (tag.endsWith('/>')) continue;
    if (end === '') {
      if (depth === 0) start = match.index;
      depth += 1;
      continue;
    }
    if (depth === 0) continue;
    depth -= 1;
    if (depth > 0) continue;
    if (start > from) yield { text: xml.slice(from, start), source: null };
    from = match.index + tag.length;
    yield { text: '', source: xml.slice(start, from) };
  }
  if (from < xml.length) yield { text: xml.slice(from), source: null };
}

/** Adds the empty cells before a row that begins after the first column, so that values stay in their columns. */
function withLeadingCells(xml: string): string {
  if (!xml.includes('<w:gridBefore')) return xml;
  let count = 0;
  return xml.replace(/<w:gridBefore w:val="(\d{1,2})"|<\/w:trPr>/g, (found, given: string | undefined) => {
    if (given !== undefined) count = Number(given);
    if (given !== undefined || count === 0) return found;
    const cells = `<w:tc><w:tcPr><w:gridSpan w:val="${count}"/></w:tcPr><w:p></w:p></w:tc>`;
    count = 0;
    return found + cells;
  });
}

function ruby(element: XmlElement): string {
  const words = (name: string) => descendantsOf(firstNamedChild(element, name), 'w:t').map(textOf).join('');
  const reading = words('w:rt');
  return textElement(`${words('w:rubyBase')}${reading === '' ? '' : `(${reading})`}`);
}

function textElement(text: string): string {
  return `<w:t xml:space="preserve">${escapeUTF8(text)}</w:t>`;
}

/** Writes a run with text of this module. Unlike the document's text, it may contain `NUMBER` and `FORMULA`. */
function textRun(text: string): string {
  return text === '' ? '' : `<w:r>${textElement(text)}</w:r>`;
}

function textOfRun(text: string): string {
  return text === '' ? '' : textElement(text.replace(MARKS, ''));
}

function textParagraph(text: string): string {
  return `<w:p>${textRun(text.replace(MARKS, ''))}</w:p>`;
}

function blocksOfChart({ title, rows }: Chart): string {
  const head = textParagraph(title === '' ? 'Chart:' : `Chart: ${title}`);
  if (rows.length === 0) return title === '' ? '' : head;
  const cells = (row: readonly string[]) => row.map((cell) => `<w:tc>${textParagraph(cell)}</w:tc>`).join('');
  const properties = (index: number) => (index === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : '');
  return `${head}<w:tbl>${rows.map((row, index) => `<w:tr>${properties(index)}${cells(row)}</w:tr>`).join('')}</w:tbl>`;
}
