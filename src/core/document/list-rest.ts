import type { Viewport } from './document.ts';
import { beginsListItem, BLANK_LINE } from '#core/text/line-kinds.ts';
import { utf8Bytes } from '#core/text/text.ts';

/** Number of lines to read after a passage, to find the end of a list. */
export const LIST_LINES_MAX = 60;
/** Maximum UTF-8 bytes of the rest of a list that is added to a passage. To fetch them costs a model more. */
const LIST_REST_BYTES_MAX = 200;

type Passage = { lines: Viewport; text: readonly string[] };
/** The items of a list that follow a passage. `mayGoOn`: true if the end of the list is not in the lines that were read. */
export type ListRest = { items: number; lines: Viewport; mayGoOn: boolean };

/**
 * Adds the rest of a list to a passage that contains only its first items, if the rest is short and no other passage
 * contains lines of it. Otherwise, `rest` tells where it is.
 * @param following lines after the passage
 * @param isFree returns true if no other passage contains lines of this range
 */
export function completeList(
  { lines, text }: Passage,
  following: readonly string[],
  isFree: (range: Viewport) => boolean,
): Passage & { rest: ListRest | null } {
  const rest = findListRest(text, following);
  if (rest === null) return { lines, text, rest: null };
  const start = lines.end + 1;
  const range = { start, end: lines.end + rest.lines.length };
  if (utf8Bytes(rest.lines.join('\n')) > LIST_REST_BYTES_MAX || !isFree(range))
    return { lines, text, rest: { items: rest.items, lines: range, mayGoOn: rest.mayGoOn } };
  return { lines: { start: lines.start, end: range.end }, text: [...text, ...rest.lines], rest: null };
}

/** Returns `null` if the text does not contain the first item of a list, or if the list ends with the text. */
function findListRest(text: readonly string[], following: readonly string[]) {
  const before = text.findLastIndex((line) => !isOfList(line, 0));
  const first = text.slice(before + 1).find((line) => !BLANK_LINE.test(line));
  if (before < 0 || first === undefined || !beginsListItem(first)) return null;
  const indent = indentOf(first);
  const isOther = (line: string) =>
    indentOf(line) === indent && beginsListItem(line) && markerOf(line) !== markerOf(first);
  const end = following.findIndex((line) => !isOfList(line, indent) || isOther(line));
  const rest = end < 0 ? following : following.slice(0, end);
  const items = rest.filter(beginsListItem).length;
  const last = rest.findLastIndex((line) => !BLANK_LINE.test(line));
  const mayGoOn = end < 0 && following.length >= LIST_LINES_MAX;
  return items === 0 ? null : { items, lines: rest.slice(0, last + 1), mayGoOn };
}

/** True for a blank line, an item, or a line that continues an item of a list with this indentation. */
function isOfList(line: string, indent: number): boolean {
  if (BLANK_LINE.test(line)) return true;
  return beginsListItem(line) ? indentOf(line) >= indent : indentOf(line) > indent;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Returns the character that marks an item, and the same one for all numbers. Another one begins another list. */
function markerOf(item: string): string {
  return item.trimStart().charAt(0).replace(/\d/, '1');
}
