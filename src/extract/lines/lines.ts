import { DOCUMENT_LINES_MAX, UNBROKEN_LINE_BYTES_MAX, REST_OF_PAGE_BYTES_MAX } from '#extract/limits.ts';
import { cutToBytes, utf8Bytes } from '#core/text/text.ts';
import type { Pause, WorkSteps } from '#core/flow/turns.ts';
import { CodeFences, blockPrefix, sanitizeText } from '#core/text/plain.ts';
import { splitProseLine } from './sentences.ts';
import { findStruckRanges } from './protected.ts';
import type { TextRange } from './protected.ts';
import { STRIKE_MARK } from '#core/text/visible-text.ts';
import { closeOpenCodeFence } from '#extract/escape.ts';
import { runWithPauses } from '#core/flow/turns.ts';

type Lines = {
  lines: string[];
  /** Sentences for the result that say which limits were reached. They contain no text from the page. */
  cuts: string[];
  /** For each line of the source that was read, the index of its first line in the output. */
  starts: number[];
};

/** Reported in the result if a text was cut at {@link DOCUMENT_LINES_MAX}. */
export const TOO_MANY_LINES_NOTE = `The text has more than ${DOCUMENT_LINES_MAX} lines: the rest was left out.`;

const BLANK = /^[\s>]*$/;
const HEADING = /^#{1,6}(?:\s|$)/;
const DELIMITER_ROW = /^[-|: \t]+$/;
const DELIMITER_CELL = /^:?-+:?$/;
const LINK_DEFINITION = /^\[(?!\^)[^\]]{1,999}\]:\s/;
const LIST_MARKER = /[-*+]|\d{1,9}[.)]/;
const FRONT_MATTER = /^---\s*$/;
const CODE_INDENT = 4;
/**
 * Maximum characters of repeated indents, as a multiple of the source line. Without this limit, breaking a line in
 * deeply nested lists into sentences would multiply its size.
 */
const INDENT_TIMES_MAX = 8;
/** CPU cost of a line, relative to a character of prose. */
const LINE_COST = 8;
/** CPU cost of a character that is copied unchanged, as in code, relative to a character of prose. */
const KEPT_COST = 0.05;
/** Minimum cost of work between two yields. Yielding at each of millions of lines would be slow. */
const STEP_COST_MIN = 5_000;

/**
 * Splits Markdown into citable lines that, joined with `\n`, render as before. Prose is broken between sentences, and
 * long sentences between words. Lines of code, tables and headings are broken only above `UNBROKEN_LINE_BYTES_MAX`
 * bytes. Stops soon after `DOCUMENT_LINES_MAX` lines and reports reached limits in `cuts`. Linear and deterministic.
 */
export function splitCitableLines(source: readonly string[]): WorkSteps<Lines> {
  const splitter = new Splitter(source);
  return splitter.run();
}

class Splitter {
  private readonly source: readonly string[];
  private readonly out: string[] = [];
  private readonly starts: number[] = [];
  private hasLongLine = false;
  private isCut = false;
  private readonly fences = new CodeFences();
  private inTable = false;
  private inMath = false;
  private inPre = false;
  private listIndent = 0;
  private afterBlank = true;
  private cost = 0;

  constructor(source: readonly string[]) {
    this.source = source;
  }

  *run(): WorkSteps<Lines> {
    for (let at = this.skipFrontMatter(); at < this.source.length; at += 1) {
      if (this.out.length >= DOCUMENT_LINES_MAX) this.isCut = true;
      if (this.isCut) break;
      const line = this.source[at] ?? '';
      this.starts.push(this.out.length);
      this.cost += LINE_COST + line.length * KEPT_COST;
      const prefix = this.prefixOfProse(line, this.source[at + 1] ?? '');
      if (prefix !== null) {
        const pieces = splitProseLine(line.slice(prefix.length));
        if (pieces === null) this.keep(line);
        else yield* this.prose(prefix, line, pieces);
      }
      if (this.cost >= STEP_COST_MIN) yield this.spend();
    }
    while (this.out.at(-1) === '') this.out.pop();
    if (this.isCut && this.fences.open !== null) this.out.push(this.fences.open);
    const cuts = [
      ...(this.hasLongLine ? [`Lines longer than ${UNBROKEN_LINE_BYTES_MAX} bytes were broken.`] : []),
      ...(this.isCut ? [TOO_MANY_LINES_NOTE] : []),
    ];
    return { lines: this.out, cuts, starts: this.starts };
  }

  private skipFrontMatter(): number {
    if (!FRONT_MATTER.test(this.source[0] ?? '')) return 0;
    const end = this.source.findIndex((line, index) => index > 0 && FRONT_MATTER.test(line));
    for (let at = 0; at <= end; at += 1) {
      this.starts.push(this.out.length);
      this.keep(this.source[at] ?? '');
    }
    return end < 0 ? 0 : end + 1;
  }

  /**
   * Returns the Markdown before the prose of a line, such as an indent or `- `. A line without prose, such as code, is
   * written unchanged, and `null` is returned. Repeated blank lines are dropped.
   */
  private prefixOfProse(line: string, next: string): string | null {
    if (this.isInsideBlock(line)) {
      this.keep(line);
      return null;
    }
    if (BLANK.test(line)) {
      this.inTable = false;
      this.afterBlank = true;
      const blank = line.trimEnd();
      // A line with only quote marks (`> > >`) is blank, but may be longer than the limit.
      if (this.out.at(-1) !== blank && this.out.length > 0) this.keep(blank);
      return null;
    }
    const prefix = beginsWithLetter(line) ? '' : blockPrefix(line);
    const isBlock = this.startsBlock(line, prefix, next);
    if (isBlock) this.keep(line);
    this.afterBlank = false;
    return isBlock ? null : prefix;
  }

  /**
   * True if the line belongs to an open code block, formula or table. Also records the end of the block if the line
   * closes it.
   */
  private isInsideBlock(line: string): boolean {
    if (this.fences.open !== null) return this.fences.take(line);
    if (this.inMath) {
      if (line.trimEnd().endsWith('$$')) this.inMath = false;
      return true;
    }
    if (this.inPre) {
      if (/<\/(?:pre|script|style|textarea)>/i.test(line)) this.inPre = false;
      return true;
    }
    return this.inTable && !BLANK.test(line);
  }

  private startsBlock(line: string, prefix: string, next: string): boolean {
    // Most lines begin with a letter, and then start a block only as the header of a table.
    if (beginsWithLetter(line)) {
      if (this.afterBlank) this.listIndent = 0;
      return this.startsTable(line, next);
    }
    if (this.fences.take(line)) return true;
    const content = line.slice(prefix.length);
    if (this.isIndentedCode(prefix)) return true;
    if (content.startsWith('$$') && content.trimEnd().indexOf('$$', 2) < 0) {
      this.inMath = true;
      return true;
    }
    if (
      /^<(?:pre|script|style|textarea)(?:\s|>|$)/i.test(content) &&
      !/<\/(?:pre|script|style|textarea)>/i.test(content)
    ) {
      this.inPre = true;
      return true;
    }
    return this.startsTable(line, next) || HEADING.test(content) || LINK_DEFINITION.test(content);
  }

  private startsTable(line: string, next: string): boolean {
    const isHead = line.includes('|') && next.includes('-') && isDelimiterRow(next);
    if (isHead) this.inTable = true;
    return isHead;
  }

  private isIndentedCode(prefix: string): boolean {
    const marker = LIST_MARKER.test(prefix);
    const indent = prefix.replaceAll('\t', '    ').replaceAll('>', '').length;
    if (marker) {
      this.listIndent = prefix.length;
      return false;
    }
    if (indent < this.listIndent) this.listIndent = this.afterBlank && indent === 0 ? 0 : this.listIndent;
    return this.afterBlank && indent >= this.listIndent + CODE_INDENT;
  }

  private *prose(prefix: string, line: string, cut: Iterable<string>): WorkSteps<void> {
    const pieces: string[] = [];
    for (const piece of cut) {
      pieces.push(piece);
      if ((pieces.length - 1) * prefix.length > INDENT_TIMES_MAX * line.length) {
        this.keep(line);
        return;
      }
      if (this.out.length + pieces.length >= DOCUMENT_LINES_MAX) {
        this.isCut = true;
        break;
      }
      this.cost += piece.length;
      if (this.cost >= STEP_COST_MIN) yield this.spend();
    }
    const rest = pieces.length > 1 ? prefix.replace(/[^>\t]/g, ' ') : '';
    const closed = line.includes(STRIKE_MARK) ? closeStrikes(line.slice(prefix.length), pieces) : pieces;
    for (const [index, piece] of closed.entries()) this.keep((index === 0 ? prefix : rest) + piece);
  }

  private spend(): number {
    const { cost } = this;
    this.cost = 0;
    return cost;
  }

  private keep(line: string): void {
    if (line.length * 3 <= UNBROKEN_LINE_BYTES_MAX || utf8Bytes(line) <= UNBROKEN_LINE_BYTES_MAX) {
      this.out.push(line);
      return;
    }
    this.hasLongLine = true;
    for (let left = line; left !== '';) {
      const piece = cutToBytes(left, UNBROKEN_LINE_BYTES_MAX);
      this.out.push(piece);
      left = left.slice(piece.length);
    }
  }
}

/** Marks in a run of as many stars. */
const EMPHASIS: readonly (readonly string[])[] = [[], ['*'], ['**'], ['**', '*']];

/**
 * Closes struck-out text, and bold and italic text in it, at the end of each piece and opens it again in the next, so
 * that each line shows what is struck out in it.
 */
function closeStrikes(text: string, pieces: readonly string[]): string[] {
  const struck = findStruckRanges(text);
  let end = 0;
  let range = 0;
  let next = 0;
  /** Marks of bold and italic text that are open within the struck-out text. */
  let open: string[] = [];
  return pieces.map((piece) => {
    const start = text.indexOf(piece, end);
    end = start + piece.length;
    // Three tildes would begin a code block.
    const reopened = open.length === 0 && piece.startsWith('~') ? '\\' : open.join('');
    const opening = isWithin(struck[range], start) ? STRIKE_MARK + reopened : '';
    for (; (struck[range]?.end ?? Infinity) <= end; range += 1) {
      next = 0;
      open = [];
    }
    const runs = struck[range]?.emphasis ?? [];
    for (let run = runs[next]; run !== undefined && run.start < end; run = runs[(next += 1)]) {
      const closes = /\S/.test(text.charAt(run.start - 1));
      const opens = /\S/.test(text.charAt(run.start + run.length));
      for (const mark of EMPHASIS[run.length] ?? []) {
        if (open.includes(mark)) open = closes ? open.filter((one) => one !== mark) : open;
        else if (opens) open.push(mark);
      }
    }
    return opening + piece + (isWithin(struck[range], end) ? open.toReversed().join('') + STRIKE_MARK : '');
  });
}

function isWithin(range: TextRange | undefined, at: number): boolean {
  return range !== undefined && range.start < at && at < range.end;
}

function beginsWithLetter(line: string): boolean {
  const lower = line.charCodeAt(0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** True for the delimiter row of a table (GFM §4.10), such as `|---|:-:|`, also inside a quote. Linear. */
function isDelimiterRow(line: string): boolean {
  const row = line.replace(/^[\s>]+/, '').trimEnd();
  if (!DELIMITER_ROW.test(row)) return false;
  const cells = row.split('|').map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.length > 0 && cells.every((cell) => DELIMITER_CELL.test(cell));
}

/**
 * Separates the main part of a page from menus and comments. It is an HTML comment, which rendered Markdown does not
 * show and escaped page text cannot contain. Code may contain the same line, so only `restStart` marks the end of the
 * main part.
 */
export const REST_SEPARATOR_LINE = '<!-- The rest of the page: menus, related links, comments, notices -->';

type Joined = { lines: string[]; restStart?: number; anchors: Map<string, number>; cuts: string[] };

/** The main part or the rest (menus, comments) of a page. `anchors` maps link targets to lines. */
export type MainOrRestMarkdown = {
  markdown: readonly string[];
  anchors: ReadonlyMap<string, number>;
  /** Names of link targets in this part whose text is in the other part. */
  elsewhere?: readonly string[];
};

/**
 * Joins main part and rest (menus, comments) with `REST_SEPARATOR_LINE` between them. If the main part is empty, both are
 * dropped.
 */
export async function joinMainAndRest(
  main: MainOrRestMarkdown,
  rest: MainOrRestMarkdown,
  pause: Pause,
): Promise<Joined> {
  const { lines, cuts, anchors } = await linesOf(main, pause);
  if (lines.length === 0) return { lines, cuts, anchors };
  // These link targets are elements around the main part, so links to them lead to its first line.
  for (const name of rest.elsewhere ?? []) if (!anchors.has(name)) anchors.set(name, 0);
  const { kept, isCut } = withinBudget(rest.markdown);
  const more = await linesOf({ markdown: kept, anchors: rest.anchors }, pause);
  if (more.lines.length === 0) return { lines, cuts, anchors };
  const restStart = lines.length;
  for (const [name, line] of more.anchors) if (!anchors.has(name)) anchors.set(name, restStart + 1 + line);
  return {
    lines: [...lines, REST_SEPARATOR_LINE, ...more.lines],
    restStart,
    anchors,
    cuts: [...new Set([...cuts, ...more.cuts, ...(isCut ? [REST_CUT] : [])])],
  };
}

const REST_CUT = `The rest of the page has more than ${REST_OF_PAGE_BYTES_MAX} bytes: the rest was left out.`;

type PartLines = { lines: string[]; anchors: Map<string, number>; cuts: string[] };

async function linesOf({ markdown, anchors: places }: MainOrRestMarkdown, pause: Pause): Promise<PartLines> {
  const { lines, cuts, starts } = await runWithPauses(
    splitCitableLines(sanitizeText(markdown.join('\n')).split('\n')),
    pause,
  );
  const anchors = new Map<string, number>();
  if (lines.every((line) => line === '')) return { lines: [], anchors, cuts };
  for (const [name, line] of places) anchors.set(name, Math.min(starts[line] ?? Infinity, lines.length - 1));
  return { lines, anchors, cuts };
}

/** Maximum bytes of a UTF-16 unit in UTF-8. */
const UTF8_BYTES_MAX = 3;

function withinBudget(markdown: readonly string[]): { kept: readonly string[]; isCut: boolean } {
  let left = REST_OF_PAGE_BYTES_MAX;
  const mostBytes = markdown.reduce((sum, line) => sum + line.length * UTF8_BYTES_MAX + 1, 0);
  if (mostBytes <= left) return { kept: markdown, isCut: false };
  for (const [index, line] of markdown.entries()) {
    const bytes = utf8Bytes(line) + 1;
    if (bytes > left)
      return { kept: closeOpenCodeFence([...markdown.slice(0, index), cutToBytes(line, left)]), isCut: true };
    left -= bytes;
  }
  return { kept: markdown, isCut: false };
}
