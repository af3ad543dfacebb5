import { elementWalker } from './readers.ts';

/**
 * Draws dots in place of what fields hold, in the document and its open shadow trees, or stops that.
 * @param blanks draws nothing there, and nothing in place of pictures either
 */
export function hideTyped(isOn: boolean, blanks: boolean): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    const others = root.adoptedStyleSheets.filter((sheet) => sheet.cssRules[0]?.cssText !== MARK);
    root.adoptedStyleSheets = isOn ? [...others, sheetOf(blanks ? BLANK : DOTS)] : others;
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) roots.push(shadow);
    }
  }
}

const MARK = '@layer periscope-dots;';

const DOTS = 'input, textarea, [contenteditable], [contenteditable] * { -webkit-text-security: disc !important; }';
const BLANK = `input, textarea, select, img, object, [contenteditable], [contenteditable] *, ::placeholder {
  color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important; }`;

function sheetOf(rule: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${MARK} ${rule}`);
  return sheet;
}
