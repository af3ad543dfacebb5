import { findLabelledControl } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import { truncateWithContext } from '#browsing/in-page/view/cut.ts';
import type { DatalistOptions, OptionChoiceResult } from '#browsing/in-page/script-types.ts';
import type { TextWithCuts } from '#core/text/page-texts.ts';

/** Chooses the options in a `<select>`. Chooses nothing if one is missing, or if several different ones have a name. */
export function chooseOptions(this: AnyElement, wanted: readonly string[], maxShown: number): OptionChoiceResult {
  const list = findLabelledControl(this);
  const options = [...(list.options ?? [])];
  const open = options.filter(isOpen);
  const matches = wanted.map((name) => findMatchingOptions(open, name));
  const alike = matches.find((found) => found.length > 1) ?? [];
  const found = matches.map(([option = null]) => option);
  const missing = wanted.filter((_, at) => found[at] === null);
  const isMultiple = list.multiple === true;
  const listed = options.filter((option) => !isUnlisted(option));
  const result = {
    chosen: found.length,
    missing,
    isDisabled: missing.some((name) => findMatchingOptions(listed, name).length > 0),
    options: open.slice(0, maxShown).map(({ label }) => truncateWithContext(label.trim(), OPTION_CHARS_MAX)),
    alike: alike.slice(0, maxShown).map(tellApart),
    isMultiple,
    labels: found.flatMap((option) => option?.label.trim() ?? []).join('\n'),
  };
  if (missing.length > 0 || alike.length > 0 || (!isMultiple && found.length !== 1)) return result;
  list.focus({ preventScroll: true });
  for (const option of options) option.selected = found.includes(option);
  tellOfInput(list);
  return result;
}

/** The options of a field's `<datalist>`, and the value of the option that matches `wanted`; `null` for no options. */
export function readDatalist(this: AnyElement, wanted: string, maxShown: number): DatalistOptions | null {
  const options = [...(findLabelledControl(this).list?.options ?? [])];
  if (options.length === 0) return null;
  const [option, ...others] = findMatchingOptions(options.filter(isOpen), wanted);
  const isOnly = option !== undefined && others.length === 0;
  return {
    value: isOnly ? truncateWithContext(option.value, OPTION_VALUE_CHARS_MAX) : null,
    options: options.slice(0, maxShown).map(({ label }) => truncateWithContext(label.trim(), OPTION_CHARS_MAX)),
    alike: option === undefined || isOnly ? [] : [option, ...others].slice(0, maxShown).map(tellApart),
  };
}

/** Maximum characters of an option's value, which is typed unchanged. */
const OPTION_VALUE_CHARS_MAX = 1_000;

/** Maximum characters of an option's label, which the caller must be able to repeat. */
const OPTION_CHARS_MAX = 60;

/**
 * Finds options by their exact label, then by their value, then by group and label, then by `value=` and their value,
 * then by their label in any case.
 * Options that differ in nothing that a form submits count as one.
 */
export function findMatchingOptions(options: readonly HTMLOptionElement[], wanted: string): HTMLOptionElement[] {
  const name = flat(wanted);
  const tests: ((option: HTMLOptionElement) => boolean)[] = [
    ({ label }) => flat(label) === name,
    ({ value }) => value === wanted,
    (option) => pathOf(option) === name,
    (option) => addressOf(option) === wanted,
    ({ label }) => flat(label).toLowerCase() === name.toLowerCase(),
  ];
  for (const test of tests) {
    const found = options.filter(test);
    if (found.length > 0)
      return [...new Map(found.toReversed().map((one) => [identityOf(one), one])).values()].reverse();
  }
  return [];
}

function identityOf(option: HTMLOptionElement): string {
  return option.hasAttribute('value') ? `value ${option.value}` : pathOf(option);
}

function tellApart(option: HTMLOptionElement): TextWithCuts {
  const address = addressOf(option);
  return truncateWithContext(`${pathOf(option)}${address === null ? '' : ` (${address})`}`, 2 * OPTION_CHARS_MAX);
}

/** Names an option by its value even if another option has the value as its label. */
function addressOf(option: HTMLOptionElement): string | null {
  return option.hasAttribute('value') ? `value=${option.value}` : null;
}

/** The label of an option after the label of its group. */
function pathOf(option: HTMLOptionElement): string {
  const group = option.closest('optgroup');
  return group === null ? flat(option.label) : `${flat(group.label)} > ${flat(option.label)}`;
}

function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** True for an option that a person can choose. */
export function isOpen(option: HTMLOptionElement): boolean {
  return !option.matches(':disabled') && !isUnlisted(option);
}

/** True for an option that the browser leaves out of the list, because CSS hides it, as the attribute `hidden` does. */
function isUnlisted(option: Element): boolean {
  const group = option.closest('optgroup');
  return [option, ...(group === null ? [] : [group])].some((one) => getComputedStyle(one).display === 'none');
}

export function tellOfInput(control: Element): void {
  control.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}
