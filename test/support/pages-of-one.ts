import { Response } from 'miniflare';
import type { Request } from 'miniflare';

type Page = (request: Request) => Response | Promise<Response>;

/** Pages that are private to one person, each for another reason, and pages whose Markdown version is elsewhere. */

const visits = new Map<string, number>();

/** Shows how often it was served, so that a test can tell its own fetch from that of another caller. */
function counted(words: string, headers: Record<string, string> = {}): Page {
  return ({ url }) => {
    const count = (visits.get(url) ?? 0) + 1;
    visits.set(url, count);
    return new Response(
      `<!doctype html><html lang="en"><head><title>Minutes ${words}</title></head><body><main><p>The ${words} was
       discussed behind closed doors, and this page was served ${count} times.</p></main></body></html>`,
      { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } },
    );
  };
}

function redirect(location: string, headers: Record<string, string> = {}): Page {
  return () => new Response(null, { status: 302, headers: { location, ...headers } });
}

export const SHARED_SITE: Record<string, Page> = {
  '/doc': counted('quagga merger'),
  '/signed': counted('huia figures'),
  '/led': counted('solenodon letter'),
  '/s/Ab3dE9xQ7wZr': counted('dodo contract'),
  '/account': counted('thylacine account', { 'cache-control': 'max-age=0, private' }),
  '/ticket-1': counted('mammoth ticket', { 'cache-control': 'no-store' }),
  '/go': redirect('/led?token=behind-the-door'),
  '/once': redirect('/open', { 'cache-control': 'no-store' }),
  '/open': counted('aurochs announcement', { 'cache-control': 'public, max-age=60, ext="private"' }),
  '/turns-private': turningPrivate(),
};

/** Public at first. Later it answers that it is unchanged, and private. */
function turningPrivate(): Page {
  let isOpen = true;
  return (request) => {
    const headers = { 'content-type': 'text/html', etag: '"1"', ...(isOpen ? {} : { 'cache-control': 'private' }) };
    isOpen = false;
    if (request.headers.get('if-none-match') !== null) return new Response(null, { status: 304, headers });
    return new Response('<title>Bluebuck</title><p>The bluebuck page was open at first, and is read by many.</p>', {
      headers,
    });
  };
}

function declaring(twin: string): Page {
  return () =>
    new Response(
      `<!doctype html><html><head><title>T</title><link rel="alternate" type="text/markdown" href="${twin}"></head>
       <body><p>This is the page itself, as its site serves it to people.</p></body></html>`,
      { headers: { 'content-type': 'text/html' } },
    );
}

function markdown(text: string): Page {
  return () => new Response(`# Version\n\n${text}\n`, { headers: { 'content-type': 'text/markdown' } });
}

export const TWINS_SITE: Record<string, Page> = {
  '/other': declaring('/other.md'),
  '/other.md': redirect('https://guide.acme.dev/start.md'),
  '/port': declaring('/port.md'),
  '/port.md': redirect('https://twins.acme.dev:8443/good.md'),
  '/scheme': declaring('/scheme.md'),
  '/scheme.md': redirect('http://twins.acme.dev/good.md'),
  '/hops': declaring('/hops.md'),
  '/hops.md': redirect('/hops-2.md'),
  '/hops-2.md': redirect('https://www.twins.acme.dev/hops-3.md'),
  '/moved': declaring('/moved.md'),
  '/moved.md': redirect('/good.md'),
  '/good.md': markdown('This is the Markdown version.'),
};
