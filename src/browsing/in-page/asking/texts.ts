import { findLabelledControl, labelsOf, parentElementOf, textWalker } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import { allIn, attribute, matches, readLocalName, parentOrHost } from './safe.ts';

const NAME_CHARS_MAX = 200;
const AROUND_CHARS_MAX = 300;
const HINT_CHARS_MAX = 80;
/** Maximum text nodes read for one text. There may be many, because a page may put each letter into its own node. */
const NODES_MAX = 400;
/** Maximum levels climbed from a control to the dialog or row around it. */
const LEVELS_MAX = 60;

export function readVisibleTextInside(element: Element, charsMax: number): string {
  const walker = textWalker(element);
  const parts: string[] = [];
  for (let count = 0, chars = 0; count < NODES_MAX && chars < charsMax; count += 1) {
    const node = walker.nextNode();
    if (node === null) break;
    const holder = parentElementOf(node);
    if (holder === null || /^(?:script|style|noscript|template)$/u.test(readLocalName(holder))) continue;
    if (!Element.prototype.checkVisibility.call(holder)) continue;
    parts.push((node.nodeValue ?? '').slice(0, charsMax));
    chars += (parts.at(-1)?.length ?? 0) + 1;
  }
  // Animated buttons have an element for each letter, which are joined without spaces.
  const isSpelled = parts.length > 2 && parts.every((part) => part.trim().length <= 1);
  return oneLine(parts.join(isSpelled ? '' : ' ')).slice(0, charsMax);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/**
 * All texts by which the user may know the control, one per line, because its visible and accessible names may differ.
 */
export function readControlNames(element: AnyElement): string {
  const control = findLabelledControl(element);
  const kind = readLocalName(control);
  const isButtonField = kind === 'input' && /^(?:submit|button|reset|image)$/u.test(control.type ?? '');
  const names = [
    attribute(control, 'aria-label'),
    ...labelledBy(control),
    ...labelsOf(control).map((label) => readVisibleTextInside(label, NAME_CHARS_MAX)),
    isButtonField ? control.value || (control.type === 'submit' ? 'Submit' : '') : '',
    /^(?:select|textarea)$/u.test(kind) ? '' : readVisibleTextInside(control, NAME_CHARS_MAX),
    ...drawnBy(control),
    ...allIn(control, 'img[alt],svg[aria-label],[title]', 3).map(altOf),
    ...allIn(control, 'svg > title', 3).map((title) => title.textContent ?? ''),
    ...['alt', 'placeholder', 'title'].map((name) => attribute(control, name)),
  ];
  const different = new Set(names.flatMap((name) => oneLine(name ?? '') || []));
  return [...different].join('\n').slice(0, NAME_CHARS_MAX);
}

function labelledBy(element: Element): string[] {
  const root: Node = Node.prototype.getRootNode.call(element);
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  const ids = attribute(element, 'aria-labelledby').split(/\s+/u).slice(0, 4);
  return ids.flatMap((id) => {
    const label = id === '' ? null : root.querySelector(`#${CSS.escape(id)}`);
    return label === null ? [] : readVisibleTextInside(label, NAME_CHARS_MAX);
  });
}

function altOf(image: Element): string {
  return attribute(image, 'alt') || attribute(image, 'aria-label') || attribute(image, 'title');
}

/** Text that CSS adds by `::before` and `::after`. */
function drawnBy(element: Element): string[] {
  return ['::before', '::after'].flatMap((part) => {
    const { content } = getComputedStyle(element, part);
    return content.startsWith('"') && /\p{L}/u.test(content) ? content.slice(1, -1) : [];
  });
}

/** Class names, ids and image names, which suggest the purpose of a control without text. */
export function readHintWords(element: Element): string {
  const inside = [element, ...allIn(element, 'svg,use,img,i,span', 6)];
  const names = ['class', 'id', 'name', 'data-testid', 'data-icon', 'href', 'src'];
  const words = inside.flatMap((one) => names.flatMap((name) => attribute(one, name).slice(0, HINT_CHARS_MAX) || []));
  return words.join(' ').slice(0, AROUND_CHARS_MAX);
}

const DIALOG = '[role=dialog],[role=alertdialog],dialog,[aria-modal=true]';
const GROUP = 'tr,li,article,fieldset,section,form,[role=row],[role=listitem],[role=group],[role=region]';

/**
 * Text of the dialog, row or section around a control.
 * @param name the control's name; a section counts only if it has more text than this name
 */
export function readSurroundings(element: Element, name: string): { around: string; isInDialog: boolean } {
  let group = '';
  let at: Element | null = element;
  for (let level = 0; at !== null && level < LEVELS_MAX; level += 1, at = parentOrHost(at)) {
    if (matches(at, DIALOG) || isOverlay(at))
      return { around: readVisibleTextInside(at, AROUND_CHARS_MAX), isInDialog: true };
    if (group !== '' || at === element || !matches(at, GROUP)) continue;
    const text = readVisibleTextInside(at, AROUND_CHARS_MAX);
    if (text.length > name.length) group = text;
  }
  return { around: group, isInDialog: false };
}

function isOverlay(element: Element): boolean {
  const words = attribute(element, 'class')
    .slice(0, AROUND_CHARS_MAX)
    .toLowerCase()
    .split(/[\s_-]+/u);
  return words.some((word) => /^(?:modal|dialog|popup|overlay|lightbox)$/u.test(word));
}
