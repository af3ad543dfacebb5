import { REF_CONTEXT_CHARS_MAX } from './limits.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { ITEM_ROLES, LANDMARK_ROLES } from '#browsing/tree/roles.ts';
import { wordsOf } from './part-words.ts';

/** What stands next to a part, after it. */
type After = (part: AxElement) => AxElement | undefined;

/** How many headings of each level a part holds. */
type Levels = Map<AxElement, number[]>;

/** The headings of a document, by the part that each is about. */
type Headings = ReadonlyMap<AxElement, readonly AxElement[]>;

const LEVEL_DEFAULT = 2;

/** What the headings over an element say, the nearest first; `''` when there are none. */
export function headingsOver(element: AxElement): string {
  const headings = headingsAround(element);
  const words: string[] = [];
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    for (const heading of headings.get(at) ?? []) words.push(wordsOf(heading, heading, 'texts'));
    if (isBoundary(at)) break;
  }
  return words.join(' ').trim().slice(0, REF_CONTEXT_CHARS_MAX);
}

/** A tree does not change once it is built. */
const known = new WeakMap<AxElement, Headings>();

function headingsAround(element: AxElement): Headings {
  let root = element;
  for (let at = element.parent; at !== null; at = at.parent) root = at;
  const headings = known.get(root) ?? headingsOf(root);
  known.set(root, headings);
  return headings;
}

/**
 * A heading is about the largest part around it that has no other heading of its rank or above, as far as the next
 * landmark or row: a pane, a section, a card; that of a page, about the page without its navigation.
 */
function headingsOf(root: AxElement): Headings {
  const headings = [...everyElement(root)].filter(({ role, ignored }) => role === 'heading' && !ignored);
  const levels: Levels = new Map();
  for (const heading of headings) {
    const level = levelOf(heading);
    for (let at: AxElement | null = heading; at !== null; at = at.parent) {
      const counts = levels.get(at) ?? [];
      counts[level] = (counts[level] ?? 0) + 1;
      levels.set(at, counts);
    }
  }
  const after = followers(headings);
  const byPart = new Map<AxElement, AxElement[]>();
  for (const heading of headings) {
    for (const part of partsOf(heading, levels, after)) byPart.set(part, [...(byPart.get(part) ?? []), heading]);
  }
  return byPart;
}

function partsOf(heading: AxElement, levels: Levels, after: After): AxElement[] {
  let part = heading;
  for (let at = heading.parent; at !== null && !isBoundary(part); at = at.parent) {
    if (countOfRank(at) > 1) break;
    part = at;
  }
  if (part !== heading || heading.parent === null) return [part];
  // Headings in one row with what they are about: each is about what follows it, until the next.
  const parts = [heading];
  for (let next = after(heading); next !== undefined && countOfRank(next) === 0; next = after(next)) parts.push(next);
  return parts;

  function countOfRank(at: AxElement): number {
    const counts = (levels.get(at) ?? []).slice(0, levelOf(heading) + 1);
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

/** Of all that stands beside a heading. */
function followers(headings: readonly AxElement[]): After {
  const next = new Map<AxElement, AxElement>();
  for (const parent of new Set(headings.map((heading) => heading.parent))) {
    for (const [at, child] of (parent?.children ?? []).entries()) {
      const beside = parent?.children[at + 1];
      if (beside !== undefined) next.set(child, beside);
    }
  }
  return (part) => next.get(part);
}

function levelOf({ properties }: AxElement): number {
  const level = properties.get('level');
  return typeof level === 'number' && level >= 1 && level <= 9 ? Math.floor(level) : LEVEL_DEFAULT;
}

/** What stands in a menu or a dialog is not about the page around it. What a page calls its main part is the page. */
function isBoundary({ role }: AxElement): boolean {
  return (LANDMARK_ROLES.has(role) && role !== 'main') || ITEM_ROLES.has(role);
}
