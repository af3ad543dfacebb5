import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Request, Response } from 'miniflare';
import { internet } from './internet.ts';

/**
 * Serves what the Worker sees as the internet (`internet.ts`) to the browser too, over http, for as long as this
 * process runs.
 * @returns its port on 127.0.0.1
 */
export async function serveSites(): Promise<number> {
  const server = createServer((request, response) => {
    const address = `http://${request.headers.host ?? 'nowhere.example'}${request.url ?? '/'}`;
    void bodyOf(request)
      .then((given) => answer(address, request, given))
      .then(({ status, headers, body }) => {
        response.writeHead(status, Object.fromEntries(headers));
        // A browser that reads no further hangs up.
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
