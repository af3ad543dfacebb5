import { intersect } from './geometry.ts';
import type { Box } from './geometry.ts';

/** A box and its name in pixels of the image. */
export type Marked = { name: string; box: Box };
/** Where its label stands. */
export type Placed = Marked & { label: Box; colour: string };

/** Dark enough for white letters (WCAG contrast above 4.5), and unlike their neighbours. */
const COLOURS = ['#b3261e', '#1a56c4', '#0b6b3a', '#8a3ffc', '#9c4a00', '#00636e', '#a3156b', '#4b5320'] as const;

export const LABEL_FONT_PX = 12;
const LABEL_HEIGHT = 15;
const CHAR_WIDTH = 7.4;
const LABEL_PADDING = 3;

/**
 * Gives each box a label: above its corner where there is room, else at another of its corners, so that labels cover
 * neither each other nor, where avoidable, what they name. A label always lies in the image and touches its box.
 */
export function placeLabels(marked: readonly Marked[], image: { width: number; height: number }): Placed[] {
  const placed: Placed[] = [];
  for (const [at, { name, box }] of marked.entries()) {
    const label = placesFor(box, name, image).toSorted(
      (one, other) => overlap(one, placed) - overlap(other, placed),
    )[0];
    if (label !== undefined) placed.push({ name, box, label, colour: COLOURS[at % COLOURS.length] ?? COLOURS[0] });
  }
  return placed;
}

/** From the best on; sorting keeps this order among equals. */
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

/** Square pixels of labels that a new one would cover. */
function overlap(label: Box, placed: readonly Placed[]): number {
  return placed.reduce((sum, other) => {
    const shared = intersect(label, other.label);
    return sum + (shared === null ? 0 : shared.width * shared.height);
  }, 0);
}
