/**
 * Ways in which a page may try to reach an address inside its reader's network. Each is the body of a document at
 * http://attacker.acme.dev/NAME; `target` is a host and port where nothing may ever arrive.
 */
export type Attack = {
  name: string;
  page: (target: string) => string;
  /** True if a click on the element with the id `go` starts the attack. */
  needsClick?: boolean;
  /** A browser version blocks this attack itself, so nothing arrives even without guards. */
  blockedByChromium?: boolean;
  /** Chromium does not show these requests to the request gate: the proxy alone stops them. */
  unseenByGate?: boolean;
};

const script = (code: string) => `<script>${code}</script>`;
const worker = (code: string) => `URL.createObjectURL(new Blob([${JSON.stringify(code)}], {type: 'text/javascript'}))`;
const socket = (target: string) => `new WebSocket('ws://${target}/')`;

export const ATTACKS: readonly Attack[] = [
  // Documents
  { name: 'iframe', page: (t) => `<iframe src="http://${t}/"></iframe>` },
  { name: 'nested-iframe', page: (t) => `<iframe src="/iframe?${t}"></iframe>` },
  {
    name: 'srcdoc',
    page: (t) => `<iframe srcdoc="<iframe src='http://${t}/'></iframe><img src='http://${t}/'>"></iframe>`,
  },
  {
    name: 'sandboxed',
    page: (t) => `<iframe sandbox="allow-scripts" srcdoc="<script>${socket(t)}</script>"></iframe>`,
  },
  { name: 'other-site-frame', page: (t) => `<iframe src="http://other.acme.org/websocket?${t}"></iframe>` },
  { name: 'object', page: (t) => `<object data="http://${t}/"></object>` },
  { name: 'embed', page: (t) => `<embed src="http://${t}/">` },
  { name: 'location', page: (t) => script(`location = 'http://${t}/'`) },
  { name: 'meta-refresh', page: (t) => `<meta http-equiv="refresh" content="0;url=http://${t}/">` },
  { name: 'redirect', page: (t) => `<img src="/redirect?${t}">` },
  { name: 'redirect-chain', page: (t) => script(`fetch('/redirect-twice?${t}', {mode: 'no-cors'})`) },
  {
    name: 'form',
    page: (t) => `<form method="post" action="http://${t}/"></form>${script(`document.forms[0].submit()`)}`,
  },
  {
    name: 'window-open',
    page: (t) => `<button id="go" onclick="window.open('http://${t}/')">go</button>`,
    needsClick: true,
  },
  { name: 'link', page: (t) => `<a id="go" target="_blank" href="http://${t}/">go</a>`, needsClick: true },
  {
    name: 'ping',
    page: (t) => `<a id="go" href="#x" ping="http://${t}/">go</a>`,
    needsClick: true,
    blockedByChromium: true,
  },
  { name: 'download', page: (t) => `<a id="go" download href="http://${t}/">go</a>`, needsClick: true },
  { name: 'base', page: (t) => `<base href="http://${t}/"><img src="picture">` },
  // Sub-resources
  { name: 'image', page: (t) => `<img src="http://${t}/">` },
  { name: 'picture', page: (t) => `<picture><source srcset="http://${t}/ 1x"><img></picture>` },
  { name: 'svg-use', page: (t) => `<svg><image href="http://${t}/"/></svg>` },
  { name: 'video', page: (t) => `<video src="http://${t}/" autoplay muted></video>`, blockedByChromium: true },
  { name: 'track', page: (t) => `<video src="/" poster="http://${t}/"></video>` },
  { name: 'css-url', page: (t) => `<style>body{background:url(http://${t}/)}</style>` },
  { name: 'css-import', page: (t) => `<style>@import "http://${t}/";</style>` },
  {
    name: 'font',
    page: (t) => `<style>@font-face{font-family:f;src:url(http://${t}/)}p{font-family:f}</style><p>text`,
  },
  { name: 'stylesheet', page: (t) => `<link rel="stylesheet" href="http://${t}/">` },
  { name: 'icon', page: (t) => `<link rel="icon" href="http://${t}/">`, blockedByChromium: true },
  { name: 'manifest', page: (t) => `<link rel="manifest" href="http://${t}/">`, blockedByChromium: true },
  { name: 'script', page: (t) => `<script src="http://${t}/"></script>` },
  { name: 'module', page: (t) => script(`import('http://${t}/')`) },
  // Look-aheads
  { name: 'preload', page: (t) => `<link rel="preload" as="image" href="http://${t}/">` },
  { name: 'modulepreload', page: (t) => `<link rel="modulepreload" href="http://${t}/">` },
  { name: 'prefetch', page: (t) => `<link rel="prefetch" href="http://${t}/">` },
  { name: 'preconnect', page: (t) => `<link rel="preconnect" href="http://${t}/">`, blockedByChromium: true },
  { name: 'preconnect-header', page: () => `<p>in the header`, blockedByChromium: true },
  { name: 'dns-prefetch', page: (t) => `<link rel="dns-prefetch" href="http://${t}/">`, blockedByChromium: true },
  { name: 'prerender', page: (t) => `<link rel="prerender" href="http://${t}/">`, blockedByChromium: true },
  {
    name: 'speculation',
    page: (t) =>
      `<script type="speculationrules">{"prefetch":[{"urls":["http://${t}/"],"eagerness":"immediate"}],"prerender":[{"urls":["/iframe?${t}"],"eagerness":"immediate"}]}</script>`,
    blockedByChromium: true,
    unseenByGate: true,
  },
  // Scripts
  { name: 'fetch', page: (t) => script(`fetch('http://${t}/', {mode: 'no-cors'})`) },
  { name: 'xhr', page: (t) => script(`const x = new XMLHttpRequest(); x.open('POST', 'http://${t}/'); x.send('x')`) },
  { name: 'beacon', page: (t) => script(`navigator.sendBeacon('http://${t}/', 'x')`) },
  {
    name: 'beacon-on-leave',
    page: (t) =>
      script(
        `onpagehide = () => navigator.sendBeacon('http://${t}/', 'x'); setTimeout(() => { location = '/blank' }, 100)`,
      ),
  },
  {
    name: 'fetch-later',
    page: (t) => script(`fetchLater('http://${t}/', {activateAfter: 0})`),
    blockedByChromium: true,
  },
  {
    name: 'keepalive',
    page: (t) => script(`fetch('http://${t}/', {keepalive: true, mode: 'no-cors'}); location = '/blank'`),
  },
  { name: 'event-source', page: (t) => script(`new EventSource('http://${t}/')`) },
  { name: 'csp-report', page: (t) => `<meta name="policy" content="${t}"><img src="/refused.png">` },
  // Connections that are no requests
  { name: 'websocket', page: (t) => script(socket(t)) },
  {
    name: 'websocket-frame',
    page: (t) =>
      script(
        `const f = document.createElement('iframe'); document.documentElement.append(f); new f.contentWindow.WebSocket('ws://${t}/')`,
      ),
  },
  {
    name: 'websocket-frame-js',
    page: (t) => `<iframe src="javascript:parent.x = new WebSocket('ws://${t}/'), ''"></iframe>`,
  },
  {
    name: 'websocket-frame-blob',
    page: (t) =>
      script(
        `const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<script>${socket(t).replaceAll("'", '"')}<\\/script>'], {type: 'text/html'})); document.documentElement.append(f)`,
      ),
  },
  { name: 'websocket-frame-data', page: (t) => `<iframe src="data:text/html,<script>${socket(t)}</script>"></iframe>` },
  {
    name: 'websocket-popup',
    page: (t) =>
      `<button id="go" onclick="const w = window.open('about:blank'); new w.WebSocket('ws://${t}/')">go</button>`,
    needsClick: true,
  },
  {
    name: 'websocket-popup-early',
    page: (t) => script(`const w = open('about:blank'); new w.WebSocket('ws://${t}/')`),
  },
  {
    name: 'websocket-prototype',
    page: (t) =>
      script(
        `new (Object.getPrototypeOf(WebSocket).constructor === Function ? WebSocket.prototype.constructor : WebSocket)('ws://${t}/')`,
      ),
  },
  {
    name: 'websocket-written',
    page: (t) =>
      script(
        `document.open(); document.write('<script>${socket(t).replaceAll("'", '"')}<\\/script>'); document.close()`,
      ),
  },
  { name: 'websocket-worker', page: (t) => script(`new Worker(${worker(socket(t))})`) },
  { name: 'websocket-module-worker', page: (t) => script(`new Worker(${worker(socket(t))}, {type: 'module'})`) },
  { name: 'websocket-shared-worker', page: (t) => script(`new SharedWorker(${worker(socket(t))})`) },
  {
    name: 'websocket-nested-worker',
    page: (t) =>
      script(
        `new Worker(${worker(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(socket(t))}], {type: 'text/javascript'})))`)})`,
      ),
  },
  { name: 'websocket-stream', page: (t) => script(`new WebSocketStream('ws://${t}/')`) },
  { name: 'worker-fetch', page: (t) => script(`new Worker(${worker(`fetch('http://${t}/', {mode: 'no-cors'})`)})`) },
  { name: 'import-scripts', page: (t) => script(`new Worker(${worker(`importScripts('http://${t}/')`)})`) },
  {
    name: 'shared-worker-fetch',
    page: (t) => script(`new SharedWorker(${worker(`fetch('http://${t}/', {mode: 'no-cors'})`)})`),
  },
  {
    name: 'worklet',
    page: (t) => script(`new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('http://${t}/')`),
    blockedByChromium: true,
  },
  {
    name: 'service-worker',
    page: (t) => script(`navigator.serviceWorker.register('/service-worker.js?${t}')`),
    blockedByChromium: true,
  },
  { name: 'web-transport', page: (t) => script(`new WebTransport('https://${t}/')`), blockedByChromium: true },
  {
    name: 'webrtc-turn',
    page: (t) =>
      script(`const p = new RTCPeerConnection({iceServers: [{urls: 'turn:${t}?transport=tcp', username: 'u', credential: 'c'}]});
        p.createDataChannel('x'); p.createOffer().then((offer) => p.setLocalDescription(offer))`),
  },
  {
    name: 'webrtc-frame',
    page: (t) =>
      script(`const f = document.createElement('iframe'); document.documentElement.append(f);
        const p = new f.contentWindow.RTCPeerConnection({iceServers: [{urls: 'turn:${t}?transport=tcp', username: 'u', credential: 'c'}]});
        p.createDataChannel('x'); p.createOffer().then((offer) => p.setLocalDescription(offer))`),
  },
  // Other schemes
  { name: 'ftp', page: (t) => `<iframe src="ftp://${t}/"></iframe>`, blockedByChromium: true },
  { name: 'view-source', page: (t) => script(`location = 'view-source:http://${t}/'`), blockedByChromium: true },
];

/** Permission requests, as promises. They reject with `NotAllowedError`, or as without a camera. */
export const PERMISSIONS: readonly string[] = [
  `new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, ({ code, message }) => reject(new DOMException(message, code === 1 ? 'NotAllowedError' : 'Other'))))`,
  `Notification.requestPermission().then((answer) => { if (answer === 'denied') throw new DOMException('', 'NotAllowedError') })`,
  `navigator.mediaDevices.getUserMedia({video: true})`,
  `navigator.mediaDevices.getUserMedia({audio: true})`,
  `navigator.clipboard.readText()`,
  `navigator.clipboard.read()`,
  `navigator.requestMIDIAccess({sysex: true})`,
];

/** APIs that no page has: they open connections that are not requests, or ask a user who is not there. */
export const TAKEN_AWAY: readonly string[] = [
  'RTCPeerConnection',
  'webkitRTCPeerConnection',
  'WebTransport',
  'WebSocketStream',
  'navigator.serviceWorker',
  'navigator.usb',
  'navigator.hid',
  'navigator.serial',
  'navigator.bluetooth',
  'navigator.mediaDevices.getDisplayMedia',
];

/** Ways to write an address of this machine so that a simple check misses it. */
export const SPELLINGS: readonly ((port: number) => string)[] = [
  (port) => `2130706433:${port}`,
  (port) => `0x7f000001:${port}`,
  (port) => `0177.0.0.1:${port}`,
  (port) => `0x7f.1:${port}`,
  (port) => `127.1:${port}`,
  (port) => `①②⑦.⓪.⓪.①:${port}`,
  (port) => `127.0.0.1.:${port}`,
  (port) => `0.0.0.0:${port}`,
  (port) => `localhost:${port}`,
  (port) => `localhost.:${port}`,
  (port) => `LOCALHOST:${port}`,
  (port) => `anything.localhost:${port}`,
  (port) => `[::ffff:127.0.0.1]:${port}`,
  (port) => `[::ffff:7f00:1]:${port}`,
  (port) => `inside.acme.dev:${port}`,
];
