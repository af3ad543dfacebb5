import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createListener } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CdpConnection } from '#browsing/cdp/connection.ts';
import { parseConfig } from '#core/config/config.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { startBrowserProxy } from '#scripts/local/browser-proxy.ts';
import type { BrowserProxy } from '#scripts/local/browser-proxy.ts';
import { prepareBrowser } from '#scripts/local/chromium.ts';
import { chromePlace } from '#scripts/local/miniflare-chrome.ts';
import { ATTACKS, SPELLINGS } from './attacks.ts';
import { SAME_PRIORITY } from './chromium.ts';

/** A real Chromium in front of hostile sites. A test chooses which guards stand between it and the network. */

export const POLICY = netPolicy(parseConfig({}), ['localhost']);

const PUBLIC_ADDRESS = '93.184.215.14';

/** Resolves names as public DNS would. One public name points to a private address. */
export async function resolveName(host: string): Promise<readonly string[]> {
  const name = host.replace(/\.$/, '');
  if (name === 'inside.acme.dev') return ['127.0.0.1'];
  if (/(?:^|\.)(?:acme\.dev|acme\.org)$/.test(name)) return [PUBLIC_ADDRESS];
  if (/^[\d.:[\]a-f]+$/.test(name)) return [name];
  if (/(?:^|\.)localhost$/.test(name)) return ['127.0.0.1'];
  throw new Error('There is no such name.');
}

/**
 * The proxy of `npm start`, on an internet where every public site is the one on `port`.
 * @param asked called with every name that is resolved
 */
export function proxyTo(port: number, asked: (host: string) => void = () => undefined): Promise<BrowserProxy> {
  return startBrowserProxy({
    policy: POLICY,
    lookUp: (host) => {
      asked(host);
      return resolveName(host);
    },
    dial: ([address = ''], wanted) =>
      connect(address === PUBLIC_ADDRESS ? { host: '127.0.0.1', port } : { host: address, port: wanted }),
  });
}

/** Flags for a browser without a proxy that sees the same internet. */
export function directTo(port: number): string[] {
  const rules = ['acme.dev', 'acme.org'].flatMap((name) => [`MAP *.${name} 127.0.0.1:${port}`]);
  return ['--no-proxy-server', `--host-resolver-rules=MAP inside.acme.dev 127.0.0.1, ${rules.join(', ')}`];
}

export type RunningBrowser = { connection: CdpConnection; close: () => Promise<void> };

/**
 * Starts the browser as miniflare does.
 * @param between wraps the connection to the browser
 */
export async function launchBrowser(
  flags: readonly string[],
  between: (socket: WebSocket) => WebSocket = (socket) => socket,
): Promise<RunningBrowser> {
  const folder = join(import.meta.dirname, '../../.wrangler/chromium');
  const browser = await prepareBrowser(folder, process.env, {
    flags: [...flags, ...AS_SECURE],
    niceness: SAME_PRIORITY,
  });
  if (browser.kind !== 'ready') throw new Error('There is no browser here.');
  const place = chromePlace(browser.cacheHome);
  if (place === null) throw new Error('There is no wrapper here.');
  const scratch = mkdtempSync(join(tmpdir(), 'periscope-attack-'));
  const profile = join(scratch, 'browser-rendering', 'profile-1');
  mkdirSync(profile, { recursive: true });
  const child = spawn(place.executable, [...LIKE_MINIFLARE, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error('The browser ended.')));
  });
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return {
    connection: new CdpConnection(between(socket)),
    close: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Lets attacks use features that need a secure page. */
const AS_SECURE = ['--unsafely-treat-insecure-origin-as-secure=http://attacker.acme.dev'];
/** Also without Chromium's own protection of local networks, which is not under test. */
const LIKE_MINIFLARE = [
  '--disable-background-networking',
  '--disable-popup-blocking',
  '--disable-extensions',
  '--disable-features=Translate,AcceptCHFrame,MediaRouter,OptimizationHints,ProcessPerSiteUpToMainFrameThreshold,IsolateSandboxedIframes,LocalNetworkAccessChecks,LocalNetworkAccessChecksWebRTC,LocalNetworkAccessChecksWebSockets,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
  '--headless=new',
  '--remote-debugging-port=0',
  'about:blank',
];

/** A listener on this machine that counts connections and stores the first bytes of each. It answers nothing. */
export type Trap = {
  port: number;
  arrived: () => string[];
  /** Resolves with the first connection. */
  first: Promise<void>;
  close: () => void;
};

export async function setTrap(): Promise<Trap> {
  const said: string[] = [];
  const { promise: first, resolve: tell } = Promise.withResolvers<void>();
  const server = createListener((socket) => {
    tell();
    const at = said.push('(nothing)') - 1;
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      said[at] = bytes.toString('latin1', 0, FIRST_BYTES);
      socket.destroy();
    });
  });
  return { port: await listen(server), arrived: () => said, first, close: () => server.close() };
}

const FIRST_BYTES = 300;

/**
 * Serves every attack, its target in the query: `/NAME?TARGET`.
 * @param wanted port; any free one when not given
 * @returns its port
 */
export async function serveAttacks(wanted = 0): Promise<{ port: number; close: () => void }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://attacker.acme.dev');
    const target = decodeURIComponent(url.search.slice(1));
    const name = url.pathname.slice(1);
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (name === 'redirect') {
      response.writeHead(302, { location: `http://${target}/` }).end();
    } else if (name === 'redirect-twice') {
      response.writeHead(307, { location: `http://second.acme.org/redirect?${target}` }).end();
    } else if (name === 'file') {
      response.writeHead(200, { 'content-disposition': 'attachment; filename=file.zip' }).end('some bytes');
    } else if (name === 'spellings') {
      response
        .writeHead(200, html)
        .end(SPELLINGS.map((spell) => `<img src="http://${spell(Number(target))}/">`).join(''));
    } else if (name === 'service-worker.js') {
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(`fetch('http://${target}/', {mode: 'no-cors'})`);
    } else {
      const attack = ATTACKS.find((one) => one.name === name);
      const extra = {
        ...(name === 'preconnect-header' ? { link: `<http://${target}/>; rel=preconnect` } : {}),
        ...(name === 'csp-report' ? { 'content-security-policy': `img-src 'none'; report-uri http://${target}/` } : {}),
      };
      response
        .writeHead(200, { ...html, ...extra })
        .end(`<!doctype html><title>${name}</title>${attack?.page(target) ?? '<p>nothing here'}`);
    }
  });
  server.on('upgrade', (_, socket) => socket.destroy());
  return { port: await listen(server, wanted), close: () => void server.close() };
}

function listen(server: Server, wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('The system assigned no port.'));
      else resolve(address.port);
    });
  });
}
