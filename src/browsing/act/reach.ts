import type { ElementProblem } from '#core/failures/failure.ts';
import { fail } from '#core/failures/failure.ts';
import { fenceFor, oneLine } from '#core/text/text.ts';
import { ACT_QUOTE_CHARS_MAX, ACT_READY_MS_MAX } from '#core/limits.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { abortable, within } from '#core/flow/abort.ts';
import { callOn, gone, safeRole } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { ownerOf } from '#browsing/layout/frame-position.ts';
import type { FrameOwner } from '#browsing/layout/frame-position.ts';
import type { Point, Projection } from '#browsing/layout/projection.ts';
import { inverse, projected, projectionOnto } from '#browsing/layout/projection.ts';
import type { Protocol } from 'devtools-protocol';
import { ACT_INPUT_MS_MAX } from './limits.ts';

type Reached = { state: 'ready'; point: Point } | { state: ElementProblem; by: string | null };

/**
 * Scrolls the element into view, waits until it can be acted on, and returns its place in the tab's viewport. A click
 * at that place hits the element in its own document, and its frame in every document around it. Without `isHit` the
 * element may be covered, because keys reach it all the same.
 * @throws {PeriscopeError} `element_not_found` with the reason why it cannot be acted on
 */
export async function reach(element: PageElement, signal: AbortSignal, { isHit = true } = {}): Promise<Point> {
  const end = Date.now() + ACT_READY_MS_MAX;
  for (;;) {
    const reached = await tryToReach(element, isHit, Math.max(end - Date.now(), 0), signal);
    if (reached.state === 'ready') return reached.point;
    if (reached.state === 'covered' && Date.now() < end) continue;
    return refuse(element, reached.state, reached.by);
  }
}

export async function refuse(
  element: PageElement,
  reason: ElementProblem,
  words: string | null = null,
): Promise<never> {
  return fail({
    code: 'element_not_found',
    target: safeRole(element.role),
    reason,
    quoted: words === null ? undefined : await quote(words),
  });
}

/** Page text, prepared for use inside one of our results. */
export async function quote(words: string, maxChars = ACT_QUOTE_CHARS_MAX): Promise<string> {
  const line = oneLine(words, maxChars);
  const { open, close } = await fenceFor(line);
  return `${open} ${line} ${close}`;
}

/** The frames around a frame, the nearest first. */
export function framesAround(tab: Tab, frame: Frame): Frame[] {
  const around: Frame[] = [];
  for (let id = frame.parentId; id !== null;) {
    const parent: Frame | null = tab.frame(id);
    if (parent === null) break;
    around.push(parent);
    id = parent.parentId;
  }
  return around;
}

async function tryToReach(
  element: PageElement,
  isHit: boolean,
  budgetMs: number,
  signal: AbortSignal,
): Promise<Reached> {
  const { tab, frame, objectId } = element;
  // Unlike the page's own scrolling, this also scrolls the documents around a frame of another site.
  const scrolled = frame.session.send('DOM.scrollIntoViewIfNeeded', { objectId }).catch(() => undefined);
  await abortable(scrolled, signal);
  const readiness = await callOn(element, pageScripts.readyPoint, [budgetMs, isHit], signal);
  if (readiness.state !== 'ready') return readiness;
  const { isHit: isHitAround, ...point } = await pointAround(tab, frame, { x: readiness.x, y: readiness.y }, signal);
  return isHit && !isHitAround ? { state: 'covered', by: null } : { state: 'ready', point };
}

/**
 * Converts a point of a frame's viewport into one of the tab's. Also tells whether every document around the frame hits
 * the frame there.
 */
export async function pointAround(
  tab: Tab,
  frame: Frame,
  point: Point,
  signal: AbortSignal,
): Promise<Point & { isHit: boolean }> {
  const inside = [frame, ...framesAround(tab, frame)];
  const found = Promise.all(inside.slice(1).map((outer, at) => ownerOf(tab, inside[at] ?? frame, outer)));
  const owners = await abortable(found, signal).catch((error: unknown) => gone(error, 'iframe'));
  let placed = point;
  const hits: Promise<boolean>[] = [];
  for (const [at, owner] of owners.entries()) {
    placed = stepOut(placed, owner, owners[at + 1] ?? null);
    hits.push(isHitAt(tab, owner, placed, signal));
  }
  return { ...placed, isHit: (await Promise.all(hits)).every(Boolean) };
}

/** Chromium gives the frame's place in the viewport of its target, which may itself be inside other frames. */
function stepOut(point: Point, owner: FrameOwner, next: FrameOwner | null): Point {
  const inTarget = projected(ontoTarget(owner), point);
  const isOuterInTarget = next !== null && next.outer.session.id === owner.outer.session.id;
  return isOuterInTarget ? projected(inverse(ontoTarget(next)), inTarget) : inTarget;
}

function ontoTarget({ width, height, quad }: FrameOwner): Projection {
  const onto = projectionOnto(width, height, quad);
  return onto ?? fail({ code: 'element_not_found', target: 'iframe', reason: 'hidden' });
}

async function isHitAt(tab: Tab, owner: FrameOwner, { x, y }: Point, signal: AbortSignal): Promise<boolean> {
  const { outer, backendNodeId } = owner;
  const role = 'iframe';
  const find = async () => {
    const executionContextId = await tab.world(outer);
    return outer.session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  };
  const { object } = await abortable(find(), signal).catch((error: unknown) => gone(error, role));
  const objectId = object.objectId ?? fail({ code: 'element_not_found', target: role, reason: 'replaced' });
  return callOn({ frame: outer, objectId, role }, pageScripts.frameHit, [x, y], signal);
}

export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';
export type MouseButton = 'left' | 'right' | 'middle';

const MODIFIER_BITS: Record<Modifier, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

export function modifierBits(modifiers: readonly Modifier[]): number {
  return modifiers.reduce((bits, modifier) => bits | MODIFIER_BITS[modifier], 0);
}

/**
 * Real, trusted events with user activation, as from a person's mouse and keyboard. The browser routes them to the
 * right frame, even in another process. A page that is too busy to confirm an event is not waited for long.
 */
export async function sendMouse(
  tab: Tab,
  event: Protocol.Input.DispatchMouseEventRequest,
  signal: AbortSignal,
): Promise<void> {
  await confirmed(tab.session.send('Input.dispatchMouseEvent', event), signal);
}

/** One step of the browser's own drag and drop. */
export async function sendDrag(
  tab: Tab,
  event: Protocol.Input.DispatchDragEventRequest,
  signal: AbortSignal,
): Promise<void> {
  await confirmed(tab.session.send('Input.dispatchDragEvent', event), signal);
}

export async function sendKey(
  tab: Tab,
  event: Protocol.Input.DispatchKeyEventRequest,
  signal: AbortSignal,
): Promise<void> {
  await confirmed(tab.session.send('Input.dispatchKeyEvent', event), signal);
}

/** Replaces the selection with text at the focus, as an input method does. */
export async function insertText(tab: Tab, text: string, signal: AbortSignal): Promise<void> {
  await confirmed(tab.session.send('Input.insertText', { text }), signal);
}

async function confirmed(sent: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await within(sent, ACT_INPUT_MS_MAX, signal).catch((error: unknown) => gone(error, 'page'));
}
