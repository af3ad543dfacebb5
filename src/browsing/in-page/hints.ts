import { cut } from './cut.ts';
import { isBlank } from '#core/blank.ts';
import { elementWalker } from './readers.ts';

/** What an element without a name is known by: a tooltip of a script's own, the icon that it shows, or how its style sheet calls it. */
export function hintOf(element: Element): string {
  for (const attribute of TOOLTIPS) {
    const tooltip = (get(element, attribute) ?? '').trim();
    if (!isBlank(tooltip)) return `tooltip "${sent(tooltip)}"`;
  }
  const parts = [element];
  const walker = elementWalker(element);
  for (let at = walker.nextNode(); at !== null && parts.length < PARTS_MAX; at = walker.nextNode()) parts.push(at);
  for (const name of [iconOf, pictureOf]) {
    const icon = parts.map(name).find((found) => found !== '');
    if (icon !== undefined) return `icon "${sent(icon)}"`;
  }
  const drawn = parts.find((part) => isDrawnByStyle(part, getComputedStyle(part)));
  const own = drawn === undefined ? '' : classOf(drawn);
  return own === '' ? '' : `class "${sent(own)}"`;
}

const PARTS_MAX = 6;

const TOOLTIPS = [
  'data-tooltip',
  'data-original-title',
  'data-bs-original-title',
  'data-title',
  'data-tip',
  'data-tippy-content',
];
/** It is shortened where it is told, once secrets are hidden in it. */
const sent = (hint: string) => cut(hint, HINT_CHARS_SENT).uncut;
const HINT_CHARS_SENT = 40;

/** Common parts of the names of icon files and classes. */
function iconOf(element: Element): string {
  const name = get(element, 'data-icon') ?? (/icon/u.test(element.localName) ? get(element, 'name') : null) ?? '';
  if (!isBlank(name)) return name.trim();
  const file = get(element, 'href') ?? get(element, 'xlink:href') ?? get(element, 'src') ?? '';
  const link = /^(?:use|img)$/u.test(element.localName)
    ? /([\w-]{2,40})(?:\.\w+)?(?:\?.*)?$/u.exec(file)?.[1]
    : undefined;
  if (link !== undefined) return link.replace(/^i(?:con)?-/u, '');
  return (
    /(?:^|\s)(?:fa|bi|mdi|glyphicon|ti|ri|icon|ui-icon|ql|bx|feather|lucide)-([a-z][\w-]{1,39})/u.exec(
      get(element, 'class') ?? '',
    )?.[1] ?? ''
  );
}

/** The file name of an icon that a style sheet draws. Icons that share one file have no name of their own. */
function pictureOf(element: Element): string {
  for (const drawing of drawingsOf(element, getComputedStyle(element))) {
    const [, file = ''] = /url\("?(?!data:)[^")]*?([\w-]{1,40})(?:\.\w+)?(?:[?#][^")]*)?"?\)/u.exec(drawing) ?? [];
    if (file !== '' && !/sprite|^icons?$|^[\da-f-]{8,}$/iu.test(file)) return file;
  }
  return '';
}

export function isDrawnByStyle(element: Element, style: CSSStyleDeclaration): boolean {
  return drawingsOf(element, style).some((drawing) => !/^(?:none|normal|""|)$/u.test(drawing));
}

function drawingsOf(element: Element, { backgroundImage, maskImage, content }: CSSStyleDeclaration): string[] {
  const around = ['::before', '::after'].flatMap((part) => {
    const style = getComputedStyle(element, part);
    const isThere = !/^(?:none|normal)$/u.test(style.content);
    return isThere ? [style.content, style.backgroundImage, style.maskImage] : [];
  });
  return [content, backgroundImage, maskImage, ...around];
}

/** The last class of an element that not all elements beside it have. */
function classOf(element: Element): string {
  const beside: string[][] = [];
  const first = element.parentElement?.firstElementChild ?? null;
  for (let at = first; at !== null && beside.length < BESIDE_MAX; at = at.nextElementSibling)
    beside.push(classesOf(at));
  const own = classesOf(element);
  return own.findLast((one) => !beside.every((classes) => classes.includes(one))) ?? own.at(-1) ?? '';
}

const BESIDE_MAX = 50;

function classesOf(element: Element): string[] {
  return (get(element, 'class') ?? '').split(/\s+/u).filter((one) => /^[a-z][\w-]*$/iu.test(one));
}

function get(element: Element, attribute: string): string | null {
  return Element.prototype.getAttribute.call(element, attribute);
}
