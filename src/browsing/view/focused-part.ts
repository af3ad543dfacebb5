import { utf8Bytes } from '#core/text.ts';
import type { ShownLine } from './line.ts';

/** Beside the focused line: what one is about to press, and what it is about. */
const LINES_BEFORE = 3;
const LINES_AFTER = 8;

/**
 * The lines around the focus of a page whose beginning is all that fits, when they are not in it.
 * @param shown how many lines the beginning has
 */
export function focusedPart(lines: readonly ShownLine[], shown: number, maxBytes: number): ShownLine[] {
  const at = lines.findIndex(isFocused);
  const focused = lines[at];
  if (focused === undefined || at < shown) return [];
  const over = lines.findLastIndex(
    ({ kind, depth }, before) => before < at && (kind === 'heading' || kind === 'group') && depth <= focused.depth,
  );
  const wanted = lines.slice(Math.max(at - LINES_BEFORE, 0), at + LINES_AFTER);
  const near = over < 0 || over >= at - LINES_BEFORE ? wanted : [...lines.slice(over, over + 1), ...wanted];
  while (near.at(-1) !== focused && bytesOf(near) > maxBytes) near.pop();
  while (near[0] !== focused && bytesOf(near) > maxBytes) near.shift();
  const least = Math.min(...near.map(({ depth }) => depth));
  return [BEFORE, ...near.map((line) => ({ ...line, depth: line.depth - least + 1 })), AFTER];
}

const BEFORE: ShownLine = { depth: 0, text: '(where the focus is, further down on the page:)', kind: 'text' };
const AFTER: ShownLine = { depth: 0, text: '(the page from its beginning:)', kind: 'text' };

/** What stands in quotes is the page's. */
function isFocused({ kind, text }: ShownLine): boolean {
  return kind === 'element' && / focused\b/u.test(text.replaceAll(/"[^"]*"/gu, ''));
}

export function bytesOf(lines: readonly ShownLine[]): number {
  return lines.reduce((sum, { depth, text }) => sum + depth + utf8Bytes(text) + 1, 0);
}
