import type { Cut } from '#core/page-texts.ts';
import { cut } from './cut.ts';
import { isBlank } from '#core/blank.ts';
import { labelsOf } from './elements.ts';
import type { AnyElement } from './elements.ts';

/** The names of fields whose content differs from what the page came with, and would be lost with it. */
export function typedFields(max: number): Cut[] {
  const names = new Map<string, Cut>();
  for (const element of document.querySelectorAll<AnyElement>('input,textarea,select,[contenteditable]')) {
    if (names.size >= max) break;
    if (!isTyped(element)) continue;
    const name = fieldName(element);
    names.set(name.uncut, name);
  }
  return [...names.values()];
}

function isTyped(element: AnyElement): boolean {
  if (element instanceof HTMLInputElement) {
    if (/^(?:checkbox|radio)$/u.test(element.type)) return element.checked !== element.defaultChecked;
    return element.type !== 'hidden' && element.value !== element.defaultValue;
  }
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
  if (element instanceof HTMLSelectElement) return isChosenAnew([...element.options]);
  return element.isContentEditable && !isBlank(element.textContent);
}

function isChosenAnew(options: readonly HTMLOptionElement[]): boolean {
  // If the page chooses none, the first option is chosen.
  return options.some(({ defaultSelected }) => defaultSelected)
    ? options.some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : options.some(({ selected }, at) => selected && at > 0);
}

const NAME_CHARS_MAX = 100;

/** The name of a field, as a person would say it. */
export function fieldName(control: AnyElement): Cut {
  const [label] = labelsOf(control);
  const names = [control.getAttribute('aria-label'), label?.innerText, control.getAttribute('placeholder')];
  const name = names.find((words) => words !== null && words !== undefined && !isBlank(words));
  return cut((name ?? control.getAttribute('name') ?? control.id).trim(), NAME_CHARS_MAX);
}
