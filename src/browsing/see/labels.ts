import { intersect } from '#browsing/layout/box.ts';
import type { Box, Placed } from '#browsing/in-page/scripts.ts';

/** A box and its name, in pixels of the image. */
export type Marked = { name: string; box: Box };

/** Dark enough for white letters (WCAG contrast above 4.5), and different from their neighbours. */
const COLOURS = ['#b3261e', '#1a56c4', '#0b6b3a', '#8a3ffc', '#9c4a00', '#00636e', '#a3156b', '#4b5320'] as const;

export const LABEL_FONT_PX = 12;
const LABEL_HEIGHT = 15;
const CHAR_WIDTH = 7.4;
const LABEL_PADDING = 3;

/**
 * Places a label at each box: above its corner if there is room, otherwise at another corner or across an edge. Labels
 * do not cover each other. As far as possible they do not cover what they name, and even less what other labels name,
 * because they would be read as its label. A label always lies inside the image and touches its box.
 */
export function placeLabels(marked: readonly Marked[], image: { width: number; height: number }): Placed[] {
  const placed: Placed[] = [];
  for (const [at, { name, box }] of marked.entries()) {
    const near = marked.filter((other) => other.box !== box && isBeside(other.box, box));
    const cost = (label: Box) => costOf(label, box, near, placed);
    const [label] = placesFor(box, name, image)
      .map((place) => ({ place, cost: cost(place) }))
      .toSorted((one, other) => one.cost - other.cost)
      .map(({ place }) => place);
    if (label !== undefined) placed.push({ name, box, label, colour: COLOURS[at % COLOURS.length] ?? COLOURS[0] });
  }
  return placed;
}

/** From best to worst. Sorting keeps this order among equals. */
function placesFor({ x, y, width, height }: Box, name: string, image: { width: number; height: number }): Box[] {
  const size = { width: Math.ceil(name.length * CHAR_WIDTH) + 2 * LABEL_PADDING, height: LABEL_HEIGHT };
  const right = x + width - size.width;
  const bottom = y + height;
  const corners = [
    [x, y - size.height],
    [right, y - size.height],
    [x - size.width, y],
    [x + width, y],
    [x, bottom],
    [right, bottom],
    [x, y - size.height / 2],
    [right, y - size.height / 2],
    [x, y],
    [right, y],
    [right, bottom - size.height],
    [x, bottom - size.height],
  ] as const;
  return corners.map(([left, top]) => ({
    x: clamp(left, image.width - size.width),
    y: clamp(top, image.height - size.height),
    ...size,
  }));
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, max));
}

/** Close enough for a label to reach it, but neither around the box nor inside it. */
function isBeside(other: Box, box: Box): boolean {
  const near = intersect(other, {
    x: box.x - REACH,
    y: box.y - REACH,
    width: box.width + 2 * REACH,
    height: box.height + 2 * REACH,
  });
  return near !== null && !isWithin(box, other) && !isWithin(other, box);
}

/** Longer than any label. */
const REACH = 80;

function isWithin(inner: Box, outer: Box): boolean {
  const shared = intersect(inner, outer);
  return shared !== null && areaOf(shared) >= areaOf(inner) - 1;
}

/** The area that a label covers, weighted by the harm it does there. */
function costOf(label: Box, own: Box, others: readonly Marked[], placed: readonly Placed[]): number {
  const covered = (boxes: readonly Box[]) => boxes.reduce((sum, box) => sum + sharedArea(label, box), 0);
  return (
    LABEL_WEIGHT * covered(placed.map((other) => other.label)) +
    OTHERS_WEIGHT * covered(others.map(({ box }) => box)) +
    sharedArea(label, own)
  );
}

const LABEL_WEIGHT = 20;
const OTHERS_WEIGHT = 2;

function sharedArea(one: Box, other: Box): number {
  const shared = intersect(one, other);
  return shared === null ? 0 : areaOf(shared);
}

function areaOf({ width, height }: Box): number {
  return width * height;
}
