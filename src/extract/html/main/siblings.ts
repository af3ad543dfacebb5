import { BLOCK_TAGS, classOf } from '#extract/html/tree.ts';
import type { SegmentAncestor, SiblingGroup } from './segments.ts';
import type { ContentSelection } from './selection.ts';

const GROUP_MIN = 3;
/**
 * Minimum share of a group's elements that are partly main content, or between such elements, for the group to be
 * completed.
 */
const SHARE_MIN = 0.5;
/**
 * Maximum pieces of text in an element of a group. An element with more pieces is a part of the page with its own
 * content.
 */
const SEGMENTS_MAX = 40;
/** Minimum content score (`lean`) of a text that is added to the main content. */
const LEAN_MIN = -2;
/** Maximum share of link text in a text that is added to the main content. */
const LINKS_MAX = 0.8;
/** Minimum share of different texts in a group. The same text in every element is a button or an advertisement. */
const DISTINCT_SHARE_MIN = 0.8;
/** Elements whose tag says nothing about their content: they form groups only if they have a class. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'section', 'article', 'center']);

type Member = { frame: SegmentAncestor; at: number; among: readonly SegmentAncestor[] };

/**
 * Closes gaps in the main content. Children of one element with the same tag and class form a group. If most of a group
 * is main content in part, all after the first of these are added. The same applies to elements that alternate with
 * main content of another group, such as command names between their descriptions. Linear.
 */
export function addSiblingTexts(
  selection: ContentSelection,
  frames: readonly SegmentAncestor[],
  foot: readonly boolean[],
): void {
  const groups = groupsIn(frames);
  for (const fits of [isAlike, isBetween]) {
    const kept = selection.countKept();
    const isKept = ({ first, last }: SegmentAncestor) => (kept[last + 1] ?? 0) > (kept[first] ?? 0);
    for (const members of groups) {
      const holes = members.filter(({ frame }) => !isKept(frame));
      if (holes.length === 0) continue;
      for (const frame of fits(selection, members, holes, isKept)) keepHole(selection, frame, foot);
    }
  }
}

function groupsIn(frames: readonly SegmentAncestor[]): readonly Member[][] {
  const blocks = new Map<SegmentAncestor, SegmentAncestor[]>();
  const groups = new Map<SiblingGroup, Member[]>();
  for (const frame of frames) {
    const { parent, siblings, element } = frame;
    if (parent === null || siblings === null || !BLOCK_TAGS.has(element.localName)) continue;
    const among = blocks.get(parent) ?? [];
    blocks.set(parent, among);
    const at = among.push(frame) - 1;
    if (NAMELESS.has(element.localName) && classOf(element) === '') continue;
    const group = groups.get(siblings) ?? [];
    groups.set(siblings, group);
    group.push({ frame, at, among });
  }
  return [...groups.values()].filter((members) => members.length >= GROUP_MIN);
}

type IsKept = (frame: SegmentAncestor) => boolean;

function isAlike(
  _: ContentSelection,
  members: readonly Member[],
  holes: readonly Member[],
  isKept: IsKept,
): SegmentAncestor[] {
  if (members.length - holes.length < members.length * SHARE_MIN) return [];
  const first = members.find(({ frame }) => isKept(frame))?.at ?? Infinity;
  return holes.filter(({ at }) => at > first).map(({ frame }) => frame);
}

function isBetween(
  selection: ContentSelection,
  members: readonly Member[],
  holes: readonly Member[],
  isKept: IsKept,
): SegmentAncestor[] {
  const placed = holes.filter(({ frame, at, among }) => {
    const isSide = (step: number) => {
      let beside = among[at + step];
      if (beside?.siblings === frame.siblings) beside = among[at + 2 * step];
      return beside !== undefined && isKept(beside);
    };
    return isSide(-1) && isSide(1);
  });
  const texts = new Set(members.map(({ frame }) => selection.segments[frame.first]?.text));
  const isKind = placed.length >= holes.length * SHARE_MIN && texts.size >= members.length * DISTINCT_SHARE_MIN;
  return isKind ? placed.map(({ frame }) => frame) : [];
}

function keepHole(selection: ContentSelection, { first, last }: SegmentAncestor, foot: readonly boolean[]): void {
  if (last - first >= SEGMENTS_MAX) return;
  for (let at = first; at <= last; at += 1) {
    const isNear = foot[at] !== true && (selection.lean[at] ?? 0) >= LEAN_MIN;
    if (isNear && selection.linksIn(at, at) < LINKS_MAX) selection.add(at, at);
  }
}
