import { isBlank } from '#core/text/blank.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { CHECKABLE_ROLES, CONTROL_ROLES } from '#browsing/tree/roles.ts';
import { VIEW_ELEMENT_DETAIL_CHARS_MAX } from './limits.ts';

/** Maximum levels climbed from an unnamed check box to find the text next to it. */
const STEPS_MAX = 4;
/** Roles at which the search for a box's label stops, because a check box in a table cell applies to the whole row. */
const WHOLE_PARTS: ReadonlySet<string> = new Set([
  'cell',
  'gridcell',
  'rowheader',
  'columnheader',
  'LayoutTableCell',
  'row',
]);

/** The text next to a check box, radio button or switch that has no accessible name; `''` for none or a long one. */
export function textNextToCheckable(box: AxElement): string {
  if (!CHECKABLE_ROLES.has(box.role) || !isBlank(box.name)) return '';
  let at = box;
  for (let steps = 0; at.parent !== null && steps < STEPS_MAX && !WHOLE_PARTS.has(at.role); steps += 1) {
    const words = wordsAround(at);
    if (words !== '') return words.length <= VIEW_ELEMENT_DETAIL_CHARS_MAX ? words : '';
    at = at.parent;
    // Text next to a container with several controls does not label one of them.
    if (ITEMS.has(at.role) || countControls(at, 2) > 1) break;
  }
  return '';
}

const ITEMS: ReadonlySet<string> = new Set(['listitem', 'article', 'row']);

/**
 * The text between a control and the next or previous control. Text before the first control, or after the last, shows
 * on which side the page puts labels. `''` if the side is unknown, because there is text on both sides or on neither.
 */
function wordsAround(part: AxElement): string {
  const beside = part.parent?.children ?? [];
  const first = beside.findIndex(holdsControl);
  const last = beside.findLastIndex(holdsControl);
  const isBefore = wordsIn(beside.slice(0, first)) !== '';
  const isBehind = wordsIn(beside.slice(last + 1)) !== '';
  if (isBefore === isBehind) return '';
  const at = beside.indexOf(part);
  const others = isBefore ? beside.slice(0, at).reverse() : beside.slice(at + 1);
  const end = others.findIndex(holdsControl);
  const label = firstLine(end === -1 ? others : others.slice(0, end));
  return wordsIn(isBefore ? label.reverse() : label);
}

function holdsControl(part: AxElement): boolean {
  return countControls(part, 1) > 0;
}

function countControls(part: AxElement, max: number): number {
  let count = 0;
  for (const { role } of everyElement(part)) {
    if (CONTROL_ROLES.has(role)) count += 1;
    if (count === max) break;
  }
  return count;
}

/** The parts up to the first line break that follows text. */
function firstLine(parts: readonly AxElement[]): AxElement[] {
  const end = parts.findIndex(
    ({ role, name }, at) => role === 'StaticText' && name === '\n' && wordsIn(parts.slice(0, at)) !== '',
  );
  return end === -1 ? [...parts] : parts.slice(0, end);
}

function wordsIn(parts: readonly AxElement[]): string {
  return joined(parts.flatMap((part) => [...everyElement(part)].filter(isSaid).map(({ name }) => name)));
}

function joined(words: readonly string[]): string {
  return words.join(' ').replaceAll(/\s+/gu, ' ').trim();
}

function isSaid({ role, ignored }: AxElement): boolean {
  return role === 'StaticText' && !ignored;
}
