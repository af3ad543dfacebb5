import type { ClickKind } from '#browsing/in-page/script-types.ts';
import { getLineBoxes, clipToViewport } from './ready-point.ts';
import type { Box } from './ready-point.ts';
import { findLabelledControl, hitTestDeep, parentElementOf } from './safe-dom.ts';
import type { AnyElement } from './safe-dom.ts';

/** @param isCentred true if the click goes to the middle of the element */
export function classifyClick(this: AnyElement, isCentred: boolean): ClickKind {
  const { localName, type = '', isContentEditable } = findLabelledControl(this);
  if (isCentred && isListOfChoices(this)) return 'list';
  if (localName === 'option' && isInBox(this)) return 'plain';
  if (localName === 'option' || localName === 'optgroup') return 'option';
  if (localName === 'select') return isBoxOfOptions(findLabelledControl(this)) ? 'list' : 'select';
  if (localName === 'textarea' || isContentEditable) return 'text';
  if (localName !== 'input') return 'plain';
  if (type === 'file') return 'file';
  if (type === 'color') return 'picker';
  return /^(?:button|submit|reset|image|checkbox|radio|range|hidden)$/u.test(type) ? 'plain' : 'text';
}

function isInBox(option: Element): boolean {
  const list = option.closest<HTMLSelectElement>('select');
  return list !== null && isBoxOfOptions(list);
}

/** True for a `<select>` shown as a list box. The options of a drop-down list are drawn outside the page. */
function isBoxOfOptions({ multiple, size }: Partial<Pick<HTMLSelectElement, 'multiple' | 'size'>>): boolean {
  return multiple === true || (size ?? 0) > 1;
}

const CHOOSERS = '[role=listbox],[role=menu],[role=menubar],[role=tablist],[role=radiogroup],[role=tree]';
const LISTS = `ul,ol,[role=list],${CHOOSERS}`;
const ACTING =
  '[role=option],[role^=menuitem],[role=tab],[role=radio],[role=treeitem],[role=button],[role=link],[tabindex],[onclick],button,a[href],input:is([type=radio],[type=checkbox],[type=button],[type=submit])';
const CHOICES = `li,[role=listitem],${ACTING}`;

/** True for a list of several visible items, if a click in its middle would choose one of them. */
function isListOfChoices(list: Element): boolean {
  if (!list.matches(LISTS)) return false;
  const choices = [...list.querySelectorAll(CHOICES)].filter((one) => !isInAnother(one, list));
  const boxes = choices.flatMap(getLineBoxes);
  const { left, top, width, height } = clipToViewport(list.getBoundingClientRect()) ?? list.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const isAtMiddle = (box: Box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  if (boxes.length <= 1 || !boxes.some(isAtMiddle)) return false;
  return list.matches(CHOOSERS) || actsAt(list, x, y);
}

function isInAnother(choice: Element, list: Element): boolean {
  const outer = parentElementOf(choice)?.closest(CHOICES) ?? null;
  return outer !== null && outer !== list && list.contains(outer);
}

/** Elements that open something on a click, wherever in them the click is, such as a field with chips. */
const OPENERS = '[onclick],[aria-haspopup],[role=combobox]';

/**
 * True if a list item at this point reacts to clicks. A list that opens something may show a pointer cursor on all
 * items.
 */
function actsAt(list: Element, x: number, y: number): boolean {
  const isPointed = (one: Element) => getComputedStyle(one).cursor === 'pointer';
  const isOpener = list.closest(OPENERS) !== null || isPointed(list);
  const hit = hitTestDeep(list.getRootNode(), x, y);
  for (let at = hit; at !== null && at !== list; at = parentElementOf(at)) {
    if (list.contains(at) && (at.matches(ACTING) || (!isOpener && isPointed(at)))) return true;
  }
  return false;
}
