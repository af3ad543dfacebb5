import { escapeLineStart, codeBlock } from '#extract/escape.ts';
import { SOFT_HYPHEN } from '#extract/pdf/drawn/pieces.ts';
import { DIVIDED_WORD, joinHyphenatedLines, LINE_TAIL_CHARS_MAX } from './hyphens.ts';
import type { PdfLine } from './segments.ts';
import { findSheetColumns } from '#extract/pdf/tables/sheet-columns.ts';
import { findTablesAcross } from '#extract/pdf/tables/continued-tables.ts';
import type { OpenTable, RegionTables } from '#extract/pdf/tables/continued-tables.ts';
import { PDF_HEADING_CHARS_MAX, roundSize } from './style.ts';
import type { TextStyle } from './style.ts';
import { trimEndMatching } from '#core/text/text.ts';

type Block = {
  kind: 'heading' | 'paragraph' | 'item' | 'row' | 'code' | 'table';
  level: number;
  marker: string;
  /** Lines of the block. A list, because appending to one string would copy the whole string each time. */
  parts: string[];
  chars: number;
  left: number;
  /** Left edge that decides about nesting in lists; 0 for right-to-left text. */
  indent: number;
  /** Horizontal middle of the first line. */
  middle: number;
  size: number;
  isFilled: boolean;
  code: PdfLine[];
};

const BULLET = /^[•●▪■◦○‣⁃∙·∗⋆–—▶►▸▷➢➤❖◆◇-]\s+(?=\S)/;
const NUMBER = /^\(?(\d{1,3}|[a-z])[.)]\s+(?=\S)/;
/** Minimum distance of two left edges that counts as an indent, in multiples of the text size. */
const INDENT = 0.8;
/**
 * Maximum distance of a line to the left of a list item, in multiples of the text size. A line further to the left is
 * not part of the item.
 */
const OUTDENT = 0.5;
/** Indent of a nested list item, in multiples of the text size. An item with a larger indent is in the next column. */
const NESTED = { min: 0.6, max: 8 };
/**
 * Maximum distance between the middles of centred list items, in multiples of the text size. Their left edges do not
 * show nesting.
 */
const CENTRED_MAX = 0.2;
/** Maximum distance between lines of one block, relative to the usual distance in the region. */
const PITCH_TIMES_MAX = 1.4;
/** Maximum distance between lines of one block in a region of few lines, in multiples of the text size. */
const PITCH_SIZES_MAX = 1.7;
/** Maximum distance between two lines of one heading, in multiples of the text size. */
const HEADING_PITCH_MAX = 2;
/** Maximum ratio of the text sizes of two successive lines in one block. */
const SIZE_TIMES_MAX = 1.12;
/** Minimum share of the column that a full line fills. The next line may continue its sentence. */
const SHORT_SHARE = 0.8;
/** Share of the column below which a line was ended on purpose, as in an address. */
const VERY_SHORT_SHARE = 0.6;
/** Maximum text size of a footnote, relative to the size of most text. */
const FOOTNOTE_TIMES_MAX = 0.93;
/**
 * Minimum characters of a paragraph that may continue on the next page with a capital letter. A shorter one may be a
 * caption or label.
 */
const GOES_ON_CHARS_MIN = 120;
/** Minimum width of a line of running text, in multiples of the text size. Lists of names are narrower. */
const WRAPPED_SIZES_MIN = 18;
/**
 * Maximum characters of a page whose whole text is moved to the previous page, as the end of a sentence there. Longer
 * text stays, so that citations name its page.
 */
const WHOLE_PAGE_CHARS_MAX = 200;
/**
 * Maximum parts of a heading that are separated by wide gaps, such as number and title. A line with more parts is a
 * table row.
 */
const HEADING_CELLS_MAX = 2;
const BLANK_LINE_SIZES = 1.9;
const CODE_LETTER_WIDTH = 0.6;
const CODE_COLUMN_MAX = 200;
const CODE_SPACE_MIN = 0.4;
const CODE_PITCH_SIZES_MAX = 3.2;
const SENTENCE_END = /[.!?:;。！？…]["'”’»)\]]*$/;
/** Matches the end of one link and the start of another with the same target: one link, divided by a line end. */
const LINK_GOES_ON = /\]\(([^()\s]{1,2100})\)( +)\[(?=[^[\]]{1,300}\]\(\1\))/g;
/** Matches the label of an entry, such as `Section 1.2` or `Figure 3`. The first group is its first word. */
const LABEL = /^(\p{Lu}\p{L}*)\s+\d/u;
const LEADERS = /(?:[.…·_]\s?){5,1000}/;
/** Matches a hyphen or dash at the end of a line after a letter or digit, as in `AB-` before `1234`. */
const OPEN_END = /[\p{L}\p{N}][-\u2010\u2013]$/u;
/** `facts` are notes on pages, given by their indexes. */
type WrittenPages = { pages: string[][]; facts: { fact: 'tables' | 'columns' | 'continued'; page: number }[] };

/**
 * Writes the pages of a document as Markdown blocks, in reading order. A paragraph that continues on the next page is
 * written on the page where it begins, unless that would move all text of a longer page.
 */
export function writePages(pages: readonly (readonly (readonly PdfLine[])[])[], style: TextStyle): WrittenPages {
  const facts: WrittenPages['facts'] = [];
  const sheets = findSheetColumns(pages);
  let open: OpenTable | null = null;
  const all = pages.map((regions, page) => {
    const blocks: Block[] = [];
    const rows = sheets.get(page);
    if (rows !== undefined) facts.push({ fact: 'columns', page });
    const filled = (rows === undefined ? regions : [rows]).filter((lines) => lines.length > 0);
    const found = filled.map((lines, index) => {
      const inRegion = findTablesAcross(lines, index === 0 ? open : null, (line) => mayBeRow(line, style), style);
      addRegion(inRegion, blocks, style);
      return inRegion;
    });
    open = found.at(-1)?.open ?? null;
    if (found[0]?.lines[0]?.isCopiedHead === true) facts.push({ fact: 'continued', page });
    if (found.some(({ tables }) => tables.some(({ isCertain }) => !isCertain))) facts.push({ fact: 'tables', page });
    return blocks;
  });
  let last: Block | undefined;
  for (const blocks of all) {
    const [first] = blocks;
    const isWholePage = blocks.every((block) => block === first || isFootnote(block, style));
    const staysOnPage = isWholePage && first !== undefined && first.chars > WHOLE_PAGE_CHARS_MAX;
    if (last !== undefined && first !== undefined && !staysOnPage && goesOnOverleaf(last, first, style)) {
      const [head = '', ...rest] = first.parts;
      append(last, head, style);
      last.parts.push(...rest);
      last.chars += first.chars - head.length;
      last.isFilled = first.isFilled;
      blocks.shift();
      // All text of this page was moved to an earlier page, as part of one paragraph. The paragraph may continue on
      // the next page.
      if (blocks.length === 0) continue;
    }
    last = blocks.findLast((block) => !isFootnote(block, style));
  }
  // A hyphen that divides a word stays if the next line does not continue the word.
  const texts = all.map((blocks) => writeBlocks(blocks).map((line) => line.replaceAll(SOFT_HYPHEN, '-')));
  return { pages: texts, facts };
}

/** True for a footnote, which may be printed between the two parts of a paragraph that continues on the next page. */
function isFootnote({ size }: Block, style: TextStyle): boolean {
  return roundSize(size) < style.body * FOOTNOTE_TIMES_MAX;
}

/** True if the first block of a page continues the last block of the page before. */
function goesOnOverleaf(last: Block, first: Block, style: TextStyle): boolean {
  if ((last.kind !== 'paragraph' && last.kind !== 'item') || first.kind !== 'paragraph') return false;
  const text = last.parts.at(-1) ?? '';
  if (SENTENCE_END.test(text) || roundSize(last.size) !== roundSize(first.size)) return false;
  const next = first.parts[0] ?? '';
  if (/^\p{Ll}/u.test(next) || (DIVIDED_WORD.test(text.slice(-LINE_TAIL_CHARS_MAX)) && /^\p{L}/u.test(next)))
    return true;
  // Names begin with a capital, as do German nouns. Before one, the paragraph continues if its last line is full.
  const isText =
    roundSize(last.size) === style.body && last.chars >= GOES_ON_CHARS_MIN && /[\p{L}\p{N},;–—]$/u.test(text);
  return (
    isText && last.isFilled && first.chars >= GOES_ON_CHARS_MIN / 2 && /^(?!\p{Lu}{2})[\p{L}\p{N}"“„(]/u.test(next)
  );
}

function writeBlocks(blocks: readonly Block[]): string[] {
  const out: string[] = [];
  const centred = centredItems(blocks);
  let around: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    const isClose =
      before !== undefined && before.kind === block.kind && (block.kind === 'item' || block.kind === 'row');
    if (index > 0 && !isClose) out.push('');
    const isNested = block.kind === 'item' && !centred.has(block);
    around = isNested ? itemsAround(block, around) : [];
    const indent = around.reduce((sum, item) => sum + (item === block ? 0 : item.marker.length + 1), 0);
    out.push(...linesOf(block).map((line) => ' '.repeat(indent) + line));
  }
  return out;
}

/** Returns the items of lists in which every item is centred. */
function centredItems(blocks: readonly Block[]): ReadonlySet<Block> {
  const centred = new Set<Block>();
  let list: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'item') list.push(block);
    if (block.kind === 'item' && blocks[index + 1]?.kind === 'item') continue;
    const middle = list[0]?.middle ?? 0;
    if (list.every((item) => Math.abs(item.middle - middle) <= CENTRED_MAX * item.size))
      for (const item of list) centred.add(item);
    list = [];
  }
  return centred;
}

/** Returns the list items around an item, outermost first, and the item. @param before the result for the last item */
function itemsAround(item: Block, before: readonly Block[]): Block[] {
  const parents = before.filter(({ indent }) => {
    const further = (item.indent - indent) / item.size;
    return further >= NESTED.min && further <= NESTED.max;
  });
  return [...parents, item];
}

function linesOf(block: Block): string[] {
  if (block.kind === 'table') return block.parts;
  return block.kind === 'code' ? codeLines(block.code) : [written(block)];
}

function written({ kind, level, marker, parts }: Block): string {
  const text = parts.join('').replace(LINK_GOES_ON, '$2');
  if (kind === 'heading') return `${'#'.repeat(level)} ${withoutClosingMarks(text)}`;
  return kind === 'item' ? `${marker} ${text}` : escapeLineStart(text);
}

/** Escapes `#` at the end of a heading, which Markdown would drop. */
function withoutClosingMarks(text: string): string {
  const end = trimEndMatching(text, /#/).length;
  return end === text.length ? text : `${text.slice(0, end)}\\${text.slice(end)}`;
}

/** Writes lines of code. Indents and gaps are computed from the positions of the text, in widths of a letter. */
function codeLines(lines: readonly PdfLine[]): string[] {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  const letter = letterWidthOf(lines);
  const source = lines.flatMap((line, index) => {
    const before = lines[index - 1];
    const isApart = before !== undefined && line.y - before.y > BLANK_LINE_SIZES * line.size;
    return [...(isApart ? [''] : []), codeLine(line, left, letter * line.size)];
  });
  return codeBlock(source.join('\n'), '');
}

/** Returns the mean width of a letter, in multiples of the text size. */
function letterWidthOf(lines: readonly PdfLine[]): number {
  let width = 0;
  let letters = 0;
  for (const { parts, size } of lines) {
    for (const part of parts) {
      width += part.width / size;
      letters += part.text.length;
    }
  }
  return width > 0 ? width / letters : CODE_LETTER_WIDTH;
}

function codeLine({ parts }: PdfLine, left: number, letter: number): string {
  let text = '';
  let right = left;
  for (const part of parts) {
    const column = Math.min(CODE_COLUMN_MAX, Math.round((part.x - left) / letter));
    const isApart = text !== '' && part.x - right > CODE_SPACE_MIN * letter && !text.endsWith(' ');
    text += ' '.repeat(Math.max(isApart ? 1 : 0, text === '' || isApart ? column - text.length : 0)) + part.text;
    right = part.x + part.width;
  }
  return text.trimEnd();
}

type Region = { left: number; right: number; pitch: number };

/** Adds the blocks of one region. */
function addRegion({ lines, tables }: RegionTables, blocks: Block[], style: TextStyle): void {
  const region = measure(lines);
  const tableAt = new Map(tables.map((table) => [table.from, table]));
  let before: PdfLine | undefined;
  let done = 0;
  for (const [index, line] of lines.entries()) {
    if (index < done) continue;
    const table = tableAt.get(index);
    if (table !== undefined) {
      blocks.push({ ...blockOf(line, 0), kind: 'table', parts: table.markdown });
      done = table.to;
      before = lines[done - 1];
      continue;
    }
    const last = blocks.at(-1);
    const level = headingLevel(line, style);
    const isCode = line.mono && level === 0 && style.marksCode && !isInText(before, line, lines[index + 1], region);
    const distance = before === undefined ? 0 : line.y - before.y;
    if (isCode || last?.kind === 'code') {
      const goesOnAsCode =
        isCode && last?.kind === 'code' && distance > 0 && distance < CODE_PITCH_SIZES_MAX * line.size;
      if (goesOnAsCode) last.code.push(line);
      else blocks.push(isCode ? { ...blockOf(line, 0), kind: 'code', code: [line] } : blockOf(line, level));
    } else if (last !== undefined && goesOn(last, before, line, level, region)) {
      append(last, line.text, style);
    } else blocks.push(blockOf(line, level));
    const current = blocks.at(-1);
    if (current !== undefined) current.isFilled = filledBy(line, region) >= SHORT_SHARE && isWrapped(line);
    before = line;
  }
}

/**
 * True for a line of code that belongs to a paragraph, such as a long path in a sentence. Code after a short line, or
 * after the end of a sentence, starts a block.
 */
function isInText(before: PdfLine | undefined, line: PdfLine, next: PdfLine | undefined, region: Region): boolean {
  if (before === undefined || before.mono || SENTENCE_END.test(before.plain)) return false;
  const isNext = next?.mono === true && next.y - line.y < CODE_PITCH_SIZES_MAX * line.size;
  const isClose = line.y - before.y <= region.pitch * PITCH_TIMES_MAX;
  return isClose && !isNext && filledBy(before, region) >= SHORT_SHARE && line.left <= before.left + INDENT * line.size;
}

function mayBeRow(line: PdfLine, style: TextStyle): boolean {
  return !line.rtl && !LEADERS.test(line.plain) && !(line.mono && style.marksCode);
}

function measure(lines: readonly PdfLine[]): Region {
  const pitches = lines
    .flatMap((line, index) => {
      const before = lines[index - 1];
      return before !== undefined && roundSize(before.size) === roundSize(line.size) ? [line.y - before.y] : [];
    })
    .filter((distance) => distance > 0)
    .sort((one, other) => one - other);
  return {
    left: lines.reduce((least, { left }) => Math.min(least, left), Infinity),
    right: lines.reduce((most, { right }) => Math.max(most, right), -Infinity),
    pitch: pitches[Math.floor((pitches.length - 1) / 2)] ?? 0,
  };
}

function filledBy(line: PdfLine, region: Region): number {
  return (line.right - region.left) / (region.right - region.left);
}

function isWrapped({ left, right, size }: PdfLine): boolean {
  return right - left >= WRAPPED_SIZES_MIN * size;
}

/** True for list entries whose labels have the same word, such as `Section 1.1` and `Section 1.2`. */
function haveSameLabel(before: PdfLine, line: PdfLine): boolean {
  const word = LABEL.exec(before.plain)?.[1];
  return word !== undefined && word === LABEL.exec(line.plain)?.[1];
}

function headingLevel(line: PdfLine, style: TextStyle): number {
  if (line.cells.length > HEADING_CELLS_MAX) return 0;
  if (line.plain.length > PDF_HEADING_CHARS_MAX || !/\p{L}/u.test(line.plain) || LEADERS.test(line.plain)) return 0;
  return style.levels.get(roundSize(line.size)) ?? 0;
}

function blockOf(line: PdfLine, level: number): Block {
  const { text, left, right, size, rtl } = line;
  const place = { left, indent: rtl ? 0 : left, middle: (left + right) / 2, size };
  const block = { ...place, level, marker: '', parts: [text], chars: text.length, isFilled: false, code: [] };
  if (level > 0) return { ...block, kind: 'heading' };
  const bullet = BULLET.exec(text);
  if (bullet !== null) return { ...block, kind: 'item', marker: '-', parts: [text.slice(bullet[0].length)] };
  if (isRow(line)) return { ...block, kind: 'row', parts: [withShortLeaders(text)] };
  const number = NUMBER.exec(text);
  if (number === null || !/^\d/.test(number[1] ?? '')) return { ...block, kind: 'paragraph' };
  return { ...block, kind: 'item', marker: `${number[1]}.`, parts: [text.slice(number[0].length)] };
}

/** Replaces dot leaders by `…`, because an entry of a table of contents may have a hundred dots. */
function withShortLeaders(text: string): string {
  const found = LEADERS.exec(text);
  if (found === null) return text;
  return `${text.slice(0, found.index).trimEnd()} … ${text.slice(found.index + found[0].length).trimStart()}`;
}

function isRow(line: PdfLine): boolean {
  return line.isRow || LEADERS.test(line.plain);
}

/** True if `line` continues the block `last`. @param before last line of that block; undefined at a column's top */
function goesOn(last: Block, before: PdfLine | undefined, line: PdfLine, level: number, region: Region): boolean {
  if (before === undefined) {
    const isOpen = (last.kind === 'paragraph' || last.kind === 'item') && !SENTENCE_END.test(last.parts.at(-1) ?? '');
    return isOpen && level === 0 && !isRow(line) && /^\p{Ll}/u.test(line.plain);
  }
  const distance = line.y - before.y;
  if (distance <= 0) return false;
  if (last.kind === 'heading' || level > 0) {
    const isSame = last.kind === 'heading' && last.level === level;
    return isSame && distance < HEADING_PITCH_MAX * line.size && last.chars < PDF_HEADING_CHARS_MAX;
  }
  if (isRow(line) || last.kind === 'row' || last.kind === 'table') return false;
  const ratio = Math.max(line.size, before.size) / Math.min(line.size, before.size);
  const pitchMax = Math.max(region.pitch * PITCH_TIMES_MAX, before.size * 1.3);
  if (ratio > SIZE_TIMES_MAX || distance > Math.max(pitchMax, region.pitch === 0 ? before.size * PITCH_SIZES_MAX : 0)) {
    return false;
  }
  if (BULLET.test(line.text) || haveSameLabel(before, line)) return false;
  const ended = SENTENCE_END.test(before.plain);
  if (NUMBER.test(line.text) && (ended || last.kind === 'item')) return false;
  if (last.kind === 'item' && line.left < last.left - OUTDENT * line.size) return false;
  if (last.kind === 'item') return line.left > region.left + INDENT * line.size || !ended;
  const isIndented = line.left - before.left > INDENT * line.size && before.left - region.left < INDENT * line.size;
  const filled = filledBy(before, region);
  if (ended) return !isIndented && filled >= SHORT_SHARE;
  // A very short line was ended on purpose: the next word would have fitted. It continues only with a
  // lower-case word, or with a number after a hyphen, because `A-` may also be a grade.
  const isSecondPart = OPEN_END.test(before.plain) && /^\p{N}/u.test(line.plain);
  return filled >= VERY_SHORT_SHARE || /^\p{Ll}/u.test(line.plain) || isSecondPart;
}

function append(block: Block, next: string, style: TextStyle): void {
  block.parts.push(...joinHyphenatedLines(block.parts.pop() ?? '', next, style));
  block.chars += next.length + 1;
}
