import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { send, startOrigin } from '#support/origin.ts';
import type { Origin, RouteTable } from '#support/origin.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.gif': 'image/gif',
};

/** The pages of MiniWoB++ on a loopback port, and the names of the tasks. */
export async function serveTasks(folder: string): Promise<Origin & { tasks: string[] }> {
  if (!existsSync(join(folder, 'miniwob'))) throw new Error(`There are no MiniWoB++ pages in ${folder}.`);
  const routes: RouteTable = {};
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const type = TYPES[extname(file.name)] ?? 'application/octet-stream';
    routes[path.slice(folder.length)] = send(readFileSync(path), { 'content-type': type });
  }
  const tasks = readdirSync(join(folder, 'miniwob')).flatMap((name) => /^(.+)\.html$/.exec(name)?.[1] ?? []);
  return { ...(await startOrigin(routes)), tasks: tasks.toSorted() };
}
