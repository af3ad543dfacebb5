import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import { LANDMARK_ROLES } from '#browsing/tree/roles.ts';
import { isPage } from './reacting.ts';

/**
 * The parts of a document on which something can be dropped. The document itself and what holds most of it are none: they
 * listen so that a file which misses its place is not opened. Where whatever can be dragged takes a drop too, as in a list to
 * reorder, that it can be dragged says enough.
 */
export function findDropZones(
  root: AxElement,
  drops: ReadonlySet<number>,
  draggable: ReadonlySet<number>,
): ReadonlySet<AxElement> {
  if (drops.size === 0) return new Set();
  const isSaid = [...draggable].every((id) => drops.has(id));
  const zones = new Set<AxElement>();
  for (const element of everyElement(root)) {
    const id = element.backendNodeId ?? 0;
    if (!drops.has(id) || (isSaid && draggable.has(id))) continue;
    if (!isPage(element) && !holdsPage(element)) zones.add(element);
  }
  return zones;
}

function holdsPage(element: AxElement): boolean {
  for (const { role } of everyElement(element)) if (PAGE_ROLES.has(role)) return true;
  return false;
}

/** Parts that a page has a few of. */
const PAGE_ROLES: ReadonlySet<string> = new Set(
  [...LANDMARK_ROLES].filter((role) => !/^(?:menu|tablist|tree|search|alert)/u.test(role)),
);
