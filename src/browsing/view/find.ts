import { RE2JS } from 're2js';
import { fail } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { compileRegex } from '#core/text/regex.ts';
import { oneLine } from '#core/text/text.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Line } from './outline.ts';
import { elementOf, writeParts, writeWords } from './view-line.ts';
import type { ViewLine } from './view-line.ts';
import { alike } from './words.ts';

/** Length of a line that was searched for, around the match. */
const FOUND_LINE_CHARS_MAX = 300;
/** Lines of a row that are shown beside the matching one. */
const FOUND_PART_LINES_MAX = 8;

/** Says where in a line a pattern is; -1 where it is not. */
export type Finder = (text: string) => number;

/**
 * @param pattern text, whose case does not matter, or a regular expression between slashes, with an `i` behind them
 * @throws {PeriscopeError} `invalid_argument` for one that cannot be looked for
 */
export function finderOf(pattern: string): Finder {
  const [, inner, ignores] = /^\/(.+)\/(i?)$/su.exec(pattern.trim()) ?? [];
  if (inner !== undefined) {
    const plainly = 'Or leave out the slashes to look for the text as it is.';
    const { program } = compileRegex(inner, 'find', plainly, ignores === 'i' ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => {
      const matcher = program.matcher(text);
      return matcher.find() ? matcher.start() : -1;
    };
  }
  const wanted = alike(pattern);
  if (wanted === '' || pattern.length > REGEX_CHARS_MAX) {
    const hint = `Pass up to ${REGEX_CHARS_MAX} characters of text, or a regular expression such as "/total: \\d+/".`;
    fail({ code: 'invalid_argument', field: 'find', problem: 'is not a text to look for', hint });
  }
  return (text) => alike(text).indexOf(wanted);
}

/**
 * The lines that match, each with the heading over it, the row that it stands in, and what one can act on there.
 * The work grows with the lines, however many of them match and however large the rows are.
 * @param isRow whether a part of the page is one of many of its kind
 */
export function findLines(lines: readonly Line[], find: Finder, isRow: (part: AxElement) => boolean): Line[] {
  const shown = new Map<number, Line>();
  const rows = new Rows(lines, isRow);
  const over: Heading[] = [];
  for (const [at, line] of lines.entries()) {
    const place = find(withoutRefs(line));
    if (place >= 0) {
      const heading = headingOver(over, line.depth);
      if (heading !== null && !shown.has(heading)) show(heading, 0);
      for (const near of rows.around(at)) if (!shown.has(near)) show(near, 0);
      show(at, place);
    }
    addHeading(over, line, at);
  }
  return [...shown].toSorted(([one], [other]) => one - other).map(([, line]) => line);

  function show(at: number, place: number): void {
    const line = lines[at];
    if (line !== undefined) shown.set(at, excerptOf(line, place));
  }
}

/** A ref is no word of the page. */
function withoutRefs({ parts }: ViewLine): string {
  return writeParts(parts, (element) =>
    element.ref === null ? element : { ...element, ref: ' '.repeat(element.ref.length) },
  );
}

/** A heading or named part, and the depth from which lines behind it stand under it. */
type Heading = { at: number; fromDepth: number };

/** Of those that a later one hides from every line to come, none is kept: they lie ever deeper. */
function addHeading(over: Heading[], { kind, depth }: Line, at: number): void {
  if (kind !== 'heading' && kind !== 'group') return;
  const fromDepth = kind === 'heading' ? depth : depth + 1;
  while ((over.at(-1)?.fromDepth ?? -1) >= fromDepth) over.pop();
  over.push({ at, fromDepth });
}

/** The nearest that a line of this depth stands under. */
function headingOver(over: readonly Heading[], depth: number): number | null {
  return over[countWhile(over, ({ fromDepth }) => fromDepth <= depth) - 1]?.at ?? null;
}

/** How many at the beginning of a list are so, when none behind them is. */
function countWhile<T>(list: readonly T[], isSo: (one: T) => boolean): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = list[middle];
    if (one !== undefined && isSo(one)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Where a row begins and ends among the lines, and which of these one can act on. */
type Row = { from: number; to: number; controls: number[] };

class Rows {
  readonly #lines: readonly Line[];
  readonly #isRow: (part: AxElement) => boolean;
  /** The innermost row around a part of the page. */
  readonly #rowOf = new Map<AxElement, AxElement | null>();
  readonly #rows = new Map<AxElement, Row>();

  constructor(lines: readonly Line[], isRow: (part: AxElement) => boolean) {
    this.#lines = lines;
    this.#isRow = isRow;
  }

  /** The lines of the row that a line stands in: all of a small one, of another what one can act on near the line. */
  around(at: number): number[] {
    const part = this.#innermost(this.#lines[at]?.within ?? null);
    if (part === null) return [];
    let row = this.#rows.get(part);
    // Of a row that other lines interrupt, each piece is a row.
    if (row === undefined || at >= row.to || at < row.from) this.#rows.set(part, (row = this.#rowAround(at, part)));
    if (row.to - row.from - 1 > FOUND_PART_LINES_MAX) return nearest(row.controls, at);
    return Array.from({ length: row.to - row.from }, (_, index) => row.from + index).filter((line) => line !== at);
  }

  #innermost(element: AxElement | null): AxElement | null {
    const above: AxElement[] = [];
    let part = element;
    let row: AxElement | null = null;
    for (; part !== null; part = part.parent) {
      const known = this.#rowOf.get(part);
      row = known ?? (known === undefined && this.#isRow(part) ? part : null);
      above.push(part);
      if (known !== undefined || row !== null) break;
    }
    for (const passed of above) this.#rowOf.set(passed, row);
    return row;
  }

  #rowAround(at: number, part: AxElement): Row {
    const isInside = insideOf(part);
    let from = at;
    let to = at + 1;
    while (from > 0 && isInside(this.#lines[from - 1])) from -= 1;
    while (to < this.#lines.length && isInside(this.#lines[to])) to += 1;
    const controls: number[] = [];
    for (let line = from; line < to; line += 1) if (this.#lines[line]?.kind === 'element') controls.push(line);
    return { from, to, controls };
  }
}

/** Asks each element once, however many lines tell of it. */
function insideOf(part: AxElement): (line: Line | undefined) => boolean {
  const known = new Map<AxElement | null, boolean>([
    [part, true],
    [null, false],
  ]);
  return (line) => {
    const passed: AxElement[] = [];
    let at = line?.within ?? null;
    for (; at !== null && !known.has(at); at = at.parent) passed.push(at);
    const isInside = known.get(at) === true;
    for (const element of passed) known.set(element, isInside);
    return isInside;
  };
}

/** The few that stand nearest, of numbers in rising order. */
function nearest(sorted: readonly number[], at: number): number[] {
  let below = countWhile(sorted, (one) => one < at);
  let above = below - 1;
  if (sorted[below] === at) below += 1;
  const found: number[] = [];
  while (found.length < FOUND_PART_LINES_MAX && (above >= 0 || below < sorted.length)) {
    const isAbove = at - (sorted[above] ?? -Infinity) <= (sorted[below] ?? Infinity) - at;
    found.push(sorted[isAbove ? above : below] ?? at);
    if (isAbove) above -= 1;
    else below += 1;
  }
  return found;
}

function excerptOf(line: Line, place: number): Line {
  const text = writeWords(line);
  if (text.length <= FOUND_LINE_CHARS_MAX) return line;
  const from = Math.max(0, Math.min(place - 60, text.length - FOUND_LINE_CHARS_MAX));
  if (from === 0) return { ...line, excerpt: oneLine(text, FOUND_LINE_CHARS_MAX) };
  const { ref = null } = elementOf(line) ?? {};
  return { ...line, excerpt: `${ref === null ? '' : `${ref} `}… ${oneLine(text.slice(from), FOUND_LINE_CHARS_MAX)}` };
}
