import { headingLevel } from '#core/document/document.ts';
import type { CodeFences } from './plain.ts';

/**
 * The kind of a document's line. `alone`: the opening or closing fence of a code block. `mark`: an HTML comment that
 * the server added.
 */
export type LineKind = 'code' | 'alone' | 'blank' | 'heading' | 'row' | 'mark' | 'prose';

export const SERVER_COMMENT_LINE = /^<!-- .* -->$/;
const ROW = /^[\s>]*\|/;
/** Matches a blank line, also inside a block quote, where it consists of `>` marks. */
export const BLANK_LINE = /^[\s>]*$/;
const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,100}\]:)\s/;

/** Determines the kind of a line. Pass the lines in document order, because `fences` tracks open code blocks. */
export function lineKind(line: string, fences: CodeFences): LineKind {
  const wasOpen = fences.open !== null;
  const isFenced = fences.take(line);
  if (BLANK_LINE.test(line)) return 'blank';
  if (isFenced) return wasOpen && fences.open !== null ? 'code' : 'alone';
  if (headingLevel(line) > 0) return 'heading';
  if (SERVER_COMMENT_LINE.test(line)) return 'mark';
  return isTableRow(line) ? 'row' : 'prose';
}

/** Returns true for a table row. Call it only for lines outside code blocks. */
export function isTableRow(line: string): boolean {
  return line.includes('|') && ROW.test(line);
}

const TERM = /^[\s>]*(?:[-*+]\s+)?\*\*/;

/** Returns true for a term of a definition list, or for another line that begins and ends in bold. */
export function isDefinitionTerm(line: string): boolean {
  return line.endsWith('**') && TERM.test(line);
}

export function beginsListItem(line: string): boolean {
  return ITEM.test(line);
}
