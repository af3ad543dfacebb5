import { codeSpan } from '#extract/escape.ts';
import { SHEET_COLUMNS_MAX, SHEET_ROWS_MAX, SPAN_REPEAT_CHARS_MAX } from '#extract/limits.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { markdownCell } from '#extract/csv-extractor.ts';
import type { LinkResolver } from '#extract/html/markdown/urls.ts';
import { descendantsOf, firstNamedChild, namedChildren, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement, XmlTree } from '#extract/xml/tree.ts';
import type { CellFormats } from './number-format.ts';
import { decodeEscapes, parseOfficeFlag, parseCellReference } from './sheet-facts.ts';
import type { SheetFacts } from './sheet-facts.ts';

export type SheetValueSources = { shared: readonly string[]; formats: CellFormats; links: LinkResolver };

export type Worksheet = {
  /** Visible rows of the sheet that are not empty. */
  rows: readonly (readonly string[])[];
  written: (text: string, row: number, column: number) => string;
  comments: readonly string[];
  textBoxes: readonly string[];
  /** True if the sheet has more rows than were read. */
  cut: boolean;
  hiddenRows: number;
  hiddenColumns: number;
  /** True if some cells show a formula, because the file stores no value for them. */
  hasFormulas: boolean;
};

type Row = { number: number; isHidden: boolean; cells: string[] };
type Cells = { rows: Row[]; cut: boolean; formulas: Set<string>; urls: Map<string, string> };

/** Reads the cells of a sheet. A merged area has its value in each cell, so that each row can be read alone. */
export function* readWorksheet(source: string, facts: SheetFacts, values: SheetValueSources): WorkSteps<Worksheet> {
  const read = yield* rowsOf(source, values);
  spreadMerges(read.rows, facts);
  addLinks(read, facts);
  const width = read.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const columns = Array.from({ length: width }, (_, column) => column).filter((one) => !facts.hiddenColumns.has(one));
  const visible = read.rows.filter(({ isHidden }) => !isHidden);
  const hiddenRows = new Set(read.rows.filter(({ isHidden }) => isHidden).map(({ number }) => number));
  const shown = new Set(visible.map(({ number }) => number));
  const keyOf = (row: number, column: number) => `${visible[row]?.number ?? -1}:${columns[column] ?? -1}`;
  return {
    rows: visible.map(({ cells }) => (columns.length === width ? cells : columns.map((column) => cells[column] ?? ''))),
    written: (text, row, column) => {
      const key = keyOf(row, column);
      if (read.formulas.has(key)) return codeSpan(text, true);
      const url = read.urls.get(key);
      if (url === undefined || text.trim() === '') return withTags(markdownCell(text));
      return `[${withTags(markdownCell(text, true))}](${url})`;
    },
    comments: facts.comments.flatMap(({ top, left, cell, author, text }) =>
      shown.has(top) && !facts.hiddenColumns.has(left)
        ? [`- ${markdownCell(author === '' ? `${cell}: ${text}` : `${cell}, ${author}: ${text}`)}`]
        : [],
    ),
    textBoxes: facts.textBoxes.flatMap(({ row, column, text }) =>
      hiddenRows.has(row) || facts.hiddenColumns.has(column) ? [] : [`- ${markdownCell(text)}`],
    ),
    cut: read.cut,
    hiddenRows: read.rows.length - visible.length,
    hiddenColumns: width - columns.length,
    hasFormulas: read.formulas.size > 0,
  };
}

function* rowsOf(source: string, values: SheetValueSources): WorkSteps<Cells> {
  const read: Cells = { rows: [], cut: false, formulas: new Set(), urls: new Map() };
  let number = -1;
  for (const { document, cut } of piecesOf(source, 'row')) {
    for (const row of descendantsOf(document, 'row')) {
      const own = Math.trunc(Number(row.attributes['r'])) - 1;
      number = own >= 0 ? own : number + 1;
      const cells = cellsOf(row, number, values, read);
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (read.rows.length > SHEET_ROWS_MAX) return { ...read, cut: true };
      const { hidden, ht } = row.attributes;
      read.rows.push({ number, isHidden: parseOfficeFlag(hidden) || Number(ht ?? 1) === 0, cells });
    }
    if (cut) return { ...read, cut };
    yield PIECE_COST;
  }
  return read;
}

function cellsOf(row: XmlElement, number: number, values: SheetValueSources, read: Cells): string[] {
  const cells: string[] = [];
  let next = 0;
  for (const cell of row.children) {
    if (typeof cell === 'string' || cell.name !== 'c') continue;
    const column = parseCellReference(cell.attributes['r'])?.column ?? next;
    next = column + 1;
    if (column >= SHEET_COLUMNS_MAX) continue;
    const written = firstNamedChild(cell, 'f');
    // If cells share a formula, all but one only refer to it: their formula is shown as `…`.
    const formula = textOf(written) || (written?.attributes['si'] === undefined ? '' : '…');
    const value = valueOf(cell, values) || formulaOf(cell, formula);
    if (value === '') continue;
    while (cells.length < column) cells.push('');
    cells[column] = value;
    if (formula === '') continue;
    if (value === `=${formula}`) read.formulas.add(`${number}:${column}`);
    const url = values.links.resolve(LINK_FORMULA.exec(formula)?.[1] ?? '');
    if (url !== null) read.urls.set(`${number}:${column}`, url);
  }
  return cells;
}

const LINK_FORMULA = /^HYPERLINK\("(https?:[^"]{1,2000})"/i;

/** Returns the formula of a cell without a stored value, as written by programs that do not compute values. */
function formulaOf(cell: XmlElement, formula: string): string {
  const value = firstNamedChild(cell, 'v');
  const isComputed = value !== undefined && (textOf(value) !== '' || cell.attributes['t'] === 'str');
  return formula === '' || isComputed ? '' : `=${formula}`;
}

function valueOf(cell: XmlElement, { shared, formats }: SheetValueSources): string {
  const value = textOf(firstNamedChild(cell, 'v'));
  const { t: type, s: style } = cell.attributes;
  switch (type) {
    case 's':
      return formats.text(shared[Number(value)] ?? '', style);
    case 'inlineStr':
      return formats.text(stringOf(firstNamedChild(cell, 'is') ?? cell), style);
    case 'str':
      return formats.text(decodeEscapes(value), style);
    case 'b':
      return value === '' ? '' : value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    case undefined:
    case 'n':
      return formats.number(value, style);
    default:
      return value;
  }
}

/** Characters that mark super- and subscripts until the text is escaped. No workbook has these noncharacters. */
const SCRIPTS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  superscript: ['\ufdd0', '\ufdd1'],
  subscript: ['\ufdd2', '\ufdd3'],
};
const MARKS = /[\ufdd0-\ufdd3]/g;
const TAGS: Readonly<Record<string, string>> = {
  '\ufdd0': '<sup>',
  '\ufdd1': '</sup>',
  '\ufdd2': '<sub>',
  '\ufdd3': '</sub>',
};

function withTags(cell: string): string {
  return cell.replace(MARKS, (mark) => TAGS[mark] ?? '');
}

/** Reads a plain or rich string, without the phonetic readings of East Asian words. */
function stringOf(item: XmlElement): string {
  let text = '';
  for (const child of item.children) {
    if (typeof child === 'string') continue;
    if (child.name === 't') text += textOf(child).replace(MARKS, '');
    else if (child.name === 'r') {
      const run = namedChildren(child, 't').map(textOf).join('').replace(MARKS, '');
      const [open, close] = SCRIPTS[
        firstNamedChild(firstNamedChild(child, 'rPr'), 'vertAlign')?.attributes['val'] ?? ''
      ] ?? ['', ''];
      text += `${open}${run}${close}`;
    }
  }
  return decodeEscapes(text).replace(/\r\n?/g, '\n');
}

export function* sharedStrings(source: string): WorkSteps<string[]> {
  const strings: string[] = [];
  for (const { document } of piecesOf(source, 'si')) {
    for (const item of descendantsOf(document, 'si')) strings.push(stringOf(item));
    yield PIECE_COST;
  }
  return strings;
}

/** Copies the value of each merged area to all its cells, up to `SPAN_REPEAT_CHARS_MAX` characters per sheet. */
function spreadMerges(rows: readonly Row[], { merges }: SheetFacts): void {
  const byNumber = new Map(rows.map((row, index) => [row.number, index]));
  let left = SPAN_REPEAT_CHARS_MAX;
  for (const area of merges) {
    const first = byNumber.get(area.top);
    const value = rows[first ?? -1]?.cells[area.left] ?? '';
    if (first === undefined || value === '') continue;
    const right = Math.min(area.right, SHEET_COLUMNS_MAX - 1);
    for (let index = first; (rows[index]?.number ?? Infinity) <= area.bottom; index += 1) {
      const cells = rows[index]?.cells ?? [];
      for (let column = area.left; column <= right; column += 1) {
        left -= value.length + 1;
        if (left < 0) return;
        while (cells.length <= column) cells.push('');
        cells[column] = value;
      }
    }
  }
}

/** Maximum cells per sheet that get a link which the file declares for an area, such as `A1:C9`. */
const LINKED_CELLS_MAX = 50_000;

function addLinks({ rows, urls }: Cells, { links }: SheetFacts): void {
  const byNumber = new Map(rows.map((row, index) => [row.number, index]));
  let left = LINKED_CELLS_MAX;
  for (const { top, left: first, bottom, right, url } of links) {
    for (let index = byNumber.get(top) ?? rows.length; (rows[index]?.number ?? Infinity) <= bottom; index += 1) {
      const width = rows[index]?.cells.length ?? 0;
      for (let column = first; column <= right && column < width && left > 0; column += 1, left -= 1)
        urls.set(`${rows[index]?.number}:${column}`, url);
      if (left <= 0) return;
      left -= 1;
    }
  }
}

/** Characters of XML parsed into one tree, which takes about 5 MB of heap. */
const PIECE_CHARS = 256 * 1024;
const PIECE_COST = PIECE_CHARS;

/**
 * Parses a long list of rows or strings in pieces: a tree of all of it would take twenty times the memory of the XML.
 * Each piece ends after an end tag of `name`, in any namespace. Element names in it are local.
 */
function* piecesOf(source: string, name: string): Generator<XmlTree> {
  const endTag = new RegExp(`</(?:[\\w.-]+:)?${name}\\s*>`, 'g');
  for (let from = 0; from < source.length;) {
    endTag.lastIndex = from + PIECE_CHARS;
    const end = endTag.exec(source) === null ? source.length : endTag.lastIndex;
    yield parseXml(source.slice(from, end), 'local');
    from = end;
  }
}
