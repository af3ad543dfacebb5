/**
 * The marks before a line of Markdown that open blocks: quotes, list items, notes. They are read one at a time: a pattern
 * that repeats a group keeps a place to go back to for each, and a line of nothing but marks is more than the engine holds.
 */
const MARK = /[ \t]*(?:>[ ]?|[-*+][ \t]+(?=\S)|\d{1,9}[.)][ \t]+(?=\S)|\[\^[^\]\s]{1,100}\]:[ \t]+)/y;
const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
const BLANK = /[ \t]*/y;
const FENCE = /[ \t]*(`{3,}(?=[^`]*$)|~{3,})/y;
const INDENT = /[\s>]*/y;

/** All of them, with the blanks around them. */
export function blockPrefix(line: string): string {
  return line.slice(0, endOf(BLANK, line, endOfAll(MARK, line)));
}

/** The back-ticks or tildes by which the line opens a block of code, `null` when it opens none. */
export function openingFence(line: string): string | null {
  // Most lines hold none, and there may be millions.
  if (!line.includes('```') && !line.includes('~~~')) return null;
  FENCE.lastIndex = endOfAll(CONTAINER, line);
  return FENCE.exec(line)?.[1] ?? null;
}

/** Whether the line closes a block of code that `fence` opened: at least as many of the same marks, and nothing else. */
export function closesFence(line: string, fence: string): boolean {
  if (!line.includes(fence)) return false;
  const start = endOf(INDENT, line, 0);
  const rest = line.slice(start).trimEnd();
  return rest.length >= fence.length && rest === fence.charAt(0).repeat(rest.length);
}

function endOfAll(mark: RegExp, line: string): number {
  let at = 0;
  for (let end = endOf(mark, line, at); end > at; end = endOf(mark, line, at)) at = end;
  return at;
}

function endOf(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(line) ? pattern.lastIndex : from;
}
