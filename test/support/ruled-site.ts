import { Response } from 'miniflare';
import type { Request } from 'miniflare';

type Page = (request: Request) => Response | Promise<Response>;

/** Requests that may change something, by host. */
const arrived = new Map<string, string[]>();

function of(request: Request): string[] {
  const { hostname } = new URL(request.url);
  const known = arrived.get(hostname) ?? [];
  arrived.set(hostname, known);
  return known;
}

const page = (html: string) =>
  new Response(`<!doctype html><title>Ruled</title>${html}`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

/** A site that sends requests on a click, hover or scroll, in a frame, and when it is left; GET /sent lists them. */
export const RULED_SITE: Record<string, Page> = {
  '/': () =>
    page(`<h1>Balance</h1><form method="post" action="/take"><input id="to" name="to"><button id="send">Send</button></form>
      <p id="hover" onmouseenter="fetch('/take', { method: 'POST', body: 'hover' })">Hover</p>
      <p><a id="away" href="http://blocked.ruled.dev/">Away</a></p>
      <script>addEventListener('scroll', () => navigator.sendBeacon('/take', 'scroll'), { once: true })
      addEventListener('pagehide', () => navigator.sendBeacon('/take', 'left'))</script><div style="height:3000px"></div>`),
  '/around': (request) => {
    const host = new URL(request.url).searchParams.get('in') ?? '';
    return page(
      `<h1>Around</h1><button id="own">Own</button><iframe src="http://${host}/" width="400" height="200"></iframe>`,
    );
  },
  '/take': async (request) => {
    if (request.method !== 'GET') of(request).push(`${request.method} ${await request.text()}`);
    return page('<h1>Taken</h1>');
  },
  '/sent': (request) => page(`<p>Sent: ${JSON.stringify(of(request))}</p>`),
};
