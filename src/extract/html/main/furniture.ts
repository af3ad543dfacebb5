import { classOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import type { Frame, Segment } from './segments.ts';
import { NAME_CHARS_MAX } from './words.ts';

/** Names that authors give to the foot of a page, by words of class and id. */
const FOOT = /(?<![a-z])(?:footer|copyright|colophon|contentinfo)(?![a-z])/i;
/** A part with a larger share of the page's text is more than its foot, whatever its name. */
const PAGE_SHARE_MAX = 0.25;
/** The foot of these elements names the author of a quotation. */
const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'figure']);

/** The segments in a part that the page itself calls its foot. Linear. */
export function footOf(segments: readonly Segment[]): readonly boolean[] {
  const chars = segments.reduce((sum, { text }) => sum + text.length, 0);
  return within(segments, (frame) => isNamedFoot(frame, chars));
}

function isNamedFoot({ element, parent, chars }: Frame, ofPage: number): boolean {
  if (chars > ofPage * PAGE_SHARE_MAX || QUOTES.has(parent?.element.localName ?? '')) return false;
  return element.localName === 'footer' || FOOT.test(`${namesOf(element)} ${roleOf(element)}`);
}

/** Names that authors give to a menu, by words of class and id. */
const MENU = /(?<![a-z])(?:nav|navbar|navbox|navigation|menu|sidebar|breadcrumbs?)(?![a-z])/i;
/** Share of the characters of a menu that are links. */
const LINKS_MIN = 0.5;
/** A longer text with fewer links is no item of a menu: the part around it only has a menu. */
const ITEM_CHARS_MAX = 80;
const ITEM_LINKS_MIN = 1 / 3;

/** The segments in parts that the page itself calls navigation and that consist of links. Linear. */
export function menusIn(segments: readonly Segment[]): readonly boolean[] {
  const texts = textsBefore(segments);
  return within(segments, (frame) => isNamedMenu(frame, texts));
}

/** For each segment, how many before it are no items of a menu. */
function textsBefore(segments: readonly Segment[]): Int32Array {
  const before = new Int32Array(segments.length + 1);
  for (const { index, text, linkChars, frame } of segments) {
    const isText = text.length > ITEM_CHARS_MAX && linkChars < text.length * ITEM_LINKS_MIN;
    before[index + 1] = (before[index] ?? 0) + (isText || frame.element.localName === 'h1' ? 1 : 0);
  }
  return before;
}

function isNamedMenu({ element, chars, linkChars, first, last }: Frame, texts: Int32Array): boolean {
  if (first < 0 || linkChars < chars * LINKS_MIN) return false;
  if (element.localName === 'nav' || roleOf(element) === 'navigation') return true;
  return texts[last + 1] === texts[first] && MENU.test(namesOf(element));
}

/** For each segment, whether a frame around it fits. */
function within(segments: readonly Segment[], fits: (frame: Frame) => boolean): boolean[] {
  const known = new Map<Frame, boolean>();
  const isWithin = (frame: Frame): boolean => {
    const own = known.get(frame) ?? (fits(frame) || (frame.parent !== null && isWithin(frame.parent)));
    known.set(frame, own);
    return own;
  };
  return segments.map(({ frame }) => isWithin(frame));
}

const CAMEL = /([a-z])([A-Z])/g;

function namesOf(element: DomElement): string {
  const names = `${classOf(element)} ${element.getAttribute('id') ?? ''}`;
  return names.slice(0, NAME_CHARS_MAX).replace(CAMEL, '$1 $2');
}

function roleOf(element: DomElement): string {
  return element.getAttribute('role') ?? '';
}
