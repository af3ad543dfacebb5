import { inShares } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import type { DomDocument, DomElement, DomNode } from '#extract/html/tree.ts';
import { chooseSegments, representatives } from './choose.ts';
import { featuresOf } from './features.ts';
import { rangesOf, readForest, scoreOf, withinRanges } from './forest.ts';
import type { Forest, Ranges } from './forest.ts';
import { calibrationOf, isLikelyShop, isSurelyArticle, kindsOf, likeliestKind, reachOf, withKinds } from './kind.ts';
import type { KindChances, PageKind } from './kind.ts';
import { KIND_FORESTS } from '#generated/models/kind-model.ts';
import { BIAS, TREES } from '#generated/models/model.ts';
import { segmentsOf } from './segments.ts';
import type { Attachment, Frame, Segment } from './segments.ts';
import { Selection } from './selection.ts';
import { keepTogether } from './structure.ts';
import type { PageTraits } from './traits.ts';
import { EMBEDDED, ICON_NAME, SHOWN_AS_TEXT, WAITING, classOf, isElement } from '#extract/html/tree.ts';
import { footOf, menusIn } from './furniture.ts';
import { headingOf, sectionEnd } from './headings.ts';
import { NAME_CHARS_MAX } from './words.ts';

type MainContent = {
  /** Nodes to leave out when the body is written. */
  skip: ReadonlySet<DomNode>;
  kind: PageKind;
  /** Characters of text in the whole page, and in what is kept. */
  chars: number;
  keptChars: number;
};

type Models = {
  segments: Forest;
  /** One for each of `PAGE_KINDS`. */
  kinds: readonly Forest[];
};

let shipped: Models | undefined;

/**
 * Separates content from what surrounds it, segment by segment: by how each looks, where it stands, and what its part
 * of the page is called. Deterministic; linear in the page except for sorting its segments. Something of a page with
 * text is always kept.
 */
export async function mainContentOf(
  document: DomDocument,
  traits: PageTraits,
  url: string,
  pause: Pause,
  models: Models = (shipped ??= readModels()),
): Promise<MainContent> {
  const { segments, attachments } = segmentsOf(document.body);
  await pause();
  const judged = representatives(segments);
  const rows = await inShares(featuresOf(segments, traits, judged), pause);
  await pause();
  const kinds = kindsOf(models.kinds, segments, rows, url);
  const scored = scoresOf(models.segments, rows, judged, kinds);
  await pause();
  const selection = selectionOf(segments, scored, kinds);
  await pause();
  return { ...leftOut(segments, attachments, selection), kind: likeliestKind(kinds) };
}

/** What is kept, by each segment's chance to be content. */
function selectionOf(segments: readonly Segment[], scored: readonly number[], kinds: KindChances): Selection {
  const foot = footOf(segments);
  const comments = isSurelyArticle(kinds) ? commentsIn(segments, scored) : [];
  const named = isLikelyShop(kinds) ? [] : furnitureIn(segments, scored, foot);
  const isOut = (index: number) => comments[index] === true || named[index] === true;
  const chances = scored.map((chance, index) => (isOut(index) ? 0 : chance));
  const sizes = segments.map((segment) => segment.words);
  const selection = new Selection(segments, chances, chooseSegments(chances, sizes), reachOf(kinds));
  keepTogether(selection, foot);
  return selection;
}

/** Words that must be expected outside what the page calls its menus and its foot. With fewer, they may be what it shows. */
const WORDS_OUTSIDE_MIN = 5;

/** The segments that the page itself calls navigation or its foot. They are never content where there is other content. */
function furnitureIn(
  segments: readonly Segment[],
  chances: readonly number[],
  foot: readonly boolean[],
): readonly boolean[] {
  const named = menusIn(segments).map((isMenu, index) => isMenu || foot[index] === true);
  let outside = 0;
  for (const { index, words } of segments) if (named[index] !== true) outside += words * (chances[index] ?? 0);
  return outside < WORDS_OUTSIDE_MIN ? [] : named;
}

function scoresOf(forest: Forest, rows: readonly Float32Array[], judged: Int32Array, kinds: KindChances): number[] {
  const { slope, shift } = calibrationOf(kinds);
  const own = rows.filter((_, index) => judged[index] === index);
  const trees = withinRanges(forest, rangesWith(own, kinds));
  const full = new Float32Array((rows[0]?.length ?? 0) + kinds.length);
  const scored: number[] = [];
  const scoreRow = (row: Float32Array) => chanceOf(scoreOf(trees, withKinds(row, kinds, full)) * slope + shift);
  for (const [index, row] of rows.entries()) scored.push(scored[judged[index] ?? index] ?? scoreRow(row));
  return scored;
}

function leftOut(
  segments: readonly Segment[],
  attachments: readonly Attachment[],
  selection: Selection,
): Pick<MainContent, 'skip' | 'chars' | 'keptChars'> {
  const skip = new Set<DomNode>();
  const keptFrames = new Set<Frame>();
  let chars = 0;
  let keptChars = 0;
  for (const { index, text, frame, nodes } of segments) {
    chars += text.length;
    if (selection.has(index)) {
      keptChars += text.length;
      keepFrames(frame, keptFrames);
    } else for (const node of nodes) skip.add(node);
  }
  for (const attachment of attachments) if (!stays(attachment, keptFrames)) skip.add(attachment.node);
  return { skip, chars, keptChars };
}

function keepFrames(inner: Frame, into: Set<Frame>): void {
  for (let frame: Frame | null = inner; frame !== null && !into.has(frame); frame = frame.parent) into.add(frame);
}

function readModels(): Models {
  return { segments: readForest(BIAS, TREES), kinds: KIND_FORESTS.map(({ bias, trees }) => readForest(bias, trees)) };
}

/** The ranges of the rows, extended by the page's kind, which is the same for all of them. */
function rangesWith(rows: readonly Float32Array[], kinds: KindChances): Ranges {
  const { lowest, highest } = rangesOf(rows);
  return { lowest: Float32Array.of(...lowest, ...kinds), highest: Float32Array.of(...highest, ...kinds) };
}

/** A picture or formula stays if the nearest text around it does. */
function stays({ node, frame }: Attachment, keptFrames: ReadonlySet<Frame>): boolean {
  if (isElement(node) && node.localName === WAITING) return false;
  if (isElement(node) && NEAR.has(node.localName)) return keptFrames.has(formAround(frame) ?? frame.block ?? frame);
  let around: Frame | null = frame;
  while (around !== null && around.blocks === 0) around = around.parent;
  return around !== null && keptFrames.has(around);
}

/** A field or an icon belongs to the text of its form or of its own block, if to any. */
const NEAR: ReadonlySet<string> = new Set([...SHOWN_AS_TEXT, ICON_NAME].filter((name) => !EMBEDDED.has(name)));
/** Around more texts than a form has, such an element only sends the state of the page. */
const FORM_BLOCKS_MAX = 60;

function formAround(inner: Frame): Frame | null {
  let around: Frame | null = inner;
  while (around !== null && around.element.localName !== 'form' && around.element.localName !== 'fieldset') {
    around = around.parent;
  }
  return around === null || around.blocks > FORM_BLOCKS_MAX ? null : around;
}

/**
 * The logistic function. Chances are rounded, so that engines whose `Math.exp` differs in the last digit choose alike.
 */
function chanceOf(score: number): number {
  return Math.round(1_000_000 / (1 + Math.exp(-score))) / 1_000_000;
}

/** Names that authors give to the part in which readers write, by words of class and id. */
const PART =
  /(?<![a-z])(?:comments?|commentlist|disqus|kommentare?|comentarios|commentaires|commenti|reacties)(?![a-z])/;
const CAMEL = /([a-z])([A-Z])/g;
/** Names that only say whether another part has comments. */
const STATE =
  /(?<![a-z])(?:comments?[-_ ](?:open|closed|off|on|enabled|disabled|status)|(?:has|no|with)[-_ ]comments?)(?![a-z])/;
/** Headings of such a part. */
const HEADING =
  /^(?:(?:\d+|no|all|reader) )?(?:comments?|responses|replies|kommentare?|comentarios|comentários|commentaires|commenti|reacties|コメント|评论|評論|комментарии)(?: ?\(?\d+\)?)?:?$|^(?:leave|add|post|write) a (?:comment|reply)$/i;
const HEADING_CHARS_MAX = 60;
/** Words that an article must have before its comments. */
const WORDS_BEFORE_MIN = 100;
/** Words after the comments, compared with those before. With more, the part belongs to the article. */
const AFTER_SHARE_MAX = 0.25;

/**
 * The segments on an article's page that readers wrote: parts with such a name or heading that come after most of the
 * article. Words count in proportion to their chance of being content.
 */
function commentsIn(segments: readonly Segment[], chances: readonly number[]): readonly boolean[] {
  const isComment = segments.map(() => false);
  let before = 0;
  let behind = 0;
  let hasComments = false;
  for (const segment of segments) {
    const { index, words } = segment;
    if (isComment[index] === true) continue;
    const end = before < WORDS_BEFORE_MIN ? null : endOfComments(segment, segments);
    const likely = words * (chances[index] ?? 0);
    if (end !== null) isComment.fill(true, index, end + 1);
    else if (hasComments) behind += likely;
    else before += likely;
    hasComments ||= end !== null;
  }
  return behind > before * AFTER_SHARE_MAX ? segments.map(() => false) : isComment;
}

/** The last segment of the comments that begin with this one, if any do. */
function endOfComments(segment: Segment, segments: readonly Segment[]): number | null {
  let part: Frame | null = null;
  for (let frame: Frame | null = segment.frame; frame !== null && frame.first === segment.index; frame = frame.parent) {
    if (isNamed(frame.element)) part = frame;
  }
  if (part !== null) return part.last;
  const heading = segment.text.length > HEADING_CHARS_MAX ? null : headingOf(segment);
  return heading !== null && HEADING.test(segment.text.trim()) ? sectionEnd(heading, segments) : null;
}

function isNamed(element: DomElement): boolean {
  const names = `${classOf(element)} ${element.getAttribute('id') ?? ''}`.slice(0, NAME_CHARS_MAX);
  const spaced = names.replace(CAMEL, '$1 $2').toLowerCase();
  return PART.test(spaced) && !STATE.test(spaced);
}
