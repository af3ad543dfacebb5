import { foldForSearch } from '#core/text/fold.ts';
import { LINE_MARKS } from '#core/text/seen-text.ts';
import { textWithScripts } from '#core/text/visible-text.ts';
import { isWholeIn, placeIn } from './match-place.ts';
import type { LineMatcher, MatchedLine } from './match-place.ts';
import { findLineStarts, isCodeJoinMark } from './pieces.ts';
import type { SearchPiece } from './pieces.ts';

const SUPERSCRIPTS = /[\u00b9\u00b2\u00b3\u2070\u2074-\u207f]+/g;
const SUBSCRIPTS = /[\u2080-\u208e]+/g;
const BRACES = /[{}]/g;
const SCRIPT = /[\^_]/g;
/** Matches lines that may contain a superscript or subscript: `<sup>`, TeX or a character such as ². */
const MAY_HAVE_SCRIPT = /<su[bp]>|[$\u00b9\u00b2\u00b3\u2070-\u208e]/;
const HAS_SCRIPT = /[^\s^_][\^_]\{?[^\s^_]/;
/** Matches text such as H2O, whose number TeX may write as a subscript. */
const MAY_BE_FORMULA = /\p{L}\d/u;
/** Work units per character: the text is converted, normalized and compared. */
const SCRIPT_COST = 4;

/**
 * Returns matchers for superscripts and subscripts, which pages write in several notations: `10^2` also matches
 * `10<sup>2</sup>`, `10²` and the TeX `{10}^{2}`, but not 102.
 */
export function scriptMatchers(pattern: string): LineMatcher[] {
  if (HAS_SCRIPT.test(withMarks(pattern))) return [scriptMatcher(pattern, folded)];
  return MAY_BE_FORMULA.test(pattern) ? [scriptMatcher(pattern, (text) => folded(text).replace(SCRIPT, ''))] : [];
}

function scriptMatcher(pattern: string, form: (text: string) => string): LineMatcher {
  const wanted = form(pattern);
  const matchesIn = (piece: SearchPiece) =>
    findLineStarts(piece.text).flatMap((start, index): MatchedLine[] => {
      const raw = piece.lines[index] ?? '';
      const mark = piece.text.charAt(start - 1);
      if (!MAY_HAVE_SCRIPT.test(raw)) return [];
      const text = form(mark === LINE_MARKS.raw || isCodeJoinMark(mark) ? raw : textWithScripts(raw));
      const offset = text.indexOf(wanted);
      if (offset < 0) return [];
      const place = placeIn(raw, text, offset, wanted);
      return [
        { index, isWhole: isWholeIn(text, offset, wanted), mark, place, at: (seen) => Math.min(offset, seen.length) },
      ];
    });
  return { matchesIn, costIn: () => SCRIPT_COST };
}

function withMarks(text: string): string {
  return text.replace(SUPERSCRIPTS, (run) => `^${run}`).replace(SUBSCRIPTS, (run) => `_${run}`);
}

function folded(text: string): string {
  return foldForSearch(withMarks(text)).replace(BRACES, '');
}
