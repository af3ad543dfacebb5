import { LINE_MARKS } from '#core/text/seen-text.ts';
import { textWithScripts } from '#core/text/visible-text.ts';
import { MAY_BE_FORMULA, foldFormulas, foldScripts, withScriptMarks } from './formulas.ts';
import { isWholeIn, placeIn } from './match-place.ts';
import type { LineMatcher, MatchedLine } from './match-place.ts';
import { findLineStarts, isCodeJoinMark } from './pieces.ts';
import type { SearchPiece } from './pieces.ts';

const SCRIPT = /[\^_]/g;
/** Matches lines that may contain a superscript or subscript: `<sup>`, TeX or a character such as ². */
const MAY_HAVE_SCRIPT = /<su[bp]>|[$\u00b9\u00b2\u00b3\u2070-\u208e]/;
const HAS_SCRIPT = /[^\s^_][\^_]\{?[^\s^_]/;
/** Matches text such as H2O, whose number TeX may write as a subscript. */
const HAS_NUMBER = /\p{L}\d/u;
/** Work units per character: the text is converted, normalized and compared. */
const SCRIPT_COST = 4;

/**
 * Returns matchers for superscripts, subscripts and formulas, which pages write in several notations: `10^2` also
 * matches `10<sup>2</sup>`, `10²` and the TeX `{10}^{2}`, but not 102, and `a=b` also matches `a = b` and `$a = b$`.
 */
export function scriptMatchers(pattern: string): LineMatcher[] {
  const matchers: LineMatcher[] = [];
  if (HAS_SCRIPT.test(withScriptMarks(pattern))) matchers.push(lineMatcher(pattern, MAY_HAVE_SCRIPT, foldScripts));
  else if (HAS_NUMBER.test(pattern))
    matchers.push(lineMatcher(pattern, MAY_HAVE_SCRIPT, (text) => foldScripts(text).replace(SCRIPT, '')));
  if (MAY_BE_FORMULA.test(pattern) && foldFormulas(pattern) !== '')
    matchers.push(lineMatcher(pattern, MAY_BE_FORMULA, foldFormulas, true));
  return matchers;
}

/**
 * @param isCandidate matches the lines that are converted by `form` and compared with the pattern
 * @param onlyWhole true if the match must neither begin nor end inside a word
 */
function lineMatcher(
  pattern: string,
  isCandidate: RegExp,
  form: (text: string) => string,
  onlyWhole = false,
): LineMatcher {
  const wanted = form(pattern);
  const matchesIn = (piece: SearchPiece) =>
    findLineStarts(piece.text).flatMap((start, index): MatchedLine[] => {
      const raw = piece.lines[index] ?? '';
      const mark = piece.text.charAt(start - 1);
      if (!isCandidate.test(raw)) return [];
      const text = form(mark === LINE_MARKS.raw || isCodeJoinMark(mark) ? raw : textWithScripts(raw));
      const offset = onlyWhole ? findWhole(text, wanted) : text.indexOf(wanted);
      if (offset < 0) return [];
      const place = placeIn(raw, text, offset, wanted);
      return [
        { index, isWhole: isWholeIn(text, offset, wanted), mark, place, at: (seen) => Math.min(offset, seen.length) },
      ];
    });
  return { matchesIn, costIn: () => SCRIPT_COST };
}

function findWhole(text: string, wanted: string): number {
  let offset = text.indexOf(wanted);
  while (offset >= 0 && !isWholeIn(text, offset, wanted)) offset = text.indexOf(wanted, offset + 1);
  return offset;
}
