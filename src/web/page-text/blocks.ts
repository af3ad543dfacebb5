import { headingLevel } from '#core/document/document.ts';
import { inlineRuns, PLAIN_RUN } from './inline-runs.ts';
import type { InlineRun } from './inline-runs.ts';
import { lineKind } from '#core/text/line-kinds.ts';
import { CodeFences } from '#core/text/plain.ts';
import { HORIZONTAL_RULE, TABLE_DELIMITER_ROW } from '#core/text/visible-text.ts';

/** Maximum indentation level. Deeper lists and quotes are shown at this level. */
const DEPTH_MAX = 6;
const INDENT_CHARS = 2;

export type TextLine = { number: number; runs: InlineRun[] };
export type ProseLine = TextLine & {
  kind: 'prose' | 'heading' | 'rule' | 'note';
  /** Nesting level in lists and quotes. */
  depth: number;
  isQuote: boolean;
  marker: string | null;
  /** HTML heading level, from 2 to 6, because the page's title is level 1. */
  rank: number;
};
type TableRow = { number: number; cells: InlineRun[][]; isHead: boolean };
export type TextBlock =
  | { kind: 'line'; line: ProseLine }
  | { kind: 'list'; lines: ProseLine[] }
  | { kind: 'code'; lines: TextLine[] }
  | { kind: 'table'; rows: TableRow[] };

/**
 * Converts lines of stored Markdown to blocks. Omits blank lines, code fences and the rule below a table's head.
 * @param fence the fence that opened a code block before the first line; `null` outside code
 */
export function textBlocks(lines: readonly string[], start: number, fence: string | null): TextBlock[] {
  const fences = new CodeFences();
  fences.open = fence;
  const blocks: TextBlock[] = [];
  const ranks = new Ranks();
  /** True after a table row, because a blank line ends a table, but not a list. */
  let wasRow = false;
  for (const [index, text] of lines.entries()) {
    const number = start + index;
    const kind = lineKind(text, fences);
    const isRow = kind === 'row';
    if (kind === 'alone') blocks.push({ kind: 'code', lines: [] });
    else if (kind === 'code') addCode(blocks, { number, runs: [{ ...PLAIN_RUN, text }] });
    else if (isRow) addRow(blocks, number, text, wasRow);
    else if (kind !== 'blank') addProse(blocks, proseLine(text, number, ranks));
    wasRow = isRow;
  }
  return blocks.filter((block) => block.kind !== 'code' || block.lines.length > 0);
}

export function blockLines(blocks: readonly TextBlock[]): TextLine[] {
  return blocks.flatMap((block): TextLine[] => {
    if (block.kind === 'line') return [block.line];
    if (block.kind !== 'table') return block.lines;
    return block.rows.map(({ number, cells }) => ({ number, runs: cells.flat() }));
  });
}

function addCode(blocks: TextBlock[], line: TextLine): void {
  const last = blocks.at(-1);
  if (last?.kind === 'code') last.lines.push(line);
  else blocks.push({ kind: 'code', lines: [line] });
}

function addRow(blocks: TextBlock[], number: number, text: string, continues: boolean): void {
  const row = text.replace(/^[\s>]+/, '');
  const last = blocks.at(-1);
  const table = continues && last?.kind === 'table' ? last : null;
  if (TABLE_DELIMITER_ROW.test(row)) {
    const [head] = table?.rows ?? [];
    if (head !== undefined && table?.rows.length === 1) head.isHead = true;
    return;
  }
  const added = { number, cells: cellsOf(row).map((cell) => inlineRuns(cell, true)), isHead: false };
  if (table === null) blocks.push({ kind: 'table', rows: [added] });
  else table.rows.push(added);
}

function cellsOf(row: string): string[] {
  const cells: string[] = [];
  const inner = row.trimEnd();
  let from = 1;
  for (let at = 1; at < inner.length; at += 1) {
    const character = inner.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '|') {
      cells.push(inner.slice(from, at).trim());
      from = at + 1;
    }
  }
  if (from < inner.length) cells.push(inner.slice(from).trim());
  return cells;
}

function addProse(blocks: TextBlock[], line: ProseLine): void {
  const last = blocks.at(-1);
  if (line.marker === null) blocks.push({ kind: 'line', line });
  else if (last?.kind === 'list') last.lines.push(line);
  else blocks.push({ kind: 'list', lines: [line] });
}

const MARK = /([ \t]*)(?:(>)[ ]?|([-*+])[ \t]+(?=\S)|(\d{1,9}[.)])[ \t]+(?=\S))/y;
const TASK = /^\[([ xX])\]\s+/;
const SERVER_LINE = /^<!-- (.*) -->$/;

function proseLine(text: string, number: number, ranks: Ranks): ProseLine {
  const line = { number, depth: 0, isQuote: false, marker: null, rank: 0 };
  const said = SERVER_LINE.exec(text)?.[1];
  if (said !== undefined) return { ...line, kind: 'note', runs: [{ ...PLAIN_RUN, text: said }] };
  if (HORIZONTAL_RULE.test(text)) return { ...line, kind: 'rule', runs: [] };
  const begin = marksOf(text);
  const rest = text.slice(begin.end).trim();
  const task = begin.marker === null ? null : TASK.exec(rest);
  const marker = task === null ? begin.marker : task[1] === ' ' ? '☐' : '☑';
  const body = task === null ? rest : rest.slice(task[0].length);
  const level = headingLevel(body);
  const placed = { ...line, depth: begin.depth, isQuote: begin.isQuote, marker };
  if (level === 0) return { ...placed, kind: 'prose', runs: inlineRuns(body) };
  return { ...placed, kind: 'heading', rank: ranks.of(level), runs: inlineRuns(body.replace(/^#+\s*/, '')) };
}

function marksOf(text: string): { end: number; depth: number; isQuote: boolean; marker: string | null } {
  let end = 0;
  let depth = 0;
  let marker: string | null = null;
  let isQuote = false;
  MARK.lastIndex = 0;
  for (let found = MARK.exec(text); found !== null; found = MARK.exec(text)) {
    const [, indent = '', quote, bullet, number] = found;
    depth += Math.floor(indent.length / INDENT_CHARS) + (marker === null ? 0 : 1);
    isQuote ||= quote !== undefined;
    marker = bullet === undefined ? (number ?? null) : '•';
    end = MARK.lastIndex;
  }
  if (end === 0) depth = Math.floor((/^[ \t]*/.exec(text)?.[0].length ?? 0) / INDENT_CHARS);
  return { end, depth: Math.min(DEPTH_MAX, depth), isQuote, marker };
}

/** Closes gaps in heading levels for screen readers: levels 1, 3, 4 of a page become 2, 3, 4 here. */
class Ranks {
  readonly #open: number[] = [];

  of(level: number): number {
    while ((this.#open.at(-1) ?? 0) >= level) this.#open.pop();
    this.#open.push(level);
    return Math.min(6, this.#open.length + 1);
  }
}
