import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX, KIB } from '#core/limits.ts';
import { foldForSearch, unfoldedIndex, needsSpaceBetween } from '#core/text/fold.ts';
import { isPlainText } from '#core/text/plain.ts';
import { visibleText, textWithScripts } from '#core/text/visible-text.ts';
import { LINE_MARKS } from '#core/text/seen-text.ts';
import { isCodeJoinMark, isJoinMark, findLineStarts } from './pieces.ts';
import type { SearchPiece } from './pieces.ts';
import { classifyMatchPlace, isWholeIn, placeIn } from './match-place.ts';
import type { LineMatcher, MatchedLine } from './match-place.ts';
import { BLANK_LINE } from '#core/text/line-kinds.ts';
import type { RE2JS } from 're2js';
import { headingLevel } from '#core/document/document.ts';
import { compileRegex } from '#core/text/regex.ts';
import { MAY_BE_FORMULA, foldFormulas, foldScripts, withScriptMarks } from './formulas.ts';

/**
 * Returns matchers for a pattern; a regular expression has only one. Each is used only if the ones before it find
 * nothing. The first searches for the pattern as given, the next without Markdown marks, in case it was copied with
 * them, then without spaces between Arabic letters, and the last with superscripts and subscripts in any notation.
 * Regular expressions (RE2 syntax) run on an engine with linear time, without backtracking.
 * @throws {PeriscopeError} `invalid_argument` for an empty, overlong, malformed or oversized pattern
 */
export function compilePattern(pattern: string, isRegex: boolean): [LineMatcher, ...LineMatcher[]] {
  checkPatternLength(pattern);
  if (isRegex) return [regexMatcher(pattern)];
  const asGiven = foldForSearch(pattern);
  const asRead = foldForSearch(visibleText(pattern));
  const joined = asGiven.replace(SPACE_WITHIN_ARABIC, '');
  const others = new Set([asRead, joined].filter((other) => other !== '' && other !== asGiven));
  return [literalMatcher(asGiven), ...[...others].map(literalMatcher), ...scriptMatchers(pattern)];
}

/** A space between Arabic letters. Persian texts may have a zero-width non-joiner or nothing instead. */
const SPACE_WITHIN_ARABIC = /(?<=\p{Script=Arabic}) (?=\p{Script=Arabic})/gu;

/** @throws {PeriscopeError} `invalid_argument` if the pattern is empty or too long */
export function checkPatternLength(pattern: string): void {
  if (pattern === '') refuse('must not be empty', 'Pass the text to look for.');
  if (pattern.length > REGEX_CHARS_MAX) {
    refuse(`must be at most ${REGEX_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  }
}

const REGEX_SYNTAX = /^\^|\||\.[*+]|\\[bdswBDSW.()[\]]|\(\?|\[[^[\]]+\][*+{]|\$$/;

/**
 * Returns a regular expression that may find more, to suggest to the caller: for text that looks like an expression,
 * the text itself; for a case-sensitive expression, the same with case ignored. `null` if there is none.
 */
export function suggestRegex(text: string, isRegex: boolean): string | null {
  const hasFlags = text.startsWith('(?');
  const pattern = hasFlags ? text : `(?i)${text}`;
  if (isRegex ? hasFlags || !/\p{L}/u.test(text) : !REGEX_SYNTAX.test(text)) return null;
  if (!isPlainText(text)) return null;
  try {
    regexMatcher(pattern);
    return pattern;
  } catch (error) {
    if (error instanceof PeriscopeError) return null;
    throw error;
  }
}

function refuse(problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field: 'pattern', problem, hint });
}

/** Work units per character: one to normalize the character, and one to compare it. */
const LITERAL_COST = 2;
const SPACED_JOIN = new RegExp(`[${LINE_MARKS.prose}${LINE_MARKS.code}]`, 'g');
const UNSPACED_JOIN = new RegExp(`[${LINE_MARKS.proseUnspaced}${LINE_MARKS.codeUnspaced}]`, 'g');

/**
 * Creates a matcher for plain text. A match that spans several lines of a block is reported for the line in which it
 * begins.
 */
function literalMatcher(wanted: string): LineMatcher {
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

/** Work units per character in addition to the instructions of the compiled pattern. */
const STEP_COST = 10;

/**
 * Limits for repeated reading. To find all matches in a block, the engine reads from each match to the end of the
 * block. In total, it may read `READ_AGAIN_TIMES_MAX` times the searched text, but always at least
 * `READ_AGAIN_CHARS_MIN`.
 */
const READ_AGAIN_TIMES_MAX = 4;
const READ_AGAIN_CHARS_MIN = 256 * KIB;

/** A line of a block. `isCode`: its line ends are significant, as in code. */
type BlockLine = { index: number; mark: string; raw: string; text: string; isCode: boolean };
type Block = BlockLine[];
type Budget = { left: number };

/**
 * Creates a matcher for a regular expression.
 * @throws {PeriscopeError} `invalid_argument` for a malformed or oversized pattern
 */
function regexMatcher(pattern: string): LineMatcher {
  const plainly = 'Or set is_regex to false to search for it as plain text.';
  const { program, size } = compileRegex(pattern, 'pattern', plainly);
  return {
    matchesIn: (piece) => {
      const again = { left: Math.max(READ_AGAIN_TIMES_MAX * piece.text.length, READ_AGAIN_CHARS_MIN) };
      return blocksOf(piece).flatMap((block) => matchesOf(block, program, again));
    },
    costIn: (lines) => (size + STEP_COST) * (lines > 1 ? 2 : 1),
  };
}

function blocksOf({ text, lines }: SearchPiece): Block[] {
  const blocks: Block[] = [];
  const starts = findLineStarts(text);
  for (const [index, start] of starts.entries()) {
    const mark = text.charAt(start - 1);
    const raw = lines[index] ?? '';
    const next = starts[index + 1] ?? text.length + 1;
    const isCode = isCodeJoinMark(mark) || isCodeJoinMark(text.charAt(next - 1));
    const seen = isCode || mark === LINE_MARKS.raw ? raw : text.slice(start, next - 1);
    if (mark === LINE_MARKS.block && seen === '' && BLANK_LINE.test(raw)) continue;
    const line = { index, mark, raw, text: seen, isCode };
    const block = isJoinMark(mark) ? blocks.at(-1) : undefined;
    if (block === undefined) blocks.push([line]);
    else block.push(line);
  }
  return blocks;
}

function matchesOf(block: Block, program: RE2JS, again: Budget): MatchedLine[] {
  const alone = block.map((line) => matchIn(line, program));
  const across = runsWithoutMatch(alone).flatMap(([from, end]) =>
    matchesAcrossLines(block.slice(from, end), program, again),
  );
  const places = new Map([...block.entries()].map(([n, line]) => [line, alone[n] ?? null]));
  for (const { line, at } of across) places.set(line, at);
  return [...places].flatMap(([line, at]) => (at === null ? [] : [matchInBlock(line, at)]));
}

function matchInBlock({ index, mark, raw, text }: BlockLine, at: number): MatchedLine {
  return { index, mark, isWhole: true, place: classifyMatchPlace(raw, text.slice(0, at), false), at: () => at };
}

function matchIn({ mark, raw, text }: BlockLine, program: RE2JS): number | null {
  const matcher = program.matcher(text);
  if (matcher.find()) return matcher.start();
  const isHeading = mark === LINE_MARKS.heading && headingLevel(raw) > 0;
  return isHeading && program.matcher(raw).find() ? 0 : null;
}

function runsWithoutMatch(places: readonly (number | null)[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const [n, place] of places.entries()) {
    const last = runs.at(-1);
    if (place !== null) continue;
    if (last?.[1] === n) last[1] = n + 1;
    else runs.push([n, n + 1]);
  }
  return runs.filter(([from, end]) => end - from > 1);
}

function matchesAcrossLines(run: Block, program: RE2JS, again: Budget): { line: BlockLine; at: number }[] {
  const { text, starts } = joinLines(run);
  const matcher = program.matcher(text);
  const found: { line: BlockLine; at: number }[] = [];
  let index = 0;
  while (matcher.find()) {
    while ((starts[index + 1] ?? Infinity) <= matcher.start()) index += 1;
    const line = run[index];
    if (line !== undefined && found.at(-1)?.line !== line)
      found.push({ line, at: matcher.start() - (starts[index] ?? 0) });
    again.left -= text.length - matcher.end();
    if (again.left < 0) break;
  }
  return found;
}

/**
 * Joins the lines of a block. Code is joined with line ends, which a dot does not match; other text with spaces, unless
 * its script has none.
 */
function joinLines(run: Block): { text: string; starts: number[] } {
  const starts: number[] = [];
  let text = '';
  for (const [index, line] of run.entries()) {
    const next = index + 1 < run.length ? line.text.trimEnd() : line.text;
    if (text !== '') text += line.isCode ? '\n' : spaceBetween(text, next);
    starts.push(text.length);
    text += next;
  }
  return { text, starts };
}

/** Returns the white space between two lines: none before an indented line. */
function spaceBetween(before: string, after: string): string {
  return !after.startsWith(' ') && needsSpaceBetween(before, after) ? ' ' : '';
}

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
function scriptMatchers(pattern: string): LineMatcher[] {
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
