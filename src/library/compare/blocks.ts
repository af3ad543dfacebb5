import { headingLevel } from '#core/document/document.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { CodeFences } from '#core/text/plain.ts';
import { lineKind } from '#core/text/line-kinds.ts';
import { readableText, STRIKE_MARK } from '#core/text/visible-text.ts';
import { UnitSplitter } from '#ranking/units.ts';
import type { TextUnit, UnitKind } from '#ranking/units.ts';

/** A stored document. `restStart`: first line of the rest of the page (menus, comments). */
export type DocumentLines = { lines: readonly string[]; restStart: number | null };

/** A citable part of a document, or a heading. Lines are 0-based, inclusive. */
export type DocumentBlock = {
  kind: UnitKind | 'heading';
  first: number;
  last: number;
  /** The visible text, without Markdown marks and URLs, by which blocks are compared. */
  text: string;
  key: string;
  section: string | null;
  /** For a table row, the visible text of the table's header; `null` for other blocks. */
  head: string | null;
  /** True for a block that has only links, such as a menu. */
  isLinks: boolean;
};

export function divideMainPartIntoBlocks({ lines, restStart }: DocumentLines): WorkSteps<DocumentBlock[]> {
  return blocksOf(lines, 0, restStart ?? lines.length);
}

export function divideRestIntoBlocks({ lines, restStart }: DocumentLines): WorkSteps<DocumentBlock[]> {
  return blocksOf(lines, restStart ?? lines.length, lines.length);
}

/** Maximum lines of a piece of code. Without this limit, any change would report a long piece as a whole. */
const CODE_LINES_MAX = 60;

function* blocksOf(lines: readonly string[], start: number, end: number): WorkSteps<DocumentBlock[]> {
  const blocks: DocumentBlock[] = [];
  const fences = new CodeFences();
  const code = new CodePieces();
  const endCode = () => {
    for (const { from, texts, section } of code.take()) {
      const isLong = texts.length > CODE_LINES_MAX;
      const pieces = isLong ? texts.map((text, at) => ({ first: from + at, last: from + at, text })) : [];
      const whole = { first: from, last: from + texts.length - 1, text: texts.join('\n') };
      for (const piece of isLong ? pieces : [whole])
        blocks.push({ kind: 'code', ...piece, key: keyOf('code', piece.text), section, head: null, isLinks: false });
    }
  };
  const units = new UnitSplitter(null, ({ kind, lines: own, section, lead }) => {
    const [head] = own;
    const last = own.at(-1);
    if (head === undefined || last === undefined) return;
    const above = section === null ? null : headingText(section.raw);
    if (kind === 'code') return code.add(own, above);
    endCode();
    const raws = own.map(({ raw }) => raw);
    const text = kind === 'row' ? rowText(head.raw) : proseText(raws);
    const isLinks = raws.every(isOnlyLinks);
    if (text === '' || NOTE_ALONE.test(text)) return;
    const span = { first: head.loc, last: last.loc };
    const tableHead = kind === 'row' && lead !== null && ROW.test(lead.raw) ? rowText(lead.raw) : null;
    blocks.push({ kind, ...span, text, key: keyOf(kind, text), section: above, head: tableHead, isLinks });
  });
  for (let at = start; at < end; at += 1) {
    const raw = lines[at] ?? '';
    yield raw.length;
    units.add(at, raw);
    if (lineKind(raw, fences) !== 'heading') continue;
    endCode();
    const text = headingText(raw);
    const key = `${headingLevel(raw)} ${text}`;
    blocks.push({ kind: 'heading', first: at, last: at, text, key, section: text, head: null, isLinks: false });
  }
  units.end();
  endCode();
  return blocks;
}

type CodePiece = { from: number; texts: string[]; section: string | null };

/**
 * Splits code at blank lines, so that an added line changes only one piece, not all code below it. Fences, their
 * language and the common indent are not part of the text.
 */
class CodePieces {
  #pieces: CodePiece[] = [];
  #indent: number | null = null;
  /** Markdown prefix of the quote that contains the code, such as `> `. */
  #quote = '';

  add(lines: TextUnit['lines'], section: string | null): void {
    for (const { loc, raw } of lines) {
      if (FENCE.test(raw)) {
        this.#indent = null;
        this.#quote = QUOTE.exec(raw)?.[0] ?? '';
        continue;
      }
      const text = (raw.startsWith(this.#quote) ? raw.slice(this.#quote.length) : raw).trimEnd();
      if (text === '' || text === this.#quote.trimEnd()) continue;
      this.#indent ??= text.search(/\S/);
      const shown = text.slice(Math.min(this.#indent, text.search(/\S/)));
      const last = this.#pieces.at(-1);
      if (last !== undefined && last.from + last.texts.length === loc) last.texts.push(shown);
      else this.#pieces.push({ from: loc, texts: [shown], section });
    }
  }

  take(): CodePiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

const QUOTE = /^[\s>]*>\s?/;
const FENCE = /^[\s>]*(?:`{3,}|~{3,})/;

/**
 * Key of a block. A paragraph and a list item with the same text have the same key, because the difference does not
 * change the meaning.
 */
function keyOf(kind: UnitKind, text: string): string {
  return kind === 'code' || kind === 'row' ? `${kind} ${text}` : text;
}

/** Text of a heading. Its section number is restored, because Markdown's syntax makes `1.` look like a list number. */
function headingText(raw: string): string {
  const [, number, rest] = /^\s*#{1,6}\s+(\d{1,9}[.)])\s+(.+)$/s.exec(raw) ?? [];
  return number === undefined || rest === undefined ? readableText(raw) : `${number} ${readableText(rest)}`;
}

function proseText(raws: readonly string[]): string {
  const lines = raws.map((raw) => readableText(raw)).join(' ');
  return withoutNoteMarks(lines.replaceAll(STRUCK_ON, ' ')).replace(/\s+/g, ' ').trim();
}

/** Struck-out text that continues on the next line. */
const STRUCK_ON = `${STRIKE_MARK} ${STRIKE_MARK}`;

/** Removes differences between footnote styles: `[^1]` and a raised `[1]` become `[1]`. The mark before a note is removed. */
function withoutNoteMarks(text: string): string {
  return text.includes('^') ? text.replace(NOTE_BEGINS, '').replace(NOTE, '[$1]').replaceAll('^[', '[') : text;
}

const NOTE_BEGINS = /^\s*\[\^[^\]\s]{1,40}\]:\s*/;
const NOTE = /\[\^([^[\]\s]{1,40})\]/g;
/** Matches a footnote mark in its own block. Such a block is ignored. */
const NOTE_ALONE = /^\[\d{1,4}\]$/;

const ROW = /^[\s>]*\|/;
const CELL_BAR = /(?<!\\)\|/;

function rowText(raw: string): string {
  const cells = raw
    .trim()
    .replace(/^[\s>]*\|/, '')
    .replace(/\|$/, '')
    .split(CELL_BAR);
  return cells
    .map((cell) => withoutNoteMarks(readableText(cell.replaceAll('\\|', '|').trim())))
    .join(' | ')
    .replace(/^[\s|]+$/, '');
}

const LINK = /(?<!\\)!?\[(?:[^[\]\\]|\\.){0,2000}\]\([^\s()]{0,2100}\)/g;

function isOnlyLinks(raw: string): boolean {
  return (
    raw.includes('](') && !/[\p{L}\p{N}]/u.test(raw.replace(/^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/, '').replace(LINK, ''))
  );
}
