import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { BrowserPipe } from './devtools-pipe.ts';

/**
 * The port that Miniflare connects to, in front of browsers that listen on a pipe. Chromium's own debugging port has no
 * authentication, so any user of the machine could drive the browser. Here the browser listens on a pipe in a private
 * folder, and this port accepts only one path, which contains a secret.
 */
export type DevtoolsGuard = {
  /** The part of the address before the name of a browser's folder. */
  address: string;
  close: () => void;
};

const SECRET_BYTES = 32;
/** The folder and name prefix of the wrapper script's folders. */
export const PIPES_ROOT = '/tmp';
const FOLDER = /^periscope-chromium-\w+$/;
/** More than the largest screenshot in base64. */
const MESSAGE_MAX_BYTES = 256 * 1024 * 1024;

export async function startDevtoolsGuard(): Promise<DevtoolsGuard> {
  const path = `/devtools/browser/${randomBytes(SECRET_BYTES).toString('hex')}/`;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES });
  const pipes = new Map<string, BrowserPipe>();
  const server = createServer((request, response) => {
    // Miniflare asks for it before it connects, and checks only the status.
    response.writeHead(request.url === '/json/version' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const name = request.url?.startsWith(path) === true ? request.url.slice(path.length) : '';
    const pipe = FOLDER.test(name) ? pipeOf(name, pipes) : null;
    if (pipe === null) socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    else sockets.handleUpgrade(request, socket, head, (client) => pipe.join(client));
  });
  const port = await listen(server);
  return {
    address: `ws://127.0.0.1:${port}${path}`,
    close: () => {
      server.close();
      for (const client of sockets.clients) client.terminate();
    },
  };
}

function pipeOf(name: string, pipes: Map<string, BrowserPipe>): BrowserPipe | null {
  const known = pipes.get(name);
  if (known !== undefined) return known;
  try {
    const made = new BrowserPipe(`${PIPES_ROOT}/${name}`, () => pipes.delete(name));
    pipes.set(name, made);
    return made;
  } catch {
    return null; // That browser has exited, and its folder is gone.
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  return address.port;
}
