import { foldForSearch, unfoldedIndex } from '#core/text/fold.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { LINE_MARKS } from '#core/text/seen-text.ts';
import type { MatchedLine, LineMatcher, MatchPlace } from './matcher.ts';
import { firstCell, classifyMatchPlace } from './matcher.ts';
import { isCodeJoinMark, isJoinMark, findLineStarts } from './pieces.ts';
import type { SearchPiece } from './pieces.ts';

/** Work units per character: one to normalize the character, and one to compare it. */
const LITERAL_COST = 2;
const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_]/u;
const SPACED_JOIN = new RegExp(`[${LINE_MARKS.prose}${LINE_MARKS.code}]`, 'g');
const UNSPACED_JOIN = new RegExp(`[${LINE_MARKS.proseUnspaced}${LINE_MARKS.codeUnspaced}]`, 'g');

/**
 * Creates a matcher for plain text. A match that spans several lines of a block is reported for the line in which it
 * begins.
 */
export function literalMatcher(wanted: string): LineMatcher {
  return { matchesIn: (piece) => phrasesIn(piece, wanted), costIn: () => LITERAL_COST };
}

/**
 * Normalized text. `marked` has a mark (`LINE_MARKS`) before each line. In `text`, the mark between two lines of a
 * block is replaced by a space, or by nothing in scripts without spaces.
 */
type Folded = { marked: string; text: string };

function phrasesIn(piece: SearchPiece, wanted: string): MatchedLine[] {
  const folded = foldedPiece(piece, wanted.includes(' '));
  const { text } = folded;
  let at = text.indexOf(wanted);
  if (at < 0) return [];
  const found: MatchedLine[] = [];
  const places = placesOf(folded);
  for (let index = 0, from = 0; at >= 0; at = text.indexOf(wanted, from)) {
    while ((places[index + 1]?.start ?? Infinity) <= at) index += 1;
    const place = places[index];
    if (place === undefined) return found;
    const isWhole = isWholeIn(text, at, wanted);
    const last = found.at(-1);
    if (last?.index === index) last.isWhole ||= isWhole;
    else found.push(matchAt(piece, { index, offset: at - place.start, isWhole, ...place }, text, wanted));
    // A line is reported once. After a match of a whole word, the search therefore continues on the next line.
    from = isWhole ? Math.max(at + 1, places[index + 1]?.start ?? Infinity) : at + 1;
  }
  return found;
}

type Found = { index: number; offset: number; isWhole: boolean; start: number; end: number; mark: string };

function matchAt(piece: SearchPiece, found: Found, text: string, wanted: string): MatchedLine {
  const { index, offset, isWhole, start, end, mark } = found;
  const raw = piece.lines[index] ?? '';
  return {
    index,
    isWhole,
    mark,
    place: placeIn(raw, text.slice(start, end), offset, wanted),
    at: (seen) => {
      // The searched text omits the indent of code lines that continue a block, so the position is moved by the indent.
      const line = isCodeJoinMark(mark) ? seen.trimStart() : seen;
      return seen.length - line.length + unfoldedIndex(line, offset);
    },
  };
}

function placeIn(raw: string, line: string, offset: number, wanted: string): MatchPlace {
  const isAll = line.trim() === wanted || isFirstCell(raw, wanted);
  return classifyMatchPlace(raw, line.slice(0, offset), isAll);
}

/** Returns true for a table row whose first cell is exactly the pattern. @param wanted the normalized pattern */
function isFirstCell(raw: string, wanted: string): boolean {
  const cell = firstCell(raw);
  return (
    cell !== null && cell.length <= 2 * wanted.length + CELL_MARKS_MAX && foldForSearch(visibleText(cell)) === wanted
  );
}

/**
 * Maximum characters that Markdown marks and URLs may add to a table cell. Longer cells are not compared, to save time.
 */
const CELL_MARKS_MAX = 500;

function foldedPiece({ text, isAscii, hasWideSpace }: SearchPiece, isSpaced: boolean): Folded {
  const marked = foldForSearch(text, hasWideSpace);
  // ASCII text has no joins without a space, which only scripts such as Chinese need.
  const unspaced = isAscii ? marked : marked.replace(UNSPACED_JOIN, '');
  return { marked, text: isSpaced ? unspaced.replace(SPACED_JOIN, ' ') : unspaced };
}

/** Returns the range of each line in the text. */
function placesOf({ marked }: Folded): { start: number; end: number; mark: string }[] {
  const starts = findLineStarts(marked);
  let left = 0;
  return starts.map((start, index) => {
    const mark = marked.charAt(start - 1);
    if (isUnspaced(mark)) left += 1;
    const next = starts[index + 1];
    return { start: start - left, end: (next === undefined ? marked.length : next - 1) - left, mark };
  });
}

function isUnspaced(mark: string): boolean {
  return isJoinMark(mark) && (mark === LINE_MARKS.proseUnspaced || mark === LINE_MARKS.codeUnspaced);
}

function isWholeIn(text: string, at: number, wanted: string): boolean {
  const goesOnBefore = WORD_AFTER.test(wanted) && WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at));
  const end = at + wanted.length;
  return !goesOnBefore && !(WORD_BEFORE.test(wanted) && WORD_AFTER.test(text.slice(end, end + 2)));
}
