import { runWithPauses } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import type { DomDocument, DomElement, DomNode } from '#extract/html/tree.ts';
import { completeCardTexts } from './cards.ts';
import { chooseSegments, mapToSampledSegments } from './choose.ts';
import { computeFeatures } from '#extract/html/main/model/features.ts';
import { findFeatureRanges, parseForest, scoreFeatureRow, pruneForest } from '#extract/html/main/model/forest.ts';
import type { DecisionForest, FeatureRanges } from '#extract/html/main/model/forest.ts';
import {
  averageCalibration,
  appendKindChances,
  isLikelyShop,
  isSurelyArticle,
  predictPageKinds,
  likeliestKind,
  computeSelectionReach,
} from '#extract/html/main/model/kind.ts';
import type { KindChances, PageKind } from '#extract/html/main/model/kind.ts';
import { KIND_FORESTS } from '#generated/models/kind-model.ts';
import { BIAS, TREES } from '#generated/models/model.ts';
import { divideIntoSegments } from './segments.ts';
import type { NonTextNode, SegmentAncestor, TextSegment } from './segments.ts';
import { ContentSelection } from './selection.ts';
import { smoothSelection } from './smooth-selection.ts';
import type { PageTraits } from '#extract/html/main/model/traits.ts';
import {
  EMBEDDED_TAGS,
  ICON_NAME_TAG,
  REPLACED_TAGS,
  MOVED_PANEL_TAG,
  classOf,
  isElement,
} from '#extract/html/tree.ts';
import { markFooterTexts, markMenuTexts } from './furniture.ts';
import { headingOf, sectionEnd } from './headings.ts';
import { CLASS_ATTRIBUTE_CHARS_MAX } from '#extract/html/main/model/words.ts';

type MainContent = {
  skip: ReadonlySet<DomNode>;
  kind: PageKind;
  chars: number;
  keptChars: number;
};

type Models = {
  segments: DecisionForest;
  /** One model for each kind of page, in the order of `PAGE_KINDS`. */
  kinds: readonly DecisionForest[];
};

let shipped: Models | undefined;

/**
 * Separates the main content of a page from menus, footers and the like. A model scores each text by its appearance,
 * its position and the class names around it. May choose no text, for example if a list is left out as a whole.
 * Deterministic; linear except for sorting.
 */
export async function separateMainContent(
  document: DomDocument,
  traits: PageTraits,
  url: string,
  pause: Pause,
  models: Models = (shipped ??= readModels()),
): Promise<MainContent> {
  const { segments, attachments } = divideIntoSegments(document.body);
  await pause();
  const judged = mapToSampledSegments(segments);
  const rows = await runWithPauses(computeFeatures(segments, traits, judged), pause);
  await pause();
  const kinds = predictPageKinds(models.kinds, segments, rows, url);
  const scored = scoresOf(models.segments, rows, judged, kinds);
  await pause();
  const selection = selectionOf(segments, scored, kinds);
  await pause();
  return { ...leftOut(segments, attachments, selection), kind: likeliestKind(kinds) };
}

function selectionOf(
  segments: readonly TextSegment[],
  scored: readonly number[],
  kinds: KindChances,
): ContentSelection {
  const foot = markFooterTexts(segments);
  const comments = isSurelyArticle(kinds) ? commentsIn(segments, scored) : [];
  const named = isLikelyShop(kinds) ? [] : furnitureIn(segments, scored, foot);
  const isOut = (index: number) => comments[index] === true || named[index] === true;
  const chances = scored.map((chance, index) => (isOut(index) ? 0 : chance));
  const sizes = segments.map((segment) => segment.words);
  const selection = new ContentSelection(
    segments,
    chances,
    chooseSegments(chances, sizes),
    computeSelectionReach(kinds, segments),
  );
  smoothSelection(selection, foot, isLikelyShop(kinds));
  // Cards are not completed in shops: their prices and ratings belong to other products.
  if (!isLikelyShop(kinds)) completeCardTexts(selection, foot);
  return selection;
}

/** Minimum words of content outside menus and footers. If there are fewer, the menus may be the content of the page. */
const WORDS_OUTSIDE_MIN = 5;

/**
 * Marks the texts in menus and footers, which are then dropped. Marks nothing on a page with almost no other content.
 */
function furnitureIn(
  segments: readonly TextSegment[],
  chances: readonly number[],
  foot: readonly boolean[],
): readonly boolean[] {
  const named = markMenuTexts(segments).map((isMenu, index) => isMenu || foot[index] === true);
  let outside = 0;
  for (const { index, words } of segments) if (named[index] !== true) outside += words * (chances[index] ?? 0);
  return outside < WORDS_OUTSIDE_MIN ? [] : named;
}

function scoresOf(
  forest: DecisionForest,
  rows: readonly Float32Array[],
  judged: Int32Array,
  kinds: KindChances,
): number[] {
  const { slope, shift } = averageCalibration(kinds);
  const own = rows.filter((_, index) => judged[index] === index);
  const trees = pruneForest(forest, rangesWith(own, kinds));
  const scored: number[] = [];
  // Rows lack the chances of page kinds, which are the same for all texts: pruning removes their branches.
  const scoreRow = (row: Float32Array) => chanceOf(scoreFeatureRow(trees, row) * slope + shift);
  for (const [index, row] of rows.entries()) scored.push(scored[judged[index] ?? index] ?? scoreRow(row));
  return scored;
}

function leftOut(
  segments: readonly TextSegment[],
  attachments: readonly NonTextNode[],
  selection: ContentSelection,
): Pick<MainContent, 'skip' | 'chars' | 'keptChars'> {
  const skip = new Set<DomNode>();
  const keptFrames = new Set<SegmentAncestor>();
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

function keepFrames(inner: SegmentAncestor, into: Set<SegmentAncestor>): void {
  for (let frame: SegmentAncestor | null = inner; frame !== null && !into.has(frame); frame = frame.parent)
    into.add(frame);
}

function readModels(): Models {
  return { segments: parseForest(BIAS, TREES), kinds: KIND_FORESTS.map(({ bias, trees }) => parseForest(bias, trees)) };
}

/** Returns the range of each feature on the page. The chances of page kinds are the same for all texts. */
function rangesWith(rows: readonly Float32Array[], kinds: KindChances): FeatureRanges {
  const { lowest, highest } = findFeatureRanges(rows);
  return { lowest: appendKindChances(lowest, kinds), highest: appendKindChances(highest, kinds) };
}

/** True if a node without text, such as a picture, is main content, because the nearest text around it is. */
function stays({ node, frame }: NonTextNode, keptFrames: ReadonlySet<SegmentAncestor>): boolean {
  if (isElement(node) && node.localName === MOVED_PANEL_TAG) return false;
  if (isElement(node) && NEAR.has(node.localName)) return keptFrames.has(formAround(frame) ?? frame.block ?? frame);
  let around: SegmentAncestor | null = frame;
  while (around !== null && around.blocks === 0) around = around.parent;
  return around !== null && keptFrames.has(around);
}

/**
 * Form fields and icons. They are main content if the text of their form is or, outside a form, the text of their own
 * block.
 */
const NEAR: ReadonlySet<string> = new Set([...REPLACED_TAGS, ICON_NAME_TAG].filter((name) => !EMBEDDED_TAGS.has(name)));
/** Maximum blocks in a `form`. Some sites wrap the whole page in a form that submits its state. */
const FORM_BLOCKS_MAX = 60;

function formAround(inner: SegmentAncestor): SegmentAncestor | null {
  let around: SegmentAncestor | null = inner;
  while (around !== null && around.element.localName !== 'form' && around.element.localName !== 'fieldset') {
    around = around.parent;
  }
  return around === null || around.blocks > FORM_BLOCKS_MAX ? null : around;
}

/** Logistic function, rounded because the last digits of `Math.exp` differ between JavaScript engines. */
function chanceOf(score: number): number {
  return Math.round(1_000_000 / (1 + Math.exp(-score))) / 1_000_000;
}

/** Matches class and id words of a comment section. */
const PART =
  /(?<![a-z])(?:comments?|commentlist|disqus|kommentare?|comentarios|commentaires|commenti|reacties)(?![a-z])/;
const CAMEL = /([a-z])([A-Z])/g;
/** Matches class names that only say whether there are comments or whether they are open, such as `has-comments`. */
const STATE =
  /(?<![a-z])(?:comments?[-_ ](?:open|closed|off|on|enabled|disabled|status)|(?:has|no|with)[-_ ]comments?)(?![a-z])/;
/** Matches the heading of a comment section, such as "12 Comments". */
const HEADING =
  /^(?:(?:\d+|no|all|reader) )?(?:comments?|responses|replies|kommentare?|comentarios|comentários|commentaires|commenti|reacties|コメント|评论|評論|комментарии)(?: ?\(?\d+\)?)?:?$|^(?:leave|add|post|write) a (?:comment|reply)$/i;
const HEADING_CHARS_MAX = 60;
/** Minimum words of an article before its comment section. */
const WORDS_BEFORE_MIN = 100;
/**
 * Maximum words after a comment section, relative to those before it. If more words follow, it is part of the article.
 */
const AFTER_SHARE_MAX = 0.25;

/**
 * Marks the comments of readers below an article: a section named "Comments" that comes after most of the article.
 * Words count by their chance of being content.
 */
function commentsIn(segments: readonly TextSegment[], chances: readonly number[]): readonly boolean[] {
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

/** Returns the last text of the comment section that begins with this text, or `null`. */
function endOfComments(segment: TextSegment, segments: readonly TextSegment[]): number | null {
  let part: SegmentAncestor | null = null;
  for (
    let frame: SegmentAncestor | null = segment.frame;
    frame !== null && frame.first === segment.index;
    frame = frame.parent
  ) {
    if (isNamed(frame.element)) part = frame;
  }
  if (part !== null) return part.last;
  const heading = segment.text.length > HEADING_CHARS_MAX ? null : headingOf(segment);
  return heading !== null && HEADING.test(segment.text.trim()) ? sectionEnd(heading, segments) : null;
}

function isNamed(element: DomElement): boolean {
  const names = `${classOf(element)} ${element.getAttribute('id') ?? ''}`.slice(0, CLASS_ATTRIBUTE_CHARS_MAX);
  const spaced = names.replace(CAMEL, '$1 $2').toLowerCase();
  return PART.test(spaced) && !STATE.test(spaced);
}
