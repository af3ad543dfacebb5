import { createServer, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that adds a bearer token for clients that cannot send one. */
export type BearerProxy = { mcpUrl: string; close: () => Promise<void> };

/** Longer than any client pauses between two requests. */
const KEEP_ALIVE_MS = 600_000;

/** Parameters that replace those of a request, by the tool name or URI that it asks for. */
export type StandIns = Record<string, Record<string, unknown>>;

/**
 * The audience of a token includes the port, so the proxy rewrites a client's `Host` and `Origin` to those of the
 * server when they name the proxy. It passes any other value on, for scenarios that send a foreign one.
 */
export async function startBearerProxy(
  target: { mcpUrl: string; token: string },
  standIns: StandIns = {},
): Promise<BearerProxy> {
  const { host, hostname, port } = new URL(target.mcpUrl);
  const proxy = createServer(async (incoming, outgoing) => {
    const own = `localhost:${(proxy.address() as AddressInfo).port}`;
    const headers: OutgoingHttpHeaders = { ...incoming.headers, authorization: `Bearer ${target.token}` };
    delete headers['content-length'];
    if (headers.host === own) headers.host = host;
    if (headers.origin === `http://${own}`) headers.origin = `http://${host}`;
    const { body, name } = replaced(await bodyOf(incoming), standIns);
    if (name !== null && headers['mcp-name'] !== undefined) headers['mcp-name'] = name;
    const forwarded = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers, setHost: false, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    forwarded.end(body);
  });
  // Clients must not write to a connection that is about to close.
  proxy.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(proxy);
  return {
    mcpUrl: `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`,
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** The request with its stand-in, and the name that it now asks for; `null` if nothing was replaced. */
function replaced(body: string, standIns: StandIns): { body: string; name: string | null } {
  const message = parse(body);
  const { params } = message ?? {};
  const asked = params?.['name'] ?? params?.['uri'] ?? params?.['ref']?.['name'];
  const standIn = typeof asked === 'string' ? standIns[asked] : undefined;
  if (standIn === undefined) return { body, name: null };
  const name = standIn['name'] ?? standIn['uri'];
  return {
    body: JSON.stringify({ ...message, params: { ...params, ...standIn } }),
    name: typeof name === 'string' ? name : null,
  };
}

type Message = { params?: Record<string, unknown> & { ref?: Record<string, unknown> } };

function parse(body: string): Message | null {
  try {
    return JSON.parse(body) as Message;
  } catch {
    return null;
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, 'localhost', resolve);
  });
}
