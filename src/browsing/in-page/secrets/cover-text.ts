import { openRoots } from '#browsing/in-page/elements/safe-dom.ts';

/** All text of the document and its open shadow trees as one string, visible or not. */
export function readAllText(): string {
  return textsHere()
    .map(({ data }) => data)
    .join('');
}

export function readControlTexts(): string {
  const shown: string[] = [];
  for (const root of openRoots()) {
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
 * Draws black boxes over parts of {@link readAllText} as CSS highlights, without changing the DOM. Removes all boxes if
 * `places` is empty.
 * @param chars length of the text in which the parts were found
 * @param places in ascending order, without overlaps
 * @returns false if the length of the text has changed
 */
export function coverTextRanges(chars: number, places: readonly (readonly [start: number, end: number])[]): boolean {
  const ranges = places.length === 0 ? [] : rangesOf(textsHere(), chars, places);
  if (ranges === null) return false;
  CSS.highlights.delete(BOXES);
  if (ranges.length > 0) CSS.highlights.set(BOXES, new Highlight(...ranges));
  setStyle(BOXES, ranges.length > 0 ? BOXES_STYLE : null);
  return true;
}

/**
 * Draws dots in place of field values; `isOn: false` shows the values again.
 * @param blanks true to leave fields and images blank instead
 */
export function hideFieldValues(isOn: boolean, blanks: boolean): void {
  setStyle('periscope-dots', isOn ? (blanks ? BLANK_STYLE : DOTS_STYLE) : null);
}

const BOXES = 'periscope-covered';
const BOXES_STYLE = `::highlight(${BOXES}) { color: #000 !important; background-color: #000 !important; -webkit-text-fill-color: #000 !important; fill: #000 !important; }`;
const DOTS_STYLE =
  'input, textarea, [contenteditable], [contenteditable] * { -webkit-text-security: disc !important; }';
const BLANK_STYLE = `input, textarea, select, img, object, [contenteditable], [contenteditable] *, ::placeholder {
  color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important; }`;

function setStyle(name: string, rule: string | null): void {
  const mark = `@layer ${name};`;
  for (const root of openRoots()) {
    const sheets = root.adoptedStyleSheets.filter((sheet) => sheet.cssRules[0]?.cssText !== mark);
    if (rule !== null) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`${mark} ${rule}`);
      sheets.push(sheet);
    }
    root.adoptedStyleSheets = sheets;
  }
}

function textsHere(): Text[] {
  const texts: Text[] = [];
  for (const root of openRoots()) {
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) texts.push(node);
    }
  }
  return texts;
}

/** @returns `null` if the length of the text has changed */
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
  // The parts are in ascending order, so each search continues where the last one ended.
  let index = 0;
  const at = (place: number, isEnd: boolean) => {
    for (let next = starts[index + 1]; next !== undefined && next < place + (isEnd ? 0 : 1); next = starts[index + 1])
      index += 1;
    return { text: texts[index], offset: place - (starts[index] ?? 0) };
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
