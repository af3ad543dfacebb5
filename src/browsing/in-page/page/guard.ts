import { labelsOf } from '#browsing/in-page/elements/elements.ts';
import type { AnyElement, Root } from '#browsing/in-page/elements/elements.ts';
import type { Guarded } from '#browsing/in-page/scripts.ts';

/**
 * What the request gate cannot see must not exist in a page. `Fetch` covers every HTTP request of every target, but not
 * WebSocket, WebTransport and WebRTC, which open connections of their own, and a service worker could answer a
 * navigation by itself. (A content security policy added to the response would be the natural way; Chromium parses that
 * header before the DevTools protocol can change it.)
 *
 * What asks a person to choose a device or a screen goes, too: nobody is there, and the page would wait for ever.
 *
 * Documents may open a WebSocket to their own host, which passed the gate; everything else is taken away. The scripts
 * run before any script of the page, in every frame and worker, and there is no fresh realm to fetch an untouched copy
 * from: each one is a target, or a document of one, that is held until it has been treated. What they use is captured
 * first, so that a page cannot change it under them.
 */
export function guardDocument(): void {
  take(globalThis, [
    'RTCPeerConnection',
    'webkitRTCPeerConnection',
    'RTCIceTransport',
    'WebSocketStream',
    'WebTransport',
  ]);
  take(Navigator.prototype, ['serviceWorker', 'usb', 'hid', 'serial', 'bluetooth']);
  if ('MediaDevices' in globalThis) take(MediaDevices.prototype, ['getDisplayMedia']);
  if ('WebSocket' in globalThis) guardWebSocket(WebSocket);
  keepBlobsForAWhile();
  forbidPaste();
}

/** All pages of a browser share what was copied, or selected last, which a middle click pastes. */
function forbidPaste(): void {
  const stop = (event: Event) => {
    if (!event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  globalThis.addEventListener('paste', stop, true);
}

/** Many pages take a blob back in the same breath in which they give it to be saved: it must still be there to be read. */
function keepBlobsForAWhile(): void {
  const { apply } = Reflect;
  const { setTimeout } = globalThis;
  const native: (url: string) => void = Reflect.get(URL, 'revokeObjectURL');
  URL.revokeObjectURL = new Proxy(native, {
    apply: (revoke, self, given: unknown[]) => {
      setTimeout(() => apply(revoke, self, given), BLOB_STAYS_MS);
    },
  });
}

const BLOB_STAYS_MS = 3_000;

type Native = typeof WebSocket;

function guardWebSocket(native: Native): void {
  if (Object.getOwnPropertyDescriptor(native.prototype, 'constructor')?.writable === false) return;
  const { construct } = Reflect;
  const { DOMException, String } = globalThis;
  const isOwn = ownHostCheck();
  const guarded = new Proxy(native, {
    construct(target, args, newTarget) {
      const address = String(args[0]);
      if (!isOwn(address)) {
        throw new DOMException('WebSocket connections go to the host of the page only', 'SecurityError');
      }
      args[0] = address;
      return construct(target, args, newTarget);
    },
  });
  Object.defineProperty(native.prototype, 'constructor', { value: guarded, configurable: false, writable: false });
  Object.defineProperty(globalThis, 'WebSocket', { value: guarded, configurable: true, writable: true });
}

/** Whether an address leads to the host of the page. */
function ownHostCheck(): (text: string) => boolean {
  const { apply } = Reflect;
  const { URL, document } = globalThis;
  const hostname = getter(URL.prototype, 'hostname');
  const port = getter(URL.prototype, 'port');
  const baseURI = getter(Node.prototype, 'baseURI');
  const ports: Record<string, true | null> = { __proto__: null, '': true, 80: true, 443: true, 8080: true, 8443: true };
  const origin = globalThis.origin;
  const own = origin === 'null' ? null : new URL(origin);
  return (text) => {
    if (own === null) return false;
    const url = new URL(text, apply(baseURI, document, []));
    const at = apply(port, url, []);
    return apply(hostname, url, []) === apply(hostname, own, []) && (ports[at] === true || at === apply(port, own, []));
  };
}

/** How an object of that kind reads a member of its own: the page may put another in its place later. */
function getter(holder: object, name: string): () => string {
  const described: object = Object.getOwnPropertyDescriptor(holder, name) ?? {};
  return Reflect.get(described, 'get');
}

/** Where each target has a gate of its own, nobody sees what a shared worker asks for, and it runs without being let go. */
export function forbidSharedWorkers(): void {
  take(globalThis, ['SharedWorker']);
}

export function guardWorker(): void {
  take(globalThis, ['WebSocket', 'WebSocketStream', 'WebTransport', 'RTCPeerConnection']);
}

function take(holder: object, names: readonly string[]): void {
  for (const name of names) Reflect.deleteProperty(holder, name);
}

/** `under`: the elements under the pointer, from top to bottom, when the element was pressed. */
type Guard = Guarded & { stop: () => void; under: readonly Element[] };
type Tree = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

declare global {
  interface Window {
    periscopeGuard?: Guard;
  }
}

/**
 * Until {@link guardState} says to stop, real events of these kinds that would reach anything else than the element are
 * taken out of the page before they get there. So nothing that slips under the pointer, or takes the focus, at the last
 * moment is ever acted on. Each tree from the document down to the element is watched: a closed shadow root shows only its
 * host outside.
 */
export function armGuard(this: AnyElement, kinds: readonly string[], lifeMs: number): void {
  disarm();
  const guard: Guard = { accepted: [], refused: [], under: [], stop: () => {} };
  const stops = watchTrees(this, kinds, guard);
  guard.stop = () => {
    for (const stop of stops) stop();
  };
  setTimeout(guard.stop, lifeMs);
  self.periscopeGuard = guard;
}

function watchTrees(target: AnyElement, kinds: readonly string[], guard: Guard): (() => void)[] {
  const stops: (() => void)[] = [];
  let wanted: Element = target;
  for (let root: Root = target.getRootNode(); ; root = wanted.getRootNode()) {
    if (root === document || root.host === undefined) {
      stops.push(watchTree(window, kinds, wanted, target, guard));
      return stops;
    }
    stops.push(watchTree(root, kinds, wanted, target, guard));
    wanted = root.host;
  }
}

function watchTree(
  tree: Tree,
  kinds: readonly string[],
  wanted: Element,
  target: AnyElement,
  guard: Guard,
): () => void {
  const listener = (event: Event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    if (isAllowed(path, wanted, target) || isEditorOf(event.type, path, target)) {
      if (wanted === target) guard.accepted.push(event.type);
      if (wanted === target && event instanceof MouseEvent && event.type === 'mousedown') guard.under = stackAt(event);
      return;
    }
    if (isRelease(event) && isRaised(path[0], target, guard)) return;
    refuse(event, guard);
  };
  return listenTo(tree, kinds, listener);
}

function refuse(event: Event, guard: Guard): void {
  guard.refused.push(event.type);
  event.preventDefault();
  event.stopImmediatePropagation();
}

function listenTo(tree: Tree, kinds: readonly string[], listener: (event: Event) => void): () => void {
  for (const kind of kinds) tree.addEventListener(kind, listener, true);
  return () => {
    for (const kind of kinds) tree.removeEventListener(kind, listener, true);
  };
}

/** The element, what it holds, its labels, and the control that it labels: a browser clicks the one for the other. */
function isAllowed(path: readonly EventTarget[], wanted: Element, target: AnyElement): boolean {
  if (path.includes(wanted)) return true;
  const labelled = target.closest('label')?.control;
  if (labelled !== undefined && labelled !== null && path.includes(labelled)) return true;
  return labelsOf(target).some((label) => {
    const at = path.indexOf(label);
    return at >= 0 && !path.slice(0, at).some(isWorkedItself);
  });
}

/** In a path there are shadow roots, too. */
function isWorkedItself(inner: EventTarget): boolean {
  return isElement(inner) && inner.matches('a[href],button,input,select,textarea');
}

function isElement(target: EventTarget | undefined): target is HTMLElement {
  return target !== undefined && 'localName' in target && 'matches' in target;
}

function stackAt({ clientX, clientY }: MouseEvent): readonly Element[] {
  return Document.prototype.elementsFromPoint.call(document, clientX, clientY);
}

function isRelease({ type }: Event): boolean {
  return type === 'pointerup' || type === 'mouseup';
}

/**
 * Shapes of one drawing that lie over one another are often one control, and pages bring the one under the pointer to the
 * front. The press has reached the element; a release that hits the shape that lay under it then is the same person's.
 */
function isRaised(hit: EventTarget | undefined, target: AnyElement, { under }: Guard): boolean {
  if (!(hit instanceof SVGElement) || !(target instanceof SVGElement)) return false;
  return hit.ownerSVGElement !== null && hit.ownerSVGElement === target.ownerSVGElement && under.includes(hit);
}

/** Keys and text go to the editor as a whole, also for a paragraph in it. */
function isEditorOf(kind: string, [first]: readonly EventTarget[], target: AnyElement): boolean {
  if (kind !== 'beforeinput' && !kind.startsWith('key')) return false;
  return isElement(first) && first.isContentEditable && first.contains(target);
}

export function armGuardAround(kinds: readonly string[], lifeMs: number): void {
  disarm();
  const guard: Guard = { accepted: [], refused: [], under: [], stop: () => {} };
  guard.stop = listenTo(window, kinds, (event) => {
    if (event.isTrusted) refuse(event, guard);
  });
  setTimeout(guard.stop, lifeMs);
  self.periscopeGuard = guard;
}

export function guardState(stops: boolean): Guarded {
  const { accepted = [], refused = [] } = self.periscopeGuard ?? {};
  if (stops) disarm();
  return { accepted, refused };
}

function disarm(): void {
  self.periscopeGuard?.stop();
  delete self.periscopeGuard;
}
