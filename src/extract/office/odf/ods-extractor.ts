import { FILE_MARKDOWN_CHARS_MAX, SHEET_COLUMNS_MAX, SHEET_ROWS_MAX, SPAN_REPEAT_CHARS_MAX } from '#extract/limits.ts';
import { runWithPauses, noPause } from '#core/flow/turns.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { codeSpan, escapeInline, PLAIN_CONTEXT } from '#extract/escape.ts';
import { failUnreadableFile, toExtracted } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { appendLines } from '#extract/html-in-files.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { markdownCell, writeSheetTable } from '#extract/csv-extractor.ts';
import { readFileTitle } from '#extract/office/package.ts';
import { hiddenCellsNote } from '#extract/office/sheet-facts.ts';
import { firstNamedChild, namedChildren, descendantsOf, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { repeatCount } from './writer.ts';
import { readOdf } from './read-odf.ts';
import type { OdfFile } from './read-odf.ts';

/** Extracts OpenDocument spreadsheets: each visible sheet as a table of the displayed values. */
export const odsExtractor: Extractor = { id: 'ods', version: '2', extract: extractOds };

async function extractOds(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const file = await readOdf(input, 'office:spreadsheet');
  const links = new LinkResolver(input.url);
  const cuts = new Set(file.cuts);
  const hidden = { rows: 0, columns: 0 };
  const markdown: string[] = [];
  let chars = 0;
  for (const table of namedChildren(file.body, 'table:table')) {
    if (isHiddenTable(table, file)) {
      cuts.add('Hidden sheets were left out.');
      continue;
    }
    if (chars > FILE_MARKDOWN_CHARS_MAX) {
      cuts.add('The workbook is too large: the last of its sheets were left out.');
      break;
    }
    const sheet = new Sheet(table, links);
    await runWithPauses(sheet.read(table), pause);
    if (sheet.isCut) cuts.add('A sheet has too many cells: the rest were left out.');
    if (sheet.hasFormulas) cuts.add('Formulas without a stored value are shown as formulas.');
    hidden.rows += sheet.hiddenRows;
    hidden.columns += sheet.hiddenColumns;
    if (sheet.rows.length === 0) continue;
    const written = (text: string, row: number, column: number) => sheet.written(text, row, column);
    const lines = await runWithPauses(writeSheetTable(sheet.rows, written), pause);
    for (const line of lines) chars += line.length;
    const comments = sheet.comments.length === 0 ? [] : ['Comments:', '', ...sheet.comments, ''];
    markdown.push(`## ${escapeInline(table.attributes['table:name'] ?? '', PLAIN_CONTEXT)}`, '');
    appendLines(markdown, [...lines, '', ...comments]);
  }
  if (markdown.length === 0) return failUnreadableFile(input, 'the workbook shows no cells');
  return toExtracted(
    odsExtractor,
    {
      title: readFileTitle(file.archive),
      markdown,
      cuts: [...cuts, ...hiddenCellsNote(hidden)],
      strategy: 'sheets',
    },
    input,
  );
}

function isHiddenTable(table: XmlElement, { styles }: OdfFile): boolean {
  const name = table.attributes['table:style-name'];
  return styles.property('table', name, 'style:table-properties', 'table:display') === 'false';
}

type Cell = { text: string; url: string | null; isFormula: boolean };
type Span = { cell: Cell; across: number; down: number };

/** CPU cost of a row, in units of `WorkSteps`. */
const ROW_COST = 100;
const EMPTY: Cell = { text: '', url: null, isFormula: false };

/** The visible cells of a sheet. Repeated and spanning cells are written in full, up to a limit. */
class Sheet {
  readonly #cells: Cell[][] = [];
  readonly #links: LinkResolver;
  readonly #hidden: ReadonlySet<number>;
  /** For each column, the cell of an earlier row that extends into the next rows. */
  readonly #spans = new Map<number, Span>();
  readonly comments: string[] = [];
  isCut = false;
  hasFormulas = false;
  hiddenRows = 0;
  #left = SPAN_REPEAT_CHARS_MAX;
  #width = 0;

  constructor(table: XmlElement, links: LinkResolver) {
    this.#links = links;
    this.#hidden = hiddenColumns(table);
  }

  *read(table: XmlElement): WorkSteps<void> {
    for (const row of descendantsOf(table, 'table:table-row')) {
      if (this.#cells.length > SHEET_ROWS_MAX) this.isCut = true;
      if (this.isCut) break;
      this.#row(row);
      yield ROW_COST;
    }
  }

  get rows(): string[][] {
    return this.#cells.map((row) => row.map(({ text }) => text));
  }

  get hiddenColumns(): number {
    return [...this.#hidden].filter((column) => column < this.#width).length;
  }

  written(text: string, row: number, column: number): string {
    const cell = this.#cells[row]?.[column];
    if (cell?.isFormula === true) return codeSpan(text, true);
    return cell === undefined || cell.url === null ? markdownCell(text) : `[${markdownCell(text, true)}](${cell.url})`;
  }

  #row(row: XmlElement): void {
    const cells: Cell[] = [];
    const notes: string[] = [];
    let column = 0;
    for (const element of namedChildren(row, 'table:table-cell', 'table:covered-table-cell')) {
      const count = repeatCount(element, 'table:number-columns-repeated');
      const cell = element.name === 'table:table-cell' ? this.#cell(element, notes) : EMPTY;
      const [across, down] = [
        repeatCount(element, 'table:number-columns-spanned'),
        repeatCount(element, 'table:number-rows-spanned'),
      ];
      if (cell.text === '') {
        column += count;
        continue;
      }
      for (let index = 0; index < count && column < SHEET_COLUMNS_MAX; index += 1, column += 1) {
        if (this.#spend(cell.text.length)) cells[column] = cell;
        if (down > 1) this.#spans.set(column, { cell, across, down });
        if (across > 1) this.#put(cells, column, { cell, across, down });
      }
    }
    this.#fromAbove(cells);
    const all = Array.from(cells, (cell) => cell ?? EMPTY);
    if (all.every(({ text }) => text.trim() === '')) return;
    const times = repeatCount(row, 'table:number-rows-repeated');
    if (/^(?:collapse|filter)$/.test(row.attributes['table:visibility'] ?? '')) {
      this.hiddenRows += times;
      return;
    }
    this.#width = Math.max(this.#width, all.findLastIndex(({ text }) => text !== '') + 1);
    const shown = all.filter((_, index) => !this.#hidden.has(index));
    const last = shown.findLastIndex(({ text }) => text !== '');
    const chars = all.reduce((sum, { text }) => sum + text.length, 0);
    this.comments.push(...notes);
    for (let index = 0; index < times && this.#cells.length <= SHEET_ROWS_MAX; index += 1) {
      if (index > 0 && !this.#spend(chars)) break;
      this.#cells.push(shown.slice(0, last + 1));
    }
  }

  #fromAbove(cells: Cell[]): void {
    if (this.#left < 0) this.#spans.clear();
    for (const [column, span] of this.#spans) {
      if (span.down <= 0) {
        this.#spans.delete(column);
        continue;
      }
      if (cells[column] !== span.cell) this.#put(cells, column, span);
      span.down -= 1;
    }
  }

  /** Copies a cell to all columns over which it extends, up to the sheet's limit of repeated text. */
  #put(cells: Cell[], column: number, { cell, across }: Span): void {
    const end = Math.min(column + across, SHEET_COLUMNS_MAX);
    for (let at = column; at < end && this.#spend(cell.text.length + 1); at += 1) cells[at] = cell;
  }

  #spend(chars: number): boolean {
    this.#left -= chars;
    return this.#left >= 0 || chars === 0;
  }

  #cell(element: XmlElement, notes: string[]): Cell {
    const paragraphs = namedChildren(element, 'text:p').map((paragraph) => textOf(withoutNotes(paragraph)));
    const { attributes } = element;
    const shown = paragraphs.join('\n') || (attributes['office:value'] ?? attributes['office:string-value'] ?? '');
    const formula = /^(?:\w+:)?(=[^]*)/.exec(attributes['table:formula'] ?? '')?.[1] ?? '';
    const isFormula = shown === '' && formula !== '' && attributes['office:value-type'] === undefined;
    if (isFormula) this.hasFormulas = true;
    const text = isFormula ? formula : shown;
    this.#left += text.length;
    for (const note of namedChildren(element, 'office:annotation')) {
      const author = textOf(firstNamedChild(note, 'dc:creator')).trim();
      const words = namedChildren(note, 'text:p').map(textOf).join(' ').replace(/\s+/g, ' ').trim();
      const head = [shown.replace(/\s+/g, ' ').slice(0, 60), author].filter((part) => part !== '').join(', ');
      if (words !== '') notes.push(`- ${markdownCell(head === '' ? words : `${head}: ${words}`)}`);
    }
    const link = descendantsOf(element, 'text:a')[0]?.attributes['xlink:href'] ?? '';
    return { text, url: this.#links.resolve(link), isFormula };
  }
}

function withoutNotes(paragraph: XmlElement): XmlElement {
  return {
    ...paragraph,
    children: paragraph.children.filter((child) => typeof child === 'string' || child.name !== 'office:annotation'),
  };
}

function hiddenColumns(table: XmlElement): Set<number> {
  const hidden = new Set<number>();
  let column = 0;
  for (const element of descendantsOf(table, 'table:table-column')) {
    const end = Math.min(SHEET_COLUMNS_MAX, column + repeatCount(element, 'table:number-columns-repeated'));
    const isHidden = /^(?:collapse|filter)$/.test(element.attributes['table:visibility'] ?? '');
    for (; column < end; column += 1) if (isHidden) hidden.add(column);
  }
  return hidden;
}
