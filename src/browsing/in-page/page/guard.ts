import type { SocketHosts } from '#browsing/in-page/script-types.ts';
import { downloadLargeDataAsBlobs } from './large-data.ts';
import { answerPermissions } from './permissions.ts';

/**
 * Removes page features that bypass the request gate. `Fetch` covers every HTTP request of every target, but not
 * WebSocket, WebTransport and WebRTC, which open their own connections; a service worker could answer a navigation
 * itself. (A content security policy would be the natural way, but Chromium parses this response header before the
 * DevTools protocol can change it.) Documents may open a WebSocket to their own host, because the host passed the gate,
 * unless a site rule only lets models look at it. Also removes APIs that ask the user to choose a device or screen:
 * nobody would answer, and the page would wait forever. Runs before any script of the page, in every frame and worker.
 * No new realm offers an untouched copy, because each realm is held until these scripts have run in it. They capture
 * the functions they use first, so that a page cannot replace those functions.
 */
export function guardDocument(sockets: SocketHosts | null): void {
  take(globalThis, [
    'RTCPeerConnection',
    'webkitRTCPeerConnection',
    'RTCIceTransport',
    'WebSocketStream',
    'WebTransport',
  ]);
  take(Navigator.prototype, ['serviceWorker', 'usb', 'hid', 'serial', 'bluetooth']);
  if ('MediaDevices' in globalThis) take(MediaDevices.prototype, ['getDisplayMedia']);
  if ('WebSocket' in globalThis) guardWebSocket(WebSocket, sockets !== null && stopsSockets(sockets));
  keepBlobsForAWhile();
  forbidPaste();
  answerPermissions();
  downloadLargeDataAsBlobs();
}

/** Blocks pasting, including by the middle mouse button: all pages of a browser share the clipboard and selection. */
function forbidPaste(): void {
  const stop = (event: Event) => {
    if (!event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  globalThis.addEventListener('paste', stop, true);
}

/** Delays `revokeObjectURL`, because many pages revoke a blob right after starting its download. */
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

/** True if a site rule forbids sockets for the host of the document or of a document around its frame. */
function stopsSockets(lists: SocketHosts): boolean {
  const origins = [globalThis.origin, ...globalThis.location.ancestorOrigins];
  return origins.some((origin) => {
    const host = origin === 'null' ? '' : new URL(origin).hostname.replace(/\.$/u, '');
    return lists.some(({ hosts, isStopped }) => {
      const found = hosts.find(([pattern]) =>
        pattern.startsWith('*.') ? `.${host}`.endsWith(pattern.slice(1)) : pattern === host,
      );
      return found === undefined ? isStopped : found[1];
    });
  });
}

type Native = typeof WebSocket;

function guardWebSocket(native: Native, isStopped: boolean): void {
  if (Object.getOwnPropertyDescriptor(native.prototype, 'constructor')?.writable === false) return;
  const { construct } = Reflect;
  const { DOMException, String } = globalThis;
  const isOwn = isStopped ? () => false : ownHostCheck();
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

/** The native getter of a property, captured before the page can replace it. */
function getter(holder: object, name: string): () => string {
  const described: object = Object.getOwnPropertyDescriptor(holder, name) ?? {};
  return Reflect.get(described, 'get');
}

/** Removes shared workers, because they start without waiting for the gate, and the gate never sees their requests. */
export function forbidSharedWorkers(): void {
  take(globalThis, ['SharedWorker']);
}

export function guardWorker(): void {
  take(globalThis, ['WebSocket', 'WebSocketStream', 'WebTransport', 'RTCPeerConnection']);
}

function take(holder: object, names: readonly string[]): void {
  for (const name of names) Reflect.deleteProperty(holder, name);
}
