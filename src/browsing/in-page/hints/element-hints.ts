import type { ElementHint } from '#browsing/in-page/script-types.ts';
import { isBlank } from '#core/text/blank.ts';
import { elementWalker } from '#browsing/in-page/elements/safe-dom.ts';

/**
 * A hint for an element without a name: its tooltip, the name of its icon, or a CSS class. `null` if it has none of
 * these.
 */
export function findElementHint(element: Element): Omit<ElementHint<Element>, 'element'> | null {
  for (const attribute of TOOLTIPS) {
    const tooltip = (get(element, attribute) ?? '').trim();
    if (!isBlank(tooltip)) return { kind: 'tooltip', words: tooltip };
  }
  const parts = [element];
  const walker = elementWalker(element);
  for (let at = walker.nextNode(); at !== null && parts.length < PARTS_MAX; at = walker.nextNode()) parts.push(at);
  for (const name of [iconOf, pictureOf]) {
    const icon = parts.map(name).find((found) => found !== '');
    if (icon !== undefined) return { kind: 'icon', words: icon };
  }
  // A class counts even without an image, because CSS may draw a switch with colours alone.
  const own = classOf(parts.find((part) => isDrawnByStyle(part, getComputedStyle(part))) ?? element);
  return own === '' ? null : { kind: 'class', words: own };
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

/** The distinctive part of an icon's file or class name, such as `trash` in `icon-trash`; `''` for none. */
function iconOf(element: Element): string {
  const name = get(element, 'data-icon') ?? (/icon/u.test(element.localName) ? get(element, 'name') : null) ?? '';
  if (!isBlank(name)) return name.trim();
  const file = get(element, 'href') ?? get(element, 'xlink:href') ?? get(element, 'src') ?? '';
  const link = /^(?:use|img)$/u.test(element.localName)
    ? /([\w-]{2,40})(?:\.\w+)?(?:\?.*)?$/u.exec(file)?.[1]
    : undefined;
  if (link !== undefined) return link.replace(/^i(?:con)?-/u, '');
  const names = [...(get(element, 'class') ?? '').matchAll(ICON_CLASS)].map(([, own = '']) => own);
  return names.find((own) => !SHAPE.test(own)) ?? '';
}

const ICON_CLASS =
  /(?:^|\s)(?:fa|bi|mdi|glyphicon|ti|ri|icon|ui-icon|ql|bx|feather|lucide)-([a-z][\w-]{1,39})(?![\w-])/gu;
/** Parts of class names that describe an icon's container or size, not its meaning. */
const SHAPE =
  /^(?:btn|button|link|only|box|wrap|wrapper|container|holder|inner|x?s|sm|md|lg|xl|small|medium|large|fw|solid|regular|light|brands)$/u;

/** The file name of a background or mask image; `''` for sprites, which contain many icons. */
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

/** The last class that not all siblings of the element have, such as `red` among `swatch red`, `swatch blue`. */
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
