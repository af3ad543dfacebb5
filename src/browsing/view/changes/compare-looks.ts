import { displayRole, FIELD_ROLES, LANDMARK_ROLES } from '#browsing/tree/roles.ts';
import { DROP_ZONE } from '#browsing/view/line/element-line.ts';
import { leadingElement, isFocused, writeParts, writeWords } from '#browsing/view/view-line.ts';
import type { ShownElement, ViewLine } from '#browsing/view/view-line.ts';
import type { PageScan } from '#browsing/view/view.ts';
import { toComparableLine } from './known.ts';
import type { ComparableLine } from './known.ts';
import { findDialogLeftOpen, isDialogLine } from './dialogs.ts';
import { findMovedEntries } from './new-blocks.ts';
import { pairLinesOfViews } from './pair-lines.ts';
import type { LinePairing } from './pair-lines.ts';
import { createRowNamer, findRowStarts, joinTextInside, findRowTextOfUnnamedElement } from './words-of-row.ts';

/**
 * Ranks of changes, most important first. If the changes do not fit into the result, the lowest ranks are omitted.
 * `layer`: a dialog, menu or popup that opened. `alert`: an error, or a field that became invalid. `set`: a toggled box
 * or changed value. `own`: the line of the action's target. `live`: an ARIA live region. `near`, `far`: distance to the
 * target. `bare`: no text. A dialog that closed has the rank `live`.
 */
export const CHANGE_RANKS = [
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
export type ChangeRank = (typeof CHANGE_RANKS)[number];

/** Ranks of changes that are listed before the others, which follow in page order. */
const FIRST_RANKS: ReadonlySet<ChangeRank> = new Set(['layer control', 'layer text', 'alert', 'set', 'own', 'live']);

/** A line of the view that appeared (`+`), changed (`~`) or disappeared (`-`). `place`: index in the current view. */
export type ViewChange = { rank: ChangeRank; place: number } & (
  | {
      sign: '+' | '~';
      line: ViewLine;
      /** For an element without words of its own: text inside it or next to it. */
      words?: string;
      /** The text of the row, for a line that reads like lines of other rows. */
      row?: string;
    }
  | {
      sign: '-';
      words: string;
      /** `before`: number of lines in the earlier view with this text. `gone`: how many of them disappeared. */
      before: number;
      gone: number;
    }
  /** Number of disappeared lines beyond the first few, which are listed one by one. */
  | { sign: '-'; more: number }
);

/** A ref of the earlier view, and a ref of the current one. */
export type RefPair = { ref: string; now: string };

export type ScanComparison = {
  /** Changes to report, in page order. */
  told: readonly ViewChange[];
  /** Number of lines whose elements the page replaced by new ones with the same text: only refs changed. */
  recreated: number;
  /** Refs of these lines and of changed lines, each with the ref that is in its place now. */
  rebuilt: readonly RefPair[];
  /** Number of lines that changed only their position. Lines listed in `told` do not count. */
  moved: number;
  /** True if no text changed: only the keyboard focus or the order of lines did, or nothing at all. */
  isOnlyFocus: boolean;
  /** The dialog in which the action took place, if it is still open and no change in `told` shows it. */
  dialog: ShownElement | null;
  /** True if a new heading appeared, a sign that the page now shows another view, such as another tab of a web app. */
  isOtherView: boolean;
};

type CompareOptions = {
  /** Refs of elements whose changes are reported in another part of the result. */
  own: ReadonlySet<string>;
  at: string | null;
  /** Refs that the current view lacks although their elements still exist in the page. */
  still: ReadonlySet<string>;
};

/**
 * Refs missing from the current view for which a new element has the same text. The old elements may be hidden or
 * replaced.
 */
export function findMaybeRecreatedRefs(before: PageScan, after: PageScan): string[] {
  const then = linesThen(before);
  const now = after.lines.map(toComparableLine);
  const [refsThen, refsNow] = [then, now].map((lines) => new Set(lines.flatMap(({ refs }) => refs)));
  const came = now.filter(({ refs }) => refs.some((ref) => refsThen?.has(ref) !== true));
  const words = new Set(came.flatMap((line) => [line.words, line.named]));
  const missing = then.filter((line) => words.has(line.words) || (line.named !== '' && words.has(line.named)));
  return missing.flatMap(({ refs }) => refs.filter((ref) => refsNow?.has(ref) !== true));
}

function linesThen({ lines, behind = [] }: PageScan): ComparableLine[] {
  return [...lines, ...behind].map(toComparableLine);
}

/** @returns `null` if the two views show different documents or parts, or were taken with different options */
export function comparePageScans(
  before: PageScan,
  after: PageScan,
  { own, at, still }: CompareOptions,
): ScanComparison | null {
  if (before.generation !== after.generation || before.part?.from !== after.part?.from) return null;
  const shown = before.lines.length;
  const then = linesThen(before);
  const now = after.lines.map(toComparableLine);
  const pairs = pairLinesOfViews(then, now, still);
  const isTold = ({ refs: [ref = ''] }: ComparableLine) => !own.has(ref);
  // An open modal dialog hides the lines behind it from the view. They still exist, so they are not reported as gone.
  const hides = isModal(after) && !isModal(before);
  const found = before.found ?? new Set();
  const isNews = (line: ComparableLine) => isTold(line) && !found.has(writeParts(line.parts));
  const told: ViewChange[] = appeared(then, now, pairs, at, isNews);
  if (!hides) told.push(...gone(then.slice(0, shown), now, pairs, isTold));
  const isSilent = told.length === 0;
  const dialog = findDialogLeftOpen(then.slice(0, shown), now, pairs, told, at);
  if (isSilent && own.size === 0) told.push(...reordered(then, now));
  if (told.length === 0) told.push(...focusMoved(then, now.filter(isTold)));
  const places = pairs.same.filter((earlier, place) => earlier !== -1 && !pairs.inNewBlock.has(place));
  const wordsThen = new Set(then.slice(0, shown).map(({ words }) => words));
  return {
    told: told.toSorted((one, other) => one.place - other.place),
    dialog,
    isOnlyFocus: told.every((change) => change.sign === '~' && wordsThen.has(toComparableLine(change.line).words)),
    isOtherView: now.some(({ kind }, place) => kind === 'heading' && pairs.same[place] === -1),
    recreated: now.filter((line, place) => !pairs.inNewBlock.has(place) && isAnew(then[pairs.same[place] ?? -1], line))
      .length,
    rebuilt: rebuiltRefs(then, now, pairs),
    moved: isSilent || own.size > 0 ? 0 : findMovedEntries(places).filter(Boolean).length,
  };
}

function isAnew(before: ComparableLine | undefined, { refs }: ComparableLine): boolean {
  return before !== undefined && before.refs.some((ref, at) => ref !== refs[at]);
}

function rebuiltRefs(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
  { same, changed, inNewBlock }: LinePairing,
): RefPair[] {
  return now.flatMap(({ refs }, place) => {
    const before = inNewBlock.has(place) ? undefined : (then[same[place] ?? -1] ?? then[changed[place] ?? -1]);
    return (before?.refs ?? []).flatMap((ref, at) => {
      const current = refs[at];
      return current === undefined || current === ref ? [] : [{ ref, now: current }];
    });
  });
}

/**
 * Adds the earlier lines to a view in which a modal dialog hides them, so that they can be compared when the dialog
 * closes.
 */
export function addLinesBehindDialog(before: PageScan | null, look: PageScan): PageScan {
  if (before === null || before.generation !== look.generation || !isModal(look)) return look;
  return { ...look, behind: before.behind ?? before.lines };
}

function isModal({ lines }: PageScan): boolean {
  return lines.some((line) => line.kind === 'group' && leadingElement(line)?.states.includes('modal'));
}

function appeared(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
  pairs: LinePairing,
  at: string | null,
  isNews: (line: ComparableLine) => boolean,
): ViewChange[] {
  const layers = new Set(then.map(({ over }) => over?.node));
  const centre = placeOfAct(then, now, pairs.same, at);
  const isListed = (place: number) => pairs.same[place] === -1 || pairs.inNewBlock.has(place);
  const isRowStart = findRowStarts(now);
  const findRow = createRowNamer(now, isListed);
  const told: ViewChange[] = [];
  for (let place = 0; place < now.length; place += 1) {
    const line = now[place];
    if (line === undefined || !isListed(place) || !isNews(line)) continue;
    const earlier = then[pairs.changed[place] ?? -1];
    const sign = earlier === undefined ? ('+' as const) : ('~' as const);
    const inside = isTelling(line) ? NOTHING_INSIDE : joinTextInside(now, place);
    const isNear = centre !== null && Math.abs(place - centre) <= NEAR_LINES;
    const isOwn = at !== null && (line.refs.includes(at) || earlier?.refs.includes(at) === true);
    const rank = rankOf(line, earlier, layers, { isOwn, isNear, hasWords: inside.words !== '' });
    const row = inside.words === '' ? findRow(place, FIRST_RANKS.has(rank)) : '';
    const beside = row === '' ? findRowTextOfUnnamedElement(now, place, isRowStart, isListed) : '';
    const words = inside.words || beside;
    told.push({
      sign,
      line: line.line,
      rank,
      place,
      ...(words === '' ? {} : { words }),
      ...(row === '' ? {} : { row }),
    });
    // Skips the lines inside the element, because this change already contains their text.
    place += inside.lines;
  }
  return told;
}

function rankOf(
  line: ComparableLine,
  earlier: ComparableLine | undefined,
  layers: ReadonlySet<number | undefined>,
  { isOwn, isNear, hasWords }: { isOwn: boolean; isNear: boolean; hasWords: boolean },
): ChangeRank {
  const { over = null } = line;
  const isNewLayer = over !== null && !layers.has(over.node);
  if (isNewLayer && !over.isLive) return leadingElement(line) === null ? 'layer text' : 'layer control';
  if (over?.isAlert === true || (isInvalid(line) && (earlier === undefined || !isInvalid(earlier)))) return 'alert';
  if (earlier !== undefined && isSet(earlier, line)) return 'set';
  if (isOwn) return 'own';
  if (over !== null && (isNewLayer || over.isLive)) return 'live';
  if (!isTelling(line) && !hasWords) return 'bare';
  return isNear ? 'near' : 'far';
}

function isInvalid(line: ComparableLine): boolean {
  return leadingElement(line)?.states.includes('invalid') === true;
}

/** True for a check box that was toggled, or a field whose value changed. */
function isSet(earlier: ComparableLine, line: ComparableLine): boolean {
  const before = leadingElement(earlier);
  const now = leadingElement(line);
  if (before === null || now === null) return false;
  if (SET_STATES.some((state) => before.states.includes(state) !== now.states.includes(state))) return true;
  return FIELD_ROLES.has(now.role) && before.details.join('\n') !== now.details.join('\n');
}

const SET_STATES = ['checked', 'mixed', 'pressed', 'selected'] as const;

/** Maximum distance in lines from the action's target for rank `near`: about the length of a form section. */
const NEAR_LINES = 12;

/** Line index of the action's target. If the target is gone, the index of the line that preceded it. */
function placeOfAct(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
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

/** False for a line with only ref, role and position (`@e7 clickable`), because it does not show what appeared. */
function isTelling(line: ComparableLine): boolean {
  const element = leadingElement(line);
  if (element === null || element.ref === null || line.parts.length > 1) return true;
  const { role, name, place, details, states, address } = element;
  return role === DROP_ZONE || place.length > 1 || [name, ...details, ...states, address].some((word) => word !== '');
}

const NOTHING_INSIDE = { words: '', lines: 0 };

function gone(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
  { same, changed }: LinePairing,
  isTold: (line: ComparableLine) => boolean,
): ViewChange[] {
  const later = new Map([...same.entries(), ...changed.entries()].map(([place, earlier]) => [earlier, place]));
  const isStill = (place: number) => later.has(place);
  const closed = new Map([...emptiedGroups(then, isStill), ...closedLayers(then, now, isStill)]);
  const kinds = new Map<string, { words: string; gone: number; place: number; rank: ChangeRank }>();
  let after = -1;
  for (const [place, line] of then.entries()) {
    const is = later.get(place);
    if (is !== undefined) after = is;
    if (is !== undefined) continue;
    const part = closed.get(line);
    if (part === undefined ? !isTold(line) : part.first !== line) continue;
    const words = part?.words ?? line.words;
    const kind = kinds.get(words);
    const rank = isDialogLine(line) ? 'live' : 'gone';
    if (kind === undefined) kinds.set(words, { words, gone: 1, place: after + AFTER, rank });
    else kind.gone += 1;
  }
  const before = countWords(then);
  const all = [...kinds.values()].toSorted((one, other) => Number(one.rank === 'gone') - Number(other.rank === 'gone'));
  const told = all.slice(0, GONE_SHOWN_MAX).map((kind): ViewChange => ({
    sign: '-',
    ...kind,
    before: before.get(kind.words) ?? kind.gone,
  }));
  // A page can lose hundreds of lines at a time, so only the first few are listed and the others are counted.
  const more = all.slice(GONE_SHOWN_MAX).reduce((sum, kind) => sum + kind.gone, 0);
  return more === 0 ? told : [...told, { sign: '-', rank: 'gone', place: told.at(-1)?.place ?? 0, more }];
}

/** A part of the page that disappeared as a whole. `first`: the line that reports it. */
type ClosedPart = { first: ComparableLine; words: string };

/** Named lists, tables and regions that have no lines any more, by line. One line reports each of them. */
function emptiedGroups(
  then: readonly ComparableLine[],
  isStill: (place: number) => boolean,
): Map<ComparableLine, ClosedPart> {
  const emptied = new Map<ComparableLine, ClosedPart>();
  for (const [place, first] of then.entries()) {
    if (!isNamedPart(first) || emptied.has(first) || isStill(place)) continue;
    let end = place + 1;
    while ((then[end]?.depth ?? -1) > first.depth) end += 1;
    const inside = then.slice(place + 1, end);
    if (inside.length < CLOSED_INSIDE_MIN || inside.some((_, at) => isStill(place + 1 + at))) continue;
    const part = { first, words: `${first.words} is empty or gone (${inside.length} lines)` };
    for (const line of [first, ...inside]) emptied.set(line, part);
  }
  return emptied;
}

/** False for a clickable card, which only its text identifies. */
function isNamedPart(line: ComparableLine): boolean {
  const element = line.kind === 'group' ? leadingElement(line) : null;
  return element !== null && (element.name !== '' || PARTS.has(element.role));
}

const PARTS: ReadonlySet<string> = new Set([...LANDMARK_ROLES].map(displayRole));

/** Layers that disappeared with all their lines, by line. One line reports each of them. */
function closedLayers(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
  isStill: (place: number) => boolean,
): Map<ComparableLine, ClosedPart> {
  const open = new Set(now.map(({ over }) => over?.node));
  const layers = new Map<number, ComparableLine[]>();
  for (const [place, line] of then.entries()) {
    const { over = null } = line;
    if (over === null || over.isLive) continue;
    if (isStill(place)) open.add(over.node);
    const lines = layers.get(over.node);
    if (lines === undefined) layers.set(over.node, [line]);
    else lines.push(line);
  }
  const closed = new Map<ComparableLine, ClosedPart>();
  for (const [node, [first, ...inside]] of layers) {
    if (first === undefined || open.has(node) || inside.length < CLOSED_INSIDE_MIN) continue;
    const count = inside.length + 1;
    const isNamed = leadingElement(first) !== null && inside.every(({ depth }) => depth > first.depth);
    const words = isNamed
      ? `${first.words} closed (${count} lines)`
      : `${first.words} … (a layer of ${count} lines closed)`;
    for (const line of [first, ...inside]) closed.set(line, { first, words });
  }
  return closed;
}

/** Minimum lines inside a closed layer for reporting the layer as one line. Fewer lines are reported one by one. */
const CLOSED_INSIDE_MIN = 2;

/** Added to the index of the line above a removed line, so that 3.5 sorts between the current lines 3 and 4. */
const AFTER = 0.5;
const GONE_SHOWN_MAX = 4;

function countWords(lines: readonly ComparableLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { words } of lines) counts.set(words, (counts.get(words) ?? 0) + 1);
  return counts;
}

/** Changes for lines that only swapped places, as after sorting a table. */
function reordered(before: readonly ComparableLine[], after: readonly ComparableLine[]): ViewChange[] {
  const differs = after.map(({ words }, at) => words !== (before[at]?.words ?? ''));
  if (!differs.includes(true)) return [];
  const first = differs.indexOf(true);
  const moved = after.slice(first, differs.lastIndexOf(true) + 1);
  return moved.map(({ line }, at) => ({ sign: '~', line, rank: 'far', place: first + at }));
}

function focusMoved(before: readonly ComparableLine[], after: readonly ComparableLine[]): ViewChange[] {
  const now = after.find(isFocused);
  const then = before.find(isFocused);
  if (now === undefined || (then !== undefined && writeWords(now) === writeWords(then))) return [];
  return [{ sign: '~', line: now.line, rank: 'far', place: 0 }];
}
