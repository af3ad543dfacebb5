import { headingLevel } from '#core/document/document.ts';
import type { CodeFences } from './plain.ts';

/** What a line of a document is. `alone`: the fence of a code block. `mark`: a line that this server wrote. */
export type LineKind = 'code' | 'alone' | 'blank' | 'heading' | 'row' | 'mark' | 'prose';

/** A line that this server wrote: a page or the rest begins here. */
export const SERVER_LINE = /^<!-- .* -->$/;
const ROW = /^[\s>]*\|/;
/** Also one that only continues a quote. */
export const BLANK_LINE = /^[\s>]*$/;
const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,100}\]:)\s/;

/** Lines have to come in order: `fences` knows whether code is open. */
export function lineKind(line: string, fences: CodeFences): LineKind {
  const wasOpen = fences.open !== null;
  const isFenced = fences.take(line);
  if (BLANK_LINE.test(line)) return 'blank';
  if (isFenced) return wasOpen && fences.open !== null ? 'code' : 'alone';
  if (headingLevel(line) > 0) return 'heading';
  if (SERVER_LINE.test(line)) return 'mark';
  return isRow(line) ? 'row' : 'prose';
}

/** A row of a table, unless the line is code. */
export function isRow(line: string): boolean {
  return line.includes('|') && ROW.test(line);
}

const TERM = /^[\s>]*(?:[-*+]\s+)?\*\*/;

/** A term of a definition list, or a line that is bold from end to end. */
export function isTerm(line: string): boolean {
  return line.endsWith('**') && TERM.test(line);
}

/** Whether a line of prose begins an item of a list, or a footnote. */
export function beginsItem(line: string): boolean {
  return ITEM.test(line);
}
