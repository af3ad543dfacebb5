import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { VIEW_LINE_CHARS } from './limits.ts';
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
 * Joins pieces into one line, or several where there are very many elements. Words beyond `maxChars` are replaced by an
 * ellipsis; elements are never left out.
 *
 * @param inline how an element is written
 */
export function joinPieces(
  pieces: readonly Piece[],
  maxChars: number,
  inline: (element: AxElement) => string,
): string[] {
  const lines: string[] = [];
  let line = '';
  let left = maxChars;
  let omitted = 0;
  for (const piece of pieces) {
    if ('element' in piece) {
      if (line.length > VIEW_LINE_CHARS) {
        lines.push(line.trim());
        line = '';
      }
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
  lines.push(omitted === 0 ? line.trim() : `${line.trim()} (+${omitted} characters)`);
  return lines;
}

function needsSpace(line: string): boolean {
  return line !== '' && !OPENS.has(line.charAt(line.length - 1));
}

/** After these, a word begins without a space. */
const OPENS: ReadonlySet<string> = new Set(' \n\t(“‘[«');

/** Two texts of different elements that only the layout separates: "Alice" and "3 min". */
function runsTogether(before: string, after: string): boolean {
  if (before.endsWith(']')) return HAS_WORD.test(after.charAt(0));
  // Its last character, which may be of two units: a pattern looks through all before it.
  return ENDS_WORD.test(before.slice(-2)) && STARTS_WORD.test(after);
}
