import type { RE2JS } from 're2js';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { isPlain } from '#core/text/plain.ts';
import { compileRegex } from '#core/text/regex.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { foldForSearch, needsSpace, unfoldedIndex } from './reading-blocks.ts';
import type { ReadBlock, ReadLine } from './reading-blocks.ts';

/** `isWhole`: the match does not begin or end inside a word. */
export type Span = { at: number; isWhole: boolean; place: Place };

/**
 * What the match is of its line: all of it, as of a term; its beginning, as of a signature or the first cell of a row; a
 * part; or a part of a link to elsewhere that stands alone, as in a list of contents.
 */
export type Place = 'all' | 'start' | 'part' | 'link';

export type LineMatcher = {
  matchesIn: (block: ReadBlock) => { line: ReadLine; span: Span }[];
  /** Work units that a character costs in a block of this many lines. */
  costIn: (lines: number) => number;
};

/** Work units for a character: taking away marks, folding, comparing. */
const LITERAL_COST = 20;
/** Work of the engine for each character beside the program, in instructions. */
const STEP_COST = 10;
const LINK_ALONE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\[.*\]\(\S*\)$/;
const WORD = /[\p{L}\p{N}]/u;
const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_]/u;

/**
 * Ways to look for a pattern, each tried when the one before finds nothing: as given, then without Markdown marks,
 * because the text may have been copied with them. Regular expressions run on a linear-time engine (RE2 syntax), so no
 * pattern can backtrack.
 * @throws {PeriscopeError} `invalid_argument` for an empty, overlong, malformed or oversized pattern
 */
export function compilePattern(pattern: string, isRegex: boolean): [LineMatcher, ...LineMatcher[]] {
  if (pattern === '') refuse('must not be empty', 'Pass the text to look for.');
  if (pattern.length > REGEX_CHARS_MAX) {
    refuse(`must be at most ${REGEX_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  }
  if (isRegex) return [regexMatcher(pattern)];
  const asGiven = foldForSearch(pattern);
  const asRead = foldForSearch(visibleText(pattern));
  return [literalMatcher(asGiven), ...(asRead === '' || asRead === asGiven ? [] : [literalMatcher(asRead)])];
}

/** Syntax of regular expressions that readers seldom see in a text. */
const REGEX_SYNTAX = /^\^|\||\.[*+]|\\[bdswBDSW.()[\]]|\(\?|\[[^\]]+\][*+{]|\$$/;

/**
 * The regular expression that may find more: one that was given as text, or that minds case. `null` for a text that
 * looks like none, or is none.
 */
export function regexMeantBy(text: string, isRegex: boolean): string | null {
  const hasFlags = text.startsWith('(?');
  const pattern = hasFlags ? text : `(?i)${text}`;
  if (isRegex ? hasFlags || !/\p{L}/u.test(text) : !REGEX_SYNTAX.test(text)) return null;
  if (!isPlain(text)) return null;
  try {
    regexMatcher(pattern);
    return pattern;
  } catch (error) {
    if (error instanceof PeriscopeError) return null;
    throw error;
  }
}

function literalMatcher(wanted: string): LineMatcher {
  return { matchesIn: (block) => phrasesIn(block, wanted), costIn: () => LITERAL_COST };
}

/** A phrase may continue on the next line of its block; the match counts where it begins. */
function phrasesIn(block: ReadBlock, wanted: string): { line: ReadLine; span: Span }[] {
  const { text, starts } = joined(block, foldForSearch, ' ');
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
    else {
      const offset = unfoldedIndex(line.text, at - (starts[index] ?? 0));
      const isAll = foldForSearch(line.text).trim() === wanted;
      found.push({ line, span: { at: offset, isWhole, place: placeOf(line, offset, isAll) } });
    }
    // A line is reported once, so after a whole-word match the next search starts at the next line.
    from = isWhole ? Math.max(at + 1, starts[index + 1] ?? Infinity) : at + 1;
  }
  return found;
}

function placeOf({ raw, text }: ReadLine, at: number, isAll: boolean): Place {
  if (LINK_ALONE.test(raw)) return 'link';
  if (isAll) return 'all';
  return WORD.test(text.slice(0, at)) ? 'part' : 'start';
}

/** @param lineEnd what stands for the end of a line of code */
function joined(
  block: ReadBlock,
  inForm: (text: string) => string,
  lineEnd: ' ' | '\n',
): { text: string; starts: number[] } {
  const starts: number[] = [];
  let text = '';
  for (const [index, line] of block.entries()) {
    const formed = inForm(line.text);
    const next = index + 1 < block.length ? formed.trimEnd() : formed;
    if (text !== '') text += line.isCode && lineEnd === '\n' ? lineEnd : spaceBetween(text, next);
    starts.push(text.length);
    text += next;
  }
  return { text, starts };
}

/** An indent is space enough. */
function spaceBetween(before: string, after: string): string {
  return !after.startsWith(' ') && needsSpace(before, after) ? ' ' : '';
}

function isWholeIn(text: string, at: number, wanted: string): boolean {
  const goesOnBefore = WORD_AFTER.test(wanted) && WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at));
  const end = at + wanted.length;
  return !goesOnBefore && !(WORD_BEFORE.test(wanted) && WORD_AFTER.test(text.slice(end, end + 2)));
}

function regexMatcher(pattern: string): LineMatcher {
  const plainly = 'Or set is_regex to false to look for the text as it is.';
  const { program, size } = compileRegex(pattern, 'pattern', plainly);
  return {
    matchesIn: (block) => {
      const alone = block.map((line) => matchIn(line, program));
      const across = runsWithoutMatch(alone).flatMap(([from, end]) =>
        matchesAcrossLines(block.slice(from, end), program),
      );
      const places = new Map([...block.entries()].map(([n, line]) => [line, alone[n] ?? null]));
      for (const { line, at } of across) places.set(line, at);
      return [...places].flatMap(([line, at]) =>
        at === null ? [] : [{ line, span: { at, isWhole: true, place: placeOf(line, at, false) } }],
      );
    },
    costIn: (lines) => (size + STEP_COST) * (lines > 1 ? 2 : 1),
  };
}

function matchIn(line: ReadLine, program: RE2JS): number | null {
  const matcher = program.matcher(line.text);
  if (matcher.find()) return matcher.start();
  return line.level > 0 && program.matcher(line.raw).find() ? 0 : null;
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

function matchesAcrossLines(run: ReadBlock, program: RE2JS): { line: ReadLine; at: number }[] {
  // A dot does not go beyond a line of code; white space does.
  const { text, starts } = joined(run, (line) => line, '\n');
  const matcher = program.matcher(text);
  const found: { line: ReadLine; at: number }[] = [];
  let index = 0;
  while (matcher.find()) {
    while ((starts[index + 1] ?? Infinity) <= matcher.start()) index += 1;
    const line = run[index];
    if (line !== undefined && found.at(-1)?.line !== line)
      found.push({ line, at: matcher.start() - (starts[index] ?? 0) });
  }
  return found;
}

function refuse(problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field: 'pattern', problem, hint });
}
