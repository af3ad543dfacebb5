import { headingLevel } from '#core/document/document.ts';
import type { CodeFences } from './plain.ts';

/** Kind of a document's line. `alone`: the fence of a code block. `mark`: a line added by this server. */
export type LineKind = 'code' | 'alone' | 'blank' | 'heading' | 'row' | 'mark' | 'prose';

export const SERVER_LINE = /^<!-- .* -->$/;
const ROW = /^[\s>]*\|/;
/** Includes a line that only continues a quote. */
export const BLANK_LINE = /^[\s>]*$/;
const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,100}\]:)\s/;

/** Lines must be passed in order: `fences` tracks open code blocks. */
export function lineKind(line: string, fences: CodeFences): LineKind {
  const wasOpen = fences.open !== null;
  const isFenced = fences.take(line);
  if (BLANK_LINE.test(line)) return 'blank';
  if (isFenced) return wasOpen && fences.open !== null ? 'code' : 'alone';
  if (headingLevel(line) > 0) return 'heading';
  if (SERVER_LINE.test(line)) return 'mark';
  return isRow(line) ? 'row' : 'prose';
}

/** True for a table row. Call it only for lines outside code. */
export function isRow(line: string): boolean {
  return line.includes('|') && ROW.test(line);
}

const TERM = /^[\s>]*(?:[-*+]\s+)?\*\*/;

/** A term of a definition list, or a line that is entirely bold. */
export function isTerm(line: string): boolean {
  return line.endsWith('**') && TERM.test(line);
}

export function beginsItem(line: string): boolean {
  return ITEM.test(line);
}
