import { parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';

/** Notes the control that a class such as `checked` marks: the element itself, or the nearest one around it. */
export function noticeChoice(
  element: Element,
  chosen: Map<Element, string>,
  isControl: (element: Element) => boolean,
): void {
  const name = findChoiceClass(Element.prototype.getAttribute.call(element, 'class') ?? '');
  let at = name === '' ? null : element;
  for (let steps = 0; at !== null && steps <= CHOSEN_DEPTH_MAX; steps += 1) {
    if (isControl(at)) {
      if (!chosen.has(at)) chosen.set(at, name);
      return;
    }
    at = parentElementOf(at);
  }
}

/** Maximum levels between a drawn box or mark and its control. */
const CHOSEN_DEPTH_MAX = 2;

/**
 * The class with which a page marks a drawn check box, chip or option as chosen, such as `checked` or `is-selected`;
 * `''` for none. `active` does not count, because many pages also use it for the focus.
 */
function findChoiceClass(classes: string): string {
  return classes.split(/\s+/u).find((name) => name.length <= CLASS_CHARS_MAX && CHOICE.test(name)) ?? '';
}

const CLASS_CHARS_MAX = 60;
const CHOICE = /^(?:is-|[\w-]*--)?(?:checked|selected|chosen|ticked)$/u;
