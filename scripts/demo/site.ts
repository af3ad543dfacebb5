import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** The bundled site of the demo, on a free loopback port. */
export type DemoSite = {
  /** No slash at the end. */
  origin: string;
  /** `127.0.0.1:PORT`, the form of ALLOWED_PRIVATE_HOSTS. */
  host: string;
  /** Replaces `from` by `to` on the page, as its author would by editing it. */
  edit: (path: string, from: string, to: string) => void;
  close: () => Promise<void>;
};

/** A page that its script renders, for the browser. */
export const BROWSER_PATH = '/queue';

const FILES: Record<string, { file: string; type: string }> = {
  '/retries': { file: 'retries.html', type: 'text/html; charset=utf-8' },
  '/schedules': { file: 'schedules.md', type: 'text/markdown; charset=utf-8' },
  '/incident': { file: 'incident.html', type: 'text/html; charset=utf-8' },
  [BROWSER_PATH]: { file: 'queue.html', type: 'text/html; charset=utf-8' },
};

/** Paths of the pages that are readable as served. */
export const DEMO_PATHS: readonly string[] = Object.keys(FILES).filter((path) => path !== BROWSER_PATH);

export async function startDemoSite(): Promise<DemoSite> {
  const bodies = new Map(
    Object.entries(FILES).map(([path, { file }]) => [
      path,
      readFileSync(join(import.meta.dirname, 'pages', file), 'utf8'),
    ]),
  );
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const body = bodies.get(path);
    if (body === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n');
      return;
    }
    response.writeHead(200, { 'content-type': FILES[path]?.type ?? 'text/plain' }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The demo site has no port.');
  const host = `127.0.0.1:${address.port}`;
  return {
    origin: `http://${host}`,
    host,
    edit: (path, from, to) => {
      const body = bodies.get(path);
      if (body === undefined || !body.includes(from)) throw new Error(`${path} does not say "${from}".`);
      bodies.set(path, body.replace(from, to));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
