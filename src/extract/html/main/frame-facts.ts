import { log, share } from './numbers.ts';
import type { Frame, Segment, SiblingGroup } from './segments.ts';

/** What the features of all segments in one frame have in common. */
export type FrameFacts = {
  logChars: number;
  linkShare: number;
  logBlocks: number;
  /** Share of the page's text. */
  share: number;
  /** Siblings that look like it. */
  logAlike: number;
  /** Number of its first segment. */
  first: number;
  /** The next frame around it that holds more. Wrappers around a single child add nothing. */
  up: FrameFacts | null;
  /**
   * The nearest frame, starting with itself, that has siblings like it and several parts; and the nearest one whose
   * kind fills the page.
   */
  inner: Frame | null;
  outer: Frame | null;
};

/** Fewer siblings are not a list. */
const ALIKE_MIN = 3;
const OUTER_SHARE_MIN = 0.15;
const RANK_MAX = 20;

type AllFacts = { frames: (FrameFacts | undefined)[]; ranks: Map<SiblingGroup, number> };

/** Facts about each frame with text, and the ranks of their groups. Each frame is visited once. */
export function frameFactsOf(segments: readonly Segment[], pageChars: number): AllFacts {
  const frames: (FrameFacts | undefined)[] = [];
  const groups = new Set<SiblingGroup>();
  const waiting: Frame[] = [];
  for (const segment of segments) {
    let frame: Frame | null = segment.frame;
    for (; frame !== null && frames[frame.number] === undefined; frame = frame.parent) {
      waiting.push(frame);
      if (frame.siblings !== null && frame.siblings.count >= ALIKE_MIN) groups.add(frame.siblings);
    }
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const around = next.parent === null ? undefined : frames[next.parent.number];
      frames[next.number] = factsOf(next, around, segment.index, pageChars);
    }
  }
  const order = [...groups].sort((a, b) => b.chars - a.chars);
  return { frames, ranks: new Map(order.map((group, rank) => [group, Math.min(RANK_MAX, rank)])) };
}

function factsOf(frame: Frame, around: FrameFacts | undefined, first: number, pageChars: number): FrameFacts {
  const { parent, siblings, chars, linkChars, blocks } = frame;
  const isAmongLike = siblings !== null && siblings.count >= ALIKE_MIN && siblings.chars > 0;
  const isWrapped = parent !== null && parent.chars === chars && parent.parent !== null;
  return {
    logChars: log(chars),
    linkShare: share(linkChars, chars),
    logBlocks: log(blocks),
    share: share(chars, pageChars),
    logAlike: log(siblings?.count ?? 0),
    first,
    up: (isWrapped ? around?.up : around) ?? null,
    inner: isAmongLike && blocks > 1 ? frame : (around?.inner ?? null),
    outer: isAmongLike && siblings.chars > pageChars * OUTER_SHARE_MIN ? frame : (around?.outer ?? null),
  };
}
