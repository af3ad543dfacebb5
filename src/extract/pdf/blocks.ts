import { escapeLineStart, codeBlock } from '#extract/escape.ts';
import type { Line, Segment, TextStyle } from './segments.ts';
import { HEADING_CHARS_MAX, roundSize } from './segments.ts';
import { trimEndOf } from '#core/text/text.ts';

type Block = {
  kind: 'heading' | 'paragraph' | 'item' | 'row' | 'code';
  level: number;
  marker: string;
  /** Its text, line by line, so that adding to it does not cost what is already there. */
  parts: string[];
  chars: number;
  left: number;
  /** Size of its first line. */
  size: number;
  /** Whether its last line reaches the edge of its column. */
  isFilled: boolean;
  /** Lines of code. */
  code: Line[];
};

const BULLET = /^[•●▪■◦○‣⁃∙·–—-]\s+(?=\S)/;
const NUMBER = /^\(?(\d{1,3}|[a-z])[.)]\s+(?=\S)/;
/** Distances in multiples of the text size, or of the usual distance between two lines. */
const INDENT = 0.8;
const OUTDENT = 0.5;
const PITCH_TIMES_MAX = 1.4;
const PITCH_SIZES_MAX = 1.7;
const HEADING_PITCH_MAX = 2;
const SIZE_TIMES_MAX = 1.12;
const SHORT_SHARE = 0.8;
const VERY_SHORT_SHARE = 0.6;
const FOOTNOTE_TIMES_MAX = 0.93;
/** A shorter block may be a caption, a cell or a label. */
const GOES_ON_CHARS_MIN = 120;
const BLANK_LINE_SIZES = 1.9;
const CODE_LETTER_WIDTH = 0.6;
const CODE_INDENT_MAX = 80;
const CODE_PITCH_SIZES_MAX = 3.2;
const SENTENCE_END = /[.!?:;。！？…]["'”’»)\]]*$/;
/** Two neighbouring links to the same place are one link that was broken by a line end or by wide spaces. */
const LINK_GOES_ON = /\]\(([^()\s]{1,2100})\)( +)\[(?=[^[\]]{1,300}\]\(\1\))/g;
const LEADERS = /(?:[.…·_]\s?){5,1000}/;
const HYPHEN = /(?<!\p{L})(\p{L}+)[-\u2010]$/u;
const CJK_AT_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}。、]$/u;
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** No word is longer. */
const TAIL_CHARS = 80;

/**
 * The pages of a document as Markdown blocks, region by region in reading order, with a blank line between blocks. A
 * paragraph that continues on the next page is written on the page where it begins.
 */
export function writePages(pages: readonly (readonly (readonly Line[])[])[], style: TextStyle): string[][] {
  const all = pages.map((regions) => {
    const blocks: Block[] = [];
    for (const lines of regions) addRegion(lines, blocks, style);
    return blocks;
  });
  let open: Block | undefined;
  for (const blocks of all) {
    const [first] = blocks;
    if (open !== undefined && first !== undefined && goesOnOverleaf(open, first, style)) {
      const [head = '', ...rest] = first.parts;
      append(open, head, style);
      open.parts.push(...rest);
      open.chars += first.chars - head.length;
      open.isFilled = first.isFilled;
      blocks.shift();
      // A page that one paragraph fills passes it on to the next page.
      if (blocks.length === 0) continue;
    }
    open = blocks.findLast((block) => !isFootnote(block, style));
  }
  return all.map(writeBlocks);
}

/** Notes at the foot of a page stand between the two parts of a paragraph that continues. */
function isFootnote({ size }: Block, style: TextStyle): boolean {
  return roundSize(size) < style.body * FOOTNOTE_TIMES_MAX;
}

/** Whether the first block of a page continues the last one before it. */
function goesOnOverleaf(last: Block, first: Block, style: TextStyle): boolean {
  if ((last.kind !== 'paragraph' && last.kind !== 'item') || first.kind !== 'paragraph') return false;
  const text = last.parts.at(-1) ?? '';
  if (SENTENCE_END.test(text) || roundSize(last.size) !== roundSize(first.size)) return false;
  const next = first.parts[0] ?? '';
  if (/^\p{Ll}/u.test(next) || (HYPHEN.test(text.slice(-TAIL_CHARS)) && /^\p{L}/u.test(next))) return true;
  // Names, and nouns in some languages, begin with a capital letter. A line that fills its column continues all the
  // same.
  const isText =
    roundSize(last.size) === style.body && last.chars >= GOES_ON_CHARS_MIN && /[\p{L}\p{N},;–—]$/u.test(text);
  return (
    isText && last.isFilled && first.chars >= GOES_ON_CHARS_MIN / 2 && /^(?!\p{Lu}{2})[\p{L}\p{N}"“„(]/u.test(next)
  );
}

function writeBlocks(blocks: readonly Block[]): string[] {
  const out: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    const isClose =
      before !== undefined && before.kind === block.kind && (block.kind === 'item' || block.kind === 'row');
    if (index > 0 && !isClose) out.push('');
    out.push(...(block.kind === 'code' ? codeLines(block.code) : [written(block)]));
  }
  return out;
}

function written({ kind, level, marker, parts }: Block): string {
  const text = parts.join('').replace(LINK_GOES_ON, '$2');
  if (kind === 'heading') return `${'#'.repeat(level)} ${withoutClosingMarks(text)}`;
  return kind === 'item' ? `${marker} ${text}` : escapeLineStart(text);
}

/** A `#` at the end of a heading would be a mark. */
function withoutClosingMarks(text: string): string {
  const end = trimEndOf(text, /#/).length;
  return end === text.length ? text : `${text.slice(0, end)}\\${text.slice(end)}`;
}

/** Restores indents from the positions of the lines, in letters of the usual width. */
function codeLines(lines: readonly Line[]): string[] {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  const source = lines.flatMap((line, index) => {
    const before = lines[index - 1];
    const isApart = before !== undefined && line.y - before.y > BLANK_LINE_SIZES * line.size;
    const indent = Math.min(CODE_INDENT_MAX, Math.round((line.left - left) / (CODE_LETTER_WIDTH * line.size)));
    return [...(isApart ? [''] : []), ' '.repeat(indent) + line.plain];
  });
  return codeBlock(source.join('\n'), '');
}

type Region = { left: number; right: number; pitch: number };

function addRegion(lines: readonly Line[], blocks: Block[], style: TextStyle): void {
  const region = measure(lines);
  let before: Line | undefined;
  for (const line of lines) {
    const last = blocks.at(-1);
    const level = headingLevel(line, style);
    const isCode = line.mono && level === 0 && style.marksCode;
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
    if (current !== undefined) current.isFilled = filledBy(line, region) >= SHORT_SHARE;
    before = line;
  }
}

function measure(lines: readonly Line[]): Region {
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
    pitch: pitches[Math.floor(pitches.length / 2)] ?? 0,
  };
}

function filledBy(line: Line, region: Region): number {
  return (line.right - region.left) / (region.right - region.left);
}

function headingLevel(line: Line, style: TextStyle): number {
  if (line.plain.length > HEADING_CHARS_MAX || !/\p{L}/u.test(line.plain) || LEADERS.test(line.plain)) return 0;
  return style.levels.get(roundSize(line.size)) ?? 0;
}

function blockOf(line: Line, level: number): Block {
  const { text, left, size } = line;
  const block = { level, marker: '', parts: [text], chars: text.length, left, size, isFilled: false, code: [] };
  if (level > 0) return { ...block, kind: 'heading' };
  const bullet = BULLET.exec(text);
  if (bullet !== null) return { ...block, kind: 'item', marker: '-', parts: [text.slice(bullet[0].length)] };
  if (isRow(line)) return { ...block, kind: 'row', parts: [withShortLeaders(text)] };
  const number = NUMBER.exec(text);
  if (number === null || !/^\d/.test(number[1] ?? '')) return { ...block, kind: 'paragraph' };
  return { ...block, kind: 'item', marker: `${number[1]}.`, parts: [text.slice(number[0].length)] };
}

/** An entry of a table of contents may have a hundred dots. */
function withShortLeaders(text: string): string {
  const found = LEADERS.exec(text);
  if (found === null) return text;
  return `${text.slice(0, found.index).trimEnd()} … ${text.slice(found.index + found[0].length).trimStart()}`;
}

/** A row of a table, or of a table of contents. */
function isRow(line: Line): boolean {
  return line.isRow || LEADERS.test(line.plain);
}

/** Whether `line` continues the block that ended with `before`, which is undefined at the top of a column. */
function goesOn(last: Block, before: Line | undefined, line: Line, level: number, region: Region): boolean {
  if (before === undefined) {
    const isOpen = (last.kind === 'paragraph' || last.kind === 'item') && !SENTENCE_END.test(last.parts.at(-1) ?? '');
    return isOpen && level === 0 && !isRow(line) && /^\p{Ll}/u.test(line.plain);
  }
  const distance = line.y - before.y;
  if (distance <= 0) return false;
  if (last.kind === 'heading' || level > 0) {
    const isSame = last.kind === 'heading' && last.level === level;
    return isSame && distance < HEADING_PITCH_MAX * line.size && last.chars < HEADING_CHARS_MAX;
  }
  if (isRow(line) || last.kind === 'row') return false;
  const ratio = Math.max(line.size, before.size) / Math.min(line.size, before.size);
  const pitchMax = Math.max(region.pitch * PITCH_TIMES_MAX, before.size * 1.3);
  if (ratio > SIZE_TIMES_MAX || distance > Math.max(pitchMax, region.pitch === 0 ? before.size * PITCH_SIZES_MAX : 0)) {
    return false;
  }
  if (BULLET.test(line.text)) return false;
  const ended = SENTENCE_END.test(before.plain);
  if (NUMBER.test(line.text) && (ended || last.kind === 'item')) return false;
  if (last.kind === 'item' && line.left < last.left - OUTDENT * line.size) return false;
  if (last.kind === 'item') return line.left > region.left + INDENT * line.size || !ended;
  const isIndented = line.left - before.left > INDENT * line.size && before.left - region.left < INDENT * line.size;
  const filled = filledBy(before, region);
  if (ended) return !isIndented && filled >= SHORT_SHARE;
  // The next word would have fitted, so the line was ended on purpose.
  return filled >= VERY_SHORT_SHARE || /^\p{Ll}/u.test(line.plain);
}

/** Joins a word that is broken at the end of a line, unless the document writes it with a hyphen elsewhere. */
function append(block: Block, next: string, style: TextStyle): void {
  const last = block.parts.pop() ?? '';
  const tail = last.slice(-TAIL_CHARS);
  const stem = HYPHEN.exec(tail)?.[1];
  const rest = /^\p{Ll}[\p{Ll}\p{M}]*/u.exec(next.slice(0, TAIL_CHARS))?.[0];
  if (stem !== undefined && rest !== undefined) {
    const keeps = style.hyphenated.has(`${stem}-${rest}`.toLowerCase());
    block.parts.push(keeps ? last : last.slice(0, -1), next);
  } else block.parts.push(last, CJK_AT_END.test(tail) && CJK.test(next) ? next : ` ${next}`);
  block.chars += next.length + 1;
}

/** Shares of the width of the area that is divided. */
const SPANS_SHARE = 0.55;
const EDGE_SHARE = 0.15;
const SLOTS = 240;
/** The gap between columns, in multiples of the text size. */
const GUTTER_MIN = 0.7;
/** Share of all segments that may cross the gap: titles, captions, wide tables. */
const CROSSING_SHARE_MAX = 0.12;
const COLUMN_SEGMENTS_MIN = 6;
/** Lines of text fill their column; cells of a table do not. */
const FILLED_SHARE_MIN = 0.55;
const DEPTH_MAX = 3;

/** Divides a page into regions in reading order: parts that span the page, and columns from left to right. */
export function regionsOf(segments: readonly Segment[], depth = 0): Segment[][] {
  const gutter = depth < DEPTH_MAX ? gutterOf(segments) : null;
  if (gutter === null) return segments.length === 0 ? [] : [[...segments]];
  const isRtl = segments.filter((segment) => segment.rtl).length * 2 > segments.length;
  const regions: Segment[][] = [];
  let left: Segment[] = [];
  let right: Segment[] = [];
  let across: Segment[] = [];
  const endBand = () => {
    const [first, second] = isRtl ? [right, left] : [left, right];
    regions.push(...regionsOf(first, depth + 1), ...regionsOf(second, depth + 1));
    left = [];
    right = [];
  };
  const endAcross = () => {
    if (across.length > 0) regions.push(across);
    across = [];
  };
  for (const segment of [...segments].sort((one, other) => one.y - other.y)) {
    const isAcross = segment.left < gutter && segment.right > gutter;
    if (isAcross) {
      endBand();
      across.push(segment);
      continue;
    }
    endAcross();
    (segment.left >= gutter ? right : left).push(segment);
  }
  endAcross();
  endBand();
  return regions;
}

/** The gap between two columns; `null` when the text is one column, or a table. */
function gutterOf(segments: readonly Segment[]): number | null {
  if (segments.length < COLUMN_SEGMENTS_MIN * 2) return null;
  const from = segments.reduce((least, { left }) => Math.min(least, left), Infinity);
  const to = segments.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const width = to - from;
  if (!(width > 0)) return null;
  const narrow = segments.filter((segment) => segment.right - segment.left < SPANS_SHARE * width);
  const slots = coverage(narrow, from, width);
  const sizes = segments.map((segment) => segment.size).sort((one, other) => one - other);
  const size = sizes[Math.floor(sizes.length / 2)] ?? 0;
  for (const middle of emptyRuns(slots, narrow.length * CROSSING_SHARE_MAX, (GUTTER_MIN * size * SLOTS) / width)) {
    const gutter = from + (middle * width) / SLOTS;
    const left = segments.filter((segment) => segment.right <= gutter);
    const right = segments.filter((segment) => segment.left >= gutter);
    if (isColumn(left) && isColumn(right) && left.length + right.length > segments.length / 2) return gutter;
  }
  return null;
}

function coverage(segments: readonly Segment[], from: number, width: number): number[] {
  const steps = Array.from({ length: SLOTS + 1 }, () => 0);
  for (const segment of segments) {
    const start = Math.max(0, Math.floor(((segment.left - from) / width) * SLOTS));
    const end = Math.min(SLOTS, Math.ceil(((segment.right - from) / width) * SLOTS));
    steps[start] = (steps[start] ?? 0) + 1;
    steps[end] = (steps[end] ?? 0) - 1;
  }
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** The middles of runs of slots that almost nothing covers, away from the edges, the widest first. */
function emptyRuns(slots: readonly number[], crossingMax: number, widthMin: number): number[] {
  const runs: { middle: number; width: number }[] = [];
  let start = -1;
  for (let at = 0; at <= SLOTS; at += 1) {
    const isEmpty = at < SLOTS && (slots[at] ?? 0) <= crossingMax;
    if (isEmpty && start < 0) start = at;
    if (isEmpty || start < 0) continue;
    const middle = (start + at) / 2;
    const inside = middle > EDGE_SHARE * SLOTS && middle < (1 - EDGE_SHARE) * SLOTS;
    if (inside && at - start >= widthMin) runs.push({ middle, width: at - start });
    start = -1;
  }
  return runs.sort((one, other) => other.width - one.width).map((run) => run.middle);
}

function isColumn(segments: readonly Segment[]): boolean {
  if (segments.length < COLUMN_SEGMENTS_MIN) return false;
  const from = segments.reduce((least, { left }) => Math.min(least, left), Infinity);
  const to = segments.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const filled = segments.reduce((sum, { left, right }) => sum + right - left, 0) / segments.length;
  return filled >= FILLED_SHARE_MIN * (to - from);
}
