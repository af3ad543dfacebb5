import { HEADING_TAGS } from '#extract/html/tree.ts';
import type { Frame, Segment } from './segments.ts';
import type { Selection } from './selection.ts';

const HEADING_WRAPPERS: ReadonlySet<string> = new Set(['header', 'hgroup']);
const SECTIONS: ReadonlySet<string> = new Set(['article', 'section']);
const PARTS: ReadonlySet<string> = new Set([...SECTIONS, 'main']);

/**
 * A heading stays if anything under it stays. The exception is a heading in wrappers of its own that is far below the
 * bar: it is the name of the site. A section is searched at most once for each level above it.
 */
export function keepHeadings(selection: Selection, isReference: boolean): void {
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
 * In reference documentation, a heading before a kept one of the same level stays if it stands in a part around both or
 * looks alike, such as the title above a synopsis or the first of several tables of members.
 */
function keepLeading(selection: Selection): void {
  let next: Frame | null = null;
  for (const segment of selection.segments.toReversed()) {
    const heading = headingOf(segment);
    if (heading === null) continue;
    const { index } = segment;
    const leads = next !== null && levelOf(next) === levelOf(heading) && isOfOnePart(heading, next);
    if (leads && (selection.lean[index] ?? 0) >= -selection.reach) selection.add(index, index);
    next = selection.has(index) ? heading : null;
  }
}

/** The only heading of the first level is the title of what follows, whatever part of the page it stands in. */
export function keepTitle(selection: Selection): void {
  const titles = selection.segments.filter((segment) => headingOf(segment)?.element.localName === 'h1');
  const [title] = titles;
  if (title === undefined || titles.length > 1) return;
  const { index } = title;
  const isFar = (selection.lean[index] ?? 0) < -selection.reach;
  if (!isFar && selection.hasAny(index + 1, selection.segments.length - 1)) selection.add(index, index);
}

/** A section that consists of links is a menu. */
const SECTION_LINKS_MAX = 0.6;

/**
 * In reference documentation, a heading that is kept keeps what it leads up to the next kept heading: without that, it
 * says nothing. A heading beside a kept one of its level belongs to the same outline and stays. What the page calls its
 * foot, what is far below the bar and what consists of links stays out.
 */
export function keepLed(selection: Selection, foot: readonly boolean[]): void {
  const { segments } = selection;
  /** The last kept heading of each level. */
  const outline = new Map<number, Frame>();
  for (const segment of segments) {
    const { index } = segment;
    const heading = headingOf(segment);
    if (heading === null) continue;
    const level = levelOf(heading);
    const kept = outline.get(level);
    const end = endOfGap(selection, heading);
    const isGap = end > heading.last && selection.linksIn(heading.last + 1, end) <= SECTION_LINKS_MAX;
    if (isGap && kept !== undefined && isBeside(kept, heading)) keepNear(selection, index, index, foot);
    if (!selection.has(index)) continue;
    if (level > 1 || kept === undefined) outline.set(level, heading);
    if (isGap) keepNear(selection, heading.last + 1, end, foot);
  }
}

/** The last segment that a heading leads before the next kept one; the heading itself if what follows is kept text. */
function endOfGap(selection: Selection, heading: Frame): number {
  const { segments } = selection;
  const section = sectionEnd(heading, segments);
  let end = heading.last;
  while (end < section && !selection.has(end + 1)) end += 1;
  const next = segments[end + 1];
  return end < section && next !== undefined && headingOf(next) === null ? heading.last : end;
}

function keepNear(selection: Selection, first: number, last: number, foot: readonly boolean[]): void {
  for (let at = first; at <= last; at += 1) {
    if (foot[at] !== true && (selection.lean[at] ?? 0) >= -selection.reach) selection.add(at, at);
  }
}

/** Whether two headings stand in one element, or each begins an element of its own there, in elements of the same names. */
function isBeside(one: Frame, other: Frame): boolean {
  let before: Frame | null = one.parent;
  let around: Frame | null = other.parent;
  while (before !== null && around !== null && before !== around) {
    if (around.first !== other.first || before.element.localName !== around.element.localName) return false;
    before = before.parent;
    around = around.parent;
  }
  return before === around;
}

function isOfOnePart(heading: Frame, next: Frame): boolean {
  if (heading.path === next.path) return true;
  for (let around = heading.parent; around !== null; around = around.parent) {
    if (around === next.parent) return true;
  }
  return false;
}

/** The heading whose whole text is this segment. */
export function headingOf({ frame, index }: Segment): Frame | null {
  let around: Frame | null = frame;
  while (around !== null && levelOf(around) === 0) {
    if (around.first !== index || around.last !== index) return null;
    around = around.parent;
  }
  return around;
}

/**
 * The last segment before the next heading that is not below this one, within the part around it. The first heading of an
 * `article` or `section` leads all of it, whatever the levels of those below it.
 */
export function sectionEnd(heading: Frame, segments: readonly Segment[]): number {
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

function levelOf({ element }: Frame): number {
  return HEADING_TAGS.has(element.localName) ? Number(element.localName.charAt(1)) : 0;
}

/** The end of a heading's section: the end of the nearest part around it that continues after it. */
function scopeOf(heading: Frame): { last: number; isWrapped: boolean; leads: boolean } {
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

function isInPart({ parent }: Frame): boolean {
  for (let around = parent; around !== null; around = around.parent) {
    if (PARTS.has(around.element.localName)) return true;
  }
  return false;
}

/** Traits of a heading, which hold for the part below it. */
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
