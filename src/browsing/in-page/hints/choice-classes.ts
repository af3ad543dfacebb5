import { createDomReaders, parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';

/**
 * Notes the control that a class such as `checked` marks: the element itself, the nearest one around it, or the one that
 * fills it.
 */
export function noticeChoice(
  element: Element,
  chosen: Map<Element, string>,
  isControl: (element: Element) => boolean,
): void {
  const name = findChoiceClass(element, isControl);
  let at = name === '' ? null : element;
  for (let steps = 0; at !== null && steps <= CHOSEN_DEPTH_MAX; steps += 1) {
    if (isControl(at)) {
      if (!chosen.has(at)) chosen.set(at, name);
      return;
    }
    at = parentElementOf(at);
  }
  const inside = name === '' ? null : controlFilling(element);
  if (inside !== null && !chosen.has(inside)) chosen.set(inside, name);
}

/** The link or button that is the whole content of a list item, such as a tab; `null` for none. */
function controlFilling(item: Element): Element | null {
  if (item.localName !== 'li') return null;
  const [only, ...others] = Element.prototype.querySelectorAll.call(item, 'a[href],button');
  const isWhole = only !== undefined && others.length === 0 && textOf(only) === textOf(item);
  return isWhole ? only : null;
}

function textOf(element: Element): string {
  return (createDomReaders().text(element) ?? '').trim();
}

/** Maximum levels between a drawn box or mark and its control. */
const CHOSEN_DEPTH_MAX = 2;

/**
 * The class with which a page marks a drawn check box, chip or option as chosen, such as `checked` or `is-selected`;
 * `''` for none. Many pages use `active` also for the focus, so it counts only for one of several siblings, such as the
 * open tab, and only if the page marks none of them otherwise. Siblings in one control, such as an old and a current
 * price in a link, are no choice.
 */
function findChoiceClass(element: Element, isControl: (element: Element) => boolean): string {
  const names = classesOf(element);
  const chosen = names.find((name) => CHOICE.test(name));
  if (chosen !== undefined) return chosen;
  const active = names.find((name) => ACTIVE.test(name));
  return active !== undefined && isOnlyOneOfSiblings(element, active, isControl) ? active : '';
}

/** True if the siblings of an element, or of the element that it fills, have neither its class nor one of a choice. */
function isOnlyOneOfSiblings(element: Element, name: string, isControl: (element: Element) => boolean): boolean {
  let at: Element | null = element;
  for (let steps = 0; at !== null && steps <= CHOSEN_DEPTH_MAX; at = parentElementOf(at), steps += 1) {
    const others = siblingsOf(at);
    if (others.length === 0) continue;
    if (!isControl(at) && isInControl(at, isControl)) return false;
    const alike = others.filter((other) => other.localName === at?.localName);
    return alike.length > 0 && others.every((other) => !isMarked(other, name));
  }
  return false;
}

function isInControl(element: Element, isControl: (element: Element) => boolean): boolean {
  let around = parentElementOf(element);
  for (let steps = 0; around !== null && steps < CHOSEN_DEPTH_MAX; around = parentElementOf(around), steps += 1) {
    if (isControl(around)) return true;
  }
  return false;
}

function isMarked(element: Element, name: string): boolean {
  const inside = [element, ...Element.prototype.querySelectorAll.call(element, '[class]')];
  return inside.slice(0, INSIDE_MAX).some((one) => classesOf(one).some((each) => each === name || CHOICE.test(each)));
}

/** Maximum elements of a sibling that are examined. Tabs and menu items have only a few. */
const INSIDE_MAX = 8;

function siblingsOf(element: Element): Element[] {
  const read = createDomReaders();
  const parent = read.parentNode(element);
  const others: Element[] = [];
  for (let at = parent === null ? null : read.firstChild(parent); at !== null; at = read.nextSibling(at)) {
    if (at !== element && at instanceof Element) others.push(at);
    if (others.length === SIBLINGS_MAX) break;
  }
  return others;
}

const SIBLINGS_MAX = 50;

function classesOf(element: Element): string[] {
  const classes = Element.prototype.getAttribute.call(element, 'class') ?? '';
  return classes.split(/\s+/u).filter((name) => name !== '' && name.length <= CLASS_CHARS_MAX);
}

const CLASS_CHARS_MAX = 60;
const CHOICE = /^(?:is-|[\w-]*--)?(?:checked|selected|chosen|ticked)$/u;
const ACTIVE = /^(?:is-|[\w-]*--)?(?:active|current)$/u;
