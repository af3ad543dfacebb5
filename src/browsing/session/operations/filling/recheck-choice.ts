import { PAGE_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { FillResult } from '#browsing/act/fields/fill.ts';
import { callOn, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { isDescendantOf } from '#browsing/locate/within.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { FIELD_ROLES } from '#browsing/tree/roles.ts';
import { toComparableText } from '#browsing/view/words.ts';
import { findNewChip } from './chips.ts';
import { isTaken, OPTIONS, optionsIn, optionsOf } from './choose-drawn.ts';
import type { CustomListChoice } from './choose-drawn.ts';
import { optionName, recheckSuggestion } from './choose-suggested.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';

/** Maximum levels climbed from a list to find its chosen value, which some pages draw next to the field. */
const HOLDER_STEPS_MAX = 3;
const POPUPS: ReadonlySet<string> = new Set([...OPTIONS, 'listbox', 'menu', 'tree']);

/** Checks what a drawn list holds after a choice, and the invisible `<select>` behind it if the list shows no choice. */
export async function recheckChoice(
  work: OperationWork,
  element: PageElement,
  choice: CustomListChoice,
): Promise<FillResult> {
  const seen = await recheckShown(work, element, choice);
  if (!seen.differs && seen.isThere) return seen;
  const behind = await callOn(element, pageScripts.chosenBehind, [], work.signal).catch(nullIfGone);
  const chosen = new Set(behind?.map(toComparableText));
  const { labels } = choice;
  if (!labels.every((label) => chosen.has(toComparableText(label)))) return seen;
  return { ...seen, value: labels.join('\n'), differs: false, isThere: true };
}

async function recheckShown(work: OperationWork, element: PageElement, choice: CustomListChoice): Promise<FillResult> {
  const { labels, suggestion, chips = [], ...result } = choice;
  const shown = await Promise.all(chips.map((chip) => findNewChip(work, chip)));
  const isChip = (at: number) => shown[at] === 'new' || (shown[at] === 'as before' && suggestion === undefined);
  if (labels.every((_, at) => isChip(at))) return { ...result, value: labels.join('\n') };
  if (suggestion !== undefined && labels.length === 1)
    return { ...result, ...(await recheckSuggestion(work, element, suggestion)) };
  const { page, list } = await optionsIn(work, element, labels.at(-1) ?? '');
  if (list === null) return { ...result, isThere: false };
  const options = optionsOf(page, list, element.frame.id);
  const held = heldBy(list);
  const around = heldAround(list);
  const isHeld = (label: string, at: number) => {
    const wanted = toComparableText(label);
    const isSelected = options.some((one) => toComparableText(optionName(one, page)) === wanted && isTaken(one, page));
    // A label that was next to the field before the click does not prove the choice.
    const texts = [held, ...((chips[at] ?? null) === null ? around : [])];
    return isChip(at) || isSelected || texts.some((words) => toComparableText(words).includes(wanted));
  };
  if (labels.every(isHeld)) return { ...result, value: labels.join('\n') };
  return { ...result, value: oneLine(held, PAGE_QUOTE_CHARS_MAX), differs: true };
}

/** Texts of the containers around a list, up to the next field, whose value is not a choice of this list. */
function heldAround(list: AxElement): string[] {
  const words: string[] = [];
  let around: AxElement | null = list.parent;
  for (let steps = 0; around !== null && steps < HOLDER_STEPS_MAX; around = around.parent, steps += 1) {
    if (
      [...everyElement(around)].some((one) => one !== list && FIELD_ROLES.has(one.role) && !isDescendantOf(one, list))
    )
      break;
    words.push(heldBy(around));
  }
  return words;
}

function heldBy(part: AxElement): string {
  if (part.value !== '') return part.value;
  const words: string[] = [];
  const open: AxElement[] = part.children.toReversed();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (POPUPS.has(one.role)) continue;
    if (one.role === 'StaticText') words.push(one.name);
    if (one.value !== '') words.push(one.value);
    else open.push(...one.children.toReversed());
  }
  return words.filter((word) => word !== '').join(' ') || part.name;
}
