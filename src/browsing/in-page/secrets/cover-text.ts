import { elementWalker } from '#browsing/in-page/elements/safe-dom.ts';

/** All text of the document and its open shadow trees, whether it is seen or not, as one run. */
export function allText(): string {
  return textsOf(rootsHere())
    .map(({ data }) => data)
    .join('');
}

/** What controls show that is no text of the document, and what stands in place of pictures. */
export function controlText(): string {
  const shown: string[] = [];
  for (const root of rootsHere()) {
    for (const one of root.querySelectorAll('input, textarea, select, img, [label]')) {
      if (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement) shown.push(one.value, one.placeholder);
      else if (one instanceof HTMLImageElement) shown.push(one.alt);
      else if (one instanceof HTMLSelectElement) shown.push(...Array.from(one.options, ({ label }) => label));
      else shown.push(one.getAttribute('label') ?? '');
    }
  }
  return shown.join('\n');
}

/**
 * Draws boxes over parts of {@link allText}, or over none any more. The document stays as it is.
 * @param chars how many characters the text has
 * @returns whether it still has as many
 */
export function coverText(chars: number, places: readonly (readonly [start: number, end: number])[]): boolean {
  const roots = rootsHere();
  const ranges = places.length === 0 ? [] : rangesOf(textsOf(roots), chars, places);
  if (ranges === null) return false;
  CSS.highlights.delete(NAME);
  if (ranges.length > 0) CSS.highlights.set(NAME, new Highlight(...ranges));
  for (const root of roots) {
    const others = root.adoptedStyleSheets.filter((sheet) => sheet.cssRules[0]?.cssText !== MARK);
    root.adoptedStyleSheets = ranges.length > 0 ? [...others, boxes()] : others;
  }
  return true;
}

const NAME = 'periscope-covered';
const MARK = '@layer periscope-boxes;';

function boxes(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `${MARK} ::highlight(${NAME}) { color: #000 !important; background-color: #000 !important; -webkit-text-fill-color: #000 !important; fill: #000 !important; }`,
  );
  return sheet;
}

type Root = Document | ShadowRoot;

function rootsHere(): Root[] {
  const roots: Root[] = [document];
  for (const root of roots) {
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) roots.push(shadow);
    }
  }
  return roots;
}

function textsOf(roots: readonly Root[]): Text[] {
  const texts: Text[] = [];
  for (const root of roots) {
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) texts.push(node);
    }
  }
  return texts;
}

/** @returns `null` when the text is another one by now */
function rangesOf(
  texts: readonly Text[],
  chars: number,
  places: readonly (readonly [start: number, end: number])[],
): Range[] | null {
  const starts: number[] = [];
  let length = 0;
  for (const { data } of texts) {
    starts.push(length);
    length += data.length;
  }
  if (length !== chars) return null;
  const at = (place: number, isEnd: boolean) => {
    const index = starts.findLastIndex((start) => (isEnd ? start < place : start <= place));
    const text = texts[Math.max(index, 0)];
    return { text, offset: place - (starts[Math.max(index, 0)] ?? 0) };
  };
  return places.flatMap(([start, end]) => {
    const from = at(start, false);
    const to = at(end, true);
    if (from.text === undefined || to.text === undefined) return [];
    const range = new Range();
    range.setStart(from.text, from.offset);
    range.setEnd(to.text, to.offset);
    return [range];
  });
}

/**
 * Draws dots in place of what fields hold, in the document and its open shadow trees, or stops that.
 * @param blanks draws nothing there, and nothing in place of pictures either
 */
export function hideTyped(isOn: boolean, blanks: boolean): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    const others = root.adoptedStyleSheets.filter((sheet) => sheet.cssRules[0]?.cssText !== TYPED_MARK);
    root.adoptedStyleSheets = isOn ? [...others, sheetOf(blanks ? BLANK : DOTS)] : others;
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) roots.push(shadow);
    }
  }
}

const TYPED_MARK = '@layer periscope-dots;';

const DOTS = 'input, textarea, [contenteditable], [contenteditable] * { -webkit-text-security: disc !important; }';
const BLANK = `input, textarea, select, img, object, [contenteditable], [contenteditable] *, ::placeholder {
  color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important; }`;

function sheetOf(rule: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${TYPED_MARK} ${rule}`);
  return sheet;
}
