import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Request, Response } from 'miniflare';
import { internet } from './internet.ts';

/**
 * Serves the test internet (`internet.ts`) to the browser over http as well, for as long as this process runs.
 * @returns the port on 127.0.0.1
 */
export async function serveSites(): Promise<number> {
  const server = createServer((request, response) => {
    const address = `http://${request.headers.host ?? 'nowhere.example'}${request.url ?? '/'}`;
    void bodyOf(request)
      .then((given) => answer(address, request, given))
      .then(({ status, headers, body }) => {
        response.writeHead(status, Object.fromEntries(headers));
        // A browser that stops reading closes the connection.
        pipeline(body === null ? Readable.from([]) : Readable.fromWeb(body), response).catch(() => undefined);
      });
  });
  server.unref();
  return await new Promise<number>((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('The system assigned no port.'));
      else resolve(address.port);
    });
  });
}

async function answer(address: string, { method = 'GET', headers }: IncomingMessage, body: Buffer) {
  if (!URL.canParse(address)) return new Response('', { status: 400 });
  const { cookie = '', 'content-type': type = '' } = headers;
  const given = body.byteLength === 0 ? {} : { body };
  return internet(new Request(address, { method, headers: { cookie, 'content-type': type }, ...given }));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
