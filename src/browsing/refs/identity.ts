import { REF_CONTEXT_CHARS_MAX, REF_CONTEXT_ELEMENTS_MAX, REF_NAME_CHARS_MAX } from '#core/limits.ts';
import type { AxElement } from '#browsing/snapshot/ax-tree.ts';
import { CONTROL_ROLES, FIELD_ROLES, ITEM_ROLES, VOLATILE_ROLES } from '#browsing/snapshot/roles.ts';
import type { RefContext } from './refs.ts';

/** The name a ref is bound to: longer ones differ early. */
export function boundName(name: string): string {
  return name.slice(0, REF_NAME_CHARS_MAX);
}

/**
 * What sets each of a document's elements apart, where role and name do not: the words of the largest part of the page
 * that holds this one and none of its twins. Elements without twins are bound to the row or list item they stand in.
 */
export function contextsOf(elements: readonly AxElement[]): Map<AxElement, RefContext> {
  const contexts = new Map<AxElement, RefContext>();
  for (const twins of groupTwins(elements)) {
    const [only] = twins;
    if (twins.length === 1 && only !== undefined) {
      const context = only.role === 'generic' ? ownContext(only) : itemContext(only);
      if (context !== null) contexts.set(only, context);
      continue;
    }
    const counts = twinFree(twins);
    for (const twin of twins) {
      const context = apart(twin, counts, false) ?? apart(twin, counts, true);
      if (context !== null) contexts.set(twin, context);
    }
  }
  return contexts;
}

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
function twinFree(twins: readonly AxElement[]): Map<AxElement, number> {
  const counts = new Map<AxElement, number>();
  for (const twin of twins) {
    for (let at: AxElement | null = twin; at !== null; at = at.parent) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return counts;
}

/** The largest part with few enough words that holds this twin alone; else the smallest with any words. */
function apart(twin: AxElement, counts: ReadonlyMap<AxElement, number>, withControls: boolean): RefContext | null {
  let best: RefContext | null = null;
  for (let at: AxElement | null = twin; at !== null && counts.get(at) === 1; at = at.parent) {
    if (at.backendNodeId === null || at.parent === null) continue;
    const text = wordsOf(at, twin, withControls);
    if (text === '') continue;
    if (best !== null && text.length >= REF_CONTEXT_CHARS_MAX) break;
    best = { backendNodeId: at.backendNodeId, text, withControls };
  }
  return best;
}

/** An element with neither role nor name is what it says. */
function ownContext(element: AxElement): RefContext | null {
  const { backendNodeId } = element;
  const text = wordsOf(element, element, false);
  return backendNodeId === null || text === '' ? null : { backendNodeId, text, withControls: false };
}

function itemContext(element: AxElement): RefContext | null {
  if (FIELD_ROLES.has(element.role)) return null;
  for (let at = element.parent; at !== null; at = at.parent) {
    if (!ITEM_ROLES.has(at.role)) continue;
    const text = wordsOf(at, element, false);
    if (text === '' || text === element.name.trim() || at.backendNodeId === null) return null;
    return { backendNodeId: at.backendNodeId, text, withControls: false };
  }
  return null;
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
