import { escapeLineStart } from '#extract/escape.ts';
import type { Line } from './segments.ts';
import { HEADING_CHARS_MAX, roundSize } from './text-style.ts';
import type { TextStyle } from './text-style.ts';

type Block = { kind: 'heading' | 'paragraph' | 'item' | 'row'; level: number; marker: string; text: string };

const BULLET = /^[•●▪■◦○‣⁃∙·–—-]\s+(?=\S)/;
const NUMBER = /^\(?(\d{1,3}|[a-z])[.)]\s+(?=\S)/;
/** Distances in sizes of the text, or in the usual distance of two lines. */
const INDENT = 0.8;
const PITCH_TIMES_MAX = 1.4;
const PITCH_SIZES_MAX = 1.7;
const HEADING_PITCH_MAX = 2;
const SIZE_TIMES_MAX = 1.12;
const SHORT_SHARE = 0.8;
const VERY_SHORT_SHARE = 0.6;
const SENTENCE_END = /[.!?:;。！？…]["'”’»)\]]*$/;
/** Two links to the same place beside each other: one that was broken by the line or by wide spaces. */
const LINK_GOES_ON = /\]\(([^()\s]{1,2100})\)( +)\[(?=[^[\]]{1,300}\]\(\1\))/g;
const LEADERS = /(?:[.…·_]\s?){5,}/;
const HYPHEN = /(\p{L}+)[-\u2010]$/u;

/** One page: its regions, in reading order, as Markdown blocks with a blank line between them. */
export function writeBlocks(regions: readonly (readonly Line[])[], style: TextStyle): string[] {
  const blocks: Block[] = [];
  for (const lines of regions) addRegion(lines, blocks, style);
  const out: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    const isClose =
      before !== undefined && before.kind === block.kind && (block.kind === 'item' || block.kind === 'row');
    if (index > 0 && !isClose) out.push('');
    out.push(written(block));
  }
  return out;
}

function written({ kind, level, marker, text: parts }: Block): string {
  const text = parts.replace(LINK_GOES_ON, '$2');
  if (kind === 'heading') return `${'#'.repeat(level)} ${text.replace(/#+$/, (marks) => `\\${marks}`)}`;
  return kind === 'item' ? `${marker} ${text}` : escapeLineStart(text);
}

type Region = { left: number; right: number; pitch: number };

function addRegion(lines: readonly Line[], blocks: Block[], style: TextStyle): void {
  const region = measure(lines);
  let before: Line | undefined;
  for (const line of lines) {
    const last = blocks.at(-1);
    const level = headingLevel(line, style);
    if (last !== undefined && goesOn(last, before, line, level, region)) {
      last.text = joined(last.text, line.text, style);
    } else blocks.push(blockOf(line, level));
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

function headingLevel(line: Line, style: TextStyle): number {
  if (line.plain.length > HEADING_CHARS_MAX || !/\p{L}/u.test(line.plain) || LEADERS.test(line.plain)) return 0;
  return style.levels.get(roundSize(line.size)) ?? 0;
}

function blockOf(line: Line, level: number): Block {
  if (level > 0) return { kind: 'heading', level, marker: '', text: line.text };
  const bullet = BULLET.exec(line.text);
  if (bullet !== null) return { kind: 'item', level: 0, marker: '-', text: line.text.slice(bullet[0].length) };
  if (isRow(line))
    return { kind: 'row', level: 0, marker: '', text: line.text.replace(LEADERS, ' … ').replace(/ {2,}… +/, ' … ') };
  const number = NUMBER.exec(line.text);
  if (number !== null && /^\d/.test(number[1] ?? '')) {
    return { kind: 'item', level: 0, marker: `${number[1]}.`, text: line.text.slice(number[0].length) };
  }
  return { kind: 'paragraph', level: 0, marker: '', text: line.text };
}

/** A row of a table, or of a table of contents. */
function isRow(line: Line): boolean {
  return line.isRow || LEADERS.test(line.plain);
}

/** Whether `line` continues the block that ended with `before`; `before` is undefined at the top of a column. */
function goesOn(last: Block, before: Line | undefined, line: Line, level: number, region: Region): boolean {
  if (before === undefined) {
    const isOpen = (last.kind === 'paragraph' || last.kind === 'item') && !SENTENCE_END.test(last.text);
    return isOpen && level === 0 && !isRow(line) && /^\p{Ll}/u.test(line.plain);
  }
  const distance = line.y - before.y;
  if (distance <= 0) return false;
  if (last.kind === 'heading' || level > 0) {
    const isSame = last.kind === 'heading' && last.level === level;
    return isSame && distance < HEADING_PITCH_MAX * line.size && last.text.length < HEADING_CHARS_MAX;
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
  if (last.kind === 'item') return line.left > region.left + INDENT * line.size || !ended;
  const isIndented = line.left - before.left > INDENT * line.size && before.left - region.left < INDENT * line.size;
  const filled = (before.right - region.left) / (region.right - region.left);
  if (ended) return !isIndented && filled >= SHORT_SHARE;
  // The next word would have fitted: the line was ended on purpose.
  return filled >= VERY_SHORT_SHARE || /^\p{Ll}/u.test(line.plain);
}

/** A word broken at the end of a line becomes whole again, unless the document writes it with a hyphen elsewhere. */
function joined(text: string, next: string, style: TextStyle): string {
  const stem = HYPHEN.exec(text)?.[1];
  const rest = /^\p{Ll}[\p{Ll}\p{M}]*/u.exec(next)?.[0];
  if (stem !== undefined && rest !== undefined) {
    const keeps = style.hyphenated.has(`${stem}-${rest}`.toLowerCase());
    return keeps ? text + next : text.slice(0, -1) + next;
  }
  const cjk =
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}。、]$/u.test(text) &&
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(next);
  return cjk ? text + next : `${text} ${next}`;
}
