import { RE2JS } from 're2js';
import { fail } from '#core/errors.ts';
import { FIND_PATTERN_CHARS_MAX, FIND_PROGRAM_SIZE_MAX } from '#core/limits.ts';
import { visibleText } from '#core/visible-text.ts';
import { folded, unfoldedPlace } from './fold.ts';
import type { ReadBlock, ReadLine } from './reading-blocks.ts';
import { regexProblem } from './regex-problem.ts';

/** Where in the text of a line a match begins; `isWhole`: no word goes on at either end of it. */
export type Span = { at: number; isWhole: boolean };

export type LineMatcher = {
  /** The lines of a block at which a match begins, each with its first. */
  matchesIn: (block: ReadBlock) => { line: ReadLine; span: Span }[];
  /** Work units a character costs: of a regular expression, the size of the compiled program. */
  cost: number;
};

/** To take the marks from a character, to fold and to compare it. */
const LITERAL_COST = 20;
const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_]/u;
/** Written without spaces between sentences. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}。！？]/u;

/**
 * The ways to look for a pattern, each to be tried when the one before finds nothing: as it is given and, for text that
 * was copied with its Markdown, without the marks. Regular expressions run on a linear-time engine (RE2 syntax), so no
 * pattern can backtrack.
 * @throws {PeriscopeError} `invalid_argument` for an empty, overlong, malformed or oversized pattern
 */
export function compilePattern(pattern: string, isRegex: boolean): [LineMatcher, ...LineMatcher[]] {
  if (pattern === '') refuse('must not be empty', 'Pass the text to look for.');
  if (pattern.length > FIND_PATTERN_CHARS_MAX) {
    refuse(`must be at most ${FIND_PATTERN_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  }
  if (isRegex) return [regexMatcher(pattern)];
  const asGiven = folded(pattern);
  const asRead = folded(visibleText(pattern));
  return [literalMatcher(asGiven), ...(asRead === '' || asRead === asGiven ? [] : [literalMatcher(asRead)])];
}

function literalMatcher(wanted: string): LineMatcher {
  return { matchesIn: (block) => phrasesIn(block, wanted), cost: LITERAL_COST };
}

/** A phrase may go on from one sentence line of its block to the next; it counts where it begins. */
function phrasesIn(block: ReadBlock, wanted: string): { line: ReadLine; span: Span }[] {
  const { text, starts } = joined(block);
  const found: { line: ReadLine; span: Span }[] = [];
  let index = 0;
  let from = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, from)) {
    while ((starts[index + 1] ?? Infinity) <= at) index += 1;
    const line = block[index];
    if (line === undefined) return found;
    const isWhole = isWholeIn(text, at, wanted);
    const last = found.at(-1);
    if (last?.line === line) last.span.isWhole ||= isWhole;
    else found.push({ line, span: { at: unfoldedPlace(line.text, at - (starts[index] ?? 0)), isWhole } });
    // A line is one entry: once it is sure what kind, the next line is where the next can be.
    from = isWhole ? Math.max(at + 1, starts[index + 1] ?? Infinity) : at + 1;
  }
  return found;
}

/** The folded text of a block, and where each of its lines begins in it. */
function joined(block: ReadBlock): { text: string; starts: number[] } {
  const starts: number[] = [];
  let text = '';
  for (const line of block) {
    const next = folded(line.text);
    if (text !== '' && !(UNSPACED.test(text.slice(-1)) && UNSPACED.test(next.slice(0, 1)))) text += ' ';
    starts.push(text.length);
    text += next;
  }
  return { text, starts };
}

function isWholeIn(text: string, at: number, wanted: string): boolean {
  const goesOnBefore = WORD_AFTER.test(wanted) && WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at));
  const end = at + wanted.length;
  return !goesOnBefore && !(WORD_BEFORE.test(wanted) && WORD_AFTER.test(text.slice(end, end + 2)));
}

function regexMatcher(pattern: string): LineMatcher {
  const program = compileRegex(pattern);
  const size = program.programSize();
  if (size > FIND_PROGRAM_SIZE_MAX) {
    refuse('is too large once its repetitions are expanded', 'Use smaller repetition counts, such as {1,20}.');
  }
  const placeIn = (text: string) => {
    const matcher = program.matcher(text);
    return matcher.find() ? matcher.start() : -1;
  };
  return {
    matchesIn: (block) =>
      block.flatMap((line) => {
        const at = placeIn(line.text);
        // A heading may be looked for by its marks.
        const isFound = at >= 0 || (line.isHeading && placeIn(line.raw) >= 0);
        return isFound ? [{ line, span: { at: Math.max(0, at), isWhole: true } }] : [];
      }),
    cost: size,
  };
}

function compileRegex(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return refuse(
      regexProblem(pattern, error),
      'Use RE2 syntax: no look-around and no back-references; \\( for a bracket that is meant as one; (?i) first to ignore case. Or set is_regex to false to look for the text as it is.',
    );
  }
}

function refuse(problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field: 'pattern', problem, hint });
}
