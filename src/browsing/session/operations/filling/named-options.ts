import { containsWholeWords } from '#browsing/locate/within.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { toComparableText } from '#browsing/view/words.ts';
import { optionName, preferSameCase } from './choose-suggested.ts';
import type { OptionList } from './search-long-list.ts';

export const OPTIONS: ReadonlySet<string> = new Set([
  'option',
  'menuitem',
  'menuitemradio',
  'menuitemcheckbox',
  'treeitem',
]);

export function namesOf({ page, options }: OptionList): string[] {
  return options.map((option) => optionName(option, page));
}

export function hasSameNames(found: OptionList, value: string): boolean {
  return namedOptions(found, value).length > 1;
}

/** Finds an option by its name, or else by whole words that only one name contains. */
export function pick(found: OptionList, value: string): AxElement | null {
  const { page, options } = found;
  const wanted = toComparableText(value);
  const named = namedOptions(found, value);
  const fitting =
    named.length > 0
      ? named
      : options.filter((one) => containsWholeWords(toComparableText(optionName(one, page)), wanted));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/**
 * The options with this name, in the same case if there are any. Elements with an option role are preferred to merely
 * clickable ones.
 */
function namedOptions({ page, options }: OptionList, value: string): AxElement[] {
  const inAnyCase = options.filter((one) => toComparableText(optionName(one, page)) === toComparableText(value));
  const named = preferSameCase(inAnyCase, page, value);
  const withRole = named.filter(({ role }) => OPTIONS.has(role));
  return withRole.length > 0 ? withRole : named;
}
