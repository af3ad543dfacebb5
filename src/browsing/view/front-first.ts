import type { Line } from './line.ts';

/** What lies over a page and waits for an answer. */
const OVER: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu']);

/** Puts open dialogs and menus before what lies behind them, because a view that is cut keeps its beginning. */
export function frontFirst(lines: readonly Line[]): Line[] {
  const front: Line[] = [];
  const behind: Line[] = [];
  let over: Line | null = null;
  for (const line of lines) {
    if (over !== null && line.depth <= over.depth) over = null;
    if (over === null && line.kind === 'group' && OVER.has(line.within.role)) over = line;
    if (over === null) behind.push(line);
    else front.push({ ...line, depth: line.depth - over.depth });
  }
  return [...front, ...behind];
}
