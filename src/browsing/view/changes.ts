import { oneLine } from '#core/text/text.ts';
import { CHANGE_LINE_CHARS_MAX } from './limits.ts';
import type { ShownLine } from './page.ts';
import type { Look } from './view.ts';

/** What sets two looks at a page apart, as lines of the page: data. */
export type Changes = {
  /** A dialog or menu that opened first, then what appeared or changed, then what went. */
  lines: string[];
  /** Lines that changed and are not among them. */
  left: number;
};

const REF = /^(@e\d+) /u;
const FOCUS = / focused\b/u;
/** The place of an element without a name, in our own words. */
const PLACE = / \(\d+(?:st|nd|rd|th) of \d+(?: in "[^"]*")?\)/u;
/** Nothing but a place, if that: it tells little of what has come. */
const NAMELESS = /^@e\d+ \w+(?: \(\d+(?:st|nd|rd|th) of \d+\))?$/u;
/** What opens over a page and wants an answer. */
const OPENED = /^(?:@e\d+ )?(?:dialog|alertdialog|menu|listbox|alert)\b/u;

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
  const isTold = (line: ShownLine) => !ownRefs.has(refOf(line) ?? '');
  const added = without(after.lines, [...before.lines, ...(before.behind ?? [])]).filter(isTold);
  // A modal dialog hides what is behind it, which is there all the same.
  const removed = isModal(after) && !isModal(before) ? [] : without(before.lines, after.lines).filter(isTold);
  const told = [...appeared(added, removed, after.lines), ...gone(removed, added)];
  if (told.length === 0 && ownRefs.size === 0) told.push(...reordered(before.lines, after.lines));
  if (told.length === 0) told.push(...focusMoved(before.lines, after.lines.filter(isTold)));
  return cut(told, maxChars);
}

/** A look that knows what the one before showed, if a modal dialog hides it. */
export function lookAfter(before: Look | null, look: Look): Look {
  if (before === null || before.generation !== look.generation || !isModal(look)) return look;
  return { ...look, behind: before.behind ?? before.lines };
}

function isModal({ lines }: Look): boolean {
  return lines.some(({ kind, text }) => kind === 'group' && text.endsWith(' modal'));
}

/** Where the focus is, and how many others there are, says nothing of what a line is. */
function wordsOf({ text }: ShownLine): string {
  return text.replace(FOCUS, '').replace(PLACE, '');
}

/** The lines that the others do not have, each as often as it is missing there. */
function without(lines: readonly ShownLine[], others: readonly ShownLine[]): ShownLine[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(wordsOf(line), (left.get(wordsOf(line)) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(wordsOf(line)) ?? 0;
    left.set(wordsOf(line), count - 1);
    return count <= 0;
  });
}

function appeared(added: readonly ShownLine[], removed: readonly ShownLine[], lines: readonly ShownLine[]): string[] {
  const isNew = new Set(added);
  const opened = openedAmong(lines, isNew);
  const first = lines.filter((line) => opened.has(line) && isNew.has(line));
  const before = new Set(removed.map(refOf));
  const sign = (line: ShownLine) => (refOf(line) !== null && before.has(refOf(line)) ? '~' : '+');
  const others = added.filter((line) => !opened.has(line));
  const told = [...first, ...others.filter(isTelling), ...others.filter((line) => !isTelling(line))];
  return told.map((line) => `${sign(line)} ${line.text}`);
}

function isTelling({ text }: ShownLine): boolean {
  return !NAMELESS.test(text);
}

function gone(removed: readonly ShownLine[], added: readonly ShownLine[]): string[] {
  const changed = new Set(added.map(refOf));
  const left = removed.filter((line) => refOf(line) === null || !changed.has(refOf(line)));
  // Many go together: the first say what it was.
  const rest = left.length > GONE_SHOWN_MAX ? [`- (${left.length - GONE_SHOWN_MAX} more lines)`] : [];
  return [...left.slice(0, GONE_SHOWN_MAX).map(wordsGone), ...rest];
}

const GONE_SHOWN_MAX = 4;

function wordsGone(line: ShownLine): string {
  return `- ${wordsOf(line).replace(REF, '')}`;
}

function refOf({ text }: ShownLine): string | null {
  return REF.exec(text)?.[1] ?? null;
}

/** New dialogs and menus, with all that is in them. */
function openedAmong(lines: readonly ShownLine[], isNew: ReadonlySet<ShownLine>): ReadonlySet<ShownLine> {
  const opened = new Set<ShownLine>();
  let openDepth: number | null = null;
  for (const line of lines) {
    const isInside = openDepth !== null && line.depth > openDepth;
    if (!isInside) openDepth = isNew.has(line) && OPENED.test(line.text) ? line.depth : null;
    if (openDepth !== null) opened.add(line);
  }
  return opened;
}

/** The same lines in another order: a table that was sorted. */
function reordered(before: readonly ShownLine[], after: readonly ShownLine[]): string[] {
  const differs = after.map((line, at) => wordsOf(line) !== (before[at] === undefined ? '' : wordsOf(before[at])));
  const moved = after.slice(differs.indexOf(true), differs.lastIndexOf(true) + 1);
  return differs.includes(true) ? moved.map(({ text }) => `~ ${text}`) : [];
}

function focusMoved(before: readonly ShownLine[], after: readonly ShownLine[]): string[] {
  const now = after.find(({ text }) => FOCUS.test(text));
  const then = before.find(({ text }) => FOCUS.test(text));
  return now === undefined || now.text === then?.text ? [] : [`~ ${now.text}`];
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
