import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { ITEM_ROLES, LANDMARK_ROLES } from '#browsing/tree/roles.ts';

/** Of a row's elements, at least one in so many has a twin in another row: names of records and their links have none. */
const SHARED_ONE_IN = 3;

/** Elements that are called alike: the same role and name. A group of one has no twins. */
export function groupTwins(elements: readonly AxElement[]): AxElement[][] {
  const groups = new Map<string, AxElement[]>();
  for (const element of elements) {
    const key = `${element.role}\n${element.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return [...groups.values()];
}

/** How many of the elements each of their ancestors holds, themselves included. */
export function countWithin(elements: readonly AxElement[]): Map<AxElement, number> {
  const counts = new Map<AxElement, number>();
  for (const element of elements) {
    for (let at: AxElement | null = element; at !== null; at = at.parent) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return counts;
}

/**
 * The parts of a document that are one of many and may be filled with other data. The page itself calls them a row, a list
 * item or an article (one article alone is the content of its page). Others only look like it: parts side by side that have
 * much of their controls in common, and those among them with the same kinds of controls. Chromium takes a table without
 * headers for a means of layout; a row of it counts unless it holds what parts of a page are made of.
 */
export function findRows(elements: readonly AxElement[], groups: readonly AxElement[][]): (part: AxElement) => boolean {
  const lookAlike = alikeParts(elements, groups);
  const roles = hasSeveralArticles(elements) ? ITEM_ROLES : ITEM_ROLES_BUT_ARTICLES;
  const layoutRows = new Map<AxElement, boolean>();
  return (part) => roles.has(part.role) || lookAlike.has(part) || isPlainLayoutRow(part, layoutRows);
}

function isPlainLayoutRow(part: AxElement, known: Map<AxElement, boolean>): boolean {
  if (part.role !== 'LayoutTableRow') return false;
  const before = known.get(part);
  if (before !== undefined) return before;
  const isPlain = !holdsPartOfPage(part);
  known.set(part, isPlain);
  return isPlain;
}

function holdsPartOfPage(row: AxElement): boolean {
  const left = [...row.children];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (PARTS_OF_PAGES.has(at.role) || LANDMARK_ROLES.has(at.role)) return true;
    left.push(...at.children);
  }
  return false;
}

const PARTS_OF_PAGES: ReadonlySet<string> = new Set(['heading', 'list', 'table', 'grid', 'LayoutTable', 'Iframe']);

const ITEM_ROLES_BUT_ARTICLES: ReadonlySet<string> = new Set([...ITEM_ROLES].filter((role) => role !== 'article'));

function hasSeveralArticles(elements: readonly AxElement[]): boolean {
  const articles = new Set<AxElement>();
  for (const element of elements) {
    for (let at: AxElement | null = element; at !== null && articles.size < 2; at = at.parent) {
      if (at.role === 'article') articles.add(at);
    }
  }
  return articles.size > 1;
}

function alikeParts(elements: readonly AxElement[], groups: readonly AxElement[][]): ReadonlySet<AxElement> {
  const shared = countShared(groups);
  if (shared.size === 0) return NO_PARTS;
  const controls = controlsWithin(elements);
  const byParent = new Map<AxElement, AxElement[]>();
  for (const [part, count] of shared) {
    const isAlike = count * SHARED_ONE_IN >= (controls.get(part)?.length ?? 0);
    if (part.parent === null || !isAlike || LANDMARK_ROLES.has(part.role)) continue;
    const beside = byParent.get(part.parent);
    if (beside === undefined) byParent.set(part.parent, [part]);
    else beside.push(part);
  }
  const rows = new Set<AxElement>();
  for (const [parent, parts] of byParent) {
    if (parts.length < 2) continue;
    const shapes = new Set(parts.map(shapeOf));
    for (const part of parts) rows.add(part);
    for (const part of parent.children) if (controls.has(part) && shapes.has(shapeOf(part))) rows.add(part);
  }
  return rows;

  function shapeOf(part: AxElement): string {
    return controls.get(part)?.join(' ') ?? '';
  }
}

const NO_PARTS: ReadonlySet<AxElement> = new Set();

/** Of the parts that hold one twin of a group, the largest: in how many groups it is that. */
function countShared(groups: readonly AxElement[][]): Map<AxElement, number> {
  const shared = new Map<AxElement, number>();
  for (const twins of groups) {
    if (twins.length === 1) continue;
    const counts = countWithin(twins);
    for (const twin of twins) {
      let largest: AxElement = twin;
      for (let at = twin.parent; at !== null && counts.get(at) === 1; at = at.parent) largest = at;
      if (largest !== twin) shared.set(largest, (shared.get(largest) ?? 0) + 1);
    }
  }
  return shared;
}

/** The roles of the controls within each part. */
function controlsWithin(elements: readonly AxElement[]): Map<AxElement, string[]> {
  const roles = new Map<AxElement, string[]>();
  for (const element of elements) {
    for (let at: AxElement | null = element; at !== null; at = at.parent) {
      const within = roles.get(at);
      if (within === undefined) roles.set(at, [element.role]);
      else within.push(element.role);
    }
  }
  return roles;
}
