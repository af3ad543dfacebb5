import { classOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { headingOf, sectionEnd } from './headings.ts';
import { NAME_CHARS_MAX } from './words.ts';
import type { Frame, Segment } from './segments.ts';

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
 * Which segments on an article's page were written by readers: parts with such a name or heading that come after most
 * of the article. Words count in proportion to their chance of being content.
 */
export function commentsIn(segments: readonly Segment[], chances: readonly number[]): readonly boolean[] {
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
