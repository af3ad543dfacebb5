import { classOf, elementsInside, containsAnyTag, isElement, nextInside } from '#extract/html/tree.ts';
import { TAGS_SPLITTING_CODE, HEADING_TAGS } from '#extract/html/tree.ts';
import { isBlank } from '#core/text/blank.ts';
import { fileNameOrHost } from './urls.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { codeText } from './code.ts';
import { isBackReference } from './footnotes.ts';
import type { InlineMark } from './inline.ts';
import type { EnterResult, MarkdownWriter } from './markdown-writer.ts';

type MarkShape = Pick<InlineMark, 'kind' | 'open' | 'close'>;
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
const BREAKS = new Set(['br']);
const NO_BREAK = /\u00a0/;
const PERMALINK_CLASS =
  /(?:^|\s)(?:headerlink|header-?anchor|anchor(?:-link|js-link|-heading)?|anchorjs-link|permalink|hash-link|heading-anchor|direct-link|deep-link|doc-anchor|self-link|toclink)(?:\s|$)/i;
const BACK_TO_CONTENTS = /(?:^|\s)toc-backref(?:\s|$)/;
const PERMALINK_TEXT = /^[\ufe0f\s#¶§\u24d8\u{1f517}]*$/u;
/** Matches the `alt` text of an image that shows one emoji. The emoji is written instead of the image. */
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?)$/v;
/** Maximum width or height of a tracking pixel: an invisible image that reports a visit. */
const TRACKING_PIXELS_MAX = 2;

export function enterInlineMark(element: DomElement, writing: MarkdownWriter): EnterResult {
  const shape = MARKS[element.localName];
  if (shape === undefined) return 'descend';
  if (shape.kind === 'sup' && holdsReference(element, writing)) return 'descend';
  // A `cite` with this class contains a full reference, not only a title, so it is not italic.
  if (element.localName === 'cite' && /(?:^|\s)citation(?:\s|$)/.test(classOf(element))) return 'descend';
  const mark = writing.openMark(shape.kind, shape.open, shape.close);
  return mark === null ? 'descend' : () => writing.closeMark(mark);
}

function holdsReference(element: DomElement, writing: MarkdownWriter): boolean {
  const link = writing.footnotes.isEmpty() ? null : element.querySelector('a');
  return link !== null && writing.footnotes.reference(link) !== null;
}

export function enterLink(element: DomElement, writing: MarkdownWriter): EnterResult {
  const href = element.getAttribute('href');
  const label = writing.footnotes.reference(element);
  if (label !== null) {
    writing.atom(`[^${label}]`);
    return 'skip';
  }
  // docutils links each heading to its entry in the table of contents. Such a heading is written without the link.
  if (href === null || BACK_TO_CONTENTS.test(classOf(element))) return 'descend';
  if (href.startsWith('#') && isPermalink(element)) return 'skip';
  if (isBackReference(element) && !writing.footnotes.isEmpty()) return 'skip';
  // A link around a card with a heading would be very long, so only the heading becomes a link (`enterHeading`).
  if (containsAnyTag(element, HEADING_TAGS)) return 'descend';
  const mark = openLink(href, writing);
  if (mark === null) return 'descend';
  if (isOnlyPicture(element) && isWorthNaming(element, href, writing)) {
    writing.text(fileNameOrHost(writing.links.resolve(href) ?? href));
    writing.closeMark(mark);
    return 'skip';
  }
  return () => writing.closeMark(mark);
}

const PICTURES: ReadonlySet<string> = new Set(['img', 'picture']);
const PICTURE_FILE = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#]|$)/i;

/**
 * True if a link with only a picture is written with its target as name. False at the beginning of a page, where such
 * links are logos and advertisements, for a link to a picture file, and if another link with the same target has text.
 */
function isWorthNaming(link: DomElement, href: string, writing: MarkdownWriter): boolean {
  return writing.isBegun() && !PICTURE_FILE.test(href) && !writing.linkNames.isNamedElsewhere(link);
}

function isOnlyPicture(link: DomElement): boolean {
  if (!isBlank(link.textContent)) return false;
  let hasPicture = false;
  for (let node = nextInside(link, link); node !== null; node = nextInside(link, node)) {
    if (!isElement(node)) continue;
    if (node.localName === 'svg' || (node.getAttribute('alt') ?? '').trim() !== '') return false;
    hasPicture ||= PICTURES.has(node.localName) && !isTrackingPixel(node);
  }
  return hasPicture;
}

/** Opens a link. Returns `null` inside another link, and for a URL that is not written, such as `javascript:`. */
export function openLink(href: string, writing: MarkdownWriter): InlineMark | null {
  const url = writing.links.resolve(href);
  return url === null ? null : writing.openMark('link', '[', `](${url})`);
}

function isPermalink(link: DomElement): boolean {
  const text = link.textContent ?? '';
  return PERMALINK_TEXT.test(text) || (PERMALINK_CLASS.test(classOf(link)) && text.trim().length <= 2);
}

export function writeImage(image: DomElement, writing: MarkdownWriter): EnterResult {
  const alt = flat(image.getAttribute('alt') ?? '');
  if (alt === '' || isTrackingPixel(image)) return 'skip';
  if (EMOJI.test(alt)) {
    writing.text(alt);
    return 'skip';
  }
  const source = imageSource(image);
  if (isArrow(source ?? '', alt)) {
    // An arrow such as `next.gif` has no meaning except as the label of a link.
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

/** Returns the URL of an image. On pages with lazy loading, `src` is a placeholder, and `data-src` has the URL. */
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

export function writeCodeSpan(element: DomElement, writing: MarkdownWriter): EnterResult {
  if (containsAnyTag(element, TAGS_SPLITTING_CODE)) return 'descend';
  const code = flatCode(containsAnyTag(element, BREAKS) ? codeText(element) : element.textContent);
  if (code === '') return 'skip';
  const link = linkIn(element);
  const whole = link !== null && flatCode(link.textContent) === code;
  const mark = whole ? openLink(link.getAttribute('href') ?? '', writing) : null;
  writing.code(code);
  if (mark !== null) writing.closeMark(mark);
  return 'skip';
}

function linkIn(element: DomElement): DomElement | null {
  for (const link of elementsInside(element, LINKS)) if (link.hasAttribute('href')) return link;
  return null;
}

function joinLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Collapses white space in code, except that each no-break space becomes one space, which keeps columns aligned. */
function flatCode(raw: string): string {
  const code = joinLines(sanitizeText(raw));
  return NO_BREAK.test(code) ? code.replace(/[^\S\u00a0]+/g, ' ').replaceAll('\u00a0', ' ') : code.replace(/\s+/g, ' ');
}

function flat(raw: string): string {
  return sanitizeText(raw).replace(/\s+/g, ' ').trim();
}

const TOGGLE =
  /^[[(]?\s*(?:(?:show|hide|show\s*\/\s*hide|hide\s*\/\s*show|toggle|expand|collapse)(?:\s+(?:all|more|less|details|diagram|image|code|source|example|menu|section))?|anzeigen|ausblenden|einblenden|verbergen|afficher|masquer|mostrar|ocultar|mostra|nascondi|показать|скрыть|表示|非表示|显示|隐藏|顯示|隱藏)\s*[\])]?$/iu;
const TOGGLE_CHARS_MAX = 24;

/** True for a button, or a link without a target, that only shows or hides something, such as "Show more". */
export function isShowHideToggle(element: DomElement): boolean {
  const name = element.localName;
  const isControl =
    name === 'button' || element.getAttribute('role') === 'button' || (name === 'a' && leadsNowhere(element));
  if (!isControl) return false;
  const text = element.textContent ?? '';
  return text.length <= TOGGLE_CHARS_MAX && TOGGLE.test(text.trim());
}

function leadsNowhere(link: DomElement): boolean {
  return /^(?:#?|javascript:.*)$/i.test((link.getAttribute('href') ?? '').trim());
}

/** Matches file names of arrow images, such as `next.gif`, in manuals made with DocBook, Texinfo or LaTeX2HTML. */
const ARROW =
  /(?:^|[/_-])(?:prev(?:ious)?|next|up|home|top|back|forward|arrow|left|right|down|toc|contents?|index|nav)(?:[_-]?(?:arrow|btn|button|group|motif|motf|gr|g|e|\d|left|right|up|down))*\.(?:gif|png|svg|jpe?g|webp)$/i;
const ARROW_CHARS_MAX = 20;
/** Characters at the end of an image URL that are compared with `ARROW`. */
const ARROW_FILE_CHARS_MAX = 200;

function isArrow(source: string, alt: string): boolean {
  return alt.length <= ARROW_CHARS_MAX && ARROW.test((source.split(/[?#]/, 1)[0] ?? '').slice(-ARROW_FILE_CHARS_MAX));
}

const LOGO = /(?:^|[^a-z])logo(?![a-z])/i;

/** True for the logo of the site. At the beginning of a page, a logo is not content. */
function isLogo(image: DomElement, source: string): boolean {
  const names = [
    classOf(image),
    image.getAttribute('id') ?? '',
    image.getAttribute('alt') ?? '',
    source.split('/').at(-1) ?? '',
  ];
  return names.some((name) => LOGO.test(name));
}
