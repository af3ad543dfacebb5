import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { send, startOrigin } from '../../test/support/origin.ts';
import type { Handler, Origin, RouteTable } from '../../test/support/origin.ts';
import { html } from './page.ts';
import { DATA_PAGES } from './pages-data.ts';
import { FORM_PAGES } from './pages-forms.ts';
import { PLAIN_PAGES } from './pages-plain.ts';
import { MORE_PAGES } from './pages-more.ts';
import { WORK_PAGES } from './pages-work.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const PEOPLE = ['Ada Holm', 'Adam Berg', 'Bo Lind', 'Clara Holst', 'Erik Holm', 'Eva Lindgren', 'Per Adamsen'];
/** Time of a search on a server. */
const SEARCH_MS = 300;

/** Host pages of libraries and the server that they call, on a loopback port. */
export async function serveHosts(): Promise<Origin> {
  const routes: RouteTable = {
    '/api/people': people,
    '/api/posts': posts,
    '/api/tides': send('{"reason":"no such station: kiel, did you mean kiel-holtenau"}', JSON_TYPE, 502),
  };
  for (const pages of [DATA_PAGES, FORM_PAGES, WORK_PAGES, MORE_PAGES, PLAIN_PAGES]) {
    for (const [name, page] of Object.entries(pages)) {
      if (routes[`/${name}`] !== undefined) throw new Error(`Two pages of the bench are called ${name}.`);
      routes[`/${name}`] = send(html(page));
    }
  }
  return startOrigin(routes, library);
}

const JSON_TYPE = { 'content-type': 'application/json' };

const people: Handler = (request, response) => {
  const term = new URL(request.url ?? '/', 'http://localhost').searchParams.get('term') ?? '';
  const results = PEOPLE.filter((name) => name.toLowerCase().includes(term.toLowerCase()));
  const body = JSON.stringify({ results: results.map((text) => ({ id: text, text })) });
  setTimeout(() => response.writeHead(200, JSON_TYPE).end(body), SEARCH_MS);
};

/** A page of a list that a script asks for with a form. */
const posts: Handler = (request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => {
    const page = new URLSearchParams(body).get('page') ?? '';
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ name: `Page ${page}` }));
  });
};

/** Serves files of the packages that are installed in this folder. */
const library: Handler = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = join(import.meta.dirname, 'node_modules', normalize(decodeURIComponent(pathname.replace('/lib/', '/'))));
  if (!pathname.startsWith('/lib/') || !existsSync(file)) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('No such page.\n');
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
};
