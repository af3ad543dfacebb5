import { RE2JS } from 're2js';
import { fail } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { compileRegex } from '#core/text/regex.ts';
import { oneLine } from '#core/text/text.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { isPageRoot } from '#browsing/view/page/reacting.ts';
import { leadingElement, writeParts, writeWords } from './view-line.ts';
import type { OutlineLine, ViewLine } from './view-line.ts';
import { toComparableText, quoteFieldValue } from './words.ts';

/** Maximum characters shown of a line that matches a search. */
const FOUND_LINE_CHARS_MAX = 300;
/** Maximum lines of a row that a search result shows as a whole. */
const FOUND_PART_LINES_MAX = 8;
/** Maximum check boxes shown for a large row, even if they are far from the match. */
const FOUND_BOXES_MAX = 4;
/** Maximum lines of a field: its label, value and controls. */
const FOUND_FIELD_LINES_MAX = 5;
/** Maximum lines shown of a large row for its words, such as a sender and a subject. */
const FOUND_TITLE_LINES_MAX = 2;
/** Maximum characters of each line in a row of plain texts. Longer lines are paragraphs. */
const FOUND_TEXT_CHARS_MAX = 80;

/** Returns the index of the first match in a text; -1 for none. */
export type TextFinder = (text: string) => number;

/**
 * @param pattern case-insensitive text, or a regular expression between slashes with an optional `i` flag
 * @throws {PeriscopeError} `invalid_argument` for an invalid pattern
 */
export function compileFinder(pattern: string): TextFinder {
  const [, inner, ignores] = REGEX.exec(pattern.trim()) ?? [];
  if (inner !== undefined) {
    const plainly = 'Or leave out the slashes to search for it as plain text.';
    const { program } = compileRegex(inner, 'find', plainly, ignores === 'i' ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => {
      const matcher = program.matcher(text);
      return matcher.find() ? matcher.start() : -1;
    };
  }
  const wanted = toComparableText(pattern);
  if (wanted === '' || pattern.length > REGEX_CHARS_MAX) {
    const hint = `Pass up to ${REGEX_CHARS_MAX} characters of text, or a regular expression such as "/total: \\d+/".`;
    fail({ code: 'invalid_argument', field: 'find', problem: 'is not a text to look for', hint });
  }
  return (text) => toComparableText(text).indexOf(wanted);
}

const REGEX = /^\/(.+)\/(i?)$/su;

export function isRegex(pattern: string): boolean {
  return REGEX.test(pattern.trim());
}

/**
 * The lines that match, each with its heading and with the row or field around it, so that the controls that belong to
 * the match are visible. Takes at most n log n steps for n lines, for any number of matches and any row size.
 * @param isRow true for an element that repeats, such as a table row, a card or a list item
 * @param context extra lines before and after each match
 */
export function findLines(
  lines: readonly OutlineLine[],
  find: TextFinder,
  isRow: (part: AxElement) => boolean,
  context = 0,
): OutlineLine[] {
  const shown = new Map<number, OutlineLine>();
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
    if (line !== undefined) shown.set(at, cutAroundMatch(line, place));
  }
}

function linesAround(at: number, context: number): number[] {
  return Array.from({ length: 2 * context + 1 }, (_, index) => at - context + index);
}

/**
 * The page's own words in a line. Text that Periscope adds, such as refs, becomes blanks, so that offsets stay the
 * same.
 */
function wordsOfPage({ parts }: ViewLine): string {
  const blank = (words: string) => ' '.repeat(words.length);
  return writeParts(parts, (element) => {
    const { ref, place } = element;
    return { ...element, ref: ref === null ? null : blank(ref), place: place.map(blank), chars: null };
  });
}

/** A heading or named group in line `at`. Later lines at depth `fromDepth` or deeper belong to it. */
type Heading = { at: number; fromDepth: number };

/** Adds a heading. First removes the headings of sections that end here, so that the depths in `over` ascend. */
function addHeading(over: Heading[], line: OutlineLine, at: number): void {
  const { kind, depth } = line;
  if (kind !== 'heading' && !(kind === 'group' && isTelling(line))) return;
  const fromDepth = kind === 'heading' ? depth : depth + 1;
  while ((over.at(-1)?.fromDepth ?? -1) >= fromDepth) over.pop();
  over.push({ at, fromDepth });
}

/** False for a group without a name, such as a draggable card, whose line says nothing about a match in it. */
function isTelling(group: OutlineLine): boolean {
  const element = leadingElement(group);
  return element === null || element.name !== '' || group.within.role === 'dialog';
}

/** Line index of the nearest heading above a line of this depth; `null` for none. */
function headingOver(over: readonly Heading[], depth: number): number | null {
  return over[countWhile(over, ({ fromDepth }) => fromDepth <= depth) - 1]?.at ?? null;
}

/** Length of the prefix for which `isSo` holds, found by binary search. `isSo` must hold for no later entry. */
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

type Row = {
  from: number;
  to: number;
  controls: number[];
  /** Lines of the first `FOUND_BOXES_MAX` check boxes and switches. Their state is as important as the row's text. */
  boxes: number[];
  /** The first lines with words, which say which record the row shows. */
  title: number[];
};

class Rows {
  readonly #lines: readonly OutlineLine[];
  readonly #isRow: (part: AxElement) => boolean;
  readonly #rowOf = new Map<AxElement, AxElement | null>();
  readonly #rows = new Map<AxElement, Row>();
  readonly #shapes = new Map<AxElement, ReadonlyMap<string, number>>();

  constructor(lines: readonly OutlineLine[], isRow: (part: AxElement) => boolean) {
    this.#lines = lines;
    this.#isRow = isRow;
  }

  /**
   * The lines of the row around a line. A small row is returned whole; of a large row, only its first words, its check
   * boxes and the controls near the line. A line outside rows gets the lines of its field or of its row of texts.
   */
  around(at: number): number[] {
    const part = this.#innermost(this.#lines[at]?.within ?? null);
    if (part === null) {
      const levels = levelsAround(this.#lines, at);
      const field = fieldAround(this.#lines, at, levels);
      return field.length > 0 ? field : this.#textsAround(at, levels);
    }
    let row = this.#rows.get(part);
    // Lines outside a row may interrupt it, such as a dialog that is listed first. Each piece then counts as a row.
    if (row === undefined || at >= row.to || at < row.from) this.#rows.set(part, (row = this.#rowAround(at, part)));
    if (row.to - row.from - 1 > FOUND_PART_LINES_MAX)
      return [...row.title, ...nearest(row.controls, at), ...row.boxes].filter((line) => line !== at);
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
    const title: number[] = [];
    for (let line = from; line < to && title.length < FOUND_TITLE_LINES_MAX; line += 1) {
      const kind = this.#lines[line]?.kind;
      if (kind === 'text' || kind === 'heading') title.push(line);
    }
    return { from, to, controls, boxes, title };
  }

  /** The lines of a repeated container of a few short texts, such as a row of a table that is made of boxes. */
  #textsAround(at: number, levels: ReadonlyMap<number, number>): number[] {
    const ancestors = ancestorsOf(this.#lines[at]);
    for (const level of new Set([...levels.values()].toSorted((one, other) => one - other))) {
      const inside = linesWithin(levels, level);
      const isLong = [at, ...inside].some((place) => lengthOf(this.#lines[place]) > FOUND_TEXT_CHARS_MAX);
      if (isLong || reachesEnd(inside, at)) return [];
      const part = ancestors[level];
      if (part !== undefined && this.#isRepeated(part)) return inside;
    }
    return [];
  }

  /** True if another child of its parent has children of the same roles. */
  #isRepeated({ role, parent, children }: AxElement): boolean {
    if (parent === null) return false;
    let shapes = this.#shapes.get(parent);
    if (shapes === undefined) {
      const counts = new Map<string, number>();
      for (const child of parent.children) counts.set(shapeOf(child), (counts.get(shapeOf(child)) ?? 0) + 1);
      this.#shapes.set(parent, (shapes = counts));
    }
    return children.length > 1 && (shapes.get(shapeOf({ role, children })) ?? 0) > 1;
  }
}

function shapeOf({ role, children }: Pick<AxElement, 'role' | 'children'>): string {
  return [role, ...children.map((child) => child.role)].join(' ');
}

function lengthOf(line: OutlineLine | undefined): number {
  return line === undefined ? 0 : writeWords(line).length;
}

/** The elements around a line, the innermost first, without the page itself, which contains every line. */
function ancestorsOf(line: OutlineLine | undefined): AxElement[] {
  const ancestors: AxElement[] = [];
  for (let part = line?.within ?? null; part !== null && !isPageRoot(part); part = part.parent) ancestors.push(part);
  return ancestors;
}

function linesWithin(levels: ReadonlyMap<number, number>, level: number): number[] {
  return [...levels].flatMap(([place, its]) => (its <= level ? [place] : []));
}

/** True if a container reaches the last searched line: it may continue beyond it, so its size is unknown. */
function reachesEnd(inside: readonly number[], at: number): boolean {
  return inside.length >= FOUND_FIELD_LINES_MAX || inside.some((place) => Math.abs(place - at) === LOOKED_AT);
}

function isBox(line: OutlineLine | undefined): boolean {
  const element = line === undefined ? null : leadingElement(line);
  return element !== null && (BOXES.has(element.role) || element.states.includes('pressed'));
}

const BOXES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);

/**
 * The lines of the field around a line: its label, value and controls. The field is the largest small container around
 * the line in which no two controls have equal role and name, if it contains both text and controls.
 */
function fieldAround(lines: readonly OutlineLine[], at: number, levels: ReadonlyMap<number, number>): number[] {
  let field: number[] = [];
  for (const level of new Set([...levels.values()].toSorted((one, other) => one - other))) {
    const inside = linesWithin(levels, level);
    if (reachesEnd(inside, at)) break;
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

/** For each of the few lines around a line: the number of levels from that line up to their nearest common ancestor. */
function levelsAround(lines: readonly OutlineLine[], at: number): Map<number, number> {
  const heights = new Map(ancestorsOf(lines[at]).map((part, height) => [part, height] as const));
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

/** Returns a test for lines inside an element. The test checks each ancestor only once, even if many lines share it. */
function insideOf(part: AxElement): (line: OutlineLine | undefined) => boolean {
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

/** The entries nearest to `at`, from an ascending list; at most `FOUND_PART_LINES_MAX`. */
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

/**
 * A field whose value is cut in the view, with the value's lines that match; `null` for other lines, and if none match.
 */
function excerptOfValue(line: OutlineLine, find: TextFinder): OutlineLine | null {
  const field = leadingElement(line);
  if (field === null || field.chars === null) return null;
  const all = line.within.value.split('\n');
  const { lines, linesBefore: before } = field.excerpt ?? { lines: all.length, linesBefore: 0 };
  const matching = all.flatMap((text, at) => {
    const place = find(text);
    return place < 0 ? [] : [`line ${before + at + 1}: ${quoteFieldValue(around(text, place), FOUND_LINE_CHARS_MAX)}`];
  });
  if (matching.length === 0) return null;
  const more = matching.length > FOUND_VALUE_LINES_MAX ? `, and ${matching.length - FOUND_VALUE_LINES_MAX} more` : '';
  const words = [field.ref ?? '', field.role, field.name].filter((word) => word !== '').join(' ');
  const said = matching.slice(0, FOUND_VALUE_LINES_MAX).join(', ');
  return { ...line, excerpt: `${words} (of ${lines} lines, ${said}${more})` };
}

/** The text from shortly before the match to its end; unchanged if it is short or the match is near its start. */
function around(text: string, place: number): string {
  const from = Math.max(0, Math.min(place - 60, text.length - FOUND_LINE_CHARS_MAX));
  return from === 0 ? text : `…${text.slice(from)}`;
}

/** Maximum matching lines shown of one field's value. */
const FOUND_VALUE_LINES_MAX = 5;

export function cutAroundMatch<Of extends ViewLine>(line: Of, place: number, maxChars = FOUND_LINE_CHARS_MAX): Of {
  const text = writeWords(line);
  if (text.length <= maxChars) return line;
  const from = Math.max(0, Math.min(place - 60, text.length - maxChars));
  if (from === 0) return { ...line, excerpt: oneLine(text, maxChars) };
  const { ref = null } = leadingElement(line) ?? {};
  return { ...line, excerpt: `${ref === null ? '' : `${ref} `}… ${oneLine(text.slice(from), maxChars)}` };
}
