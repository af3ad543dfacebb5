import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestListener, RequestOptions } from 'node:http';
import { connect, createServer as createListener } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { startBrowserProxy } from '#scripts/local/browser-proxy.ts';
import type { BrowserProxyDeps } from '#scripts/local/browser-proxy.ts';

const PUBLIC = '93.184.215.14';
const cleanUps: (() => unknown)[] = [];

afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

describe('the proxy of the local browser', () => {
  it('forwards a request and its answer completely, except for hop-by-hop headers', async () => {
    const seen: IncomingMessage[] = [];
    const site = await serve((asked, answer) => {
      seen.push(asked);
      answer.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'x-own': 'kept' });
      asked.pipe(answer);
    });
    const ask = await proxied({ site });
    const answer = await ask({
      method: 'POST',
      path: 'http://site.example.com/path?q=1',
      headers: { host: 'site.example.com', cookie: 'c=3', 'proxy-connection': 'keep-alive', te: 'trailers' },
      body: 'what was posted',
    });
    expect(answer).toMatchObject({ status: 201, text: 'what was posted' });
    expect(answer.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-own': 'kept' });
    expect(seen[0]?.url).toBe('/path?q=1');
    expect(seen[0]?.headers).toMatchObject({ host: 'site.example.com', cookie: 'c=3' });
    expect(seen[0]?.headers).not.toHaveProperty('proxy-connection');
    expect(seen[0]?.headers).not.toHaveProperty('te');
  });

  it('connects to the addresses that it checked, resolving a name once', async () => {
    const asked: string[] = [];
    const dialed: (readonly string[])[] = [];
    const site = await serve((_, answer) => answer.end('public'));
    const proxy = await start({
      lookUp: async (host) => {
        asked.push(host);
        return asked.length === 1 ? [PUBLIC] : ['127.0.0.1'];
      },
      dial: (addresses) => {
        dialed.push(addresses);
        return connect(site, '127.0.0.1');
      },
    });
    const first = await send(proxy.port, { path: 'http://rebinding.example.com/' });
    const second = await send(proxy.port, { path: 'http://rebinding.example.com/' });
    expect([first.status, second.status]).toEqual([200, 403]);
    expect(asked).toEqual(['rebinding.example.com', 'rebinding.example.com']);
    expect(dialed).toEqual([[PUBLIC]]);
  });

  it.each([
    'http://127.0.0.1:8080/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'http://metadata.google.internal/',
    'http://inside.example.com/',
    'http://both.example.com/',
    'http://site.example.com:22/',
    'http://user:secret@site.example.com/',
    '/healthz',
    'https://site.example.com/',
    'ftp://site.example.com/',
  ])('refuses to send %s', async (path) => {
    const ask = await proxied({ site: 0 });
    const { status, text } = await ask({ path });
    expect(status).toBe(403);
    expect(text).toMatch(/^Not sent: [^\n]+\.\n$/);
  });

  it.each([
    '127.0.0.1:443',
    '[::1]:443',
    '0x7f.1:443',
    'localhost:8443',
    'inside.example.com:443',
    'site.example.com:25',
    'site.example.com:22',
    'user:secret@site.example.com:443',
    '',
  ])('refuses a tunnel to %s', async (authority) => {
    const ask = await proxied({ site: 0 });
    expect(await ask({ method: 'CONNECT', path: authority })).toMatchObject({ status: 403 });
  });

  it('lets the browser report that a site cannot be resolved or reached', async () => {
    const ask = await proxied({ site: 1 });
    await expect(ask({ path: 'http://nowhere.example.com/' })).rejects.toThrow('socket hang up');
    await expect(ask({ path: 'http://site.example.com/' })).rejects.toThrow('socket hang up');
    expect(await ask({ method: 'CONNECT', path: 'site.example.com:443' })).toMatchObject({ status: 502 });
  });

  it('transfers data in both directions of a tunnel, and ends both with either', async () => {
    const ends: Socket[] = [];
    const echo = await listen(
      createListener((socket) => {
        ends.push(socket);
        socket.pipe(socket);
      }),
    );
    const proxy = await start({ dial: () => connect(echo, '127.0.0.1') });
    const socket = connect(proxy.port, '127.0.0.1');
    socket.write('CONNECT site.example.com:80 HTTP/1.1\r\nHost: site.example.com:80\r\n\r\nsent along');
    const said = await readUntil(socket, 'sent along');
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    socket.write('more');
    expect(await readUntil(socket, 'more')).toContain('more');
    const closed = once(ends[0] ?? socket, 'close');
    socket.destroy();
    await closed;
    expect(ends[0]?.destroyed).toBe(true);
  });

  it('reads from a site no faster than the browser reads from the proxy', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1_000_000);
    const site = await serve((_, answer) => {
      const more = () => {
        while (sent < 200 && !answer.destroyed) {
          sent += 1;
          if (!answer.write(chunk)) return;
        }
      };
      answer.on('drain', more);
      more();
    });
    const proxy = await start({ dial: () => connect(site, '127.0.0.1') });
    const asked = request({
      port: proxy.port,
      host: '127.0.0.1',
      path: 'http://site.example.com/',
      agent: false,
    }).end();
    const [answer]: IncomingMessage[] = await once(asked, 'response');
    answer?.pause();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(sent).toBeLessThan(60);
    answer?.destroy();
  });

  it('reaches a private host that the operator exempted, by name and by address, and no other port of it', async () => {
    const site = await serve((_, answer) => answer.end('mine'));
    const policy = policyOf({ ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site},localhost:${site}` });
    const proxy = await startBrowserProxy({ policy });
    cleanUps.push(proxy.close);
    const ask = (path: string) => send(proxy.port, { path });
    expect(await ask(`http://127.0.0.1:${site}/`)).toMatchObject({ status: 200, text: 'mine' });
    expect(await ask(`http://localhost:${site}/`)).toMatchObject({ status: 200, text: 'mine' });
    expect(await ask(`http://127.0.0.1:${proxy.port}/`)).toMatchObject({ status: 403 });
  });

  it('applies the allow and deny lists of the operator', async () => {
    const site = await serve((_, answer) => answer.end('open'));
    const dial = () => connect(site, '127.0.0.1');
    const { port } = await start({
      dial,
      policy: policyOf({ ALLOWLIST_DOMAINS: 'example.com', DENYLIST_DOMAINS: 'bad.example.com' }),
    });
    const statuses = ['site.example.com', 'bad.example.com', 'elsewhere.example.org'].map(async (host) => {
      const { status } = await send(port, { path: `http://${host}/` });
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 403, 403]);
  });
});

type Sent = { method?: string; path: string; headers?: RequestOptions['headers']; body?: string };

/** The proxy on an internet where `site` is the port of every public site. */
async function proxied({ site }: { site: number }) {
  const proxy = await start({ dial: () => connect(site, '127.0.0.1') });
  return (asked: Sent) => send(proxy.port, asked);
}

async function start(deps: Partial<BrowserProxyDeps>) {
  const proxy = await startBrowserProxy({ policy: policyOf({}), lookUp, ...deps });
  cleanUps.push(proxy.close);
  return proxy;
}

async function lookUp(host: string): Promise<readonly string[]> {
  if (host === 'inside.example.com') return ['10.0.0.7'];
  if (host === 'both.example.com') return [PUBLIC, 'fd00::1'];
  if (host.startsWith('nowhere')) throw new Error('There is no such name.');
  return [PUBLIC];
}

function policyOf(settings: Record<string, string>) {
  return netPolicy(parseConfig(settings), ['localhost']);
}

async function send(port: number, { body = '', path, ...rest }: Sent) {
  // Exactly as written: Node would refuse or change some of these.
  const asked = request({ host: '127.0.0.1', port, path, agent: false, ...rest }).end(body);
  const [answer]: IncomingMessage[] = await Promise.race([once(asked, 'response'), once(asked, 'connect')]);
  if (answer === undefined) throw new Error('There was no answer.');
  const chunks: Buffer[] = [];
  if (rest.method !== 'CONNECT') for await (const chunk of answer) chunks.push(chunk);
  asked.destroy();
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
}

async function readUntil(socket: Socket, text: string): Promise<string> {
  let read = '';
  while (!read.includes(text)) {
    const [chunk]: unknown[] = await once(socket, 'data');
    read += String(chunk);
  }
  return read;
}

async function serve(handler: RequestListener): Promise<number> {
  return listen(createServer(handler));
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  return address.port;
}
