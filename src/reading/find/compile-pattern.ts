import type { RE2JS } from 're2js';
import { fail } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { compileRegex } from '#core/text/regex.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { folded, needsSpace, unfoldedIndex } from './reading-blocks.ts';
import type { ReadBlock, ReadLine } from './reading-blocks.ts';

/**
 * Where in the text of a line a match begins. `isWhole`: it does not begin or end inside a word; `isAll`: it is the
 * whole line, and the line is not a link elsewhere.
 */
export type Span = { at: number; isWhole: boolean; isAll: boolean };

export type LineMatcher = {
  /** The lines of a block at which a match begins, each with its first. */
  matchesIn: (block: ReadBlock) => { line: ReadLine; span: Span }[];
  /** Work units that a character costs in a block of this many lines. */
  costIn: (lines: number) => number;
};

/** To take the marks from a character, to fold and to compare it. */
const LITERAL_COST = 20;
/** What the engine does for each character besides running the program, counted in instructions. */
const STEP_COST = 10;
/** An entry of a list of contents, for one. */
const LINK_ALONE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\[.*\]\(\S*\)$/;
const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_]/u;

/**
 * The ways to look for a pattern. Each is tried when the one before finds nothing: first as given, then, for text that
 * was copied with its Markdown, without the marks. Regular expressions run on a linear-time engine (RE2 syntax), so no
 * pattern can backtrack.
 * @throws {PeriscopeError} `invalid_argument` for an empty, overlong, malformed or oversized pattern
 */
export function compilePattern(pattern: string, isRegex: boolean): [LineMatcher, ...LineMatcher[]] {
  if (pattern === '') refuse('must not be empty', 'Pass the text to look for.');
  if (pattern.length > REGEX_CHARS_MAX) {
    refuse(`must be at most ${REGEX_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  }
  if (isRegex) return [regexMatcher(pattern)];
  const asGiven = folded(pattern);
  const asRead = folded(visibleText(pattern));
  return [literalMatcher(asGiven), ...(asRead === '' || asRead === asGiven ? [] : [literalMatcher(asRead)])];
}

function literalMatcher(wanted: string): LineMatcher {
  return { matchesIn: (block) => phrasesIn(block, wanted), costIn: () => LITERAL_COST };
}

/** A phrase may go on from one sentence line of its block to the next; it counts where it begins. */
function phrasesIn(block: ReadBlock, wanted: string): { line: ReadLine; span: Span }[] {
  const { text, starts } = joined(block, folded);
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
      const start = starts[index] ?? 0;
      const isAll = at === start && folded(line.text).trim() === wanted && !LINK_ALONE.test(line.raw);
      found.push({ line, span: { at: unfoldedIndex(line.text, at - start), isWhole, isAll } });
    }
    // A line is one entry: once it is sure what kind, the next line is where the next can be.
    from = isWhole ? Math.max(at + 1, starts[index + 1] ?? Infinity) : at + 1;
  }
  return found;
}

/** The text of the lines of a block in a form, and where each of them begins in it. */
function joined(block: ReadBlock, inForm: (text: string) => string): { text: string; starts: number[] } {
  const starts: number[] = [];
  let text = '';
  for (const line of block) {
    const next = inForm(line.text);
    if (text !== '' && needsSpace(text, next)) text += ' ';
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
  const plainly = 'Or set is_regex to false to look for the text as it is.';
  const { program, size } = compileRegex(pattern, 'pattern', plainly);
  return {
    matchesIn: (block) => {
      const alone = block.map((line) => placeOf(line, program));
      const across = runsWithout(alone).flatMap(([from, end]) => startsAcross(block.slice(from, end), program));
      const places = new Map([...block.entries()].map(([n, line]) => [line, alone[n] ?? null]));
      for (const { line, at } of across) places.set(line, at);
      return [...places].flatMap(([line, at]) =>
        at === null ? [] : [{ line, span: { at, isWhole: true, isAll: false } }],
      );
    },
    costIn: (lines) => (size + STEP_COST) * (lines > 1 ? 2 : 1),
  };
}

/** Where a line matches on its own; `null` if it does not. */
function placeOf(line: ReadLine, program: RE2JS): number | null {
  const matcher = program.matcher(line.text);
  if (matcher.find()) return matcher.start();
  // A heading may be looked for by its marks.
  return line.level > 0 && program.matcher(line.raw).find() ? 0 : null;
}

/** A run of lines of which none matches alone: from, end. A match in it crosses the end of a line. */
function runsWithout(places: readonly (number | null)[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const [n, place] of places.entries()) {
    const last = runs.at(-1);
    if (place !== null) continue;
    if (last?.[1] === n) last[1] = n + 1;
    else runs.push([n, n + 1]);
  }
  return runs.filter(([from, end]) => end - from > 1);
}

/** The lines of a run at which a match begins, each with its first. */
function startsAcross(run: ReadBlock, program: RE2JS): { line: ReadLine; at: number }[] {
  const { text, starts } = joined(run, (line) => line);
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
