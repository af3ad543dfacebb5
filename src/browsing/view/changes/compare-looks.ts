import { FIELD_ROLES } from '#browsing/tree/roles.ts';
import { DROP_ZONE } from '#browsing/view/element-line.ts';
import { elementOf, isFocused, writeParts, writeWords } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';
import type { Look } from '#browsing/view/view.ts';
import { countMoved, toComparable, pairLines } from './pair-lines.ts';
import type { Known, Pairs } from './pair-lines.ts';

/**
 * Ranks of changes, the most important first. A result without room for every change omits the lowest ranks. `layer`:
 * something that opened over the page. `alert`: an error message, or a field that became invalid. `own`: the line of the
 * action's target, such as its row.
 */
export const RANKS = [
  'layer control',
  'alert',
  'set',
  'own',
  'layer text',
  'live',
  'near',
  'far',
  'bare',
  'gone',
] as const;
export type Rank = (typeof RANKS)[number];

/** A line that appeared, changed or disappeared. `place`: index among the current lines of the page. */
export type ViewChange = { rank: Rank; place: number } & (
  | {
      sign: '+' | '~';
      line: ViewLine;
      /** Text of the lines inside, for an element without its own text. */
      words?: string;
    }
  | {
      sign: '-';
      words: string;
      /** `before`: number of equal lines in the earlier view. `gone`: number of these that disappeared. */
      before: number;
      gone: number;
    }
  /** Number of further lines that disappeared, apart from the listed ones. */
  | { sign: '-'; more: number }
);

export type Comparison = {
  /** Reported changes, in page order. */
  told: readonly ViewChange[];
  /** Number of lines whose elements the page re-created: same text, new refs. */
  recreated: number;
  /** Number of lines that only moved, apart from those in `told`. */
  moved: number;
  /** True if every changed line existed before and only the focus moved. */
  isOnlyFocus: boolean;
  /** True if there is a new heading, a sign that the page shows another view. */
  isOtherView: boolean;
};

type CompareOptions = {
  /** Refs of elements whose changes the result reports elsewhere. */
  own: ReadonlySet<string>;
  at: string | null;
  /** Refs that are no longer in view, but whose elements the page still has. */
  still: ReadonlySet<string>;
};

/** Refs that are no longer in view while a new element has their words. Their elements may be hidden or re-created. */
export function perhapsRecreated(before: Look, after: Look): string[] {
  const then = linesThen(before);
  const now = after.lines.map(toComparable);
  const [refsThen, refsNow] = [then, now].map((lines) => new Set(lines.flatMap(({ refs }) => refs)));
  const came = now.filter(({ refs }) => refs.some((ref) => refsThen?.has(ref) !== true));
  const words = new Set(came.flatMap((line) => [line.words, line.named]));
  const missing = then.filter((line) => words.has(line.words) || (line.named !== '' && words.has(line.named)));
  return missing.flatMap(({ refs }) => refs.filter((ref) => refsNow?.has(ref) !== true));
}

function linesThen({ lines, behind = [] }: Look): Known[] {
  return [...lines, ...behind].map(toComparable);
}

/** @returns `null` for views of different documents, or of different parts of one document */
export function compareLooks(before: Look, after: Look, { own, at, still }: CompareOptions): Comparison | null {
  if (before.generation !== after.generation || before.part?.from !== after.part?.from) return null;
  const shown = before.lines.length;
  const then = linesThen(before);
  const now = after.lines.map(toComparable);
  const pairs = pairLines(then, now, still);
  const isTold = ({ refs: [ref = ''] }: Known) => !own.has(ref);
  // A modal dialog hides the lines behind it. They still exist, so they are not reported as gone.
  const hides = isModal(after) && !isModal(before);
  const found = before.found ?? new Set();
  const isNews = (line: Known) => isTold(line) && !found.has(writeParts(line.parts));
  const told: ViewChange[] = appeared(then, now, pairs, at, isNews);
  if (!hides) told.push(...gone(then.slice(0, shown), pairs, isTold));
  const isSilent = told.length === 0;
  if (isSilent && own.size === 0) told.push(...reordered(then, now));
  if (told.length === 0) told.push(...focusMoved(then, now.filter(isTold)));
  const places = pairs.same.filter((place) => place !== -1);
  const wordsThen = new Set(then.slice(0, shown).map(({ words }) => words));
  return {
    told: told.toSorted((one, other) => one.place - other.place),
    isOnlyFocus: told.every((change) => change.sign === '~' && wordsThen.has(toComparable(change.line).words)),
    isOtherView: now.some(({ kind }, place) => kind === 'heading' && pairs.same[place] === -1),
    recreated: now.filter((line, place) => isAnew(then[pairs.same[place] ?? -1], line)).length,
    moved: isSilent || own.size > 0 ? 0 : countMoved(places),
  };
}

function isAnew(before: Known | undefined, { refs }: Known): boolean {
  return before !== undefined && before.refs.some((ref, at) => ref !== refs[at]);
}

/** Adds the lines of the earlier view that an open modal dialog hides. */
export function lookAfter(before: Look | null, look: Look): Look {
  if (before === null || before.generation !== look.generation || !isModal(look)) return look;
  return { ...look, behind: before.behind ?? before.lines };
}

function isModal({ lines }: Look): boolean {
  return lines.some((line) => line.kind === 'group' && elementOf(line)?.states.includes('modal'));
}

function appeared(
  then: readonly Known[],
  now: readonly Known[],
  pairs: Pairs,
  at: string | null,
  isNews: (line: Known) => boolean,
): ViewChange[] {
  const layers = new Set(then.map(({ over }) => over?.node));
  const centre = placeOfAct(then, now, pairs.same, at);
  const told: ViewChange[] = [];
  for (let place = 0; place < now.length; place += 1) {
    const line = now[place];
    if (line === undefined || pairs.same[place] !== -1 || !isNews(line)) continue;
    const earlier = then[pairs.changed[place] ?? -1];
    const sign = earlier === undefined ? ('+' as const) : ('~' as const);
    const inside = isTelling(line) ? NOTHING_INSIDE : wordsInside(now, place);
    const isNear = centre !== null && Math.abs(place - centre) <= NEAR_LINES;
    const isOwn = at !== null && (line.refs.includes(at) || earlier?.refs.includes(at) === true);
    const rank = rankOf(line, earlier, layers, { isOwn, isNear, hasWords: inside.words !== '' });
    told.push({ sign, line: line.line, rank, place, ...(inside.words === '' ? {} : { words: inside.words }) });
    // Skips the lines inside the element whose text this change already shows.
    place += inside.lines;
  }
  return told;
}

function rankOf(
  line: Known,
  earlier: Known | undefined,
  layers: ReadonlySet<number | undefined>,
  { isOwn, isNear, hasWords }: { isOwn: boolean; isNear: boolean; hasWords: boolean },
): Rank {
  const { over = null } = line;
  const isNewLayer = over !== null && !layers.has(over.node);
  if (isNewLayer && !over.isLive) return elementOf(line) === null ? 'layer text' : 'layer control';
  if (over?.isAlert === true || (isInvalid(line) && (earlier === undefined || !isInvalid(earlier)))) return 'alert';
  if (earlier !== undefined && isSet(earlier, line)) return 'set';
  if (isOwn) return 'own';
  if (over !== null && (isNewLayer || over.isLive)) return 'live';
  if (!isTelling(line) && !hasWords) return 'bare';
  return isNear ? 'near' : 'far';
}

function isInvalid(line: Known): boolean {
  return elementOf(line)?.states.includes('invalid') === true;
}

/** True for a toggled box, and for a field whose value changed. */
function isSet(earlier: Known, line: Known): boolean {
  const before = elementOf(earlier);
  const now = elementOf(line);
  if (before === null || now === null) return false;
  if (SET_STATES.some((state) => before.states.includes(state) !== now.states.includes(state))) return true;
  return FIELD_ROLES.has(now.role) && before.details.join('\n') !== now.details.join('\n');
}

const SET_STATES = ['checked', 'mixed', 'pressed', 'selected'] as const;

/** Distance in lines that counts as near: a dialog without a name, a row with its controls or a group of fields. */
const NEAR_LINES = 12;

/** The current place of the action's target. If the target is gone: the place of the line that preceded it. */
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

/** False for an element with only a ref, a role and a position: its line says little about what appeared. */
function isTelling(line: Known): boolean {
  const element = elementOf(line);
  if (element === null || element.ref === null || line.parts.length > 1) return true;
  const { role, name, place, details, states, address } = element;
  return role === DROP_ZONE || place.length > 1 || [name, ...details, ...states, address].some((word) => word !== '');
}

const NOTHING_INSIDE = { words: '', lines: 0 };

/** The text of the lines inside an element without a name. `lines`: number of lines with only this text. */
function wordsInside(now: readonly Known[], place: number): { words: string; lines: number } {
  const depth = now[place]?.depth ?? 0;
  let words = '';
  let lines = 0;
  for (let at = place + 1; at < now.length && words.length < INSIDE_CHARS_MAX; at += 1) {
    const line = now[at];
    if (line === undefined || line.depth <= depth) break;
    words += words === '' ? line.words : ` ${line.words}`;
    const isTold = line.refs.length === 0 && lines === at - place - 1 && words.length <= INSIDE_CHARS_MAX;
    if (isTold) lines += 1;
  }
  return { words: words.length <= INSIDE_CHARS_MAX ? words : `${words.slice(0, INSIDE_CHARS_MAX)}…`, lines };
}

/** Maximum characters of the text inside: enough to recognize a row. */
const INSIDE_CHARS_MAX = 60;

function gone(then: readonly Known[], { same, changed }: Pairs, isTold: (line: Known) => boolean): ViewChange[] {
  const later = new Map([...same.entries(), ...changed.entries()].map(([place, earlier]) => [earlier, place]));
  const kinds = new Map<string, { words: string; gone: number; place: number }>();
  let after = -1;
  for (const [place, line] of then.entries()) {
    const is = later.get(place);
    if (is !== undefined) after = is;
    if (is !== undefined || !isTold(line)) continue;
    const kind = kinds.get(line.words);
    if (kind === undefined) kinds.set(line.words, { words: line.words, gone: 1, place: after + AFTER });
    else kind.gone += 1;
  }
  const before = countWords(then);
  const all = [...kinds.values()];
  const told = all.slice(0, GONE_SHOWN_MAX).map((kind): ViewChange => ({
    sign: '-',
    rank: 'gone',
    ...kind,
    before: before.get(kind.words) ?? kind.gone,
  }));
  // If many lines disappeared, the first few are shown and the others counted.
  const more = all.slice(GONE_SHOWN_MAX).reduce((sum, kind) => sum + kind.gone, 0);
  return more === 0 ? told : [...told, { sign: '-', rank: 'gone', place: told.at(-1)?.place ?? 0, more }];
}

/** Added to the place of the line before a removed line, so that the removed line comes before the next one. */
const AFTER = 0.5;
const GONE_SHOWN_MAX = 4;

function countWords(lines: readonly Known[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { words } of lines) counts.set(words, (counts.get(words) ?? 0) + 1);
  return counts;
}

/** Changes for lines that only changed their order, as in a sorted table. */
function reordered(before: readonly Known[], after: readonly Known[]): ViewChange[] {
  const differs = after.map(({ words }, at) => words !== (before[at]?.words ?? ''));
  if (!differs.includes(true)) return [];
  const first = differs.indexOf(true);
  const moved = after.slice(first, differs.lastIndexOf(true) + 1);
  return moved.map(({ line }, at) => ({ sign: '~', line, rank: 'far', place: first + at }));
}

function focusMoved(before: readonly Known[], after: readonly Known[]): ViewChange[] {
  const now = after.find(isFocused);
  const then = before.find(isFocused);
  if (now === undefined || (then !== undefined && writeWords(now) === writeWords(then))) return [];
  return [{ sign: '~', line: now.line, rank: 'far', place: 0 }];
}
