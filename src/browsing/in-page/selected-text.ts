/** The selection of the document, or of the field that has the focus. */
export function selectedText(charsMax: number): string {
  return (document.getSelection()?.toString() ?? '').slice(0, charsMax);
}
