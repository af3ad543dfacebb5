/** The text of an editor that draws itself and receives keys through an `EditContext`, as code editors do. */
type Context = {
  text: string;
  selectionStart: number;
  selectionEnd: number;
  updateSelection: (from: number, to: number) => void;
};

export function editContextOf(element: Element): Context | null {
  // For SVG elements, which have no edit context, reading the property throws.
  if (!('EditContext' in self) || !(element instanceof HTMLElement)) return null;
  const given: unknown = Reflect.get(HTMLElement.prototype, 'editContext', element);
  return isContext(given) ? given : null;
}

function isContext(given: unknown): given is Context {
  return typeof given === 'object' && given !== null && 'updateSelection' in given && 'text' in given;
}

/** Selects the text, or moves the caret to its end. Does nothing if the editor has done so already. */
export function selectIn(context: Context, selects: 'all' | 'end', hadFocus: boolean): void {
  const { length } = context.text;
  if (selects === 'all') {
    if (Math.abs(context.selectionEnd - context.selectionStart) < length) context.updateSelection(0, length);
  } else if (!hadFocus && context.selectionEnd !== length) context.updateSelection(length, length);
}
