import type { DomDocument, DomElement, DomEvent, DomRoot } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: DomDocument;
declare function setTimeout(run: () => void, ms: number): number;
declare const window: Pick<DomRoot, 'addEventListener' | 'removeEventListener'>;
declare const self: { periscopeGuard?: Guard };

type Guard = { accepted: string[]; refused: string[]; stop: () => void };
/** Which kinds of events reached the element, and which were kept from another one. */
export type Guarded = { accepted: string[]; refused: string[] };

/**
 * The element is `this`: until {@link GUARD_STATE} says to stop, real events of these kinds that would reach anything
 * else are taken out of the page before they get there. So nothing that slips under the pointer, or takes the focus, at
 * the last moment is ever acted on. Each tree from the document down to the element is watched: a closed shadow root
 * shows only its host outside.
 */
export const ARM_GUARD = pageScript(armGuard, [watchTrees, watchTree, isAllowed, isEditorOf, disarm]);
/** In a document around the element's frame no event of these kinds has any business at all. */
export const ARM_GUARD_AROUND = pageScript(armGuardAround, [disarm]);
export const GUARD_STATE = pageScript(guardState, [disarm]);

function armGuard(this: DomElement, kinds: readonly string[], lifeMs: number): void {
  disarm();
  const guard: Guard = { accepted: [], refused: [], stop: () => {} };
  const stops = watchTrees(this, kinds, guard);
  guard.stop = () => {
    for (const stop of stops) stop();
  };
  setTimeout(guard.stop, lifeMs);
  self.periscopeGuard = guard;
}

function watchTrees(target: DomElement, kinds: readonly string[], guard: Guard): (() => void)[] {
  const stops: (() => void)[] = [];
  let wanted = target;
  for (let root = target.getRootNode(); ; root = wanted.getRootNode()) {
    if (root === document || root.host === undefined) {
      stops.push(watchTree(window, kinds, wanted, target, guard));
      return stops;
    }
    stops.push(watchTree(root, kinds, wanted, target, guard));
    wanted = root.host;
  }
}

function watchTree(
  root: Pick<DomRoot, 'addEventListener' | 'removeEventListener'>,
  kinds: readonly string[],
  wanted: DomElement,
  target: DomElement,
  guard: Guard,
): () => void {
  const listener = (event: DomEvent) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    if (isAllowed(path, wanted, target) || isEditorOf(event.type, path, target)) {
      if (wanted === target) guard.accepted.push(event.type);
      return;
    }
    guard.refused.push(event.type);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const kind of kinds) root.addEventListener(kind, listener, true);
  return () => {
    for (const kind of kinds) root.removeEventListener(kind, listener, true);
  };
}

/** The element, what it holds, its labels, and the control that it labels: a browser clicks the one for the other. */
function isAllowed(path: readonly DomElement[], wanted: DomElement, target: DomElement): boolean {
  if (path.includes(wanted)) return true;
  const labelled = target.closest('label')?.control;
  if (labelled !== undefined && labelled !== null && path.includes(labelled)) return true;
  return [...(target.labels ?? [])].some((label) => {
    const at = path.indexOf(label);
    return at >= 0 && !path.slice(0, at).some((inner) => inner.matches?.('a[href],button,input,select,textarea'));
  });
}

/** Keys and text go to the editor as a whole, also for a paragraph in it. */
function isEditorOf(kind: string, [first]: readonly DomElement[], target: DomElement): boolean {
  if (kind !== 'beforeinput' && !kind.startsWith('key')) return false;
  return first?.isContentEditable === true && first.contains(target);
}

function armGuardAround(kinds: readonly string[], lifeMs: number): void {
  disarm();
  const guard: Guard = { accepted: [], refused: [], stop: () => {} };
  const listener = (event: DomEvent) => {
    if (!event.isTrusted) return;
    guard.refused.push(event.type);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const kind of kinds) window.addEventListener(kind, listener, true);
  guard.stop = () => {
    for (const kind of kinds) window.removeEventListener(kind, listener, true);
  };
  setTimeout(guard.stop, lifeMs);
  self.periscopeGuard = guard;
}

function guardState(stops: boolean): Guarded {
  const { accepted = [], refused = [] } = self.periscopeGuard ?? {};
  if (stops) disarm();
  return { accepted, refused };
}

function disarm(): void {
  self.periscopeGuard?.stop();
  delete self.periscopeGuard;
}
