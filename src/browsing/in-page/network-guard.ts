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
export const DOCUMENT_GUARD = `(() => {
  const take = (holder, names) => { for (const name of names) delete holder[name]; };
  take(globalThis, ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCIceTransport', 'WebSocketStream', 'WebTransport']);
  take(Navigator.prototype, ['serviceWorker', 'usb', 'hid', 'serial', 'bluetooth']);
  if (globalThis.MediaDevices !== undefined) take(MediaDevices.prototype, ['getDisplayMedia']);
  const Native = globalThis.WebSocket;
  if (Native === undefined || Object.getOwnPropertyDescriptor(Native.prototype, 'constructor').writable === false) return;
  const { construct, apply } = Reflect;
  const { URL, DOMException, document, String } = globalThis;
  const getter = (holder, name) => Object.getOwnPropertyDescriptor(holder, name).get;
  const hostname = getter(URL.prototype, 'hostname');
  const port = getter(URL.prototype, 'port');
  const baseURI = getter(Node.prototype, 'baseURI');
  const ports = { __proto__: null, '': true, 80: true, 443: true, 8080: true, 8443: true };
  const read = (get, url) => apply(get, url, []);
  const origin = globalThis.origin;
  const own = origin === 'null' ? null : new URL(origin);
  const isOwn = (text) => {
    if (own === null) return false;
    const url = new URL(text, apply(baseURI, document, []));
    const at = read(port, url);
    return read(hostname, url) === read(hostname, own) && (ports[at] === true || at === read(port, own));
  };
  const Guarded = new Proxy(Native, {
    construct(target, args, newTarget) {
      const address = String(args[0]);
      if (!isOwn(address)) throw new DOMException('WebSocket connections go to the host of the page only', 'SecurityError');
      args[0] = address;
      return construct(target, args, newTarget);
    },
  });
  Object.defineProperty(Native.prototype, 'constructor', { value: Guarded, configurable: false, writable: false });
  Object.defineProperty(globalThis, 'WebSocket', { value: Guarded, configurable: true, writable: true });
})();`;

/**
 * Where each target has a gate of its own, nobody sees what a shared worker asks for, and it runs without being let go.
 * It can only be made by a document.
 */
export const NO_SHARED_WORKER = 'delete globalThis.SharedWorker;';

export const WORKER_GUARD = `(() => {
  for (const name of ['WebSocket', 'WebSocketStream', 'WebTransport', 'RTCPeerConnection']) delete globalThis[name];
})();`;
