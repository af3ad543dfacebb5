import { lookup } from 'node:dns/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { Duplex } from 'node:stream';
import { judgeAddresses, judgeUrl } from '#net/fetch/gate.ts';
import type { NetPolicy } from '#net/fetch/fetch-settings.ts';

/**
 * A forward proxy on loopback, and the only way from the local browser to the network. Every connection of Chromium
 * goes through it: those of pages, WebSockets, WebRTC over TCP, preconnects, certificate checks and the browser itself.
 * The Worker's gate checks each one, and the proxy connects to exactly the addresses that were checked, so a name
 * cannot resolve differently a moment later. The proxy stores and logs nothing.
 */
export type BrowserProxy = {
  /** Chromium's command-line flags. */
  flags: readonly string[];
  port: number;
  close: () => void;
};

export type BrowserProxyDeps = {
  policy: NetPolicy;
  /** Resolves a host name to all its addresses; rejects if there is none. The system's resolver by default. */
  lookUp?: (host: string) => Promise<readonly string[]>;
  /** Opens a connection to one of the addresses. */
  dial?: (addresses: readonly string[], port: number) => Socket;
};

/** More than the 32 connections that each of a few browsers opens to a proxy. */
const CONNECTIONS_MAX = 512;
const LOOK_UP_MS = 5_000;
const CONNECT_MS = 10_000;
/** Event streams and WebSockets pause between messages. A connection that is idle for longer is closed. */
const IDLE_MS = 10 * 60_000;
/** The cookies of one site may exceed Node's default. */
const HEADERS_MAX_BYTES = 256 * 1024;
/** A separate name, so that Chromium needs no other way to reach 127.0.0.1. */
const PROXY_NAME = 'gate.periscope.invalid';

export async function startBrowserProxy(deps: BrowserProxyDeps): Promise<BrowserProxy> {
  const gate: Required<BrowserProxyDeps> = { lookUp: systemLookUp, dial: dialAny, ...deps };
  const server = createServer({ maxHeaderSize: HEADERS_MAX_BYTES, requestTimeout: 0 }, (asked, answer) => {
    void forward(asked, answer, gate);
  });
  server.on('connect', (asked: IncomingMessage, client: Socket, head: Buffer) => {
    void tunnel(asked, client, head, gate);
  });
  server.on('clientError', (_, client) => client.destroy());
  server.maxConnections = CONNECTIONS_MAX;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.setTimeout(IDLE_MS, () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  return {
    flags: proxyFlags(address.port),
    port: address.port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * Chromium sends everything through the proxy, loopback included. It can resolve only the proxy's name and connect to
 * no address directly, so requests around the proxy fail.
 */
function proxyFlags(port: number): string[] {
  return [
    `--proxy-server=http://${PROXY_NAME}:${port}`,
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP ${PROXY_NAME} 127.0.0.1, MAP * ~NOTFOUND`,
  ];
}

type Judged = { addresses: readonly string[]; port: number } | { status: 403 | 502; reason: string };

async function judge(url: string, { policy, lookUp }: Required<BrowserProxyDeps>): Promise<Judged> {
  const verdict = judgeUrl(url, policy);
  if (!verdict.allowed) return { status: 403, reason: verdict.reason };
  const { hostname, protocol, port: written } = new URL(url);
  const port = written === '' ? (protocol === 'http:' ? 80 : 443) : Number(written);
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const addresses = await lookUp(host).catch(() => null);
  if (addresses === null) return { status: 502, reason: 'the host name could not be looked up' };
  if (verdict.host === 'exempt') return { addresses, port };
  const resolved = judgeAddresses(addresses);
  return resolved.allowed ? { addresses, port } : { status: 403, reason: resolved.reason };
}

/** A plain http request: `GET http://host/path`. Any other form is not a proxy request. */
async function forward(asked: IncomingMessage, answer: ServerResponse, gate: Required<BrowserProxyDeps>) {
  const address = asked.url ?? '';
  const isAbsolute = /^http:\/\//i.test(address) && URL.canParse(address);
  const judged = isAbsolute
    ? await judge(address, gate)
    : { status: 403 as const, reason: 'this port is for the browser of Periscope only' };
  if (answer.destroyed) return;
  if ('reason' in judged) {
    if (judged.status === 403) refuse(answer, judged.reason);
    else answer.destroy();
    return;
  }
  const { host, pathname, search } = new URL(address);
  const sent = request({
    method: asked.method,
    path: pathname + search,
    headers: ['Host', host, ...throughHeaders(asked.rawHeaders, ['host']), 'Connection', 'close'],
    maxHeaderSize: HEADERS_MAX_BYTES,
    createConnection: () => withTimeouts(gate.dial(judged.addresses, judged.port)),
  });
  sent.on('response', (response) => passAnswer(response, answer));
  // Sends no answer of ours, because the browser would show it as the site's.
  sent.on('error', () => answer.destroy());
  answer.on('close', () => sent.destroy());
  pipeline(asked, sent, () => undefined);
}

function passAnswer(response: IncomingMessage, answer: ServerResponse): void {
  try {
    answer.writeHead(response.statusCode ?? 502, throughHeaders(response.rawHeaders, []));
  } catch {
    response.destroy();
    answer.destroy();
    return;
  }
  pipeline(response, answer, () => undefined);
}

/** `CONNECT host:port`: https, and WebSockets with or without TLS. */
async function tunnel(asked: IncomingMessage, client: Socket, head: Buffer, gate: Required<BrowserProxyDeps>) {
  client.on('error', () => client.destroy());
  const judged = await judge(`https://${asked.url ?? ''}/`, gate);
  if (client.destroyed) return;
  if ('reason' in judged) {
    client.end(refusal(judged.status, judged.reason));
    return;
  }
  const site = withTimeouts(gate.dial(judged.addresses, judged.port));
  const failed = () => client.end(refusal(502, 'the site could not be reached'));
  site.once('error', failed);
  client.once('close', () => site.destroy());
  site.once('connect', () => {
    site.off('error', failed);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    site.write(head);
    join(client, site);
  });
}

/** Pipes both ways, each as fast as its reader. An error on one side closes both. */
function join(one: Duplex, other: Duplex): void {
  pipeline(one, other, () => undefined);
  pipeline(other, one, () => undefined);
}

function withTimeouts(socket: Socket): Socket {
  socket.setTimeout(CONNECT_MS);
  socket.on('timeout', () => socket.destroy(new Error('Nothing came for too long.')));
  socket.once('connect', () => socket.setTimeout(IDLE_MS));
  return socket;
}

/** Connects to the checked addresses without another look-up. Takes the first that answers. */
function dialAny(addresses: readonly string[], port: number): Socket {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return connect({
    host: 'judged.invalid',
    port,
    autoSelectFamily: true,
    lookup: (_, __, done) => done(null, found),
  });
}

async function systemLookUp(host: string): Promise<string[]> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The look-up took too long.')), LOOK_UP_MS).unref();
  });
  const found = await Promise.race([lookup(host, { all: true }), late]);
  return found.map(({ address }) => address);
}

/** Headers for a single connection (RFC 9110 §7.6.1), which a proxy does not forward. */
const ONE_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** @param raw alternating names and values, as received */
function throughHeaders(raw: readonly string[], without: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (ONE_HOP.has(name.toLowerCase()) || without.includes(name.toLowerCase())) continue;
    kept.push(name, raw[at + 1] ?? '');
  }
  return kept;
}

function refuse(answer: ServerResponse, reason: string): void {
  const text = `Not sent: ${reason}.\n`;
  answer.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(text);
}

function refusal(status: 403 | 502, reason: string): string {
  const text = `Not sent: ${reason}.\n`;
  const phrase = status === 403 ? 'Forbidden' : 'Bad Gateway';
  return `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`;
}
