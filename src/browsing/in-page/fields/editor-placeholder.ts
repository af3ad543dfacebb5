import { isBlank } from '#core/text/blank.ts';

/**
 * Maximum non-editable elements in an editor that are examined for a placeholder. Embedded widgets are non-editable as
 * well.
 */
const PARTS_MAX = 5;

/**
 * The placeholder shown in an empty rich text editor; `''` for an editor with text of its own. Some editors store the
 * placeholder in their content, others in an attribute that CSS displays.
 */
export function readEditorPlaceholder(editor: Element): string {
  const all = textOf(editor);
  if (all.length > TEXT_CHARS_MAX) return '';
  if (isBlank(all)) return drawnPlaceholder(editor);
  const find: Element['querySelectorAll'] = Reflect.get(Element.prototype, 'querySelectorAll');
  for (const part of [...find.call(editor, '[contenteditable=false]')].slice(0, PARTS_MAX)) {
    const words = textOf(part);
    if (!isBlank(words) && isBlank(all.replace(words, '')) && isOutOfReach(part)) return words.trim();
  }
  return '';
}

/** An editor with more characters than this is never empty. */
const TEXT_CHARS_MAX = 500;

/** True if the user can neither click nor select the element, as is typical of a placeholder. */
function isOutOfReach(part: Element): boolean {
  const { pointerEvents, userSelect } = getComputedStyle(part);
  return pointerEvents === 'none' || userSelect === 'none';
}

function drawnPlaceholder(editor: Element): string {
  const first: Element | null = Reflect.get(Element.prototype, 'firstElementChild', editor);
  for (const element of [editor, ...(first === null ? [] : [first])]) {
    for (const name of ['data-placeholder', 'aria-placeholder', 'placeholder']) {
      const words = (Element.prototype.getAttribute.call(element, name) ?? '').trim();
      if (words !== '') return words;
    }
  }
  return '';
}

function textOf(element: Element): string {
  return String(Reflect.get(Node.prototype, 'textContent', element));
}
