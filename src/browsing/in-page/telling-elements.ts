import { elementWalker } from './readers.ts';
import type { ElementWalker } from './readers.ts';

const NATIVE =
  'a[href],button,input,select,textarea,summary,option,iframe,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=treeitem]';
const FIELDS_BY_ROLE = '[role=textbox],[role=searchbox],[role=combobox],[role=listbox],[role=slider],[role=spinbutton]';

/**
 * Elements that only a look at the DOM tells of. Such that react to a click and do not say so (a pointer over them, an
 * `onclick`), and such that are marked as the current one of their set; then, after a `null`, further fields with something
 * in them. None stands there twice. What is not displayed is passed over with all that is in it.
 *
 * A form's own properties are hidden by fields of those names, so what could be one is asked through the prototypes.
 */
export function tellingElements(max: number, fieldsMax: number): readonly unknown[] {
  const found: Element[] = [];
  const fields: Element[] = [];
  const roots: Node[] = [document];
  for (let root = roots.pop(); root !== undefined && found.length < max; root = roots.pop()) {
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null && found.length < max;) {
      const { cursor, display } = getComputedStyle(element);
      if (display === 'none') {
        element = nextBeside(walker);
        continue;
      }
      const shadow = shadowOf(element);
      if (shadow !== null) roots.push(shadow);
      if (tells(element, cursor)) found.push(element);
      else if (fields.length < fieldsMax && isFilled(element)) fields.push(element);
      element = walker.nextNode();
    }
  }
  return [...found, null, ...fields];
}

function tells(element: Element, cursor: string): boolean {
  const current = Element.prototype.getAttribute.call(element, 'aria-current');
  if (current !== null && current !== '' && current !== 'false') return true;
  const reacts = has(element, 'onclick') || startsPointer(element, cursor);
  return reacts && !Element.prototype.matches.call(element, NATIVE);
}

function startsPointer(element: Element, cursor: string): boolean {
  if (cursor !== 'pointer') return false;
  const parent: unknown = Reflect.get(Node.prototype, 'parentNode', element);
  const outer = parent instanceof ShadowRoot ? parent.host : parent;
  return !(outer instanceof Element) || getComputedStyle(outer).cursor !== 'pointer';
}

/** Also what only calls itself a field: its value is shown as one. */
function isFilled(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value !== '';
  if (element instanceof HTMLSelectElement) return true;
  return has(element, 'contenteditable') || Element.prototype.matches.call(element, FIELDS_BY_ROLE);
}

function has(element: Element, attribute: string): boolean {
  return Element.prototype.hasAttribute.call(element, attribute);
}

function shadowOf(element: Element): ShadowRoot | null {
  return Reflect.get(Element.prototype, 'shadowRoot', element);
}

function nextBeside(walker: ElementWalker): Element | null {
  for (let beside = walker.nextSibling(); ; beside = walker.nextSibling()) {
    if (beside !== null || walker.parentNode() === null) return beside;
  }
}
