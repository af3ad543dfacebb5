import { createDomReaders, createLabelReader } from '#browsing/in-page/elements/safe-dom.ts';

const BOXES = 'input[type=checkbox],input[type=radio]';

/**
 * Notes the visible labels of check boxes and radio buttons that CSS does not display, such as a card to choose. The
 * accessibility tree lacks such a box, so its label shows the box and its state: `radio on`.
 * @param element an element that is not displayed
 */
export function noticeHiddenBoxes(element: Element, max: number, boxes: Map<Element, string>): void {
  const own = Element.prototype.matches.call(element, BOXES) ? [element] : [];
  for (const box of [...own, ...Element.prototype.querySelectorAll.call(element, BOXES)]) {
    if (!(box instanceof HTMLInputElement) || boxes.size >= max) return;
    const label = labelsOfBox(box).find(isShown);
    if (label !== undefined && !Element.prototype.contains.call(element, label)) boxes.set(label, stateOf(box));
  }
}

const labelsOfBox = createLabelReader();

function stateOf(box: HTMLInputElement): string {
  const kind = createDomReaders().attribute(box, 'type')?.toLowerCase() === 'radio' ? 'radio' : 'checkbox';
  const isMixed = kind === 'checkbox' && Reflect.get(HTMLInputElement.prototype, 'indeterminate', box);
  const isOn = Reflect.get(HTMLInputElement.prototype, 'checked', box);
  const isDisabled = Element.prototype.matches.call(box, ':disabled');
  return `${kind} ${isMixed ? 'mixed' : isOn ? 'true' : 'false'}${isDisabled ? ' disabled' : ''}`;
}

function isShown(label: Element): boolean {
  const { width, height } = Element.prototype.getBoundingClientRect.call(label);
  return width > 1 && height > 1 && Element.prototype.checkVisibility.call(label, { visibilityProperty: true });
}
