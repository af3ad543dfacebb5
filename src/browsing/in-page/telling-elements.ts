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
  return [...found.flatMap(withHint), null, ...fields];
}

function tells(element: Element, cursor: string): boolean {
  if (isSaid(element, 'aria-current') || isSaid(element, 'aria-sort')) return true;
  if (get(element, 'draggable') === 'true' && !Element.prototype.matches.call(element, 'a,img')) return true;
  if (Element.prototype.matches.call(element, NATIVE)) return isNameless(element);
  return has(element, 'onclick') || startsPointer(element, cursor);
}

function isSaid(element: Element, attribute: string): boolean {
  return !/^(?:false|none|)$/u.test(get(element, attribute) ?? '');
}

/** A control with nothing to read in it: an icon. */
function isNameless(element: Element): boolean {
  if (!/^(?:a|button|div|span|li|i)$/u.test(element.localName) || element.childElementCount > 3) return false;
  return (element.textContent ?? '').trim() === '' && !has(element, 'aria-label') && !has(element, 'title');
}

function withHint(element: Element): unknown[] {
  const hint = isNameless(element) ? hintOf(element) : '';
  return hint === '' ? [element] : [element, hint];
}

/** A tooltip of a script's own, or the icon that it shows. */
function hintOf(element: Element): string {
  for (const attribute of TOOLTIPS) {
    const tooltip = (get(element, attribute) ?? '').trim();
    if (tooltip !== '') return `tooltip "${tooltip.slice(0, HINT_CHARS_MAX)}"`;
  }
  for (const inner of [element, ...element.querySelectorAll('*')].slice(0, 6)) {
    const icon = iconOf(inner);
    if (icon !== '') return `icon "${icon.slice(0, HINT_CHARS_MAX)}"`;
  }
  return '';
}

const TOOLTIPS = [
  'data-tooltip',
  'data-original-title',
  'data-bs-original-title',
  'data-title',
  'data-tip',
  'data-tippy-content',
];
const HINT_CHARS_MAX = 40;

/** What the files and classes of icons are called. */
function iconOf(element: Element): string {
  const name = get(element, 'data-icon') ?? (/icon/u.test(element.localName) ? get(element, 'name') : null) ?? '';
  if (name.trim() !== '') return name.trim();
  const file = get(element, 'href') ?? get(element, 'xlink:href') ?? get(element, 'src') ?? '';
  const link = /^(?:use|img)$/u.test(element.localName)
    ? /([\w-]{2,40})(?:\.\w+)?(?:\?.*)?$/u.exec(file)?.[1]
    : undefined;
  if (link !== undefined) return link.replace(/^i(?:con)?-/u, '');
  return (
    /(?:^|\s)(?:fa|bi|mdi|glyphicon|ti|ri|icon|ui-icon|ql|bx|feather|lucide)-([a-z][\w-]{1,39})/u.exec(
      get(element, 'class') ?? '',
    )?.[1] ?? ''
  );
}

function get(element: Element, attribute: string): string | null {
  return Element.prototype.getAttribute.call(element, attribute);
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
