import { LARGER_WINDOW } from '#core/failures/browser-failures.ts';
import type { ElementProblem } from '#core/failures/browser-failures.ts';
import { fail } from '#core/failures/failure.ts';
import { createFence, oneLine } from '#core/text/text.ts';
import { PAGE_QUOTE_CHARS_MAX, ACTIONABLE_WAIT_MS_MAX } from '#core/limits.ts';
import type { OutsideDirection, OutsidePlace, ScriptSource } from '#browsing/in-page/script-types.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Frame, Tab, PageElement } from '#browsing/tabs/tab.ts';
import { abortable } from '#core/flow/abort.ts';
import { callOn, failElementGone, sanitizeRole, asArguments, callFunction } from '#browsing/tabs/call-in-page.ts';
import type { Point, Projection, FrameOwner } from '#browsing/layout/projection.ts';
import { invertProjection, projectPoint, projectionOntoQuad, findFrameOwner } from '#browsing/layout/projection.ts';

/**
 * `mayHoldFrame`: a press at this point may reach the document of a frame inside the element. `changed`: words of the
 * element, or only of its row, have changed since it was found.
 */
type ReachedPoint = { point: Point; mayHoldFrame: boolean; changed: ChangedWords | null };
/** `row`: only words of its row have changed. */
export type ChangedWords = 'element' | 'row';
type Reached = ({ state: 'ready' } & ReachedPoint) | ({ state: ElementProblem; by: string | null } & OutsidePlace);

/**
 * Scrolls the element into view, waits until it is actionable, and returns a point in the tab's viewport. A click there
 * hits the element in its own document, and its frame in every document around it. Without `isHit`, the element may be
 * covered, which does not matter for keys. Scrolling that only scripts can do is undone after the action, unless
 * `stays`.
 * @throws {PeriscopeError} `element_not_found` with the reason
 */
export async function findActionPoint(
  element: PageElement,
  signal: AbortSignal,
  options: { isHit?: boolean; stays?: boolean } = {},
): Promise<Point> {
  return (await findActionPointDetails(element, signal, options)).point;
}

export async function findActionPointDetails(
  element: PageElement,
  signal: AbortSignal,
  { isHit = true, stays = false } = {},
): Promise<ReachedPoint> {
  const end = Date.now() + ACTIONABLE_WAIT_MS_MAX;
  for (;;) {
    const reached = await tryToReach(element, { isHit, stays }, Math.max(end - Date.now(), 0), signal);
    if (reached.state === 'ready') return reached;
    if (reached.state === 'covered' && Date.now() < end) continue;
    const { by } = reached;
    if (reached.state === 'covered' && by !== null) return refuseCovered(element, by, signal);
    return throwElementProblem(element, reached.state, by, await describeOutside(element, reached, signal));
  }
}

/** Throws the failure for this problem. @throws {PeriscopeError} `element_not_found` */
export async function throwElementProblem(
  element: PageElement,
  reason: ElementProblem,
  words: string | null = null,
  outside: { where?: OutsideDirection; isOutOfReach?: boolean } = {},
): Promise<never> {
  return fail({
    code: 'element_not_found',
    target: sanitizeRole(element.role),
    reason,
    ...outside,
    quoted: words === null ? undefined : await fenceQuote(words),
  });
}

/** `isOutOfReach`: true if a larger window does not help, or if the window is already as large as hints suggest. */
async function describeOutside({ tab }: PageElement, { where, isPinned = false }: OutsidePlace, signal: AbortSignal) {
  if (where === undefined) return {};
  const { cssLayoutViewport: window } = await abortable(tab.session.send('Page.getLayoutMetrics'), signal);
  const isLarge =
    where === 'below'
      ? window.clientHeight >= LARGER_WINDOW.height
      : where !== 'above' && window.clientWidth >= LARGER_WINDOW.width;
  return { where, isOutOfReach: isPinned || isLarge };
}

/** Cause of an error: the elements that cover the target, innermost first. `words`: their text, from the page. */
export class CoveredError extends Error {
  override name = 'Covered';
  readonly by: readonly PageElement[];
  readonly words: string;

  constructor(by: readonly PageElement[], words: string) {
    super('covered');
    this.by = by;
    this.words = words;
  }
}

const COVERS_MAX = 6;

async function refuseCovered(element: PageElement, words: string, signal: AbortSignal): Promise<never> {
  const by = await findElementsByScript(element, pageScripts.findCoveringElements, COVERS_MAX, signal);
  const failure = {
    code: 'element_not_found' as const,
    target: sanitizeRole(element.role),
    reason: 'covered' as const,
  };
  return fail({ ...failure, quoted: await fenceQuote(words) }, { cause: new CoveredError(by, words) });
}

export async function fenceQuote(words: string, maxChars = PAGE_QUOTE_CHARS_MAX): Promise<string> {
  const line = oneLine(words, maxChars);
  const { open, close } = await createFence(line);
  return `${open} ${line} ${close}`;
}

export function ancestorFrames(tab: Tab, frame: Frame): Frame[] {
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
  { isHit, stays }: { isHit: boolean; stays: boolean },
  budgetMs: number,
  signal: AbortSignal,
): Promise<Reached> {
  const { tab, frame, objectId } = element;
  if (frame.parentId !== null) {
    // Unlike scrolling by script, this also scrolls the documents around a cross-site frame.
    const scrolled = frame.session.send('DOM.scrollIntoViewIfNeeded', { objectId }).catch(() => undefined);
    await abortable(scrolled, signal);
  }
  const words = element.words ?? '';
  const readiness = await callOn(element, pageScripts.waitForClickPoint, [budgetMs, isHit, stays, words], signal);
  if (readiness.state !== 'ready') return readiness;
  const { x, y, mayHoldFrame = false, changed = null } = readiness;
  const { isHit: isHitAround, ...point } = await pointToTabViewport(tab, frame, { x, y }, signal);
  return isHit && !isHitAround ? { state: 'covered', by: null } : { state: 'ready', point, mayHoldFrame, changed };
}

/** @returns the point in the tab's viewport; `isHit`: true if a hit test finds the frame in each document around it */
export async function pointToTabViewport(
  tab: Tab,
  frame: Frame,
  point: Point,
  signal: AbortSignal,
): Promise<Point & { isHit: boolean }> {
  const inside = [frame, ...ancestorFrames(tab, frame)];
  const found = Promise.all(inside.slice(1).map((outer, at) => findFrameOwner(tab, inside[at] ?? frame, outer)));
  const owners = await abortable(found, signal).catch(failElementGone('iframe'));
  let placed = point;
  const hits: Promise<boolean>[] = [];
  for (const [at, owner] of owners.entries()) {
    placed = stepOut(placed, owner, owners[at + 1] ?? null);
    hits.push(isHitAt(tab, owner, placed, signal));
  }
  return { ...placed, isHit: (await Promise.all(hits)).every(Boolean) };
}

/**
 * Converts a point to the next outer frame. CDP reports the position of an iframe in the viewport of its target, which
 * may contain several nested frames.
 */
function stepOut(point: Point, owner: FrameOwner, next: FrameOwner | null): Point {
  const inTarget = projectPoint(ontoTarget(owner), point);
  const isOuterInTarget = next !== null && next.outer.session.id === owner.outer.session.id;
  return isOuterInTarget ? projectPoint(invertProjection(ontoTarget(next)), inTarget) : inTarget;
}

function ontoTarget({ width, height, quad }: FrameOwner): Projection {
  const onto = projectionOntoQuad(width, height, quad);
  return onto ?? fail({ code: 'element_not_found', target: 'iframe', reason: 'hidden' });
}

async function isHitAt(tab: Tab, owner: FrameOwner, { x, y }: Point, signal: AbortSignal): Promise<boolean> {
  const { outer, backendNodeId } = owner;
  const role = 'iframe';
  const find = async () => {
    const executionContextId = await tab.world(outer);
    return outer.session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  };
  const { object } = await abortable(find(), signal).catch(failElementGone(role));
  const objectId = object.objectId ?? fail({ code: 'element_not_found', target: role, reason: 'replaced' });
  return callOn({ frame: outer, objectId, role }, pageScripts.isFrameHitAt, [x, y], signal);
}

/**
 * Handles of the elements that a page script finds from the given element, in the script's order.
 * @throws {PeriscopeError} `element_not_found` if the element is gone
 */
export async function findElementsByScript(
  element: PageElement,
  script: ScriptSource<'handles', (max: number) => object>,
  max: number,
  signal: AbortSignal,
): Promise<PageElement[]> {
  const { tab, frame, objectId, role } = element;
  const { session } = frame;
  const find = async () => {
    const { result } = await callFunction(session, { objectId }, script, asArguments([max]), {});
    if (result.objectId === undefined) return [];
    const held = await session.send('Runtime.getProperties', { objectId: result.objectId, ownProperties: true });
    const nodes = held.result.flatMap(({ value }) => (value?.subtype === 'node' ? (value.objectId ?? []) : []));
    const described = nodes.map(async (id) => {
      const { node } = await session.send('DOM.describeNode', { objectId: id });
      return { tab, frame, backendNodeId: node.backendNodeId, objectId: id, role: 'generic', name: '' };
    });
    return Promise.all(described);
  };
  return abortable(find(), signal).catch(failElementGone(role));
}
