import { oneLine } from '#core/text/text.ts';
import { DROP_ZONE } from './element-line.ts';
import { elementOf, isFocused, writeParts, writeWords } from './view-line.ts';
import type { ShownElement, ViewLine } from './view-line.ts';
import type { Look } from './view.ts';

/** Length of a line that reports a change. It was seen in full before, or the next view shows it. */
const CHANGE_LINE_CHARS_MAX = 160;

/** What sets two looks at a page apart, as lines of the page: data. */
export type Changes = {
  /** A dialog or menu that opened first, then what appeared or changed, then what went. */
  lines: string[];
  /** Lines that changed and are not among them. */
  left: number;
};

/** What opens over a page and wants an answer. */
const OPENED: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'alert']);

/** A line with what it is known by. */
type Known = ViewLine & {
  element: ShownElement | null;
  ref: string | null;
  /** Where the focus is, and how many others there are, says nothing of what a line is. */
  words: string;
};

/**
 * @param ownRefs of elements whose change need not be told
 * @returns `null` for looks at different documents, or parts of one, which have nothing in common
 */
export function changesBetween(
  before: Look,
  after: Look,
  ownRefs: ReadonlySet<string>,
  maxChars: number,
): Changes | null {
  if (before.generation !== after.generation || before.part?.from !== after.part?.from) return null;
  const then = before.lines.map(known);
  const behind = (before.behind ?? []).map(known);
  const now = after.lines.map(known);
  const isTold = ({ ref }: Known) => !ownRefs.has(ref ?? '');
  const added = without(now, [...then, ...behind]).filter(isTold);
  // A modal dialog hides what is behind it, which is there all the same.
  const removed = isModal(after) && !isModal(before) ? [] : without(then, now).filter(isTold);
  const told = [...appeared(added, removed, now), ...gone(removed, added)];
  if (told.length === 0 && ownRefs.size === 0) told.push(...reordered(then, now));
  if (told.length === 0) told.push(...focusMoved(then, now.filter(isTold)));
  return cut(told, maxChars);
}

/** A look that knows what the one before showed, if a modal dialog hides it. */
export function lookAfter(before: Look | null, look: Look): Look {
  if (before === null || before.generation !== look.generation || !isModal(look)) return look;
  return { ...look, behind: before.behind ?? before.lines };
}

function isModal({ lines }: Look): boolean {
  return lines.some((line) => line.kind === 'group' && elementOf(line)?.states.includes('modal'));
}

function known(line: ViewLine): Known {
  const element = elementOf(line);
  const words = writeParts(line.parts, (shown) => {
    const { place, states } = shown;
    if (place.length === 0 && !states.includes('focused')) return shown;
    return { ...shown, place: [], states: states.filter((state) => state !== 'focused') };
  });
  return { ...line, element, ref: element?.ref ?? null, words };
}

/** The lines that the others do not have, each as often as it is missing there. */
function without(lines: readonly Known[], others: readonly Known[]): Known[] {
  const left = new Map<string, number>();
  for (const { words } of others) left.set(words, (left.get(words) ?? 0) + 1);
  return lines.filter(({ words }) => {
    const count = left.get(words) ?? 0;
    left.set(words, count - 1);
    return count <= 0;
  });
}

function appeared(added: readonly Known[], removed: readonly Known[], lines: readonly Known[]): string[] {
  const isNew = new Set(added);
  const opened = openedAmong(lines, isNew);
  const first = lines.filter((line) => opened.has(line) && isNew.has(line));
  const before = new Set(removed.map(({ ref }) => ref));
  const sign = ({ ref }: Known) => (ref !== null && before.has(ref) ? '~' : '+');
  const others = added.filter((line) => !opened.has(line));
  const told = [...first, ...others.filter(isTelling), ...others.filter((line) => !isTelling(line))];
  return told.map((line) => `${sign(line)} ${writeWords(line)}`);
}

/** Nothing but its role and its place, if that, tells little of what has come. */
function isTelling({ parts, element }: Known): boolean {
  if (element === null || element.ref === null || parts.length > 1) return true;
  const { role, name, place, details, states, address } = element;
  return role === DROP_ZONE || place.length > 1 || [name, ...details, ...states, address].some((word) => word !== '');
}

function gone(removed: readonly Known[], added: readonly Known[]): string[] {
  const changed = new Set(added.map(({ ref }) => ref));
  const left = removed.filter(({ ref }) => ref === null || !changed.has(ref));
  // Many go together: the first say what it was.
  const rest = left.length > GONE_SHOWN_MAX ? [`- (${left.length - GONE_SHOWN_MAX} more lines)`] : [];
  return [...left.slice(0, GONE_SHOWN_MAX).map(wordsGone), ...rest];
}

const GONE_SHOWN_MAX = 4;

function wordsGone({ ref, words }: Known): string {
  return `- ${ref === null ? words : words.slice(ref.length + 1)}`;
}

/** New dialogs and menus, with all that is in them. */
function openedAmong(lines: readonly Known[], isNew: ReadonlySet<Known>): ReadonlySet<Known> {
  const opened = new Set<Known>();
  let openDepth: number | null = null;
  for (const line of lines) {
    const isInside = openDepth !== null && line.depth > openDepth;
    if (!isInside) openDepth = isNew.has(line) && OPENED.has(line.element?.role ?? '') ? line.depth : null;
    if (openDepth !== null) opened.add(line);
  }
  return opened;
}

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

function cut(told: readonly string[], maxChars: number): Changes {
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
