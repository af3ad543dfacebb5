import type { ElementProblem } from '#core/errors.ts';
import { fail } from '#core/errors.ts';
import { fenceFor } from '#core/fence.ts';
import { ACT_QUOTE_CHARS_MAX, ACT_READY_MS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text.ts';
import { FRAME_POINT } from '#browsing/act/scripts/frame-point.ts';
import { READY_POINT } from '#browsing/act/scripts/ready-point.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { abortable, callOn, gone, safeRole } from './call-in-page.ts';
import type { Target } from './call-in-page.ts';
import type { Point } from './input.ts';

type Reached = { state: 'ready'; point: Point } | { state: ElementProblem; by: string | null };

/**
 * Scrolls the element into view, waits until it can be acted on, and says where it lies in the tab's viewport: the page
 * itself would hit it there, in its own document and in every document around it. Without `isHit` it may be covered:
 * keys reach it all the same.
 * @throws {PeriscopeError} `element_not_found` with the reason it cannot be acted on
 */
export async function reach(element: Target, signal: AbortSignal, { isHit = true } = {}): Promise<Point> {
  const end = Date.now() + ACT_READY_MS_MAX;
  for (;;) {
    const reached = await tryToReach(element, isHit, Math.max(end - Date.now(), 0), signal);
    if (reached.state === 'ready') return reached.point;
    if (reached.state === 'covered' && Date.now() < end) continue;
    return refuse(element, reached.state, reached.by);
  }
}

export async function refuse(element: Target, reason: ElementProblem, words: string | null = null): Promise<never> {
  return fail({
    code: 'element_not_found',
    target: safeRole(element.role),
    reason,
    quoted: words === null ? undefined : await quote(words),
  });
}

/** Words of a page, made fit to stand in one of our results. */
export async function quote(words: string, maxChars = ACT_QUOTE_CHARS_MAX): Promise<string> {
  const line = oneLine(words.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, ' '), maxChars);
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

async function tryToReach(element: Target, isHit: boolean, budgetMs: number, signal: AbortSignal): Promise<Reached> {
  const { tab, frame, objectId } = element;
  // Unlike the page's own scrolling, this also scrolls the documents around a frame of another site.
  const scrolled = frame.session.send('DOM.scrollIntoViewIfNeeded', { objectId }).catch(() => undefined);
  await abortable(scrolled, signal);
  const readiness = await callOn(element, READY_POINT, [budgetMs, isHit], signal);
  if (readiness.state !== 'ready') return readiness;
  const { isHit: isHitAround, ...point } = await pointAround(tab, frame, { x: readiness.x, y: readiness.y }, signal);
  return isHit && !isHitAround ? { state: 'covered', by: null } : { state: 'ready', point };
}

/** A point of a frame's viewport in the tab's, and whether every document around the frame hits the frame there. */
export async function pointAround(
  tab: Tab,
  frame: Frame,
  point: Point,
  signal: AbortSignal,
): Promise<Point & { isHit: boolean }> {
  let placed = { ...point, isHit: true };
  let inner = frame;
  for (const outer of framesAround(tab, frame)) {
    const owner = await ownerOf(tab, inner, outer, signal);
    const { x, y, isHit } = await callOn(owner, FRAME_POINT, [placed.x, placed.y], signal);
    placed = { x, y, isHit: isHit && placed.isHit };
    inner = outer;
  }
  return placed;
}

/** The element of the outer document that shows the inner one. */
async function ownerOf(
  tab: Tab,
  inner: Frame,
  outer: Frame,
  signal: AbortSignal,
): Promise<{ frame: Frame; objectId: string; role: string }> {
  const role = 'iframe';
  const find = async () => {
    const { backendNodeId } = await outer.session.send('DOM.getFrameOwner', { frameId: inner.id });
    const executionContextId = await tab.world(outer);
    return outer.session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  };
  const { object } = await abortable(find(), signal).catch((error: unknown) => gone(error, role));
  const objectId = object.objectId ?? fail({ code: 'element_not_found', target: role, reason: 'replaced' });
  return { frame: outer, objectId, role };
}
