import { createServer, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A door in front of a server that shows a token for clients that cannot. */
export type BearerProxy = { mcpUrl: string; close: () => Promise<void> };

/** Longer than any client rests. */
const KEEP_ALIVE_MS = 600_000;

/** What is put in place of the thing that a request names. */
export type StandIns = Record<string, Record<string, unknown>>;

/**
 * The audience of a token holds the port, so a client's `Host` and `Origin` become those of the server when they name
 * the proxy; any other value passes untouched, for scenarios that send a foreign one.
 * @param standIns name or URI that a request asks for → parameters that are asked for instead
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
  // Nobody writes to a connection that is about to end.
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

/** The request with its stand-in, and the name it now asks for; `null` when nothing was replaced. */
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
