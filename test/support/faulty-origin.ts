import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { damagedBody } from './damaged-bodies.ts';
import type { Packing } from './damaged-bodies.ts';
import { htmlPage, send, startOrigin } from './origin.ts';
import type { Handler, Origin } from './origin.ts';

/**
 * A site on which everything fails, over real sockets. Each path has one fault. Between `mend` and `spoil` it serves an
 * ordinary page whose text contains the word `mended` and the name of the path.
 */
export type FaultyOrigin = Origin & {
  mend: (path: FaultPath) => void;
  spoil: (path: FaultPath) => void;
  /** An address on which nothing listens. */
  closedUrl: string;
  /** `127.0.0.1:PORT` of `closedUrl`. */
  closedHost: string;
};

/** A word in broken answers, before the point where they break. It must never appear in a result. */
export const LEAKED_WORD = 'zanzibarine';

const BROKEN_START = `<!doctype html><html><head><title>Half ${LEAKED_WORD}</title></head><body><main><article><p>This half of a page speaks of ${LEAKED_WORD} things at some length, and then it stops.</p>`;
const CHUNK = `<p>${`more ${LEAKED_WORD} words `.repeat(600)}</p>\n`;
const HUGE_BYTES = 100_000_000;
const BOMB_BYTES = 200_000_000;

const FAULTS = {
  '/reset': (_request, response) => {
    start(response, { 'content-length': '500000' });
    response.write(BROKEN_START, () => response.socket?.resetAndDestroy());
  },
  '/cut-short': (_request, response) => {
    start(response, { 'content-length': '500000' });
    response.write(BROKEN_START, () => response.socket?.end());
  },
  '/headers-then-silence': (_request, response) => {
    start(response, {});
    response.flushHeaders();
  },
  '/words-then-silence': (_request, response) => {
    start(response, {});
    response.write(BROKEN_START);
  },
  '/silence': () => undefined,
  '/endless': (_request, response) => {
    start(response, PLAIN);
    response.write(BROKEN_START);
    pour(response, Infinity);
  },
  '/huge': (_request, response) => {
    start(response, { ...PLAIN, 'content-length': String(HUGE_BYTES) });
    pour(response, HUGE_BYTES);
  },
  '/huge-chunked': (_request, response) => {
    start(response, PLAIN);
    pour(response, HUGE_BYTES);
  },
  '/gzip-bomb': (_request, response) => {
    start(response, { ...PLAIN, 'content-encoding': 'gzip', 'content-length': String(bomb.length) });
    response.end(bomb);
  },
  '/gzip-damaged': sendDamaged('gzip', 'damaged'),
  '/gzip-cut': sendDamaged('gzip', 'cut'),
  '/br-damaged': sendDamaged('br', 'damaged'),
  '/br-cut': sendDamaged('br', 'cut'),
  '/deflate-damaged': sendDamaged('deflate', 'damaged'),
  '/deflate-cut': sendDamaged('deflate', 'cut'),
  '/raw-deflate-cut': sendDamaged('raw deflate', 'cut'),
  '/zstd-cut': sendDamaged('zstd', 'cut'),
  '/loop': redirectTo('/loop/on'),
  '/loop/on': redirectTo('/loop'),
  '/many-hops': (request, response) => {
    const hop = Number(new URL(request.url ?? '', 'http://x').searchParams.get('hop') ?? 0);
    redirectTo(`/many-hops?hop=${hop + 1}`)(request, response);
  },
  '/to-metadata': redirectTo('http://169.254.169.254/latest/meta-data/'),
  '/to-loopback': redirectTo('http://127.0.0.1:8443/admin'),
  '/to-spelling': redirectTo('http://0x7f.1:8080/'),
  '/busy': send(htmlPage('Busy', `<p>Come back, ${LEAKED_WORD}.</p>`), { 'retry-after': '120' }, 429),
  '/gone': send(htmlPage('Gone', `<p>No such ${LEAKED_WORD} page.</p>`), {}, 404),
  '/broken-server': send(htmlPage('Oops', `<p>A ${LEAKED_WORD} stack trace.</p>`), {}, 500),
  '/pdf-as-html': send(Buffer.from(`%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n<< /T (${LEAKED_WORD}) >>\nendobj\n`, 'latin1')),
  '/image': send(Buffer.from('II*\0', 'latin1'), { 'content-type': 'image/tiff' }),
  '/empty': send(''),
  '/white-space': send(' \n\t\n'),
  '/no-words': send('<!doctype html><html><head><title>App</title></head><body><div id="root"></div></body></html>'),
  '/login-wall': send(
    `<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1><form action="/session" method="post"><label>Name <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form><p>${LEAKED_WORD}</p></body></html>`,
  ),
  '/members': redirectTo('/login?next=%2Fmembers'),
  '/login': send(
    `<!doctype html><html><head><title>Log in</title></head><body><form><input type="password" name="p"></form><p>${LEAKED_WORD}</p></body></html>`,
  ),
  '/bot-wall': send(
    `<!doctype html><html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript><p>${LEAKED_WORD}</p><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>`,
    { 'cf-mitigated': 'challenge' },
    403,
  ),
  '/quiet-bot-wall': send(
    `<!doctype html><html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript><p>${LEAKED_WORD}</p><script>window._cf_chl_opt={}</script></body></html>`,
  ),
} satisfies Record<string, Handler>;

export type FaultPath = keyof typeof FAULTS;

let bomb = Buffer.alloc(0);

export async function startFaultyOrigin(): Promise<FaultyOrigin> {
  const mended = new Set<string>();
  // Made before the first request, because making it takes a while.
  if (bomb.length === 0) bomb = await promisify(gzip)(Buffer.alloc(BOMB_BYTES, CHUNK));
  const guarded = Object.entries<Handler>(FAULTS).map(([path, fault]): [string, Handler] => [
    path,
    (request, response) => (mended.has(path) ? send(mendedPage(path))(request, response) : fault(request, response)),
  ]);
  const origin = await startOrigin({ ...Object.fromEntries(guarded), ...recovering(), ...oddText() });
  const closedHost = `127.0.0.1:${await closedPort()}`;
  return {
    ...origin,
    mend: (path) => mended.add(path),
    spoil: (path) => mended.delete(path),
    closedHost,
    closedUrl: `http://${closedHost}/`,
  };
}

/** Answers that fail first and succeed on a retry, which the fetcher makes automatically. */
function recovering(): Record<string, Handler> {
  const tries = new Map<string, number>();
  const failFirst =
    (path: string, times: number, fault: Handler): Handler =>
    (request, response) => {
      const tried = tries.get(path) ?? 0;
      tries.set(path, tried + 1);
      if (tried < times) fault(request, response);
      else send(mendedPage(path))(request, response);
    };
  return {
    '/503-then-200': failFirst('/503-then-200', 1, send('busy', {}, 503)),
    '/503-with-date': failFirst('/503-with-date', 1, send('busy', { 'retry-after': '1' }, 503)),
    '/reset-then-200': failFirst('/reset-then-200', 1, (_request, response) => response.socket?.resetAndDestroy()),
  };
}

/** Text whose bytes do not match the declared encoding. Such pages are read, not refused. */
function oddText(): Record<string, Handler> {
  const page = (charset: string) =>
    `<!doctype html><html><head>${charset}<title>Crème brûlée</title></head><body><main><article><p>Crème brûlée costs three pounds – or five euros – in the café by the sea.</p></article></main></body></html>`;
  return {
    '/latin-called-utf8': send(latin(page('<meta charset="windows-1252">')), {
      'content-type': 'text/html; charset=utf-8',
    }),
    '/utf8-called-latin': send(page(''), { 'content-type': 'text/html; charset=iso-8859-1' }),
    '/utf8-called-utf16': send(page(''), { 'content-type': 'text/html; charset=utf-16le' }),
    '/utf8-called-nothing-known': send(page(''), { 'content-type': 'text/html; charset=klingon' }),
    '/invalid-utf8': send(
      Buffer.concat([
        Buffer.from('<!doctype html><html><body><main><p>A good sentence stands here, then broken bytes: '),
        Buffer.from([0xc3, 0x28, 0xe2, 0x82, 0xff, 0xed, 0xa0, 0x80]),
        Buffer.from(' and the sentence goes on to its end.</p></main></body></html>'),
      ]),
      { 'content-type': 'text/html; charset=utf-8' },
    ),
  };
}

function mendedPage(path: string): string {
  return htmlPage(
    `Mended ${path}`,
    `<p>The page at ${path} is mended now and reads as it should.</p><p>It has a second paragraph, too.</p>`,
  );
}

/** Plain text, because oversized HTML is not refused: its beginning is read. */
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };

function start(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
}

function sendDamaged(...fault: [Packing, 'cut' | 'damaged']): Handler {
  return (_request, response) => {
    const { headers, body } = damagedBody(fault[0], fault[1], BROKEN_START);
    response.writeHead(200, headers).end(body);
  };
}

/** Writes as fast as the reader reads, and stops when the reader disconnects. */
function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      const part = left >= CHUNK.length ? CHUNK : CHUNK.slice(0, left);
      left -= part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    if (!response.destroyed) response.end();
  };
  response.on('error', () => undefined);
  more();
}

function redirectTo(location: string): Handler {
  return (_request, response) => {
    response.writeHead(302, { location }).end();
  };
}

/** Encodes as windows-1252: Latin-1, whose letters have the same numbers, and the dash used above. */
function latin(text: string): Buffer {
  return Buffer.from(text.replaceAll('–', '\u0096'), 'latin1');
}

/** A port that was free a moment ago and has no listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  return address.port;
}
