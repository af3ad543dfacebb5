import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { ITEM_ROLES, LANDMARK_ROLES } from '#browsing/tree/roles.ts';
import { readContextWords } from './context-words.ts';

/**
 * Minimum share of a row's elements that other rows also have, such as `Edit` (one in three). The names of records
 * differ.
 */
const SHARED_ONE_IN = 3;

/**
 * Groups elements of the same role and name. The elements of a group are each other's twins. Clickable elements without
 * a role have no name, so their text counts.
 */
export function groupByRoleAndName(elements: readonly AxElement[]): AxElement[][] {
  const groups = Map.groupBy(elements, (element) => {
    const { role, name } = element;
    return `${role}\n${role === 'generic' && name === '' ? readContextWords(element, element, 'texts') : name}`;
  });
  return [...groups.values()];
}

export function countDescendants(elements: readonly AxElement[]): Map<AxElement, number> {
  const counts = new Map<AxElement, number>();
  for (const element of elements) {
    for (let at: AxElement | null = element; at !== null; at = at.parent) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return counts;
}

/**
 * Finds rows: containers that are one of many and may be filled with other data. They have the role of a row, a list
 * item or an article (a single article is the content of its page), or they look alike. Siblings look alike if they
 * share many of their controls, or have the same kinds of controls as such siblings. Chromium treats a table without
 * headers as layout; its rows count unless they contain headings, lists or tables.
 */
export function createRowTest(
  elements: readonly AxElement[],
  groups: readonly AxElement[][],
): (part: AxElement) => boolean {
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
  const alike = [...shared].flatMap(([part, count]) => {
    const isAlike = count * SHARED_ONE_IN >= (controls.get(part)?.length ?? 0);
    return isAlike && !LANDMARK_ROLES.has(part.role) ? [part] : [];
  });
  const rows = new Set<AxElement>();
  for (const [parent, parts] of Map.groupBy(alike, (part) => part.parent)) {
    if (parent === null || parts.length < 2) continue;
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

function countShared(groups: readonly AxElement[][]): Map<AxElement, number> {
  const shared = new Map<AxElement, number>();
  for (const twins of groups) {
    if (twins.length === 1) continue;
    const counts = countDescendants(twins);
    for (const twin of twins) {
      let largest: AxElement = twin;
      for (let at = twin.parent; at !== null && counts.get(at) === 1; at = at.parent) largest = at;
      if (largest !== twin) shared.set(largest, (shared.get(largest) ?? 0) + 1);
    }
  }
  return shared;
}

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
