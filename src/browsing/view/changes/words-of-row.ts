import { leadingElement } from '#browsing/view/view-line.ts';
import type { RowOfLine } from '#browsing/view/view-line.ts';
import { FIELD_ROLES } from '#browsing/tree/roles.ts';
import type { ComparableLine } from './known.ts';

/** Maximum characters of the text inside an element or of its row: enough to recognize a table row. */
const WORDS_CHARS_MAX = 60;
/**
 * Maximum lines of text before an element that identify its card: enough for a title, a description and some values.
 */
const ROW_LINES_MAX = 5;
/** Maximum elements without a name between an element and the text that identifies its card, such as icon buttons. */
const ROW_CONTROLS_MAX = 6;

/**
 * The text inside an element without a name. Elements inside are excluded, because they have their own lines. `lines`:
 * number of lines with only this text.
 */
export function joinTextInside(now: readonly ComparableLine[], place: number): { words: string; lines: number } {
  const depth = now[place]?.depth ?? 0;
  let words = '';
  let lines = 0;
  for (let at = place + 1; at < now.length && words.length < WORDS_CHARS_MAX; at += 1) {
    const line = now[at];
    if (line === undefined || line.depth <= depth) break;
    if (leadingElement(line) === null) words += words === '' ? line.words : ` ${line.words}`;
    const isTold = line.refs.length === 0 && lines === at - place - 1 && words.length <= WORDS_CHARS_MAX;
    if (isTold) lines += 1;
  }
  return { words: cut(words), lines };
}

/**
 * The text that identifies the row of an element without a name, from before or after it. `''` for an element with a
 * name, and for text that the report lists as well.
 */
export function findRowTextOfUnnamedElement(
  now: readonly ComparableLine[],
  place: number,
  beginsRow: readonly boolean[],
  isListed: (place: number) => boolean,
): string {
  const line = now[place];
  if (line === undefined || !isNameless(line) || line.parts.length > 1) return '';
  const isRow = (at: number, is: (line: ComparableLine | undefined) => boolean) =>
    isBeside(now[at], line) && is(now[at]);
  const step = beginsRow[place] === true && isRow(place + 1, isText) ? 1 : -1;
  let at = place + step;
  if (step === -1) while (place - at <= ROW_CONTROLS_MAX && isRow(at, isNameless)) at -= 1;
  const isTitled = isRow(at, isTitle);
  if (isListed(at) || (step === -1 && beginsRow[place] === true && !isTitled)) return '';
  const words: string[] = [];
  for (; words.length < ROW_LINES_MAX && isRow(at, isText); at += step) words.push(now[at]?.words ?? '');
  if (step === -1 && isRow(at, isTitle)) words.push(now[at]?.words ?? '');
  return cut((step === 1 ? words : words.toReversed()).join(' '));
}

/**
 * Returns the text of the row of a listed control or number, which does not say to which of several rows it belongs.
 * Lines of one row that follow each other have it once. `''` if a listed line shows this text, unless it is listed
 * elsewhere.
 */
export function createRowNamer(
  now: readonly ComparableLine[],
  isListed: (place: number) => boolean,
): (place: number, isFirst: boolean) => string {
  const shown = new Set(
    now.flatMap(({ row, words }, at) => (row !== undefined && isListed(at) && begins(row, words) ? row.node : [])),
  );
  let last: number | null = null;
  return (place, isFirst) => {
    const line = now[place];
    const isVague = line?.kind === 'element' || (line !== undefined && !/\p{L}{2}/u.test(line.words));
    if (line?.row === undefined || !isVague) return '';
    const { node, words } = line.row;
    if (!isFirst && (shown.has(node) || last === node)) return '';
    if (isNamedAsRow(line, words)) return '';
    // A line that is moved to the front does not name the row for the lines that it leaves behind.
    if (!isFirst) last = node;
    return words;
  };
}

/** True for an element with the name of its row, such as a link in a menu or a field with a label and an error. */
function isNamedAsRow(line: ComparableLine, row: string): boolean {
  const name = (leadingElement(line)?.name ?? '').replaceAll(/^"|"$/gu, '');
  return name === row || (name.length >= 3 && (`${row} `.startsWith(`${name} `) || name.startsWith(`${row} `)));
}

function begins(row: RowOfLine, words: string): boolean {
  const bare = words.replace(/^- /u, '');
  return bare.length >= 3 && row.words.startsWith(bare.slice(0, 30));
}

/** For each line: true in a list whose rows begin with an element without a name. Such an element precedes any text. */
export function findRowStarts(lines: readonly ComparableLine[]): boolean[] {
  let first: boolean | null = null;
  return lines.map((line, at) => {
    if (line.kind === 'heading' || line.kind === 'group' || !isBeside(lines[at - 1], line)) first = null;
    if (isNameless(line)) first ??= true;
    else if (isText(line)) first ??= false;
    return first === true;
  });
}

function isBeside(other: ComparableLine | undefined, { depth, over }: ComparableLine): boolean {
  return other?.depth === depth && other.over?.node === over?.node;
}

function isText(line: ComparableLine | undefined): boolean {
  return line?.kind === 'text' && leadingElement(line) === null;
}

/** True for a heading that may be the title of a card. Headings of level 1 and 2 begin a page or a list. */
function isTitle(line: ComparableLine | undefined): boolean {
  return line?.kind === 'heading' && line.words.startsWith('###');
}

function isNameless(line: ComparableLine | undefined): boolean {
  const element = line?.kind === 'element' ? leadingElement(line) : null;
  // A field with a value is recognized by it.
  return element?.name === '' && !(FIELD_ROLES.has(element.role) && element.details.length > 0);
}

function cut(words: string): string {
  return words.length <= WORDS_CHARS_MAX ? words : `${words.slice(0, WORDS_CHARS_MAX)}…`;
}
