import { once } from 'node:events';
import { createServer } from 'node:http';
import { fakeProvider } from './fake-provider.ts';
import type { FakeProvider } from './fake-provider.ts';

/**
 * The fake provider behind a loopback port, for the built Worker and for browsers.
 * @param person who signs in, unless the parameter or the cookie `as` of a request names the e-mail address of someone
 * else
 */
export async function startProvider(person: Record<string, unknown>): Promise<FakeProvider & { close: () => void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', provider.issuer);
      // The user is already signed in there, and agrees.
      if (url.pathname === '/authorize') {
        const as = url.searchParams.get('as') ?? /\bas=([^;]+)/u.exec(request.headers.cookie ?? '')?.[1];
        response
          .writeHead(302, { location: provider.authorize(url, as === undefined ? person : byEmail(as)).href })
          .end();
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = chunks.length === 0 ? null : Buffer.concat(chunks).toString();
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const headers = { authorization, 'content-type': type };
      const answer = await provider.fetch(url.href, { method: request.method ?? 'GET', headers, body });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      response.end(await answer.text());
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const provider = await fakeProvider(`http://127.0.0.1:${port}`);
  return { ...provider, close: () => server.close() };
}

function byEmail(email: string): Record<string, unknown> {
  return { sub: `sub-${email}`, email, email_verified: true };
}
