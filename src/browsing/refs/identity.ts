import {
  REF_CONTEXT_CHARS_MAX,
  REF_CONTEXT_ELEMENTS_MAX,
  REF_NAME_CHARS_MAX,
  REF_URL_CHARS_MAX,
} from '#core/limits.ts';
import type { AxElement } from '#browsing/snapshot/ax-tree.ts';
import { CONTROL_ROLES, FIELD_ROLES, ITEM_ROLES, VOLATILE_ROLES } from '#browsing/snapshot/roles.ts';
import type { RefContext, RefTarget } from './refs.ts';

/** What a ref is bound to of an element's own: long names and addresses differ early. */
export type Identity = Pick<RefTarget, 'role' | 'name' | 'url'>;

export function identityOf({ role, name, url }: Identity): Identity {
  return { role, name: name.slice(0, REF_NAME_CHARS_MAX), url: url.slice(0, REF_URL_CHARS_MAX) };
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
  return one.role === other.role && one.name === other.name && one.url === other.url;
}

/**
 * What sets each of a document's elements apart, where role and name do not. An element with twins – others of its role
 * and name – is bound to the words of the largest part of the page that holds it and none of them; every element to
 * those of the row, list item or article that it stands in. What has no twin and stands in none of these is what it is
 * called.
 */
export function contextsOf(elements: readonly AxElement[]): Map<AxElement, RefContext> {
  const contexts = new Map<AxElement, RefContext>();
  const items = itemRoles(elements);
  for (const twins of groupTwins(elements)) {
    const counts = twins.length === 1 ? null : countWithin(twins);
    for (const twin of twins) {
      const context = counts === null ? loneContext(twin, items) : twinContext(twin, counts, items);
      if (context !== null) contexts.set(twin, context);
    }
  }
  return contexts;
}

/** One article alone is the content of its page, not one of many: its words may change around a button that stays. */
function itemRoles(elements: readonly AxElement[]): ReadonlySet<string> {
  const articles = new Set<AxElement>();
  for (const element of elements) {
    for (let at: AxElement | null = element; at !== null && articles.size < 2; at = at.parent) {
      if (at.role === 'article') articles.add(at);
    }
  }
  return articles.size > 1 ? ITEM_ROLES : ITEM_ROLES_BUT_ARTICLES;
}

const ITEM_ROLES_BUT_ARTICLES: ReadonlySet<string> = new Set([...ITEM_ROLES].filter((role) => role !== 'article'));

/** The words of that part of the page now, or `null` when `element` is no longer in it. */
export function contextTextNow(element: AxElement, { backendNodeId, withControls }: RefContext): string | null {
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    if (at.backendNodeId === backendNodeId) return wordsOf(at, element, withControls);
  }
  return null;
}

function groupTwins(elements: readonly AxElement[]): AxElement[][] {
  const groups = new Map<string, AxElement[]>();
  for (const element of elements) {
    const key = `${element.role}\n${element.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return [...groups.values()];
}

/** How many of the twins each of their ancestors holds. */
function countWithin(twins: readonly AxElement[]): Map<AxElement, number> {
  const counts = new Map<AxElement, number>();
  for (const twin of twins) {
    for (let at: AxElement | null = twin; at !== null; at = at.parent) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return counts;
}

function loneContext(element: AxElement, items: ReadonlySet<string>): RefContext | null {
  // An element with neither role nor name is what it says.
  return itemContext(element, items) ?? (element.role === 'generic' ? contextIn(element, element, false) : null);
}

function twinContext(
  twin: AxElement,
  counts: ReadonlyMap<AxElement, number>,
  items: ReadonlySet<string>,
): RefContext | null {
  const alone = apart(twin, counts, false);
  const item = itemContext(twin, items);
  if (alone !== null && item !== null) return isAround(twin, item, alone) ? item : alone;
  return alone ?? item ?? apart(twin, counts, true) ?? sharedWords(twin, counts);
}

/** The largest part with few enough words that holds this twin alone; else the smallest with any words. */
function apart(twin: AxElement, counts: ReadonlyMap<AxElement, number>, withControls: boolean): RefContext | null {
  let best: RefContext | null = null;
  for (let at: AxElement | null = twin; at !== null && counts.get(at) === 1; at = at.parent) {
    const context = contextIn(at, twin, withControls);
    if (context === null) continue;
    if (best !== null && context.text.length >= REF_CONTEXT_CHARS_MAX) break;
    best = context;
  }
  return best;
}

function itemContext(element: AxElement, items: ReadonlySet<string>): RefContext | null {
  for (let at = element.parent; at !== null; at = at.parent) {
    if (items.has(at.role) && wordsOf(at, element, false) !== '') return contextIn(at, element, false);
  }
  return null;
}

/**
 * Twins side by side in one row: the largest part with few enough words that holds them and no further twins, else the
 * smallest with any words.
 */
function sharedWords(twin: AxElement, counts: ReadonlyMap<AxElement, number>): RefContext | null {
  let best: RefContext | null = null;
  let together = 1;
  for (let at = twin.parent; at !== null; at = at.parent) {
    const count = counts.get(at) ?? 1;
    if (best !== null && count > together) break;
    together = count;
    const context = contextIn(at, twin, false);
    if (context === null) continue;
    if (best !== null && context.text.length >= REF_CONTEXT_CHARS_MAX) break;
    best = context;
  }
  return best;
}

/** `null` for a part that says nothing but the element's own name. */
function contextIn(part: AxElement, self: AxElement, withControls: boolean): RefContext | null {
  if (part.backendNodeId === null || part.parent === null) return null;
  const text = wordsOf(part, self, withControls);
  if (text === '' || text === self.name.trim()) return null;
  return { backendNodeId: part.backendNodeId, text, withControls };
}

function isAround(element: AxElement, outer: RefContext, inner: RefContext): boolean {
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    if (at.backendNodeId === outer.backendNodeId) return at.backendNodeId === inner.backendNodeId;
    if (at.backendNodeId === inner.backendNodeId) return true;
  }
  return false;
}

/** What a part of the page says. Its controls and clocks change by themselves, and are left out; of `self`, nothing is. */
function wordsOf(part: AxElement, self: AxElement, withControls: boolean): string {
  const words: string[] = [];
  let length = 0;
  let steps = 0;
  const open = [part];
  for (let next = open.pop(); next !== undefined && length < REF_CONTEXT_CHARS_MAX; next = open.pop()) {
    steps += 1;
    if (steps > REF_CONTEXT_ELEMENTS_MAX) break;
    if (next.backendNodeId !== null && self.notes.includes(next.backendNodeId)) continue;
    const isSilenced = next !== self && next !== part && isSilent(next);
    if (isSilenced && !withControls) continue;
    const word = isSilenced || isWord(next) ? next.name.trim() : '';
    if (word !== '') words.push(word);
    length += word.length;
    if (isSilenced || isField(next)) continue;
    for (let at = next.children.length - 1; at >= 0; at -= 1) {
      const child = next.children[at];
      if (child !== undefined) open.push(child);
    }
  }
  return words.join(' ').slice(0, REF_CONTEXT_CHARS_MAX);
}

function isWord({ role, ignored }: AxElement): boolean {
  return !ignored && (role === 'StaticText' || role === 'image');
}

function isField(element: AxElement): boolean {
  return FIELD_ROLES.has(element.role) || element.properties.has('editable');
}

function isSilent(element: AxElement): boolean {
  if (VOLATILE_ROLES.has(element.role) || isField(element)) return true;
  return element.role !== 'link' && !ITEM_ROLES.has(element.role) && CONTROL_ROLES.has(element.role);
}
