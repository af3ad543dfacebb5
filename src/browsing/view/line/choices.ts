import { hasTrueProperty } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { VIEW_ELEMENT_DETAIL_CHARS_MAX } from '#browsing/view/limits.ts';
import { quotePageText } from '#browsing/view/words.ts';

/** The class that alone shows that an element is chosen, such as a drawn check box or the open tab. */
export function choiceByClass(element: AxElement, page: Page): string[] {
  const name = page.chosenBy(element);
  const isTold =
    name === '' || CHOICE_STATES.some((state) => hasTrueProperty(element, state)) || page.isCurrent(element);
  return isTold ? [] : [`(class ${quotePageText(name, VIEW_ELEMENT_DETAIL_CHARS_MAX)})`];
}

const CHOICE_STATES = ['checked', 'pressed', 'selected'] as const;

/** State of a check box, of its label if the box is not displayed, or of a table cell; `''` for unchecked. */
export function readCheckedState(element: AxElement, page: Page): '' | 'checked' | 'mixed' {
  const [, box = ''] = page.boxOf(element).split(' ');
  const checked = page.tickOf(element) || box || String(element.properties.get('checked') ?? '');
  return checked === 'true' ? 'checked' : checked === 'mixed' ? 'mixed' : '';
}

/** `checkbox` or `radio` for the label of a box that is not displayed; `''` for other elements. */
export function boxKind(element: AxElement, page: Page): string {
  return page.boxOf(element).split(' ')[0] ?? '';
}

/** True for the label of a box that is disabled and not displayed. */
export function isBoxDisabled(element: AxElement, page: Page): boolean {
  return page.boxOf(element).endsWith(' disabled');
}
