import { everyElement, isOn, isSelectList } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { BUILT_ROLES, CONTROL_ROLES } from '#browsing/tree/roles.ts';

/** Whether one can act on the element, also if only by dropping something on it. */
export function isInteractive(element: AxElement, page: Page): boolean {
  return acts(element, page) || takesDropsOnly(element, page);
}

/** Whether something can be dropped on the element, and nothing else be done with it. */
export function takesDropsOnly(element: AxElement, page: Page): boolean {
  return page.isDropZone(element) && !isInEditable(element) && !isInsideWidget(element.parent) && !acts(element, page);
}

function acts(element: AxElement, page: Page): boolean {
  const { role, backendNodeId, parent } = element;
  if (backendNodeId === null || role === 'RootWebArea' || role === 'StaticText') return false;
  if (isInsideWidget(parent)) return false;
  if (role === 'combobox' && element.children.length > 0) return !page.isFrameOfControl(element);
  if (CONTROL_ROLES.has(role) || isEditableRoot(element)) return true;
  // What assistive technology is not given has no name here, so there is more to say for it than that keys get there.
  if (isOn(element, 'hidden') && !page.isClickable(element)) return false;
  if (page.isDraggable(element) && !labelsControl(element)) return true;
  const reacts = page.isClickable(element) && !labelsControl(element);
  return (reacts || (isOn(element, 'focusable') && !isInEditable(element))) && !page.isFrameOfControl(element);
}

/**
 * The parts of which a browser builds a field or a media player, and the options of a `<select>`. One acts on the
 * whole.
 */
function isInsideWidget(parent: AxElement | null): boolean {
  for (let at = parent, steps = 0; at !== null && steps < 12; at = at.parent, steps += 1) {
    const { role } = at;
    if (BUILT_ROLES.has(role)) return true;
    if (role === 'MenuListPopup' || at.properties.get('editable') === 'plaintext') return true;
    if (isSelectList(at)) return true;
  }
  return false;
}

/** The outermost element of an editable part: rich text, or plain text in any kind of element. */
export function isEditableRoot({ properties, parent }: AxElement): boolean {
  const kind = properties.get('editable');
  return kind !== undefined && parent?.properties.get('editable') !== kind;
}

function isInEditable({ properties }: AxElement): boolean {
  return properties.has('editable');
}

/** A click on a label goes to its control, which has a ref of its own. */
function labelsControl(element: AxElement): boolean {
  if (element.role !== 'LabelText') return false;
  for (const { role } of everyElement(element)) if (CONTROL_ROLES.has(role)) return true;
  return false;
}

/** Whether a part of the page contains elements that one can act on. */
export function holdsControls(element: AxElement, page: Page): boolean {
  for (const inner of everyElement(element)) if (inner !== element && isInteractive(inner, page)) return true;
  return false;
}
