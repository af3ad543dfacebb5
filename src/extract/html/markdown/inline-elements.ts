import { classOf, elementsInside, holdsAny } from '#extract/html/tree.ts';
import { BLOCKS_OF_CODE, HEADING_TAGS } from '#extract/html/tags.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { toPlain } from '#core/text/plain.ts';
import { isBackReference } from './footnotes.ts';
import { isArrow, isLogo } from './furniture.ts';
import type { Mark } from './inline.ts';
import type { Entered, Writing } from './writing.ts';

type MarkShape = Pick<Mark, 'kind' | 'open' | 'close'>;
const STRONG: MarkShape = { kind: 'strong', open: '**', close: '**' };
const EM: MarkShape = { kind: 'em', open: '*', close: '*' };
const DEL: MarkShape = { kind: 'del', open: '~~', close: '~~' };
const MARKS: Readonly<Record<string, MarkShape>> = {
  strong: STRONG,
  b: STRONG,
  em: EM,
  i: EM,
  dfn: EM,
  cite: EM,
  var: EM,
  del: DEL,
  s: DEL,
  strike: DEL,
  sub: { kind: 'sub', open: '<sub>', close: '</sub>' },
  sup: { kind: 'sup', open: '<sup>', close: '</sup>' },
};

const LINKS = new Set(['a']);
/** Links that point to the heading in which they stand. */
const PERMALINK_CLASS =
  /(?:^|\s)(?:headerlink|header-?anchor|anchor(?:-link|js-link|-heading)?|anchorjs-link|permalink|hash-link|heading-anchor|direct-link|deep-link|doc-anchor|self-link|toclink)(?:\s|$)/i;
const BACK_TO_CONTENTS = /(?:^|\s)toc-backref(?:\s|$)/;
const PERMALINK_TEXT = /^[\ufe0f\s#¶§\u24d8\u{1f517}]*$/u;
/** Pages that show emoji as images name them in the alternative text. */
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?)$/v;
/** Images of one pixel count visitors. */
const TRACKING_PIXELS_MAX = 2;

export function enterMark(element: DomElement, writing: Writing): Entered {
  const shape = MARKS[element.localName];
  if (shape === undefined) return 'descend';
  if (shape.kind === 'sup' && holdsReference(element, writing)) return 'descend';
  // A whole citation is set upright, with its title in italics.
  if (element.localName === 'cite' && /(?:^|\s)citation(?:\s|$)/.test(classOf(element))) return 'descend';
  const mark = writing.openMark(shape.kind, shape.open, shape.close);
  return mark === null ? 'descend' : () => writing.closeMark(mark);
}

function holdsReference(element: DomElement, writing: Writing): boolean {
  const link = writing.footnotes.isEmpty() ? null : element.querySelector('a');
  return link !== null && writing.footnotes.reference(link) !== null;
}

export function enterLink(element: DomElement, writing: Writing): Entered {
  const href = element.getAttribute('href');
  const label = writing.footnotes.reference(element);
  if (label !== null) {
    writing.atom(`[^${label}]`);
    return 'skip';
  }
  // A link from a heading back to the table of contents (docutils).
  if (href === null || BACK_TO_CONTENTS.test(classOf(element))) return 'descend';
  if (href.startsWith('#') && isPermalink(element)) return 'skip';
  if (isBackReference(element) && !writing.footnotes.isEmpty()) return 'skip';
  // For a link around a whole card, its heading carries the link.
  if (holdsAny(element, HEADING_TAGS)) return 'descend';
  const mark = openLink(href, writing);
  return mark === null ? 'descend' : () => writing.closeMark(mark);
}

/** `null` for an address that cannot be followed, or inside another link. */
export function openLink(href: string, writing: Writing): Mark | null {
  const url = writing.links.resolve(href);
  return url === null ? null : writing.openMark('link', '[', `](${url})`);
}

function isPermalink(link: DomElement): boolean {
  const text = link.textContent ?? '';
  return PERMALINK_TEXT.test(text) || (PERMALINK_CLASS.test(classOf(link)) && text.trim().length <= 2);
}

export function writeImage(image: DomElement, writing: Writing): Entered {
  const alt = flat(image.getAttribute('alt') ?? '');
  if (alt === '' || isTrackingPixel(image)) return 'skip';
  if (EMOJI.test(alt)) {
    writing.text(alt);
    return 'skip';
  }
  const source = imageSource(image);
  if (isArrow(source ?? '', alt)) {
    // Inside a link, the image is what the link says; elsewhere it says nothing.
    if (writing.marks.some(({ kind }) => kind === 'link')) writing.text(alt);
    return 'skip';
  }
  if (!writing.isBegun() && isLogo(image, source ?? '')) return 'skip';
  const url = source === null ? null : writing.links.resolve(source);
  const target = url === null || url.startsWith('mailto:') ? '' : url;
  writing.atom(`![${escapeAlt(alt, writing.isCell())}](${target})`);
  return 'skip';
}

function escapeAlt(alt: string, inCell: boolean): string {
  const escaped = alt.replace(/[\\[\]`*_<]/g, '\\$&');
  return inCell ? escaped.replaceAll('|', '\\|') : escaped;
}

/** Pages that load images late keep the address in another attribute, with a placeholder in `src`. */
function imageSource(image: DomElement): string | null {
  for (const name of ['data-src', 'data-original', 'data-lazy-src', 'src']) {
    const value = image.getAttribute(name);
    if (value !== null && value.trim() !== '' && !/^\s*(?:data|blob):/i.test(value)) return value;
  }
  const set = image.getAttribute('srcset') ?? image.getAttribute('data-srcset') ?? '';
  const first = set.trim().split(/\s/)[0] ?? '';
  return first === '' || /^(?:data|blob):/i.test(first) ? null : first.replace(/,$/, '');
}

function isTrackingPixel(image: DomElement): boolean {
  const width = Number.parseInt(image.getAttribute('width') ?? '', 10);
  const height = Number.parseInt(image.getAttribute('height') ?? '', 10);
  return width <= TRACKING_PIXELS_MAX || height <= TRACKING_PIXELS_MAX;
}

export function writeCodeSpan(element: DomElement, writing: Writing): Entered {
  if (holdsAny(element, BLOCKS_OF_CODE)) return 'descend';
  const code = flat(element.textContent ?? '');
  if (code === '') return 'skip';
  const link = linkIn(element);
  const whole = link !== null && flat(link.textContent ?? '') === code;
  const mark = whole ? openLink(link.getAttribute('href') ?? '', writing) : null;
  writing.code(code);
  if (mark !== null) writing.closeMark(mark);
  return 'skip';
}

function linkIn(element: DomElement): DomElement | null {
  for (const link of elementsInside(element, LINKS)) if (link.hasAttribute('href')) return link;
  return null;
}

function flat(raw: string): string {
  return toPlain(raw).replace(/\s+/g, ' ').trim();
}
