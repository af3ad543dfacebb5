import { Response } from 'miniflare';
import type { Request } from 'miniflare';

/** Each test file has its own hosts. */
export const EDITED_HOSTS: ReadonlySet<string> = new Set(
  ['follow', 'rounds', 'changes', 'library', 'room', 'once', 'purge', 'ended', 'told', 'renamed', 'reports'].flatMap(
    (name) => [1, 2, 3, 4, 5, 6].map((n) => `${name}-${n}.acme.dev`),
  ),
);

/** Answer of a page of an edited site: HTML, or bytes in base64. */
export type EditedPage = { status?: number; headers?: Record<string, string>; body: string; isBase64?: boolean };

type Posted = { path: string; headers: Record<string, string>; body: string };
type Site = { pages: Map<string, EditedPage>; asked: string[]; posted: Posted[] };

const sites = new Map<string, Site>();

const NOT_HERE: EditedPage = { status: 404, body: '<title>Not here</title><p>There is no such page.</p>' };

/**
 * Sites whose pages a test writes by PUT with JSON and removes by DELETE. `/asked` lists the requested pages, `/posted`
 * the posted messages, in order. Each host has its own lists.
 */
export async function editedPage(request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const site = sites.get(host) ?? { pages: new Map<string, EditedPage>(), asked: [], posted: [] };
  sites.set(host, site);
  const path = pathname + search;
  if (request.method === 'PUT') {
    site.pages.set(path, JSON.parse(await request.text()));
    return new Response(null, { status: 204 });
  }
  if (request.method === 'DELETE') {
    site.pages.delete(path);
    return new Response(null, { status: 204 });
  }
  if (path === '/posted') return Response.json(site.posted);
  if (request.method === 'POST')
    site.posted.push({ path, headers: Object.fromEntries(request.headers), body: await request.text() });
  if (path === '/asked') return Response.json(site.asked);
  site.asked.push(path);
  const { status = 200, headers = {}, body, isBase64 = false } = site.pages.get(path) ?? NOT_HERE;
  const etag = headers['etag'];
  if (etag !== undefined && request.headers.get('if-none-match') === etag) {
    return new Response(null, { status: 304, headers: { etag } });
  }
  const shown = status === 301 || status === 302 ? null : isBase64 ? Buffer.from(body, 'base64') : body;
  return new Response(shown, { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
}
