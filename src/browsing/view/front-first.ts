import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { OutlineLine } from './view-line.ts';
import { LAYER_ROLES } from './page/layers.ts';
import type { Page } from './page/page.ts';

/**
 * Moves open dialogs and menus before the content behind them, because a view that is cut shows only its beginning. The
 * layer in front of all others comes first.
 */
export function orderFrontFirst(lines: readonly OutlineLine[], page: Page): OutlineLine[] {
  const inFront = createFrontTest(page);
  const parts: Record<'front' | 'over' | 'behind', OutlineLine[]> = { front: [], over: [], behind: [] };
  let layer: OutlineLine | null = null;
  let isInLayer = false;
  for (const line of lines) {
    const isFront = inFront(line.within);
    const isOutside = layer !== null && (isInLayer ? line.depth <= layer.depth : !isFront);
    if (isOutside) layer = null;
    const opens = line.kind === 'group' && LAYER_ROLES.has(line.within.role);
    if (layer === null && (opens || isFront)) [layer, isInLayer] = [line, opens];
    if (layer === null) parts.behind.push(line);
    else parts[isFront ? 'front' : 'over'].push({ ...line, depth: Math.max(0, line.depth - layer.depth) });
  }
  return [...parts.front, ...parts.over, ...parts.behind];
}

/** Returns a test for elements in the front layer, or with it in the same overlay. */
function createFrontTest(page: Page): (element: AxElement) => boolean {
  const known = new Map<AxElement, boolean>();
  return (element) => {
    const passed: AxElement[] = [];
    let is = false;
    for (let at: AxElement | null = element; at !== null && !is; at = at.parent) {
      const before = known.get(at);
      is = before ?? page.isFront(at);
      if (before !== undefined) break;
      passed.push(at);
    }
    for (const one of passed) known.set(one, is);
    return is;
  };
}
