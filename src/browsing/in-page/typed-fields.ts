import { labelsOf } from './elements.ts';
import type { AnyElement } from './elements.ts';

/** The names of fields whose content differs from what the page came with, and would be lost with it. */
export function typedFields(max: number): string[] {
  const names = new Set<string>();
  for (const element of document.querySelectorAll<AnyElement>('input,textarea,select,[contenteditable]')) {
    if (names.size >= max) break;
    if (isTyped(element)) names.add(fieldName(element));
  }
  return [...names];
}

function isTyped(element: AnyElement): boolean {
  if (element instanceof HTMLInputElement) {
    if (/^(?:checkbox|radio)$/u.test(element.type)) return element.checked !== element.defaultChecked;
    return element.type !== 'hidden' && element.value !== element.defaultValue;
  }
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
  if (element instanceof HTMLSelectElement) return isChosenAnew([...element.options]);
  return element.isContentEditable && element.textContent.trim() !== '';
}

function isChosenAnew(options: readonly HTMLOptionElement[]): boolean {
  // If the page chooses none, the first option is chosen.
  return options.some(({ defaultSelected }) => defaultSelected)
    ? options.some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : options.some(({ selected }, at) => selected && at > 0);
}

/** The name of a field, as a person would say it. */
export function fieldName(control: AnyElement): string {
  const [label] = labelsOf(control);
  const names = [control.getAttribute('aria-label'), label?.innerText, control.getAttribute('placeholder')];
  const name = names.find((words) => words !== null && words !== undefined && words.trim() !== '');
  return (name ?? control.getAttribute('name') ?? control.id).trim().slice(0, 100);
}
