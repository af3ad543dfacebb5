import { HEADING_TAGS } from '#extract/html/tree.ts';
import type { SegmentAncestor, TextSegment } from './segments.ts';
import type { ContentSelection } from './selection.ts';

const HEADING_WRAPPERS: ReadonlySet<string> = new Set(['header', 'hgroup']);
const SECTIONS: ReadonlySet<string> = new Set(['article', 'section']);
const PARTS: ReadonlySet<string> = new Set([...SECTIONS, 'main']);

/**
 * Adds a heading to the main content if any text of its section is in it. Except for the site's name, which is a
 * heading in its own wrapper with a content score far below the threshold. Each section is searched once per heading
 * level above it.
 */
export function addSectionHeadings(selection: ContentSelection, isReference: boolean): void {
  const { segments, keep } = selection;
  const headings = segments.map((segment) => headingOf(segment));
  for (const { index } of segments) {
    const heading = headings[index] ?? null;
    if (keep[index] === true || heading === null) continue;
    const scope = scopeOf(heading);
    if (scope.isWrapped && (selection.lean[index] ?? 0) < -selection.reach) continue;
    const level = levelOf(heading);
    for (let at = heading.last + 1; at <= scope.last; at += 1) {
      const next = headings[at] ?? null;
      if (next !== null && levelOf(next) <= level) break;
      if (keep[at] !== true) continue;
      keep[index] = true;
      break;
    }
  }
  if (isReference) keepLeading(selection);
}

/**
 * In reference documentation, adds a heading before one of the same level that is main content, if both are in the same
 * element or look alike. Examples: the title above a synopsis, and the first of several tables of members.
 */
function keepLeading(selection: ContentSelection): void {
  let next: SegmentAncestor | null = null;
  for (const segment of selection.segments.toReversed()) {
    const heading = headingOf(segment);
    if (heading === null) continue;
    const { index } = segment;
    const leads = next !== null && levelOf(next) === levelOf(heading) && isOfOnePart(heading, next);
    if (leads && (selection.lean[index] ?? 0) >= -selection.reach) selection.add(index, index);
    next = selection.has(index) ? heading : null;
  }
}

/**
 * Adds the only `h1` of a page, because it is the title of the text after it. Main content must follow it, and its
 * content score must not be far below the threshold.
 */
export function addTitleHeading(selection: ContentSelection): void {
  const titles = selection.segments.filter((segment) => headingOf(segment)?.element.localName === 'h1');
  const [title] = titles;
  if (title === undefined || titles.length > 1) return;
  const { index } = title;
  const isFar = (selection.lean[index] ?? 0) < -selection.reach;
  if (!isFar && selection.hasAny(index + 1, selection.segments.length - 1)) selection.add(index, index);
}

/** Maximum share of links in the text of a section. With more, it is a menu. */
const SECTION_LINKS_MAX = 0.6;
const REFERRALS: ReadonlySet<string> = new Set(['p', 'dd']);
const REFERRAL_MAX = 3;

/**
 * In reference documentation, adds the text between a heading of the main content and the next one, because a heading
 * alone is useless, and headings of the same level next to it. Leaves out the page's footer, sections of links, and
 * text whose content score is far below the threshold.
 */
export function addTextsUnderHeadings(selection: ContentSelection, foot: readonly boolean[]): void {
  const { segments } = selection;
  const outline = new Map<number, SegmentAncestor>();
  for (const segment of segments) {
    const { index } = segment;
    const heading = headingOf(segment);
    if (heading === null) continue;
    const level = levelOf(heading);
    const kept = outline.get(level);
    const end = endOfGap(selection, heading);
    const isText = selection.linksIn(heading.last + 1, end) <= SECTION_LINKS_MAX;
    const isGap = end > heading.last && (isText || isReferral(selection, heading.last + 1, end));
    if (isGap && isText && kept !== undefined && isBeside(kept, heading)) keepNear(selection, index, index, foot);
    if (!selection.has(index)) continue;
    if (level > 1 || kept === undefined) outline.set(level, heading);
    if (isGap) keepNear(selection, heading.last + 1, end, foot);
  }
}

/** True for a few paragraphs of links, as under "See also". Menu items are not paragraphs. */
function isReferral({ segments }: ContentSelection, first: number, last: number): boolean {
  return (
    last - first < REFERRAL_MAX &&
    segments.slice(first, last + 1).every(({ frame }) => REFERRALS.has(frame.element.localName))
  );
}

/**
 * Returns the last text of a gap: text after a heading that is not main content, up to the next heading that is. If the
 * next main content in the section is not a heading, there is no gap, and `heading.last` is returned.
 */
function endOfGap(selection: ContentSelection, heading: SegmentAncestor): number {
  const { segments } = selection;
  const section = sectionEnd(heading, segments);
  let end = heading.last;
  while (end < section && !selection.has(end + 1)) end += 1;
  const next = segments[end + 1];
  return end < section && next !== undefined && headingOf(next) === null ? heading.last : end;
}

function keepNear(selection: ContentSelection, first: number, last: number, foot: readonly boolean[]): void {
  for (let at = first; at <= last; at += 1) {
    if (foot[at] !== true && (selection.lean[at] ?? 0) >= -selection.reach) selection.add(at, at);
  }
}

/** True if two headings have the same parent, or begin wrappers with the same tags in the same ancestor. */
function isBeside(one: SegmentAncestor, other: SegmentAncestor): boolean {
  let before: SegmentAncestor | null = one.parent;
  let around: SegmentAncestor | null = other.parent;
  while (before !== null && around !== null && before !== around) {
    if (around.first !== other.first || before.element.localName !== around.element.localName) return false;
    before = before.parent;
    around = around.parent;
  }
  return before === around;
}

function isOfOnePart(heading: SegmentAncestor, next: SegmentAncestor): boolean {
  if (heading.path === next.path) return true;
  for (let around = heading.parent; around !== null; around = around.parent) {
    if (around === next.parent) return true;
  }
  return false;
}

/** Returns the heading element whose only text is this one, or `null`. */
export function headingOf({ frame, index }: TextSegment): SegmentAncestor | null {
  let around: SegmentAncestor | null = frame;
  while (around !== null && levelOf(around) === 0) {
    if (around.first !== index || around.last !== index) return null;
    around = around.parent;
  }
  return around;
}

/**
 * Returns the last text of a heading's section, which ends before the next heading of the same or a higher level. The
 * first heading of an `article` or `section` is the heading of all of it, even if a later one has a higher level.
 */
export function sectionEnd(heading: SegmentAncestor, segments: readonly TextSegment[]): number {
  const { last, leads } = scopeOf(heading);
  const level = levelOf(heading);
  for (let at = heading.last + 1; at <= last; at += 1) {
    const segment = segments[at];
    const next = segment === undefined ? null : headingOf(segment);
    if (next === null || levelOf(next) > level) continue;
    if (levelOf(next) === level || !leads) return at - 1;
  }
  return last;
}

function levelOf({ element }: SegmentAncestor): number {
  return HEADING_TAGS.has(element.localName) ? Number(element.localName.charAt(1)) : 0;
}

/** Returns the element to which a heading belongs: the nearest ancestor with text after it. `last` is its last text. */
function scopeOf(heading: SegmentAncestor): { last: number; isWrapped: boolean; leads: boolean } {
  let scope = heading;
  let isWrapped = false;
  for (let around = heading.parent; around !== null; around = around.parent) {
    const isWrapper = HEADING_WRAPPERS.has(scope.element.localName) && isInPart(scope);
    if (scope.last > heading.last && !isWrapper) break;
    isWrapped ||= scope !== heading;
    scope = around;
  }
  const leads = SECTIONS.has(scope.element.localName) && scope.first === heading.first;
  return { last: scope.last, isWrapped, leads };
}

function isInPart({ parent }: SegmentAncestor): boolean {
  for (let around = parent; around !== null; around = around.parent) {
    if (PARTS.has(around.element.localName)) return true;
  }
  return false;
}

export const HEADING_TRAITS: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'onward',
    /\b(?:related|recommended|also|more|popular|trending|similar|recent(?:ly)?|latest|next|previous|see also|top stories|featured|customers|viewed|suggested|discover|auch|mehr|weitere|aktuelle?|beliebt|meistgelesen|neueste|liés|aussi|derniers?|relacionad[ao]s?|más|también|últim[ao]s|correlati|anche|altr[ei]|mais|também|gerelateerd|lees ook|meer|zobacz|czytaj|więcej|podobne)\b|ähnliche|à lire|читайте|похож|ещё|相关|推荐|最新|関連|おすすめ/i,
  ],
  [
    'comments',
    /\b(?:comments?|replies|responses|discussion|leave a reply|join the conversation|kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties|komentarze)\b|комментари|评论|コメント/i,
  ],
  ['reviews', /\b(?:reviews?|ratings?|testimonials?|what people say)\b/i],
  [
    'spec',
    /\b(?:description|details?|specifications?|specs|features?|overview|highlights|about|ingredients|dimensions|materials?|in the box)\b/i,
  ],
  ['help', /\b(?:shipping|returns?|delivery|payment|warranty|support|help|contact|customer service)\b/i],
  [
    'site',
    /\b(?:newsletter|subscribe|sign up|follow|connect|categories|archives?|tags|navigation|menu|share|search|filters?|sort|resources|company|legal|cookies?|account|folgen|teilen|suche|kategorien|schlagw[oö]rter|partager|thèmes|compartir|etiquetas|categorías|categorie|condividi|compartilhar|categorieën|tagi)\b|étiquettes|рубрик|метки|标签|カテゴリ/i,
  ],
  ['faq', /\b(?:faqs?|questions|q&a)\b|\?$/i],
];
