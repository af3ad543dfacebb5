import { createServer } from 'node:http';
import { Request } from 'miniflare';
import { internet } from './internet.ts';

/**
 * Serves what the Worker sees as the internet (`internet.ts`) to the browser too, over http, for as long as this
 * process runs.
 * @returns its port on 127.0.0.1
 */
export async function serveSites(): Promise<number> {
  const server = createServer((request, response) => {
    const address = `http://${request.headers.host ?? 'nowhere.example'}${request.url ?? '/'}`;
    void answer(address, request.method ?? 'GET', request.headers.cookie).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(body);
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

async function answer(address: string, method: string, cookie = '') {
  if (!URL.canParse(address)) return { status: 400, headers: {}, body: '' };
  const response = await internet(new Request(address, { method, headers: { cookie } }));
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
