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
  const first: OutlineLine[] = [];
  const front: OutlineLine[] = [];
  const over: OutlineLine[] = [];
  const behind: OutlineLine[] = [];
  let layer: OutlineLine | null = null;
  let isInLayer = false;
  // A menu or dialog in an overlay without a role, such as the root of an application.
  let inner: OutlineLine | null = null;
  for (const line of lines) {
    const isFront = inFront(line.within);
    const isOutside = layer !== null && (isInLayer ? line.depth <= layer.depth : !isFront);
    if (isOutside) layer = null;
    if (inner !== null && line.depth <= inner.depth) inner = null;
    const opens = line.kind === 'group' && LAYER_ROLES.has(line.within.role);
    if (layer === null && (opens || isFront)) [layer, isInLayer] = [line, opens];
    else if (layer !== null && !isInLayer && opens) inner ??= line;
    const [part, depth] = inner !== null ? [first, inner.depth] : [isFront ? front : over, layer?.depth ?? 0];
    if (layer === null) behind.push(line);
    else part.push({ ...line, depth: Math.max(0, line.depth - depth) });
  }
  return [...first, ...front, ...over, ...behind];
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
