import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startOrigin } from '#support/origin.ts';
import type { Origin, RouteTable } from '#support/origin.ts';

/** The largest pages that were saved in a folder as `NAME.html` or `NAME.html.gz`, on a loopback port. */
export async function serveSaved(folder: string, count: number): Promise<(Origin & { paths: string[] }) | null> {
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder)
    .filter((name) => /\.html(?:\.gz)?$/.test(name))
    .map((name) => ({ name, bytes: statSync(join(folder, name)).size }))
    .toSorted((one, other) => other.bytes - one.bytes || one.name.localeCompare(other.name))
    .slice(0, count)
    .map(({ name }) => name);
  const routes: RouteTable = {};
  for (const name of names) {
    const body = readFileSync(join(folder, name));
    const html = name.endsWith('.gz') ? gunzipSync(body) : body;
    routes[`/${name}`] = (_request, response) => response.writeHead(200, HEADERS).end(html);
  }
  return { ...(await startOrigin(routes)), paths: Object.keys(routes) };
}

/** Blocks other sites and scripts, so that all subjects see the same page, with or without a network. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
};
