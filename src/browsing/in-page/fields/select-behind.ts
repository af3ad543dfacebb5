import { findLabelledControl, parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';

/** Maximum levels climbed from a part of a widget to the element next to its `<select>`. */
const LEVELS_MAX = 6;

/**
 * Labels of the options chosen in the invisible `<select>` that a widget or label stands for, as with Chosen and
 * Select2; `null` if there is none.
 */
export function chosenBehind(this: AnyElement): string[] | null {
  const own = findLabelledControl(this);
  return isInvisibleSelect(own) ? chosenIn(own) : chosenNear(this, LEVELS_MAX);
}

function chosenNear(part: Element | null, levels: number): string[] | null {
  // A container with labels holds several fields, so a list in it may be that of another field.
  if (part === null || levels === 0 || part.querySelector('label,legend,form') !== null) return null;
  const near = [part.previousElementSibling, part.nextElementSibling, ...part.querySelectorAll('select')];
  const [only, ...others] = near.filter(isInvisibleSelect);
  if (others.length > 0) return null;
  return only === undefined ? chosenNear(parentElementOf(part), levels - 1) : chosenIn(only);
}

/** The visible part of the widget after the invisible `<select>` of a label; `null` for any other element. */
export function widgetOf(this: AnyElement): Element | null {
  const select = findLabelledControl(this);
  const widget = isInvisibleSelect(select) ? select.nextElementSibling : null;
  if (widget === null || !isShown(widget)) return null;
  const combobox = widget.querySelector('[role=combobox]');
  if (combobox !== null && isShown(combobox)) return combobox;
  // The first part opens the list. Some libraries keep the list itself out of sight without hiding it.
  const opener = [...widget.children].find(isShown) ?? widget;
  const field = opener.querySelector('input');
  return field !== null && isShown(field) ? field : opener;
}

function chosenIn({ selectedOptions }: HTMLSelectElement): string[] {
  return [...selectedOptions].map(({ label }) => label.trim());
}

function isInvisibleSelect(element: Element | null): element is HTMLSelectElement {
  return element?.localName === 'select' && (!isShown(element) || element.getAttribute('aria-hidden') === 'true');
}

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}
