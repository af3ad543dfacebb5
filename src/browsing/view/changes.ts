import { oneLine } from '#core/text/text.ts';
import { DROP_ZONE } from './element-line.ts';
import { countMoved, known, pairLines } from './pair-lines.ts';
import type { Known, Pairs } from './pair-lines.ts';
import { elementOf, isFocused, writeWords } from './view-line.ts';
import type { Look } from './view.ts';

/** Length of a line that reports a change. It was seen in full before, or the next view shows it. */
const CHANGE_LINE_CHARS_MAX = 160;

/** What sets two looks at a page apart, as lines of the page: data. */
export type Changes = {
  /** What opened over the page first, then what appeared or changed, near the act before the rest, then what went. */
  lines: string[];
  /** Lines that changed and are not among them. */
  left: number;
  /** Lines that the page drew anew: they show what they did, with new refs. Missing from objects of an earlier version. */
  recreated?: number;
  /** Lines that stand in another order than before, besides what `lines` tells. Missing from objects of an earlier version. */
  moved?: number;
};

export type ChangesOptions = {
  /** Refs of elements whose change need not be told. */
  own: ReadonlySet<string>;
  /** Of the element that was acted on. */
  at: string | null;
  maxChars: number;
};

/** @returns `null` for looks at different documents, or parts of one, which have nothing in common */
export function changesBetween(before: Look, after: Look, { own, at, maxChars }: ChangesOptions): Changes | null {
  if (before.generation !== after.generation || before.part?.from !== after.part?.from) return null;
  const shown = before.lines.length;
  const then = [...before.lines, ...(before.behind ?? [])].map(known);
  const now = after.lines.map(known);
  const pairs = pairLines(then, now);
  const isTold = ({ refs: [ref = ''] }: Known) => !own.has(ref);
  // A modal dialog hides what is behind it, which is there all the same.
  const hides = isModal(after) && !isModal(before);
  const kept = new Set([...pairs.same, ...pairs.changed]);
  const removed = hides ? [] : then.slice(0, shown).filter((line, place) => !kept.has(place) && isTold(line));
  const told = [...appeared(then, now, pairs, at, isTold), ...gone(removed)];
  const isSilent = told.length === 0;
  if (isSilent && own.size === 0) told.push(...reordered(then, now));
  if (told.length === 0) told.push(...focusMoved(then, now.filter(isTold)));
  const places = pairs.same.filter((place) => place !== -1);
  return {
    ...cut(told, maxChars),
    recreated: now.filter((line, place) => isAnew(then[pairs.same[place] ?? -1], line)).length,
    moved: isSilent || own.size > 0 ? 0 : countMoved(places),
  };
}

function isAnew(before: Known | undefined, { refs }: Known): boolean {
  return before !== undefined && before.refs.some((ref, at) => ref !== refs[at]);
}

/** A look that knows what the one before showed, if a modal dialog hides it. */
export function lookAfter(before: Look | null, look: Look): Look {
  if (before === null || before.generation !== look.generation || !isModal(look)) return look;
  return { ...look, behind: before.behind ?? before.lines };
}

function isModal({ lines }: Look): boolean {
  return lines.some((line) => line.kind === 'group' && elementOf(line)?.states.includes('modal'));
}

/** What came or changed: what opened over the page, what the page announces, what is near the act, the rest. */
function appeared(
  then: readonly Known[],
  now: readonly Known[],
  { same, changed }: Pairs,
  at: string | null,
  isTold: (line: Known) => boolean,
): string[] {
  const layers = new Set(then.map(({ over }) => over?.node));
  const centre = placeOfAct(then, now, same, at);
  const told = now.flatMap((line, place) => {
    if (same[place] !== -1 || !isTold(line)) return [];
    const isNear = centre !== null && Math.abs(place - centre) <= NEAR_LINES;
    return { line: `${changed[place] === -1 ? '+' : '~'} ${writeWords(line)}`, rank: rankOf(line, layers, isNear) };
  });
  return told.toSorted((one, other) => one.rank - other.rank).map(({ line }) => line);
}

function rankOf(line: Known, layers: ReadonlySet<number | undefined>, isNear: boolean): number {
  const { over = null } = line;
  if (over !== null && !layers.has(over.node)) return 0;
  if (over?.isLive === true) return 1;
  if (!isTelling(line)) return 4;
  return isNear ? 2 : 3;
}

/** As much as a dialog without a name, a row with its controls or a group of fields takes. */
const NEAR_LINES = 12;

/** Where the element stands now that was acted on, or what stood before it if it is gone. */
function placeOfAct(
  then: readonly Known[],
  now: readonly Known[],
  same: readonly number[],
  at: string | null,
): number | null {
  if (at === null) return null;
  const still = now.findIndex(({ refs }) => refs.includes(at));
  const before = still === -1 ? then.findIndex(({ refs }) => refs.includes(at)) : -1;
  if (before === -1) return still === -1 ? null : still;
  let nearest = 0;
  for (const [place, earlier] of same.entries()) if (earlier !== -1 && earlier <= before) nearest = place;
  return nearest;
}

/** Nothing but its role and its place, if that, tells little of what has come. */
function isTelling(line: Known): boolean {
  const element = elementOf(line);
  if (element === null || element.ref === null || line.parts.length > 1) return true;
  const { role, name, place, details, states, address } = element;
  return role === DROP_ZONE || place.length > 1 || [name, ...details, ...states, address].some((word) => word !== '');
}

function gone(removed: readonly Known[]): string[] {
  // Many go together: the first say what it was.
  const rest = removed.length > GONE_SHOWN_MAX ? [`- (${removed.length - GONE_SHOWN_MAX} more lines)`] : [];
  return [...removed.slice(0, GONE_SHOWN_MAX).map(({ words }) => `- ${words}`), ...rest];
}

const GONE_SHOWN_MAX = 4;

/** The same lines in another order: a table that was sorted. */
function reordered(before: readonly Known[], after: readonly Known[]): string[] {
  const differs = after.map(({ words }, at) => words !== (before[at]?.words ?? ''));
  const moved = after.slice(differs.indexOf(true), differs.lastIndexOf(true) + 1);
  return differs.includes(true) ? moved.map((line) => `~ ${writeWords(line)}`) : [];
}

function focusMoved(before: readonly Known[], after: readonly Known[]): string[] {
  const now = after.find(isFocused);
  const then = before.find(isFocused);
  if (now === undefined || (then !== undefined && writeWords(now) === writeWords(then))) return [];
  return [`~ ${writeWords(now)}`];
}

function cut(told: readonly string[], maxChars: number): Pick<Changes, 'lines' | 'left'> {
  const lines: string[] = [];
  let chars = 0;
  for (const line of told) {
    const shown = oneLine(line, CHANGE_LINE_CHARS_MAX);
    chars += shown.length + 1;
    if (chars > maxChars && lines.length > 0) break;
    lines.push(shown);
  }
  return { lines, left: told.length - lines.length };
}
