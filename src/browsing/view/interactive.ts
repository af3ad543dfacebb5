import { everyElement, hasTrueProperty, isSelectElementList } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { NATIVE_WIDGET_ROLES, CONTROL_ROLES } from '#browsing/tree/roles.ts';

/** Known results, because a view asks several times for each element. An element belongs to one page. */
const known = new WeakMap<AxElement, boolean>();

/** True if the element reacts to clicks, keys, drags or drops. */
export function isInteractive(element: AxElement, page: Page): boolean {
  const is = known.get(element) ?? (acts(element, page) || acceptsOnlyDrops(element, page));
  known.set(element, is);
  return is;
}

/** True if the element accepts drops and reacts to nothing else. */
export function acceptsOnlyDrops(element: AxElement, page: Page): boolean {
  return page.isDropZone(element) && !isInEditable(element) && !isInsideWidget(element.parent) && !acts(element, page);
}

function acts(element: AxElement, page: Page): boolean {
  const { role, backendNodeId, parent } = element;
  if (backendNodeId === null || role === 'RootWebArea' || role === 'StaticText') return false;
  if (isInsideWidget(parent)) return false;
  if (role === 'combobox' && element.children.length > 0) return !page.isFrameOfControl(element);
  if (CONTROL_ROLES.has(role) || isEditableRoot(element)) return true;
  // Keyboard focus alone is not enough if assistive technology ignores the element, because its line would lack a name.
  if (hasTrueProperty(element, 'hidden') && !page.isClickable(element)) return false;
  if (page.isDraggable(element) && !labelsControl(element)) return true;
  const reacts = page.isClickable(element) && !labelsControl(element);
  return (
    (reacts || (hasTrueProperty(element, 'focusable') && !isInEditable(element))) && !page.isFrameOfControl(element)
  );
}

/** True for the inner parts of a native field or media player, and for the options of a `<select>`. */
function isInsideWidget(parent: AxElement | null): boolean {
  for (let at = parent, steps = 0; at !== null && steps < 12; at = at.parent, steps += 1) {
    const { role } = at;
    if (NATIVE_WIDGET_ROLES.has(role)) return true;
    if (role === 'MenuListPopup' || at.properties.get('editable') === 'plaintext') return true;
    if (isSelectElementList(at)) return true;
  }
  return false;
}

/** True for the outermost element of a rich text editor or plain text field, as opposed to the paragraphs inside. */
function isEditableRoot({ properties, parent }: AxElement): boolean {
  const kind = properties.get('editable');
  return kind !== undefined && parent?.properties.get('editable') !== kind;
}

function isInEditable({ properties }: AxElement): boolean {
  return properties.has('editable');
}

/** True for a `<label>` that contains its control. The control has its own ref, and a click on the label reaches it. */
function labelsControl(element: AxElement): boolean {
  if (element.role !== 'LabelText') return false;
  for (const { role } of everyElement(element)) if (CONTROL_ROLES.has(role)) return true;
  return false;
}

export function containsControls(element: AxElement, page: Page): boolean {
  for (const inner of everyElement(element)) if (inner !== element && isInteractive(inner, page)) return true;
  return false;
}
