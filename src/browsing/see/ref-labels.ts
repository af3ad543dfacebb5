import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { RETURN_BY_VALUE, callWithHandles, callIn } from '#browsing/tabs/call-in-page.ts';
import {
  boundingBoxOfQuads,
  intersectBoxes,
  moveBox,
  projectQuad,
  framePosition,
} from '#browsing/layout/projection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { RefTarget } from '#browsing/refs/refs.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import type { Box, PlacedLabel } from '#browsing/in-page/script-types.ts';

/** Maximum labels in one screenshot. With more, labels would hide the elements that they name. */
const SCREENSHOT_LABELS_MAX = 200;
/** Maximum refs that may get a label. If the session has shown more, the latest refs are used. */
const OVERLAY_CANDIDATES_MAX = 600;

export type LabelTarget = { ref: string; target: Pick<RefTarget, 'frameId' | 'loaderId' | 'backendNodeId'> };

type Area = { clip: Box; scroll: { x: number; y: number } };

/** The elements to label: those in view, with boxes in CSS pixels. Hidden and covered elements are left out. */
export async function visibleLabelTargets(
  tab: Tab,
  targets: readonly LabelTarget[],
  { clip, scroll }: Area,
  signal: AbortSignal,
): Promise<Marked[]> {
  const seen = moveBox(clip, { x: -scroll.x, y: -scroll.y });
  const byFrame = Map.groupBy(targets.slice(-OVERLAY_CANDIDATES_MAX), ({ target }) => target.frameId);
  const found = await abortable(
    Promise.all(
      [...byFrame].map(async ([frameId, ofFrame]) => {
        const frame = tab.frame(frameId);
        if (frame === null) return [];
        const current = ofFrame.filter(({ target }) => target.loaderId === frame.loaderId);
        return findInFrame(tab, frame, current, seen);
      }),
    ),
    signal,
  );
  return found
    .flat()
    .flatMap(({ name, box }) => {
      const shown = intersectBoxes(moveBox(box, scroll), clip);
      return shown === null ? [] : [{ name, box: shown }];
    })
    .slice(0, SCREENSHOT_LABELS_MAX);
}

/**
 * Draws boxes and labels on the screenshot. The canvas is in the isolated world and in no document, so the page cannot
 * notice it.
 * @param source the screenshot of `clip`: JPEG, base64
 * @param scale size of the result relative to the source
 * @returns JPEG, base64
 */
export async function drawRefLabelOverlay(
  tab: Tab,
  source: { data: string; width: number },
  marked: readonly Marked[],
  clip: Box,
  quality: number,
  scale: number,
  signal: AbortSignal,
): Promise<string> {
  const pixels = source.width / clip.width;
  const image = { width: source.width, height: clip.height * pixels };
  const inImage = marked.map(({ name, box }) => ({
    name,
    box: {
      x: (box.x - clip.x) * pixels,
      y: (box.y - clip.y) * pixels,
      width: box.width * pixels,
      height: box.height * pixels,
    },
  }));
  return callIn(
    tab,
    tab.main(),
    pageScripts.drawRefLabels,
    [source.data, placeLabels(inImage, image), LABEL_FONT_PX, quality, scale],
    signal,
  );
}

async function findInFrame(tab: Tab, frame: Frame, targets: readonly LabelTarget[], seen: Box): Promise<Marked[]> {
  if (targets.length === 0) return [];
  const { session } = frame;
  try {
    const [executionContextId, { onto, visible }] = await Promise.all([
      tab.world(frame),
      framePosition(tab, frame, seen),
    ]);
    const elements = await Promise.all(targets.map((target) => resolve(frame, target, executionContextId)));
    const known = elements.filter((element) => element !== null);
    const handles = known.map(({ objectId }) => ({ objectId }));
    const { result } = await callWithHandles(tab, frame, pageScripts.measureBoxes, handles, RETURN_BY_VALUE);
    const boxes: (Box | null)[] = result.value ?? [];
    return known.flatMap(({ name }, at) => {
      const box = boxes[at] ?? null;
      const placed = box === null ? null : boundingBoxOfQuads([projectQuad(onto, cornersOf(box))]);
      const shown = placed === null || visible === null ? null : intersectBoxes(placed, visible);
      return shown === null ? [] : [{ name, box: shown }];
    });
  } catch (error) {
    if (error instanceof CdpError) return []; // the frame has another document now
    throw error;
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup: groupOf(frame) }).catch(() => undefined);
  }
}

/** Name of a frame's object group. Frames of one target are queried together, but each releases its own objects. */
function groupOf({ id }: Frame): string {
  return `periscope labels ${id}`;
}

async function resolve(
  frame: Frame,
  { ref, target }: LabelTarget,
  executionContextId: number,
): Promise<{ name: string; objectId: string } | null> {
  try {
    const { backendNodeId } = target;
    const { object } = await frame.session.send('DOM.resolveNode', {
      backendNodeId,
      executionContextId,
      objectGroup: groupOf(frame),
    });
    return object.objectId === undefined ? null : { name: ref.replace(/^@/, ''), objectId: object.objectId };
  } catch (error) {
    if (error instanceof CdpError) return null; // the element is gone
    throw error;
  }
}

type Marked = { name: string; box: Box };

/** Label colours, used in turn: dark enough for white letters (WCAG contrast above 4.5). */
const COLOURS = ['#b3261e', '#1a56c4', '#0b6b3a', '#8a3ffc', '#9c4a00', '#00636e', '#a3156b', '#4b5320'] as const;

const LABEL_FONT_PX = 12;
const LABEL_HEIGHT = 15;
const CHAR_WIDTH = 7.4;
const LABEL_PADDING = 3;

/**
 * Places each label above its box if there is room, otherwise at another corner or across an edge. If possible, labels
 * do not cover each other, and a label covers neither its own box nor another box, because it would seem to name the
 * other box. Each label is inside the image and touches its box.
 */
export function placeLabels(marked: readonly Marked[], image: { width: number; height: number }): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
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

/** True for a box near the labelled box that neither contains that box nor is inside it. */
function isBeside(other: Box, box: Box): boolean {
  const near = intersectBoxes(other, {
    x: box.x - REACH,
    y: box.y - REACH,
    width: box.width + 2 * REACH,
    height: box.height + 2 * REACH,
  });
  return near !== null && !isWithin(box, other) && !isWithin(other, box);
}

const REACH = 80;

function isWithin(inner: Box, outer: Box): boolean {
  const shared = intersectBoxes(inner, outer);
  return shared !== null && areaOf(shared) >= areaOf(inner) - 1;
}

function costOf(label: Box, own: Box, others: readonly Marked[], placed: readonly PlacedLabel[]): number {
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
  const shared = intersectBoxes(one, other);
  return shared === null ? 0 : areaOf(shared);
}

function areaOf({ width, height }: Box): number {
  return width * height;
}

function cornersOf({ x, y, width, height }: Box): number[] {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}
