import { RE2JS } from 're2js';
import { fail } from '#core/errors.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { compileRegex } from '#core/regex.ts';
import { oneLine } from '#core/text.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { FOUND_LINE_CHARS_MAX, FOUND_PART_LINES_MAX } from './limits.ts';
import type { Line } from './outline.ts';
import { alike } from './words.ts';

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
 * @param isRow whether a part of the page is one of many of its kind
 */
export function findLines(lines: readonly Line[], find: Finder, isRow: (part: AxElement) => boolean): Line[] {
  const shown = new Map<number, Line>();
  for (const [at, line] of lines.entries()) {
    const place = find(withoutRef(line.text));
    if (place < 0) continue;
    const heading = headingOver(lines, at);
    if (heading >= 0 && !shown.has(heading)) show(heading, 0);
    for (const near of rowAround(lines, at, isRow)) if (!shown.has(near)) show(near, 0);
    show(at, place);
  }
  return [...shown].toSorted(([one], [other]) => one - other).map(([, line]) => line);

  function show(at: number, place: number): void {
    const line = lines[at];
    if (line !== undefined) shown.set(at, { ...line, text: excerpt(line.text, place) });
  }
}

/** A ref is no word of the page. */
function withoutRef(text: string): string {
  return text.replaceAll(/@e\d+ ?/gu, (ref) => ' '.repeat(ref.length));
}

/** The nearest heading or named part that a line stands under; -1 for none. */
function headingOver(lines: readonly Line[], at: number): number {
  const depth = lines[at]?.depth ?? 0;
  for (let before = at - 1; before >= 0; before -= 1) {
    const line = lines[before];
    if (line === undefined) break;
    const isOver = line.kind === 'heading' || line.kind === 'group';
    if (isOver && (line.kind === 'heading' ? line.depth <= depth : line.depth < depth)) return before;
  }
  return -1;
}

/** The lines of the row that a line stands in: all of a small one, of another what one can act on near the match. */
function rowAround(lines: readonly Line[], at: number, isRow: (part: AxElement) => boolean): number[] {
  const row = rowOf(lines[at]?.within ?? null, isRow);
  if (row === null) return [];
  const inside: number[] = [];
  for (let next = at - 1; next >= 0 && isIn(lines[next], row); next -= 1) inside.unshift(next);
  for (let next = at + 1; next < lines.length && isIn(lines[next], row); next += 1) inside.push(next);
  if (inside.length <= FOUND_PART_LINES_MAX) return inside;
  const controls = inside.filter((other) => lines[other]?.kind === 'element');
  return controls.toSorted((one, other) => Math.abs(one - at) - Math.abs(other - at)).slice(0, FOUND_PART_LINES_MAX);
}

function rowOf(element: AxElement | null, isRow: (part: AxElement) => boolean): AxElement | null {
  for (let part = element; part !== null; part = part.parent) if (isRow(part)) return part;
  return null;
}

function isIn(line: Line | undefined, part: AxElement): boolean {
  for (let at = line?.within ?? null; at !== null; at = at.parent) if (at === part) return true;
  return false;
}

function excerpt(text: string, place: number): string {
  if (text.length <= FOUND_LINE_CHARS_MAX) return text;
  const from = Math.max(0, Math.min(place - 60, text.length - FOUND_LINE_CHARS_MAX));
  const [ref = ''] = /^@e\d+ /u.exec(text) ?? [];
  return from === 0
    ? oneLine(text, FOUND_LINE_CHARS_MAX)
    : `${ref}… ${oneLine(text.slice(from), FOUND_LINE_CHARS_MAX)}`;
}
