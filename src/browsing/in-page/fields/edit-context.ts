/** An `EditContext`: the text of an editor that draws its own text, as code editors do. */
type Context = {
  text: string;
  selectionStart: number;
  selectionEnd: number;
  updateSelection: (from: number, to: number) => void;
};

export function getEditContext(element: Element): Context | null {
  // Excludes SVG elements: reading the property throws for them, and they have no edit context.
  if (!('EditContext' in self) || !(element instanceof HTMLElement)) return null;
  const given: unknown = Reflect.get(HTMLElement.prototype, 'editContext', element);
  return isContext(given) ? given : null;
}

function isContext(given: unknown): given is Context {
  return typeof given === 'object' && given !== null && 'updateSelection' in given && 'text' in given;
}

/** Selects the text, or moves the caret to its end, unless the editor has already done so. */
export function selectInEditContext(context: Context, selects: 'all' | 'end', hadFocus: boolean): void {
  const { length } = context.text;
  if (selects === 'all') {
    if (Math.abs(context.selectionEnd - context.selectionStart) < length) context.updateSelection(0, length);
  } else if (!hadFocus && context.selectionEnd !== length) context.updateSelection(length, length);
}
