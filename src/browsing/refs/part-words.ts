import { REF_CONTEXT_CHARS_MAX, REF_CONTEXT_ELEMENTS_MAX } from './limits.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { CONTROL_ROLES, FIELD_ROLES, ITEM_ROLES, VOLATILE_ROLES } from '#browsing/tree/roles.ts';

/**
 * What a part of the page says, cut at `REF_CONTEXT_CHARS_MAX`. Its controls and clocks change by themselves, and are
 * left out; of `self`, nothing is but its notes.
 */
export function wordsOf(part: AxElement, self: AxElement, withControls: boolean): string {
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
    // No more of them will be looked at.
    open.push(...next.children.slice(0, REF_CONTEXT_ELEMENTS_MAX).reverse());
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
