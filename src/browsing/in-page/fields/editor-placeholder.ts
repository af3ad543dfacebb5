import { isBlank } from '#core/text/blank.ts';

/** Limit of non-editable parts that are searched for a placeholder. Widgets in an editor are also not editable. */
const PARTS_MAX = 5;

/**
 * The placeholder that an empty editor shows: some editors store it in their editable content, others in an attribute
 * that a style sheet draws. `''` for an editor with its own text.
 */
export function editorPlaceholder(editor: Element): string {
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

/** Characters above which an editor is not considered empty. */
const TEXT_CHARS_MAX = 500;

/** True if neither the pointer nor a selection can reach the part. */
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
