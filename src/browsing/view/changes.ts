import { oneLine } from '#core/text/text.ts';
import { DROP_ZONE } from './element-line.ts';
import { elementOf, isFocused, writeParts, writeWords } from './view-line.ts';
import type { ViewLine } from './view-line.ts';
import type { Look } from './view.ts';

/** Length of a line that reports a change. It was seen in full before, or the next view shows it. */
const CHANGE_LINE_CHARS_MAX = 160;

/** The differences between two looks at a page, as results show them. */
export type Changes = {
  lines: string[];
  /** Lines that changed and are not among them. */
  left: number;
  /** Lines that the page drew anew: they show what they did, with new refs. */
  recreated: number;
  /** Lines that stand in another order than before, besides what `lines` tells. */
  moved: number;
};

/** A line that appeared, changed or disappeared. `more`: so many further lines disappeared with it. */
type Change = { sign: '+' | '~'; line: ViewLine } | { sign: '-'; line: Known } | { sign: '-'; more: number };

/** The differences between two looks, as objects. */
export type Comparison = Pick<Changes, 'recreated' | 'moved'> & {
  /** Lines that opened over the page first, then new and changed lines (those near the act first), then removed lines. */
  told: readonly Change[];
  /** Each changed line was there before, apart from the focus. */
  isOnlyFocus: boolean;
  /** A new heading: another view of the page is shown. */
  isOtherView: boolean;
};

type CompareOptions = {
  /** Refs of elements whose change need not be told. */
  own: ReadonlySet<string>;
  /** Ref of the element that was acted on. */
  at: string | null;
};

type ChangesRoom = {
  /** Changes that take no more are told whole. */
  wholeCharsMax: number;
  /** The same where a new heading tells that another view of the page is shown. */
  viewCharsMax: number;
  /** Longer changes are cut to this. */
  maxChars: number;
};

/** @returns `null` for looks at different documents, or parts of one, which have nothing in common */
export function compareLooks(before: Look, after: Look, { own, at }: CompareOptions): Comparison | null {
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
  const told: Change[] = [...appeared(then, now, pairs, at, isTold), ...gone(removed)];
  const isSilent = told.length === 0;
  if (isSilent && own.size === 0) told.push(...reordered(then, now));
  if (told.length === 0) told.push(...focusMoved(then, now.filter(isTold)));
  const places = pairs.same.filter((place) => place !== -1);
  const wordsThen = new Set(then.slice(0, shown).map(({ words }) => words));
  return {
    told,
    isOnlyFocus: told.every((change) => change.sign === '~' && wordsThen.has(known(change.line).words)),
    isOtherView: now.some(({ kind }, place) => kind === 'heading' && pairs.same[place] === -1),
    recreated: now.filter((line, place) => isAnew(then[pairs.same[place] ?? -1], line)).length,
    moved: isSilent || own.size > 0 ? 0 : countMoved(places),
  };
}

/**
 * Writes changes as text.
 * @param inView lines that the result shows anyway; new and changed ones among them are counted only
 */
export function writeChanges(
  { told, isOtherView, recreated, moved }: Comparison,
  room: ChangesRoom,
  inView: ReadonlySet<ViewLine>,
): { changes: Changes; changesInView: number } {
  const rest = told.filter((change) => change.sign === '-' || !inView.has(change.line));
  const lines = cut(rest.map(writeChange), isOtherView ? { ...room, wholeCharsMax: room.viewCharsMax } : room);
  return { changes: { ...lines, recreated, moved }, changesInView: told.length - rest.length };
}

function writeChange(change: Change): string {
  if (change.sign !== '-') return `${change.sign} ${writeWords(change.line)}`;
  return 'more' in change ? `- (${change.more} more lines)` : `- ${change.line.words}`;
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
): Change[] {
  const layers = new Set(then.map(({ over }) => over?.node));
  const centre = placeOfAct(then, now, same, at);
  const told = now.flatMap((line, place) => {
    if (same[place] !== -1 || !isTold(line)) return [];
    const isNear = centre !== null && Math.abs(place - centre) <= NEAR_LINES;
    const sign = changed[place] === -1 ? ('+' as const) : ('~' as const);
    return { sign, line: line.line, rank: rankOf(line, layers, isNear) };
  });
  return told.toSorted((one, other) => one.rank - other.rank).map(({ sign, line }) => ({ sign, line }));
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

function gone(removed: readonly Known[]): Change[] {
  // Many go together: the first say what it was.
  const more = removed.length - GONE_SHOWN_MAX;
  const shown = removed.slice(0, GONE_SHOWN_MAX).map((line) => ({ sign: '-' as const, line }));
  return more > 0 ? [...shown, { sign: '-', more }] : shown;
}

const GONE_SHOWN_MAX = 4;

/** The same lines in another order: a table that was sorted. */
function reordered(before: readonly Known[], after: readonly Known[]): Change[] {
  const differs = after.map(({ words }, at) => words !== (before[at]?.words ?? ''));
  const moved = after.slice(differs.indexOf(true), differs.lastIndexOf(true) + 1);
  return differs.includes(true) ? moved.map(({ line }) => ({ sign: '~', line })) : [];
}

function focusMoved(before: readonly Known[], after: readonly Known[]): Change[] {
  const now = after.find(isFocused);
  const then = before.find(isFocused);
  if (now === undefined || (then !== undefined && writeWords(now) === writeWords(then))) return [];
  return [{ sign: '~', line: now.line }];
}

function cut(told: readonly string[], { wholeCharsMax, maxChars }: ChangesRoom): Pick<Changes, 'lines' | 'left'> {
  const whole = fitting(told, wholeCharsMax);
  const lines = whole.length === told.length ? whole : fitting(told, maxChars);
  return { lines, left: told.length - lines.length };
}

function fitting(told: readonly string[], maxChars: number): string[] {
  const lines: string[] = [];
  let chars = 0;
  for (const line of told) {
    const shown = oneLine(line, CHANGE_LINE_CHARS_MAX);
    chars += shown.length + 1;
    if (chars > maxChars && lines.length > 0) break;
    lines.push(shown);
  }
  return lines;
}

/** A line with what it is known by. */
type Known = ViewLine & {
  line: ViewLine;
  /** All refs in it. Its own is the first, if the line begins with an element. */
  refs: readonly string[];
  /** What it shows: without refs, and without where the focus is and how many others there are. */
  words: string;
  /** Role and name of the element that it begins with; empty for a text. */
  named: string;
};

function known(line: ViewLine): Known {
  const refs: string[] = [];
  const words = writeParts(line.parts, (shown) => {
    if (shown.ref !== null) refs.push(shown.ref);
    return { ...shown, ref: null, place: [], states: shown.states.filter((state) => state !== 'focused') };
  });
  const element = elementOf(line);
  return { ...line, line, refs, words, named: element === null ? '' : `${element.role} ${element.name}` };
}

/** For each line of a page, what it was before: a place in the earlier lines; -1 for none. */
type Pairs = {
  /** It shows the same. */
  same: readonly number[];
  /** It is the same element, or one drawn in its place with the same role and name, and shows something else. */
  changed: readonly number[];
};

/**
 * Pairs lines by what they show, so that what a page draws anew is not taken for new: first lines that are there once, then
 * their neighbours (P. Heckel, "A technique for isolating differences between files", 1978). The work grows with the lines.
 */
function pairLines(then: readonly Known[], now: readonly Known[]): Pairs {
  const pairing = new Pairing(then, now);
  pairing.byKey(({ refs, words }) => (refs.length === 0 ? '' : `${refs.join(' ')} ${words}`), false);
  pairing.byKey(({ words }) => words, true);
  pairing.neighbours();
  pairing.byKey(({ words }) => words, false);
  return { same: pairing.same, changed: pairing.changes() };
}

class Pairing {
  readonly same: number[];
  readonly #then: readonly Known[];
  readonly #now: readonly Known[];
  /** For each earlier line, what it is now; -1 for none. */
  readonly #later: number[];
  readonly #refsThen: ReadonlySet<string>;
  readonly #refsNow: ReadonlySet<string>;

  constructor(then: readonly Known[], now: readonly Known[]) {
    this.#then = then;
    this.#now = now;
    this.same = now.map(() => -1);
    this.#later = then.map(() => -1);
    this.#refsThen = new Set(then.flatMap(({ refs }) => refs));
    this.#refsNow = new Set(now.flatMap(({ refs }) => refs));
  }

  /** Pairs lines with the same key in their order. @param onlyOnce only if each is the only one with its key */
  byKey(keyOf: (line: Known) => string, onlyOnce: boolean): void {
    const earlier = grouped(this.#then, keyOf, this.#later);
    for (const [key, later] of grouped(this.#now, keyOf, this.same)) {
      const before = earlier.get(key) ?? [];
      if (onlyOnce && (before.length !== 1 || later.length !== 1)) continue;
      for (const [at, place] of later.slice(0, before.length).entries()) this.#pair(before[at] ?? -1, place);
    }
  }

  /** From the lines that are paired already, and from both ends. */
  neighbours(): void {
    this.#pair(0, 0);
    for (let at = 0; at < this.#now.length; at += 1) this.#pair(stepFrom(this.same[at], 1), at + 1);
    this.#pair(this.#then.length - 1, this.#now.length - 1);
    for (let at = this.#now.length - 1; at > 0; at -= 1) this.#pair(stepFrom(this.same[at], -1), at - 1);
  }

  changes(): number[] {
    const changed = this.#now.map(() => -1);
    const beforeOf = new Map<string, number[]>();
    const byRef = new Map<string, number>();
    let over = -1;
    for (const [at, line] of this.#then.entries()) {
      if (this.#later[at] !== -1) over = at;
      else if (line.named !== '') {
        const [ref = ''] = line.refs;
        if (this.#refsNow.has(ref)) byRef.set(ref, at);
        else push(beforeOf, `${over} ${line.named}`, at);
      }
    }
    over = -1;
    for (const [at, line] of this.#now.entries()) {
      const same = this.same[at] ?? -1;
      if (same !== -1) over = same;
      else if (line.named !== '') {
        const [ref = ''] = line.refs;
        const isNew = !this.#refsThen.has(ref);
        changed[at] = (isNew ? beforeOf.get(`${over} ${line.named}`)?.shift() : byRef.get(ref)) ?? -1;
      }
    }
    return changed;
  }

  #pair(before: number, at: number): void {
    const then = this.#then[before];
    const now = this.#now[at];
    if (then === undefined || now === undefined || this.same[at] !== -1 || this.#later[before] !== -1) return;
    if (then.words !== now.words || !this.#isSameOrAnew(then.refs, now.refs)) return;
    this.same[at] = before;
    this.#later[before] = at;
  }

  /** An element that is still there is nothing but itself. */
  #isSameOrAnew(then: readonly string[], now: readonly string[]): boolean {
    if (then.length !== now.length) return false;
    return then.every((ref, at) => {
      const other = now[at] ?? '';
      return ref === other || (!this.#refsNow.has(ref) && !this.#refsThen.has(other));
    });
  }
}

function stepFrom(place: number | undefined, step: number): number {
  return place === undefined || place === -1 ? -1 : place + step;
}

/** The places of lines that have no pair, by their key. An empty key is none. */
function grouped(
  lines: readonly Known[],
  keyOf: (line: Known) => string,
  pairs: readonly number[],
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const key = pairs[at] === -1 ? keyOf(line) : '';
    if (key !== '') push(groups, key, at);
  }
  return groups;
}

function push(groups: Map<string, number[]>, key: string, at: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [at]);
  else group.push(at);
}

/** How many of these numbers have to be moved so that all rise: all but the longest rising series (M. Fredman, 1975). */
function countMoved(places: readonly number[]): number {
  /** The smallest last number of a rising series of each length. */
  const ends: number[] = [];
  for (const place of places) {
    let from = 0;
    let to = ends.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ends[middle] ?? Infinity) < place) from = middle + 1;
      else to = middle;
    }
    ends[from] = place;
  }
  return places.length - ends.length;
}
