import {
  FILE_CHARS_MAX,
  SHEET_COLUMNS_MAX,
  SHEET_ROWS_MAX,
  OFFICE_XML_BYTES_MAX,
  SHEETS_XML_BYTES_MAX,
} from '#extract/limits.ts';
import { inShares, noPause } from '#core/flow/turns.ts';
import type { Steps } from '#core/flow/turns.ts';
import { openArchive } from '#extract/archive.ts';
import { toExtracted, failUnreadable } from '#extract/extractor.ts';
import { escapeInline } from '#extract/escape.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { appendLines } from '#extract/html-in-files.ts';
import { sheetTable } from '#extract/csv-extractor.ts';
import { descendantsOf, childOf, childrenOf, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement, XmlTree } from '#extract/xml/tree.ts';
import { coreTitle, readPart, relationsOf } from './package.ts';
import { formatsOf, shown } from './number-format.ts';
import type { NumberFormat } from './number-format.ts';

const WORKBOOK = 'xl/workbook.xml';
const SHARED = 'xl/sharedStrings.xml';

/** Excel workbooks: every visible sheet as a table of its cells' values, dates and percentages as shown. */
export const xlsxExtractor: Extractor = { id: 'xlsx', version: '4', extract: extractXlsx };

async function extractXlsx(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const archive = openArchive(input);
  const workbook = readPart(archive, WORKBOOK);
  if (workbook === undefined) return failUnreadable(input, 'the workbook is broken');
  const relations = relationsOf(archive, WORKBOOK);
  const values: Values = {
    shared: await inShares(stringsOf(archive.text(SHARED, OFFICE_XML_BYTES_MAX) ?? ''), pause),
    formats: formatsOf(readPart(archive, 'xl/styles.xml')?.root),
    from1904: /^(?:1|true)$/.test(descendantsOf(workbook.root, 'workbookPr')[0]?.attributes['date1904'] ?? ''),
  };
  const markdown: string[] = [];
  const cuts = new Set<string>();
  let chars = 0;
  let left = SHEETS_XML_BYTES_MAX;
  if (archive.size(SHARED) > OFFICE_XML_BYTES_MAX)
    cuts.add('The workbook has too many texts: some cells are empty here.');
  for (const { attributes } of descendantsOf(workbook.root, 'sheet')) {
    if ((attributes['state'] ?? 'visible') !== 'visible') {
      cuts.add('Hidden sheets were left out.');
      continue;
    }
    const name = relations.get(attributes['r:id'] ?? attributes['id'] ?? '')?.target ?? '';
    if (chars > FILE_CHARS_MAX || left <= 0) {
      cuts.add('The workbook is too large: the last of its sheets were left out.');
      break;
    }
    const { rows, cut } = await inShares(rowsOf(archive.text(name, left) ?? '', values), pause);
    if (cut || archive.size(name) > left) cuts.add('A sheet has too many cells: the rest were left out.');
    left -= archive.size(name);
    if (rows.length === 0) continue;
    const table = await inShares(sheetTable(rows), pause);
    for (const line of table) chars += line.length;
    markdown.push(`## ${escapeInline(attributes['name'] ?? '', { inLink: false, inCell: false })}`, '');
    appendLines(markdown, [...table, '']);
  }
  if (markdown.length === 0) return failUnreadable(input, 'the workbook shows no cells');
  return toExtracted(
    xlsxExtractor,
    { title: coreTitle(archive), markdown, cuts: [...cuts], strategy: 'sheets' },
    input,
  );
}

type Values = { shared: readonly string[]; formats: readonly (NumberFormat | null)[]; from1904: boolean };

function* stringsOf(source: string): Steps<string[]> {
  const strings: string[] = [];
  for (const { document } of piecesOf(source, 'si')) {
    appendLines(strings, descendantsOf(document, 'si').map(stringOf));
    yield PIECE_COST;
  }
  return strings;
}

/** The rows that are not empty, up to the limit. */
function* rowsOf(source: string, values: Values): Steps<{ rows: string[][]; cut: boolean }> {
  const rows: string[][] = [];
  for (const { document, cut } of piecesOf(source, 'row')) {
    for (const row of descendantsOf(document, 'row')) {
      const cells = cellsOf(row, values);
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (rows.length > SHEET_ROWS_MAX) return { rows, cut: true };
      rows.push(cells);
    }
    if (cut) return { rows, cut };
    yield PIECE_COST;
  }
  return { rows, cut: false };
}

function cellsOf(row: XmlElement, values: Values): string[] {
  const cells: string[] = [];
  for (const cell of row.children) {
    if (typeof cell === 'string' || cell.name !== 'c') continue;
    const column = columnOf(cell.attributes['r']) ?? cells.length;
    const value = valueOf(cell, values);
    if (value === '' || column >= SHEET_COLUMNS_MAX) continue;
    while (cells.length < column) cells.push('');
    cells[column] = value;
  }
  return cells;
}

const COLUMN_LETTERS_MAX = 3;

/** 0 for A, 27 for AB. */
function columnOf(reference: string | undefined): number | null {
  let column = 0;
  for (let at = 0; at < COLUMN_LETTERS_MAX; at += 1) {
    const digit = (reference?.charCodeAt(at) ?? 0) - 64;
    if (!(digit >= 1 && digit <= 26)) break;
    column = column * 26 + digit;
  }
  return column === 0 ? null : column - 1;
}

function valueOf(cell: XmlElement, { shared, formats, from1904 }: Values): string {
  const value = textOf(childOf(cell, 'v'));
  switch (cell.attributes['t']) {
    case 's':
      return shared[Number(value)] ?? '';
    case 'inlineStr':
      return stringOf(childOf(cell, 'is') ?? cell);
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case undefined:
    case 'n':
      return shown(value, formats[Number(cell.attributes['s'])], from1904);
    default:
      return value;
  }
}

/** A string of one piece or of formatted runs. Phonetic readings of East Asian words are left out. */
function stringOf(item: XmlElement): string {
  let text = '';
  for (const child of item.children) {
    if (typeof child === 'string') continue;
    if (child.name === 't') text += textOf(child);
    else if (child.name === 'r') for (const run of childrenOf(child, 't')) text += textOf(run);
  }
  return text;
}

/** Characters of XML that are held as a tree at a time: about 5 MB of heap. */
const PIECE_CHARS = 256 * 1024;
/** The cost of reading one piece, as a step. */
const PIECE_COST = PIECE_CHARS;

/**
 * Reads a long list in XML (rows, strings) piece by piece, because a tree of all of it would take twenty times its
 * size. Each piece ends after an end tag of `name`, with any prefix, and has local names. What surrounds the list is in
 * the first and the last piece.
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
