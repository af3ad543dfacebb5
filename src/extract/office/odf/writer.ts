import { escapeUTF8 } from 'entities/escape';
import { TABLE_COLUMNS_MAX, SPAN_REPEAT_CHARS_MAX } from '#extract/limits.ts';
import type { SidePartReader } from '#extract/office/package.ts';
import { firstNamedChild, namedChildren, descendantsOf, innerXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement, XmlNode } from '#extract/xml/tree.ts';
import type { OdfStyles } from './styles.ts';
import { formatItemNumber } from './styles.ts';

/** Elements without visible text: forms, deleted text, and descriptions of other elements. */
const DROPPED = new Set([
  'text:tracked-changes',
  'text:note-citation',
  'office:forms',
  'svg:title',
  'svg:desc',
  'table:covered-table-cell',
  'presentation:notes',
  'text:index-title-template',
  'text:table-of-content-source',
]);
const SPACES_MAX = 100;
const OBJECTS_MAX = 200;
/** Maximum repeats of a table row. Spreadsheets repeat millions of empty rows, but tables in texts do not. */
const ROWS_REPEATED_MAX = 200;

/** Converts OpenDocument 1.3 to HTML. An unknown element is replaced by its content. */
export class OdfWriter {
  readonly #parts: SidePartReader;
  readonly #styles: OdfStyles;
  readonly #numbers: ListNumbers;
  #objects = 0;
  #repeats = SPAN_REPEAT_CHARS_MAX;
  hasHidden = false;
  readonly comments: { author: string; text: string }[] = [];

  constructor(parts: SidePartReader, styles: OdfStyles) {
    this.#parts = parts;
    this.#styles = styles;
    this.#numbers = new ListNumbers(styles);
  }

  /** Converts a node to HTML. The recursion is limited, because the XML reader limits the depth. */
  html(node: XmlNode): string {
    if (typeof node === 'string') return escapeUTF8(node);
    if (DROPPED.has(node.name)) return '';
    switch (node.name) {
      case 'text:line-break':
        return '<br>';
      case 'text:tab':
        return ' ';
      case 'text:s':
        return ' '.repeat(Math.min(SPACES_MAX, repeatCount(node, 'text:c')));
      case 'text:p':
      case 'text:h':
        return this.#block(node, '');
      case 'text:span':
        return this.#span(node);
      case 'text:a':
        return `<a href="${escapeUTF8(node.attributes['xlink:href'] ?? '')}">${this.content(node)}</a>`;
      case 'text:ruby':
        return ruby(node);
      case 'text:note':
        return ` (${this.content(node).replace(/<\/?p>/g, '')})`;
      case 'text:section':
        return node.attributes['text:display'] === 'none' ? this.#hidden(node) : this.content(node);
      case 'text:list':
        return this.#list(node, 0);
      case 'table:table':
        return this.#table(node);
      case 'draw:frame':
        return this.#frame(node);
      case 'office:annotation':
        return this.#comment(node);
      default:
        return this.content(node);
    }
  }

  content(element: XmlElement): string {
    return element.children.map((child) => this.html(child)).join('');
  }

  #block(element: XmlElement, label: string): string {
    const look = this.#styles.text('paragraph', element.attributes['text:style-name']);
    if (look.isHidden) return this.#hidden(element);
    const content = this.content(element);
    if (element.name !== 'text:h') return `<p>${escapeUTF8(label)}${content}</p>`;
    const written = Math.trunc(Number(element.attributes['text:outline-level'] ?? 1)) || 1;
    const number = label === '' && content.trim() !== '' ? this.#numbers.heading(element, written - 1) : label;
    const level = Math.min(6, Math.max(1, written));
    return `<h${level}>${escapeUTF8(number)}${content}</h${level}>`;
  }

  #span(span: XmlElement): string {
    const { tags, isHidden } = this.#styles.text('text', span.attributes['text:style-name']);
    if (isHidden) return this.#hidden(span);
    const content = this.content(span);
    if (content.trim() === '') return content;
    return tags.reduce((inner, tag) => `<${tag}>${inner}</${tag}>`, content);
  }

  #hidden(element: XmlElement): string {
    if (textOf(element).trim() !== '') this.hasHidden = true;
    return '';
  }

  #list(list: XmlElement, depth: number): string {
    const close = this.#numbers.open(list);
    const out: string[] = [];
    let open = '';
    const put = (tag: string, html: string) => {
      if (open !== tag) out.push(open === '' ? '' : `</${open}>`, tag === '' ? '' : `<${tag}>`);
      open = tag;
      out.push(html);
    };
    for (const item of namedChildren(list, 'text:list-item', 'text:list-header')) {
      const [first, ...others] = item.children.filter((child) => typeof child !== 'string');
      // An item without text that contains only another list serves as an indent, so it gets no bullet.
      if (first === undefined || typeof first === 'string') continue;
      if (first.name === 'text:list') {
        put('', [first, ...others].map((child) => this.#inItem(child, depth)).join(''));
        continue;
      }
      const { label, number, isBullet } = this.#numbers.next(item);
      const rest = others.map((child) => this.#inItem(child, depth + 1)).join('');
      const isFree = first.name === 'text:h' || (!isBullet && number === null && depth === 0);
      if (isFree) put('', this.#block(first, label) + rest);
      else if (number === null) put('ul', `<li>${this.#block(first, label)}${rest}</li>`);
      else put('ol', `<li value="${number}">${this.#block(first, '')}${rest}</li>`);
    }
    put('', '');
    close();
    return out.join('');
  }

  #inItem(node: XmlNode, depth: number): string {
    return typeof node !== 'string' && node.name === 'text:list' ? this.#list(node, depth) : this.html(node);
  }

  #table(table: XmlElement): string {
    const rows = (element: XmlElement, tag: 'td' | 'th'): string =>
      element.children
        .map((child) => {
          if (typeof child === 'string') return '';
          if (child.name === 'table:table-row') return this.#row(child, tag);
          if (child.name === 'table:table-header-rows') return rows(child, 'th');
          return /^table:(?:table-rows|table-row-group)$/.test(child.name) ? rows(child, tag) : '';
        })
        .join('');
    return `<table>${rows(table, 'td')}</table>`;
  }

  #row(row: XmlElement, tag: 'td' | 'th'): string {
    const cells = namedChildren(row, 'table:table-cell').map((cell) => {
      const [columns, across, down] = [
        repeatCount(cell, 'table:number-columns-repeated'),
        repeatCount(cell, 'table:number-columns-spanned'),
        repeatCount(cell, 'table:number-rows-spanned'),
      ];
      const spans = `${across > 1 ? ` colspan="${across}"` : ''}${down > 1 ? ` rowspan="${down}"` : ''}`;
      return this.#repeated(`<${tag}${spans}>${this.content(cell)}</${tag}>`, Math.min(columns, TABLE_COLUMNS_MAX));
    });
    const count = Math.min(repeatCount(row, 'table:number-rows-repeated'), ROWS_REPEATED_MAX);
    return this.#repeated(`<tr>${cells.join('')}</tr>`, count);
  }

  #repeated(html: string, count: number): string {
    const times = Math.max(1, Math.min(count, Math.floor(this.#repeats / html.length)));
    this.#repeats -= (times - 1) * html.length;
    return html.repeat(times);
  }

  #frame(frame: XmlElement): string {
    const described =
      textOf(firstNamedChild(frame, 'svg:desc')).trim() || textOf(firstNamedChild(frame, 'svg:title')).trim();
    const object = firstNamedChild(frame, 'draw:object');
    const drawn = object === undefined ? '' : this.#object(object.attributes['xlink:href'] ?? '');
    if (drawn !== '') return drawn;
    const content = frame.children.map((child) =>
      typeof child !== 'string' && child.name === 'draw:text-box'
        ? `<div>${this.content(child)}</div>`
        : this.html(child),
    );
    return `${described === '' ? '' : `<img src="" alt="${escapeUTF8(described)}">`}${content.join('')}`;
  }

  /** Writes an embedded formula or chart: another document inside the file. */
  #object(href: string): string {
    this.#objects += 1;
    if (this.#objects > OBJECTS_MAX) return '';
    const root = this.#parts.read(`${href.replace(/^\.\//, '').replace(/\/$/, '')}/content.xml`);
    if (root === undefined) return '';
    if (firstNamedChild(root, 'math') !== undefined) return innerXml(root);
    const chart = descendantsOf(root, 'chart').find((one) => firstNamedChild(one, 'plot-area') !== undefined);
    return chart === undefined ? '' : chartHtml(chart);
  }

  #comment(annotation: XmlElement): string {
    const author = textOf(firstNamedChild(annotation, 'dc:creator')).trim();
    const text = namedChildren(annotation, 'text:p', 'text:list').map(textOf).join(' ').replace(/\s+/g, ' ').trim();
    if (text !== '') this.comments.push({ author, text });
    return '';
  }
}

export function repeatCount({ attributes }: XmlElement, name: string): number {
  return Math.max(1, Math.trunc(Number(attributes[name] ?? 1)) || 1);
}

function ruby(element: XmlElement): string {
  const reading = textOf(firstNamedChild(element, 'text:ruby-text'));
  return escapeUTF8(`${textOf(firstNamedChild(element, 'text:ruby-base'))}${reading === '' ? '' : `(${reading})`}`);
}

const CHART_ROWS_MAX = 200;

/** Writes a chart as its title and a table of its values. @param chart the chart, parsed with local names */
function chartHtml(chart: XmlElement): string {
  const title = textOf(firstNamedChild(chart, 'title')).replace(/\s+/g, ' ').trim();
  const rows = descendantsOf(firstNamedChild(chart, 'table'), 'table-row')
    .slice(0, CHART_ROWS_MAX)
    .map((row) => namedChildren(row, 'table-cell').map((cell) => textOf(firstNamedChild(cell, 'p')).trim()));
  const tag = (index: number) => (index === 0 ? 'th' : 'td');
  const cells = (row: readonly string[], name: string) =>
    row.map((cell) => `<${name}>${escapeUTF8(cell)}</${name}>`).join('');
  const table = rows.map((row, index) => `<tr>${cells(row, tag(index))}</tr>`).join('');
  const head = `<p>Chart:${title === '' ? '' : ` ${escapeUTF8(title)}`}</p>`;
  if (table === '') return title === '' ? '' : `<div>${head}</div>`;
  return `<div>${head}<table>${table}</table></div>`;
}

type Counts = (number | undefined)[];
type Open = { style: string; counts: Counts; level: number };
/** Number of a list item: `label`, its printed text with a space, or `number`, if Markdown prints the same. */
type ItemNumber = { label: string; number: number | null; isBullet: boolean };

const PLAIN_NUMBER = /^\d{1,9}[.)]$/;

/** Counts list items and headings of an OpenDocument file, which must be passed in order. */
class ListNumbers {
  readonly #styles: OdfStyles;
  readonly #open: Open[] = [];
  readonly #byStyle = new Map<string, Counts>();
  readonly #byId = new Map<string, Counts>();
  readonly #headings: Counts = [];

  constructor(styles: OdfStyles) {
    this.#styles = styles;
  }

  /** Begins a list. @returns a function to call at its end */
  open(list: XmlElement): () => void {
    const outer = this.#open.at(-1);
    const style = list.attributes['text:style-name'] || (outer?.style ?? '');
    const level = outer === undefined ? 0 : outer.level + 1;
    const goesOn = list.attributes['text:continue-numbering'] === 'true';
    const id = list.attributes['text:continue-list'];
    const before = id === undefined ? (goesOn ? this.#byStyle.get(style) : undefined) : this.#byId.get(id);
    const counts = outer?.counts ?? before ?? [];
    if (outer !== undefined && !goesOn) counts[level] = undefined;
    this.#open.push({ style, counts, level });
    return () => {
      this.#open.pop();
      this.#byStyle.set(style, counts);
      const own = list.attributes['xml:id'];
      if (own !== undefined) this.#byId.set(own, counts);
    };
  }

  next(item: XmlElement): ItemNumber {
    const list = this.#open.at(-1);
    const levels = this.#styles.list(list?.style ?? '');
    const level = levels[list?.level ?? 0];
    if (list === undefined || level === undefined || !level.isNumber || item.name === 'text:list-header')
      return { label: '', number: null, isBullet: true };
    const given = Number(item.attributes['text:start-value'] ?? Number.NaN);
    const before = list.counts[list.level];
    list.counts[list.level] = Number.isInteger(given) ? given : before === undefined ? level.start : before + 1;
    list.counts.length = list.level + 1;
    const printed = formatItemNumber(levels, list.level, list.counts);
    const count = list.counts[list.level] ?? 0;
    if (level.format === '1' && PLAIN_NUMBER.test(printed)) return { label: '', number: count, isBullet: false };
    return { label: printed === '' ? '' : `${printed} `, number: null, isBullet: false };
  }

  /** Returns the printed number of a heading outside lists, with a space, such as `2.1 `. */
  heading(heading: XmlElement, at: number): string {
    const level = this.#styles.outline[at];
    if (level === undefined || heading.attributes['text:is-list-header'] === 'true') return '';
    this.#headings[at] = (this.#headings[at] ?? level.start - 1) + 1;
    this.#headings.length = at + 1;
    const printed = formatItemNumber(this.#styles.outline, at, this.#headings);
    return printed === '' ? '' : `${printed} `;
  }
}
