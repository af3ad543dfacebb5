import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Endpoint } from './mcp-clients.ts';

/** A call of a tool over its own socket, so that a test decides how the connection ends. */
export type RawCall = {
  /** Resets the connection, like a machine that loses power. */
  reset: () => void;
  /** Closes the connection in order, like a program that ends. */
  close: () => void;
  /** Everything that was received. */
  answered: () => string;
};

/** Request ids of these calls: clients count their requests. */
export const RAW_ID = 7;

export type RawEra = '2025-11-25' | '2026-07-28';

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw-socket', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export async function rawCall(
  { mcpUrl, token }: Endpoint,
  era: RawEra,
  name: string,
  args: Record<string, unknown>,
): Promise<RawCall> {
  const { hostname, host, port, pathname } = new URL(mcpUrl);
  const meta = era === '2026-07-28' ? { _meta: MODERN_META } : {};
  const params = { name, arguments: args, ...meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: RAW_ID, method: 'tools/call', params });
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `mcp-protocol-version: ${era}`,
    'mcp-method: tools/call',
    `mcp-name: ${name}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect({ host: hostname === 'localhost' ? '127.0.0.1' : hostname, port: Number(port) });
  let answered = '';
  socket.on('data', (piece: Buffer) => (answered += piece.toString()));
  await connected(socket);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return {
    reset: () => void socket.resetAndDestroy(),
    close: () => void socket.destroy(),
    answered: () => answered,
  };
}

/** Cancels the only running raw call, as a client of the 2025 revisions does. */
export async function notifyCancelled({ mcpUrl, token }: Endpoint): Promise<void> {
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: RAW_ID } };
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  await fetch(mcpUrl, { method: 'POST', headers, body: JSON.stringify(message) });
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
}
