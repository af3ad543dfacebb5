import { headingLevel } from '#core/document/document.ts';
import type { Steps } from '#core/flow/turns.ts';
import { CodeFences } from '#core/text/plain.ts';
import { lineKind } from '#core/text/line-kinds.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { Units } from '#ranking/units.ts';
import type { Unit, UnitKind } from '#ranking/units.ts';

/** A document as it is stored. What begins at `restStart` is menus and the like. */
export type DocumentLines = { lines: readonly string[]; restStart: number | null };

/** A piece that can be cited, or a heading. Lines are 0-based, inclusive. */
export type Block = {
  kind: UnitKind | 'heading';
  first: number;
  last: number;
  /** As a reader sees it: without marks and addresses. Blocks with the same text and kind are the same. */
  text: string;
  key: string;
  /** The text of the heading above. */
  section: string | null;
  /** Nothing but links: a menu, or an entry of an index. */
  isLinks: boolean;
};

export function mainBlocks({ lines, restStart }: DocumentLines): Steps<Block[]> {
  return blocksOf(lines, 0, restStart ?? lines.length);
}

export function restBlocks({ lines, restStart }: DocumentLines): Steps<Block[]> {
  return blocksOf(lines, restStart ?? lines.length, lines.length);
}

/** Code without a blank line that is longer is compared line by line. */
const CODE_LINES_MAX = 60;

function* blocksOf(lines: readonly string[], start: number, end: number): Steps<Block[]> {
  const blocks: Block[] = [];
  const fences = new CodeFences();
  const code = new CodePieces();
  const endCode = () => {
    for (const { from, texts, section } of code.take()) {
      const isLong = texts.length > CODE_LINES_MAX;
      const pieces = isLong ? texts.map((text, at) => ({ first: from + at, last: from + at, text })) : [];
      const whole = { first: from, last: from + texts.length - 1, text: texts.join('\n') };
      for (const piece of isLong ? pieces : [whole])
        blocks.push({ kind: 'code', ...piece, key: keyOf('code', piece.text), section, isLinks: false });
    }
  };
  const units = new Units(null, ({ kind, lines: own, section }) => {
    const [head] = own;
    const last = own.at(-1);
    if (head === undefined || last === undefined) return;
    const above = section === null ? null : headingText(section.raw);
    if (kind === 'code') return code.add(own, above);
    endCode();
    const raws = own.map(({ raw }) => raw);
    const text = kind === 'row' ? rowText(head.raw) : proseText(raws);
    const isLinks = raws.every(isOnlyLinks);
    if (text !== '' && !NOTE_ALONE.test(text))
      blocks.push({ kind, first: head.loc, last: last.loc, text, key: keyOf(kind, text), section: above, isLinks });
  });
  for (let at = start; at < end; at += 1) {
    const raw = lines[at] ?? '';
    yield raw.length;
    units.add(at, raw);
    if (lineKind(raw, fences) !== 'heading') continue;
    endCode();
    const text = headingText(raw);
    const key = `${headingLevel(raw)} ${text}`;
    blocks.push({ kind: 'heading', first: at, last: at, text, key, section: text, isLinks: false });
  }
  units.end();
  endCode();
  return blocks;
}

type CodePiece = { from: number; texts: string[]; section: string | null };

/**
 * Code in pieces that end at blank lines: a line that comes or goes changes one piece, and not all below it. Fences are marks;
 * their language is none of the text, nor is how far all of a block is indented.
 */
class CodePieces {
  #pieces: CodePiece[] = [];
  #indent: number | null = null;
  /** Of a quote that the block stands in. */
  #quote = '';

  add(lines: Unit['lines'], section: string | null): void {
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

/** A paragraph may become an item of a list: it says the same. */
function keyOf(kind: UnitKind, text: string): string {
  return kind === 'code' || kind === 'row' ? `${kind} ${text}` : text;
}

/** The number of a section is a part of its heading, also where it looks like that of a list. */
function headingText(raw: string): string {
  const [, number, rest] = /^\s*#{1,6}\s+(\d{1,9}[.)])\s+(.+)$/s.exec(raw) ?? [];
  return number === undefined || rest === undefined ? visibleText(raw) : `${number} ${visibleText(rest)}`;
}

function proseText(raws: readonly string[]): string {
  return withoutNoteMarks(raws.map(visibleText).join(' ')).replace(/\s+/g, ' ').trim();
}

/** How a site writes its footnotes says nothing: `[^1]`, `[1]`, and the mark at the beginning of a note. */
function withoutNoteMarks(text: string): string {
  return text.includes('[^') ? text.replace(NOTE_BEGINS, '').replace(NOTE, '[$1]') : text;
}

const NOTE_BEGINS = /^\s*\[\^[^\]\s]{1,40}\]:\s*/;
const NOTE = /\[\^([^[\]\s]{1,40})\]/g;
/** The mark of a note that stands beside its text. */
const NOTE_ALONE = /^\[\d{1,4}\]$/;

const CELL_BAR = /(?<!\\)\|/;

function rowText(raw: string): string {
  const cells = raw
    .trim()
    .replace(/^[\s>]*\|/, '')
    .replace(/\|$/, '')
    .split(CELL_BAR);
  return cells
    .map((cell) => withoutNoteMarks(visibleText(cell.replaceAll('\\|', '|').trim())))
    .join(' | ')
    .replace(/^[\s|]+$/, '');
}

const LINK = /(?<!\\)!?\[(?:[^[\]\\]|\\.){0,2000}\]\([^\s()]{0,2100}\)/g;

function isOnlyLinks(raw: string): boolean {
  return (
    raw.includes('](') && !/[\p{L}\p{N}]/u.test(raw.replace(/^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/, '').replace(LINK, ''))
  );
}
