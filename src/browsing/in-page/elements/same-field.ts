import { parentElementOf } from './safe-dom.ts';

/** Maximum levels climbed from a field to the small box that frames it. */
const STEPS_MAX = 5;
const FRAME_PX_MAX = 120;
const FRAME_CHARS_MAX = 120;

const FIELD = 'input:not([type=checkbox],[type=radio],[type=file]),textarea,[role=combobox]';
const CONTROL =
  'a[href],button,input:not([type=hidden]),select,textarea,summary,iframe,[contenteditable],[tabindex]:not([tabindex="-1"]),[role=button],[role=link],[role=combobox],[role=option],[role=menuitem],[role=tab],[role=checkbox],[role=switch]';

/**
 * True if the hit element and the target field are in one small box without other controls, so that the hit element is
 * part of the field, such as its displayed value. A click there is meant for the field.
 */
export function isHitPartOfField(hit: Element, target: Element): boolean {
  const matches = (element: Element, selector: string) => Element.prototype.matches.call(element, selector);
  if (!matches(target, FIELD)) return false;
  let frame = parentElementOf(target);
  for (let steps = 0; frame !== null && steps < STEPS_MAX; frame = parentElementOf(frame), steps += 1) {
    if (matches(frame, 'form,body,html')) return false;
    const controls: NodeListOf<Element> = Element.prototype.querySelectorAll.call(frame, CONTROL);
    if ([...controls].some((one) => one !== target)) return false;
    if (Node.prototype.contains.call(frame, hit)) break;
  }
  if (frame === null || !Node.prototype.contains.call(frame, hit)) return false;
  const { height } = Element.prototype.getBoundingClientRect.call(frame);
  const words: string = Reflect.get(Node.prototype, 'textContent', frame) ?? '';
  return height <= FRAME_PX_MAX && words.trim().length <= FRAME_CHARS_MAX;
}
