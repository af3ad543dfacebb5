import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { CONTROL_ROLES, FIELD_ROLES, ITEM_ROLES, LANDMARK_ROLES, SELF_CHANGING_ROLES } from '#browsing/tree/roles.ts';

/** Maximum characters of an element's context words: enough for a table row or a card, not for a section. */
export const REF_CONTEXT_CHARS_MAX = 300;
/** Maximum nodes visited for context words. Limits the time for a large container without text. */
const REF_CONTEXT_ELEMENTS_MAX = 400;

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

/**
 * `texts`: without names of controls. `controls`: with names of controls. `lasting`: like `texts`, but without numbers
 * and clocks.
 */
export type ContextWordsKind = 'texts' | 'controls' | 'lasting';

type Text = { id: number | null; word: string };

/**
 * The words of a container, up to `REF_CONTEXT_CHARS_MAX`. Controls other than `self`, their content and timers are
 * left out, because they change on their own. Error messages and other descriptions of `self` are also left out.
 */
export function readContextWords(part: AxElement, self: AxElement, kind: ContextWordsKind): string {
  return joined(textsOf(part, self, kind, REF_CONTEXT_CHARS_MAX));
}

/** The words of a container with the backend node ids of their text nodes. */
export function readContextTexts(part: AxElement, self: AxElement, kind: ContextWordsKind) {
  const texts = textsOf(part, self, kind, REF_CONTEXT_CHARS_MAX);
  return { text: joined(texts), nodes: texts.flatMap(({ id }) => id ?? []) };
}

export function rereadContextWords(
  part: AxElement,
  self: AxElement,
  kind: ContextWordsKind,
  nodes: readonly number[],
): string | null {
  const texts = new Map(textsOf(part, self, kind, 2 * REF_CONTEXT_CHARS_MAX).map((text) => [text.id, text]));
  const now = nodes.flatMap((id) => texts.get(id) ?? []);
  return now.length === nodes.length ? joined(now) : null;
}

function joined(texts: readonly Text[]): string {
  return texts
    .map(({ word }) => word)
    .join(' ')
    .slice(0, REF_CONTEXT_CHARS_MAX);
}

function textsOf(part: AxElement, self: AxElement, kind: ContextWordsKind, charsMax: number): Text[] {
  const texts: Text[] = [];
  const held = new Set<string>();
  let length = 0;
  let steps = 0;
  const open = [part];
  for (let next = open.pop(); next !== undefined && length < charsMax; next = open.pop()) {
    steps += 1;
    if (steps > REF_CONTEXT_ELEMENTS_MAX) break;
    if (next.backendNodeId !== null && self.notes.includes(next.backendNodeId)) continue;
    if (NUMBER_ROLES.has(next.role) && next.value !== '') held.add(next.value);
    const isSilenced = next !== self && next !== part && isSilent(next);
    if (isSilenced && kind !== 'controls') continue;
    const word = isSilenced || isWord(next) ? wordOf(next, part, kind) : '';
    if (word !== '') texts.push({ id: next.backendNodeId, word });
    length += word.length;
    if (isSilenced || isField(next)) continue;
    open.push(...next.children.slice(0, REF_CONTEXT_ELEMENTS_MAX).reverse());
  }
  const own = held.size === 0 ? texts : texts.filter(({ word }) => !held.has(NUMBER.exec(word)?.[1] ?? ''));
  return own.length === 0 ? texts : own;
}

/** Roles of controls whose value many pages also write as text beside the control, such as `5 %`. */
const NUMBER_ROLES: ReadonlySet<string> = new Set(['slider', 'spinbutton', 'progressbar', 'meter']);
const NUMBER = /^\D{0,3}?(-?\d+(?:\.\d+)?)\D{0,3}$/u;
const ONLY_NUMBERS = /^[\d\s.,:/%+()−–-]+$/u;
const CLOCK = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b)?/giu;

function wordOf(element: AxElement, part: AxElement, kind: ContextWordsKind): string {
  const word = element.name.trim();
  if (kind !== 'lasting' || isInHeading(element, part)) return word;
  return ONLY_NUMBERS.test(word) && /\d/u.test(word) ? '' : word.replaceAll(CLOCK, '').trim();
}

function isInHeading(element: AxElement, part: AxElement): boolean {
  for (let at: AxElement | null = element; at !== null && at !== part; at = at.parent) {
    if (at.role === 'heading') return true;
  }
  return false;
}

function isWord({ role, ignored }: AxElement): boolean {
  return !ignored && (role === 'StaticText' || role === 'image');
}

function isField(element: AxElement): boolean {
  return FIELD_ROLES.has(element.role) || element.properties.has('editable');
}

function isSilent(element: AxElement): boolean {
  if (SELF_CHANGING_ROLES.has(element.role) || isField(element)) return true;
  return element.role !== 'link' && !ITEM_ROLES.has(element.role) && CONTROL_ROLES.has(element.role);
}
