import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A web server on a free loopback port, with real sockets. */
export type Origin = {
  /** No slash at the end. */
  url: string;
  /** `127.0.0.1:PORT`, the form of ALLOWED_PRIVATE_HOSTS. */
  host: string;
  /** Requests so far, except for robots.txt. */
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  close: () => Promise<void>;
};

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type RouteTable = Record<string, Handler>;

/**
 * Starts an origin. `routes` has a handler for each path (without the query); `otherwise` answers all others. There is
 * no robots.txt unless routed.
 * @param port a free one by default
 */
export async function startOrigin(routes: RouteTable, otherwise = NOT_FOUND, port = 0): Promise<Origin> {
  const requests: Origin['requests'] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path !== '/robots.txt') {
      requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    }
    (routes[path] ?? otherwise)(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The origin has no port.');
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function send(body: string | Buffer, headers: Record<string, string> = {}, status = 200): Handler {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  };
}

const NOT_FOUND = send('No such page.\n', { 'content-type': 'text/plain' }, 404);

/** A complete document, as browsers get it. `body` is HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><nav><a href="/">Home</a></nav><main><article><h1>${title}</h1>${body}</article></main></body></html>`;
}
