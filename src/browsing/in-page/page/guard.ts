import { answerPermissions } from './permissions.ts';

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
  answerPermissions();
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
