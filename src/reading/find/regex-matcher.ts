import type { RE2JS } from 're2js';
import { KIB } from '#core/limits.ts';
import { headingLevel } from '#core/document/document.ts';
import { needsSpaceBetween } from '#core/text/fold.ts';
import { BLANK_LINE } from '#core/text/line-kinds.ts';
import { compileRegex } from '#core/text/regex.ts';
import { LINE_MARKS } from '#core/text/seen-text.ts';
import { classifyMatchPlace } from './matcher.ts';
import type { MatchedLine, LineMatcher } from './matcher.ts';
import { isCodeJoinMark, isJoinMark, findLineStarts } from './pieces.ts';
import type { SearchPiece } from './pieces.ts';

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
export function regexMatcher(pattern: string): LineMatcher {
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
  return [...places].flatMap(([line, at]) => (at === null ? [] : [matchAt(line, at)]));
}

function matchAt({ index, mark, raw, text }: BlockLine, at: number): MatchedLine {
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
  const { text, starts } = joined(run);
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
function joined(run: Block): { text: string; starts: number[] } {
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
