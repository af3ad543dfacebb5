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

/** Which segments stand in a part that the page itself calls its foot. Linear. */
export function footOf(segments: readonly Segment[]): readonly boolean[] {
  const chars = segments.reduce((sum, { text }) => sum + text.length, 0);
  const known = new Map<Frame, boolean>();
  const isFoot = (frame: Frame): boolean => {
    const own = known.get(frame) ?? (isNamed(frame, chars) || (frame.parent !== null && isFoot(frame.parent)));
    known.set(frame, own);
    return own;
  };
  return segments.map(({ frame }) => isFoot(frame));
}

function isNamed({ element, parent, chars }: Frame, ofPage: number): boolean {
  if (chars > ofPage * PAGE_SHARE_MAX || QUOTES.has(parent?.element.localName ?? '')) return false;
  return element.localName === 'footer' || FOOT.test(namesOf(element));
}

function namesOf(element: DomElement): string {
  const names = [classOf(element), element.getAttribute('id') ?? '', element.getAttribute('role') ?? ''];
  return names.join(' ').slice(0, NAME_CHARS_MAX);
}
