import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { pageWords, plainWords } from './words.ts';

/** A part of a line: words of the page, or an element among them. */
export type Piece = { text: string } | { element: AxElement };

const ENDS_WORD = /[\p{Ll}\p{N})\]!?.:%]$/u;
const STARTS_WORD = /^[\p{Lu}\p{N}]/u;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** Whether there are words between the elements. Separators do not count. */
export function hasWords(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => 'text' in piece && HAS_WORD.test(piece.text));
}

/**
 * Joins pieces into one line. Words beyond `maxChars` are replaced by an ellipsis; elements are never left out.
 *
 * @param inline how an element is written
 */
export function joinPieces(pieces: readonly Piece[], maxChars: number, inline: (element: AxElement) => string): string {
  let line = '';
  let left = maxChars;
  let omitted = 0;
  for (const piece of pieces) {
    if ('element' in piece) {
      const written = inline(piece.element);
      if (written !== '') line += (needsSpace(line) ? ' ' : '') + written;
      continue;
    }
    const words = plainWords(piece.text);
    if (words.trim() === '') {
      if (words !== '' && line !== '' && !line.endsWith(' ')) line += ' ';
      continue;
    }
    if (left <= 0) {
      omitted += words.length;
      continue;
    }
    const shown = left < words.length ? pageWords(words, left) : words;
    left -= words.length;
    line += (runsTogether(line, shown) ? ' ' : '') + (line.endsWith(' ') ? shown.trimStart() : shown);
  }
  // Words that are cut end in an ellipsis. Pieces that are left out are counted.
  return omitted === 0 ? line.trim() : `${line.trim()} (+${omitted} characters)`;
}

function needsSpace(line: string): boolean {
  return line !== '' && !/[\s(“‘[«]$/u.test(line);
}

/** Two texts of different elements that only the layout separates: "Alice" and "3 min". */
function runsTogether(before: string, after: string): boolean {
  if (before.endsWith(']')) return HAS_WORD.test(after.charAt(0));
  return ENDS_WORD.test(before) && STARTS_WORD.test(after);
}
