import { classOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import type { SegmentAncestor, TextSegment } from './segments.ts';
import { headingOf } from './headings.ts';
import { listSegmentAncestors } from './selection.ts';
import { CLASS_ATTRIBUTE_CHARS_MAX } from '#extract/html/main/model/words.ts';

const FOOT = /(?<![a-z])(?:footer|copyright|colophon|contentinfo)(?![a-z])/i;
/** Matches a line in a card's footer that addresses readers, such as "Share", and is not information about the card. */
const CALL = /(?<![a-z])(?:share|follow us|subscribe)(?![a-z])/i;
/**
 * Maximum share of the page's text in its footer. An element with more text is not just a footer, whatever its name.
 */
const PAGE_SHARE_MAX = 0.25;
/** Elements in which a `footer` names the author of a quotation. */
const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'figure']);

/** For each text: true if class names or tags mark it as part of the page's footer. Linear. */
export function markFooterTexts(segments: readonly TextSegment[]): readonly boolean[] {
  const chars = segments.reduce((sum, { text }) => sum + text.length, 0);
  const feet = new Set(
    listSegmentAncestors(segments).filter((frame) => isNamedFoot(frame, chars) && !isSectionAbout(frame, segments)),
  );
  if (feet.size === 0) return segments.map(() => false);
  const repeated = repeatedPaths(segments);
  const named = within(segments, (frame) => feet.has(frame));
  const ofPage = within(segments, (frame) => feet.has(frame) && !isOfCard(frame, repeated));
  return segments.map(({ text }, index) => ofPage[index] === true || (named[index] === true && CALL.test(text)));
}

/** True for the footer of a card or list entry. A footer without other text next to it is that of the page. */
function isOfCard({ parent, chars }: SegmentAncestor, repeated: ReadonlySet<number>): boolean {
  return parent !== null && parent.chars > chars && repeated.has(parent.path);
}

/** Returns the paths (tags and classes, also of ancestors) that several elements share. */
function repeatedPaths(segments: readonly TextSegment[]): ReadonlySet<number> {
  const once = new Map<number, SegmentAncestor>();
  const repeated = new Set<number>();
  for (const { frame: inner } of segments) {
    for (let frame: SegmentAncestor | null = inner; frame !== null; frame = frame.parent) {
      const known = once.get(frame.path);
      if (known === frame) break;
      if (known === undefined) once.set(frame.path, frame);
      else repeated.add(frame.path);
    }
  }
  return repeated;
}

/** True for a section whose heading equals its id, such as "Footer" in a manual: the id is then its topic. */
function isSectionAbout({ element, first }: SegmentAncestor, segments: readonly TextSegment[]): boolean {
  const segment = segments[first];
  const id = element.getAttribute('id') ?? '';
  if (id === '' || segment === undefined || headingOf(segment) === null) return false;
  return !FOOT.test(classOf(element)) && slugOf(segment.text) === slugOf(id);
}

function slugOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function isNamedFoot({ element, parent, chars }: SegmentAncestor, ofPage: number): boolean {
  if (chars > ofPage * PAGE_SHARE_MAX || QUOTES.has(parent?.element.localName ?? '')) return false;
  if (element.localName === 'footer') return true;
  return element.hasAttributes() && FOOT.test(`${classAndIdWords(element)} ${roleOf(element)}`);
}

const MENU = /(?<![a-z])(?:nav|navbar|navbox|navigation|menu|sidebar|breadcrumbs?)(?![a-z])/i;
/** Minimum share of a menu's characters that are links. */
const LINKS_MIN = 0.5;
/** Maximum characters of a menu item with few links. An element with a longer text is not a menu. */
const ITEM_CHARS_MAX = 80;
/** Minimum share of links in a text of more than `ITEM_CHARS_MAX` characters that may be a menu item. */
const ITEM_LINKS_MIN = 1 / 3;

/** For each text: true if it is in an element that is named as navigation and consists of links. Linear. */
export function markMenuTexts(segments: readonly TextSegment[]): readonly boolean[] {
  const texts = textsBefore(segments);
  return within(segments, (frame) => isNamedMenu(frame, texts));
}

/** Prefix sums: the number of texts before each one that are not menu items. */
function textsBefore(segments: readonly TextSegment[]): Int32Array {
  const before = new Int32Array(segments.length + 1);
  for (const { index, text, linkChars, frame } of segments) {
    const isText = text.length > ITEM_CHARS_MAX && linkChars < text.length * ITEM_LINKS_MIN;
    before[index + 1] = (before[index] ?? 0) + (isText || frame.element.localName === 'h1' ? 1 : 0);
  }
  return before;
}

function isNamedMenu({ element, chars, linkChars, first, last }: SegmentAncestor, texts: Int32Array): boolean {
  if (first < 0 || linkChars < chars * LINKS_MIN) return false;
  if (element.localName === 'nav' || roleOf(element) === 'navigation') return true;
  return texts[last + 1] === texts[first] && MENU.test(classAndIdWords(element));
}

/** For each text: true if `fits` is true for any element around it. */
function within(segments: readonly TextSegment[], fits: (frame: SegmentAncestor) => boolean): boolean[] {
  const known = new Map<SegmentAncestor, boolean>();
  const isWithin = (frame: SegmentAncestor): boolean => {
    const own = known.get(frame) ?? (fits(frame) || (frame.parent !== null && isWithin(frame.parent)));
    known.set(frame, own);
    return own;
  };
  return segments.map(({ frame }) => isWithin(frame));
}

const CAMEL = /([a-z])([A-Z])/g;

export function classAndIdWords(element: DomElement): string {
  const names = `${classOf(element)} ${element.getAttribute('id') ?? ''}`;
  return names.slice(0, CLASS_ATTRIBUTE_CHARS_MAX).replace(CAMEL, '$1 $2');
}

function roleOf(element: DomElement): string {
  return element.getAttribute('role') ?? '';
}
