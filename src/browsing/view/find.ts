import { RE2JS } from 're2js';
import { fail } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { compileRegex } from '#core/text/regex.ts';
import { oneLine } from '#core/text/text.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Line } from './outline.ts';
import { isPage } from '#browsing/view/page/reacting.ts';
import { elementOf, writeParts, writeWords } from './view-line.ts';
import type { ViewLine } from './view-line.ts';
import { alike, quotedValue } from './words.ts';

/** Length of a line that was searched for, around the match. */
const FOUND_LINE_CHARS_MAX = 300;
/** Lines of a row that are shown beside the matching one. */
const FOUND_PART_LINES_MAX = 8;
/** Its boxes are shown, too, however far they are. */
const FOUND_BOXES_MAX = 4;
/** Lines of a field with its label, value and controls. */
const FOUND_FIELD_LINES_MAX = 5;

/** Says where in a line a pattern is; -1 where it is not. */
export type Finder = (text: string) => number;

/**
 * @param pattern text, whose case does not matter, or a regular expression between slashes, with an `i` behind them
 * @throws {PeriscopeError} `invalid_argument` for one that cannot be looked for
 */
export function finderOf(pattern: string): Finder {
  const [, inner, ignores] = REGEX.exec(pattern.trim()) ?? [];
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

const REGEX = /^\/(.+)\/(i?)$/su;

export function isRegex(pattern: string): boolean {
  return REGEX.test(pattern.trim());
}

/**
 * The lines that match, each with the heading over it, the row or the field that it stands in, and what one can act on
 * there. The work grows with the lines, however many of them match and however large the rows are.
 * @param isRow whether a part of the page is one of many of its kind
 * @param context lines before and behind each that are shown as well
 */
export function findLines(
  lines: readonly Line[],
  find: Finder,
  isRow: (part: AxElement) => boolean,
  context = 0,
): Line[] {
  const shown = new Map<number, Line>();
  const rows = new Rows(lines, isRow);
  const over: Heading[] = [];
  for (const [at, line] of lines.entries()) {
    const place = find(wordsOfPage(line));
    const inValue = excerptOfValue(line, find);
    if (place >= 0 || inValue !== null) {
      const heading = headingOver(over, line.depth);
      if (heading !== null && !shown.has(heading)) show(heading, 0);
      for (const near of [...rows.around(at), ...linesAround(at, context)]) if (!shown.has(near)) show(near, 0);
      if (inValue === null) show(at, place);
      else shown.set(at, inValue);
    }
    addHeading(over, line, at);
  }
  return [...shown].toSorted(([one], [other]) => one - other).map(([, line]) => line);

  function show(at: number, place: number): void {
    const line = lines[at];
    if (line !== undefined) shown.set(at, excerptOf(line, place));
  }
}

function linesAround(at: number, context: number): number[] {
  return Array.from({ length: 2 * context + 1 }, (_, index) => at - context + index);
}

/** Without what is ours: refs, which of several an element is, what reads the rest. Blanks keep the others in their place. */
function wordsOfPage({ parts }: ViewLine): string {
  const blank = (words: string) => ' '.repeat(words.length);
  return writeParts(parts, (element) => {
    const { ref, place } = element;
    return { ...element, ref: ref === null ? null : blank(ref), place: place.map(blank), chars: null };
  });
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
type Row = {
  from: number;
  to: number;
  controls: number[];
  /** What is on or off: it says as much of a row as its words. */
  boxes: number[];
};

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

  /**
   * The lines of the row that a line stands in: all of a small one, of another what one can act on near the line and its
   * boxes. Of a line in no row, those of its field.
   */
  around(at: number): number[] {
    const part = this.#innermost(this.#lines[at]?.within ?? null);
    if (part === null) return fieldAround(this.#lines, at);
    let row = this.#rows.get(part);
    // Of a row that other lines interrupt, each piece is a row.
    if (row === undefined || at >= row.to || at < row.from) this.#rows.set(part, (row = this.#rowAround(at, part)));
    if (row.to - row.from - 1 > FOUND_PART_LINES_MAX) return [...nearest(row.controls, at), ...row.boxes];
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
    const boxes = controls.filter((line) => isBox(this.#lines[line])).slice(0, FOUND_BOXES_MAX);
    return { from, to, controls, boxes };
  }
}

function isBox(line: Line | undefined): boolean {
  const element = line === undefined ? null : elementOf(line);
  return element !== null && (BOXES.has(element.role) || element.states.includes('pressed'));
}

const BOXES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);

/**
 * The lines that make a field with this one: a label, a value, what one can act on. That is the largest small part around it
 * in which no two controls are called the same, if it holds both words and controls.
 */
function fieldAround(lines: readonly Line[], at: number): number[] {
  const levels = levelsAround(lines, at);
  let field: number[] = [];
  for (const level of new Set([...levels.values()].toSorted((one, other) => one - other))) {
    const inside = [...levels].flatMap(([place, its]) => (its <= level ? [place] : []));
    // What begins or ends where it was looked at goes on there.
    if (inside.length >= FOUND_FIELD_LINES_MAX || [...inside].some((place) => Math.abs(place - at) === LOOKED_AT))
      break;
    const elements = [at, ...inside].flatMap(
      (place) => lines[place]?.parts.filter((part) => typeof part === 'object') ?? [],
    );
    const names = elements.filter(({ ref }) => ref !== null).map(({ role, name }) => `${role} ${name}`);
    if (new Set(names).size < names.length) break;
    const hasWords = [at, ...inside].some((place) => lines[place]?.kind === 'text');
    if (hasWords && names.length > 0) field = inside;
  }
  return field;
}

const LOOKED_AT = FOUND_FIELD_LINES_MAX;

/** For lines near one, how far up the page's tree the part is that holds both. */
function levelsAround(lines: readonly Line[], at: number): Map<number, number> {
  const heights = new Map<AxElement, number>();
  // The page as a whole is no field.
  for (let part = lines[at]?.within ?? null; part !== null && !isPage(part); part = part.parent)
    heights.set(part, heights.size);
  const levels = new Map<number, number>();
  for (const step of [-1, 1]) {
    let highest = 0;
    for (let place = at + step; Math.abs(place - at) <= LOOKED_AT; place += step) {
      let part = lines[place]?.within ?? null;
      while (part !== null && !heights.has(part)) part = part.parent;
      if (part === null) break;
      highest = Math.max(highest, heights.get(part) ?? 0);
      levels.set(place, highest);
    }
  }
  return levels;
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

/** A field of whose text only the beginning is shown, with the lines of it that match; `null` when none does. */
function excerptOfValue(line: Line, find: Finder): Line | null {
  const field = elementOf(line);
  if (field === null || field.chars === null) return null;
  const all = line.within.value.split('\n');
  const matching = all.flatMap((text, at) => {
    const place = find(text);
    return place < 0 ? [] : [`line ${at + 1}: ${quotedValue(around(text, place), FOUND_LINE_CHARS_MAX)}`];
  });
  if (matching.length === 0) return null;
  const more = matching.length > FOUND_VALUE_LINES_MAX ? `, and ${matching.length - FOUND_VALUE_LINES_MAX} more` : '';
  const words = [field.ref ?? '', field.role, field.name].filter((word) => word !== '').join(' ');
  const said = matching.slice(0, FOUND_VALUE_LINES_MAX).join(', ');
  return { ...line, excerpt: `${words} (of ${all.length} lines, ${said}${more})` };
}

/** As much of a long line as is shown, with the match in it. */
function around(text: string, place: number): string {
  const from = Math.max(0, Math.min(place - 60, text.length - FOUND_LINE_CHARS_MAX));
  return from === 0 ? text : `…${text.slice(from)}`;
}

/** Lines of one value that are shown. */
const FOUND_VALUE_LINES_MAX = 5;

function excerptOf(line: Line, place: number): Line {
  const text = writeWords(line);
  if (text.length <= FOUND_LINE_CHARS_MAX) return line;
  const from = Math.max(0, Math.min(place - 60, text.length - FOUND_LINE_CHARS_MAX));
  if (from === 0) return { ...line, excerpt: oneLine(text, FOUND_LINE_CHARS_MAX) };
  const { ref = null } = elementOf(line) ?? {};
  return { ...line, excerpt: `${ref === null ? '' : `${ref} `}… ${oneLine(text.slice(from), FOUND_LINE_CHARS_MAX)}` };
}
