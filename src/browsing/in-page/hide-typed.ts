import { elementWalker } from './readers.ts';

/** Draws dots in place of what fields hold, in the document and its open shadow trees, or stops that. */
export function hideTyped(isOn: boolean): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    const others = root.adoptedStyleSheets.filter((sheet) => sheet.cssRules[0]?.cssText !== MARK);
    root.adoptedStyleSheets = isOn ? [...others, dots()] : others;
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) roots.push(shadow);
    }
  }
}

const MARK = '@layer periscope-dots;';

function dots(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `${MARK} input, textarea, [contenteditable], [contenteditable] * { -webkit-text-security: disc !important; }`,
  );
  return sheet;
}
