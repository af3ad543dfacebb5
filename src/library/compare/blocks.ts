import { headingLevel } from '#core/document.ts';
import { CodeFences } from '#core/text/plain.ts';
import { lineKind } from '#core/text/line-kinds.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { Units } from '#ranking/units.ts';
import type { UnitKind } from '#ranking/units.ts';

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

export function mainBlocks({ lines, restStart }: DocumentLines): Block[] {
  return blocksOf(lines, 0, restStart ?? lines.length);
}

export function restBlocks({ lines, restStart }: DocumentLines): Block[] {
  return restStart === null ? [] : blocksOf(lines, restStart, lines.length);
}

function blocksOf(lines: readonly string[], start: number, end: number): Block[] {
  const blocks: Block[] = [];
  const fences = new CodeFences();
  const units = new Units(null, ({ kind, lines: own, section }) => {
    const [head] = own;
    const last = own.at(-1);
    if (head === undefined || last === undefined) return;
    const raws = own.map(({ raw }) => raw);
    const text = kind === 'code' ? codeText(raws) : kind === 'row' ? rowText(head.raw) : proseText(raws);
    const above = section === null ? null : visibleText(section.raw);
    const isLinks = kind !== 'code' && raws.every(isOnlyLinks);
    if (text !== '')
      blocks.push({ kind, first: head.loc, last: last.loc, text, key: keyOf(kind, text), section: above, isLinks });
  });
  for (let at = start; at < end; at += 1) {
    const raw = lines[at] ?? '';
    units.add(at, raw);
    if (lineKind(raw, fences) !== 'heading') continue;
    const text = visibleText(raw);
    const key = `${headingLevel(raw)} ${text}`;
    blocks.push({ kind: 'heading', first: at, last: at, text, key, section: text, isLinks: false });
  }
  units.end();
  return blocks;
}

/** A paragraph may become an item of a list: it says the same. */
function keyOf(kind: UnitKind, text: string): string {
  return kind === 'code' || kind === 'row' ? `${kind} ${text}` : text;
}

/** Fences are marks; their language is none of the text, nor is how far all of it is indented. */
function codeText(raws: readonly string[]): string {
  const lines = raws.filter((raw) => !/^[\s>]*(?:`{3,}|~{3,})/.test(raw)).map((raw) => raw.trimEnd());
  const indent = lines.reduce((least, line) => (line === '' ? least : Math.min(least, line.search(/\S/))), Infinity);
  const text = lines.map((line) => line.slice(Math.min(indent, line.length)));
  while (text.at(-1) === '') text.pop();
  while (text[0] === '') text.shift();
  return text.join('\n');
}

function proseText(raws: readonly string[]): string {
  return raws.map(visibleText).join(' ').replace(/\s+/g, ' ').trim();
}

const CELL_BAR = /(?<!\\)\|/;

function rowText(raw: string): string {
  const cells = raw
    .trim()
    .replace(/^[\s>]*\|/, '')
    .replace(/\|$/, '')
    .split(CELL_BAR);
  return cells
    .map((cell) => visibleText(cell.replaceAll('\\|', '|').trim()))
    .join(' | ')
    .replace(/^[\s|]+$/, '');
}

const LINK = /!?\[(?:[^[\]\\]|\\.){0,2000}\]\([^\s()]{0,2100}\)/g;

function isOnlyLinks(raw: string): boolean {
  return (
    raw.includes('](') && !/[\p{L}\p{N}]/u.test(raw.replace(/^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/, '').replace(LINK, ''))
  );
}
