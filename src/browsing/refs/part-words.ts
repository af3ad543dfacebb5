import { REF_CONTEXT_CHARS_MAX, REF_CONTEXT_ELEMENTS_MAX } from './limits.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { CONTROL_ROLES, FIELD_ROLES, ITEM_ROLES, VOLATILE_ROLES } from '#browsing/tree/roles.ts';

/** `controls`: with the names of controls. `lasting`: without numbers and clocks that stand for themselves. */
export type WordsKind = 'texts' | 'controls' | 'lasting';

/** A text of the page, by the node that it is. */
type Text = { id: number | null; word: string };

/**
 * What a part of the page says, cut at `REF_CONTEXT_CHARS_MAX`. Its controls, what they hold and clocks change by
 * themselves, and are left out; of `self`, nothing is but its notes.
 */
export function wordsOf(part: AxElement, self: AxElement, kind: WordsKind): string {
  return joined(textsOf(part, self, kind, REF_CONTEXT_CHARS_MAX));
}

/** The nodes of these words. */
export function nodesOf(part: AxElement, self: AxElement, kind: WordsKind): number[] {
  return textsOf(part, self, kind, REF_CONTEXT_CHARS_MAX).flatMap(({ id }) => id ?? []);
}

/** What these nodes say now; `null` when one of them is not in the part any more. */
export function wordsNow(part: AxElement, self: AxElement, kind: WordsKind, nodes: readonly number[]): string | null {
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

function textsOf(part: AxElement, self: AxElement, kind: WordsKind, charsMax: number): Text[] {
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
    // No more of them will be looked at.
    open.push(...next.children.slice(0, REF_CONTEXT_ELEMENTS_MAX).reverse());
  }
  const own = held.size === 0 ? texts : texts.filter(({ word }) => !held.has(NUMBER.exec(word)?.[1] ?? ''));
  return own.length === 0 ? texts : own;
}

/** A page often writes beside a field of these what it holds: `5 %`. */
const NUMBER_ROLES: ReadonlySet<string> = new Set(['slider', 'spinbutton', 'progressbar', 'meter']);
const NUMBER = /^\D{0,3}?(-?\d+(?:\.\d+)?)\D{0,3}$/u;
const ONLY_NUMBERS = /^[\d\s.,:/%+()−–-]*\d[\d\s.,:/%+()−–-]*$/u;
const CLOCK = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b)?/giu;

function wordOf(element: AxElement, part: AxElement, kind: WordsKind): string {
  const word = element.name.trim();
  if (kind !== 'lasting' || isInHeading(element, part)) return word;
  return ONLY_NUMBERS.test(word) ? '' : word.replaceAll(CLOCK, '').trim();
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
  if (VOLATILE_ROLES.has(element.role) || isField(element)) return true;
  return element.role !== 'link' && !ITEM_ROLES.has(element.role) && CONTROL_ROLES.has(element.role);
}
