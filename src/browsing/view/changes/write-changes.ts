import { oneLine } from '#core/text/text.ts';
import { writeParts, writeWords, writeWithoutRefs } from '#browsing/view/view-line.ts';
import type { ShownElement, ViewLine } from '#browsing/view/view-line.ts';
import { CHANGE_RANKS } from './compare-looks.ts';
import type { ViewChange, ScanComparison, ChangeRank, RefPair } from './compare-looks.ts';

/** Maximum characters of a line that reports a change. A snapshot shows the whole line. */
const CHANGE_LINE_CHARS_MAX = 160;
/** The same for a row of fields with values, such as a line of an invoice. */
const FIELDS_LINE_CHARS_MAX = 240;
/** Maximum refs in a line that merges equal changes, such as `+ 12 × button "Delete"`. */
const REFS_IN_LINE_MAX = 16;
/** Minimum characters of the words of such a line before its refs. */
const MERGED_CHARS_MIN = 60;

export type WrittenChanges = {
  lines: string[];
  /** Number of changed lines that `lines` omits. */
  left: number;
  recreated: number;
  moved: number;
  /** Refs that lead to the element in their place now, because the page rebuilt the same record. */
  renamed?: readonly RefPair[];
  /** Refs of rebuilt lines that lead nowhere. */
  voided?: readonly string[];
  /** The lines in their place, with new refs; empty if they are many. */
  replaced?: readonly string[];
};

type ChangesRoom = {
  /** Maximum characters up to which all changes are shown. */
  wholeCharsMax: number;
  /** Used instead of `wholeCharsMax` when a new heading shows that the page switched to another view. */
  viewCharsMax: number;
  /** Maximum characters shown when the changes exceed `wholeCharsMax` or `viewCharsMax`. */
  maxChars: number;
};

type Written = { text: string; rank: ChangeRank; count: number };

/**
 * Writes changes as text. Opened layers come first, then errors, toggled boxes and changed values, the target's line
 * and announcements. The others follow in page order. Changes that do not fit are omitted, lowest ranks first.
 * @param inView lines that the result shows in full elsewhere; changes of these lines are only counted, and a dialog
 * that is still open is not reported
 */
export function writeViewChanges(
  { told, dialog, isOtherView, recreated, moved }: ScanComparison,
  room: ChangesRoom,
  inView: ReadonlySet<ViewLine>,
): { changes: WrittenChanges; changesInView: number } {
  const rest = told.filter((change) => change.sign === '-' || !inView.has(change.line));
  const written = inOrder(together(rest));
  const whole = isOtherView ? room.viewCharsMax : room.wholeCharsMax;
  const all = written.reduce((chars, { text }) => chars + text.length + 1, 0) <= whole;
  const shown = all ? written : fitting(written, room.maxChars);
  const open = dialog === null || inView.size > 0 ? [] : [writeOpenDialog(dialog)];
  const left = written.filter((line) => !shown.includes(line)).reduce((sum, { count }) => sum + count, 0);
  return {
    changes: { lines: [...shown.map(({ text }) => text), ...open], left, recreated, moved },
    changesInView: told.length - rest.length,
  };
}

function writeOpenDialog({ role, name }: ShownElement): string {
  return oneLine(`= ${[role, name].filter((word) => word !== '').join(' ')} is still open`, CHANGE_LINE_CHARS_MAX);
}

/** Merges consecutive changes with equal text into one line that lists all their refs. */
function together(told: readonly ViewChange[]): Written[] {
  const written: Written[] = [];
  let alike: ViewChange[] = [];
  for (const [at, change] of told.entries()) {
    alike.push(change);
    const next = told[at + 1];
    const goesOn = next !== undefined && alike.length < REFS_IN_LINE_MAX && readsLike(change, next);
    if (goesOn) continue;
    written.push({ text: writeAlike(alike), rank: change.rank, count: alike.length });
    alike = [];
  }
  return written;
}

function readsLike(one: ViewChange, other: ViewChange): boolean {
  if (one.sign === '-' || other.sign === '-' || one.sign !== other.sign || one.rank !== other.rank) return false;
  const [refs, others] = [refsIn(one.line), refsIn(other.line)];
  if (refs.length > 1 || refs.length !== others.length) return false;
  return wordsOfChange(one) === wordsOfChange(other);
}

function writeAlike(alike: readonly ViewChange[]): string {
  const [first] = alike;
  if (first === undefined) return '';
  if (first.sign === '-') {
    if ('more' in first) return `- (${first.more} more lines)`;
    const { gone, before, words } = first;
    return cutLine(`- ${before > gone ? `${gone} of ${before} × ` : gone > 1 ? `${gone} × ` : ''}${words}`);
  }
  if (alike.length === 1) return `${first.sign} ${writeCut(first.line, wordsAround(first), 2)}`;
  const refs = alike.flatMap((change) => (change.sign === '-' ? [] : refsIn(change.line)));
  const named = refs.length === 0 ? '' : ` (${refs.join(' ')})`;
  const words = `${first.sign} ${alike.length} × ${wordsOfChange(first)}`;
  return `${oneLine(words, Math.max(CHANGE_LINE_CHARS_MAX - named.length, MERGED_CHARS_MIN))}${named}`;
}

/**
 * Writes a line and the words after it. The elements at the end of a long line, such as the buttons of a table row,
 * follow its beginning, with the values of fields.
 * @param used number of characters before the line
 */
function writeCut(line: ViewLine, around: string, used = 0): string {
  const isForm = line.parts.filter((part) => typeof part === 'object' && findValue(part) !== '').length > 1;
  const charsMax = (isForm ? FIELDS_LINE_CHARS_MAX : CHANGE_LINE_CHARS_MAX) - used;
  return oneLine(writeWithinChars(line, charsMax - around.length, isForm ? 3 / 4 : 1 / 2) + around, charsMax);
}

/** @param tailShare maximum share of the characters for the elements after the beginning */
function writeWithinChars(line: ViewLine, charsMax: number, tailShare: number): string {
  const words = writeWords(line);
  if (line.excerpt !== undefined || words.length <= charsMax) return words;
  const elements = findElements(line);
  const cutAt = (place: number) => {
    let cut = '';
    for (const { text } of elements.filter((one) => one.end > place))
      if (cut.length + text.length < charsMax * tailShare) cut += ` ${text}`;
    return cut;
  };
  const place = charsMax - cutAt(charsMax * (1 - tailShare)).length - 1;
  const first = elements.find(({ end }) => end > place);
  // A long name that takes most of the beginning stays there.
  const isBegun = first !== undefined && !first.hasValue && first.start < place / 2;
  const tail = cutAt(isBegun ? first.end : place);
  if (first === undefined || tail === '') return words;
  const headEnd = isBegun ? elements.find(({ start }) => start >= first.end)?.start : first.start;
  return oneLine(words.slice(0, headEnd), charsMax - tail.length) + tail;
}

function findElements({ parts }: ViewLine) {
  let end = 0;
  return parts.flatMap((part) => {
    const start = end;
    end += writeParts([part]).length;
    if (typeof part === 'string' || part.ref === null) return [];
    return [{ start, end, text: writeShortElement(part), hasValue: findValue(part) !== '' }];
  });
}

function writeShortElement(element: ShownElement): string {
  const { ref, role, name } = element;
  return [ref ?? '', role, shorten(name), shorten(findValue(element))].filter((word) => word !== '').join(' ');
}

function findValue({ details }: ShownElement): string {
  return details.find((detail) => detail.startsWith('= ')) ?? '';
}

function shorten(quoted: string): string {
  if (quoted.length <= ELEMENT_NAME_CHARS_MAX) return quoted;
  return `${quoted.slice(0, ELEMENT_NAME_CHARS_MAX - 2).trimEnd()}…"`;
}

/** Maximum characters of the name, and of the value, of an element that follows the beginning of its line. */
const ELEMENT_NAME_CHARS_MAX = 24;

function cutLine(line: string): string {
  return oneLine(line, CHANGE_LINE_CHARS_MAX);
}

type LineChange = Extract<ViewChange, { line: ViewLine }>;

function wordsOfChange(change: LineChange): string {
  return `${change.line.excerpt ?? writeWithoutRefs(change.line)}${wordsAround(change)}`;
}

function wordsAround({ words = '', row = '' }: LineChange): string {
  return `${words === '' ? '' : `: ${words}`}${row === '' ? '' : ` in: ${row}`}`;
}

/** Maximum lines that replace others of the same words and are listed, as those of a second dialog of the same kind. */
const REPLACED_LINES_MAX = 12;

/** @returns the lines that contain one of the refs and are not reported as a change; none if they are too many to list */
export function writeReplacedLines(
  lines: readonly ViewLine[],
  { told }: ScanComparison,
  refs: ReadonlySet<string>,
): string[] {
  const reported = new Set(told.flatMap((change) => (change.sign === '-' ? [] : [change.line])));
  const found = lines.filter((line) => !reported.has(line) && refsIn(line).some((ref) => refs.has(ref)));
  if (found.length > REPLACED_LINES_MAX) return [];
  return found.map((line) => {
    const row = line.row === undefined ? '' : ` in: ${line.row.words}`;
    return writeCut(line, row);
  });
}

function refsIn({ parts }: ViewLine): string[] {
  const refs: string[] = [];
  writeParts(parts, (element) => {
    if (element.ref !== null) refs.push(element.ref);
    return element;
  });
  return refs;
}

const FIRST: readonly (readonly ChangeRank[])[] = [
  ['layer control', 'layer text'],
  ['alert'],
  ['set'],
  ['own'],
  ['live'],
];

function inOrder(written: readonly Written[]): Written[] {
  const first = FIRST.flatMap((ranks) => written.filter(({ rank }) => ranks.includes(rank)));
  return [...first, ...written.filter((line) => !first.includes(line))];
}

/** The lines that fit into `maxChars`, chosen by rank and then by page order. */
function fitting(written: readonly Written[], maxChars: number): Written[] {
  const byRank = written.toSorted((one, other) => CHANGE_RANKS.indexOf(one.rank) - CHANGE_RANKS.indexOf(other.rank));
  let chars = 0;
  const cut = byRank.findIndex(({ text }, at) => {
    chars += text.length + 1;
    return chars > maxChars && at > 0;
  });
  const shown = new Set(cut === -1 ? byRank : byRank.slice(0, cut));
  return written.filter((line) => shown.has(line));
}
