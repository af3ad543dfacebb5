import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDocument } from 'htmlparser2';
import { startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import { decoded, isElement, textOf } from '../questions/page-text.ts';

/** Documentation in a folder, served on loopback. */
export type Corpus = {
  origin: Origin;
  urlOf: (path: string) => string;
  /** The text of a page as served, in one line; `null` if the corpus has no such page. */
  textAt: (url: string) => string | null;
};

const TYPES: readonly [RegExp, string][] = [
  [/\.x?html?(?:\.[a-z-]+)*$/, 'text/html'],
  [/\.txt$/, 'text/plain'],
  [/\.css$/, 'text/css'],
];

export async function serveCorpus(folder: string): Promise<Corpus> {
  const root = resolve(folder);
  const fileAt = (pathname: string): string | null => {
    const file = resolve(join(root, decodeURIComponent(pathname)));
    const isThere = file.startsWith(`${root}/`) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return isThere ? file : null;
  };
  const origin = await startOrigin({}, (request, response) => {
    const file = fileAt(new URL(request.url ?? '/', 'http://docs').pathname);
    if (file === null) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found.\n');
    const type = TYPES.find(([names]) => names.test(file))?.[1] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  return {
    origin,
    urlOf: (path) => `${origin.url}/${path.split('/').map(encodeURIComponent).join('/')}`,
    textAt: (url) => {
      const parsed = URL.parse(url);
      const file = parsed?.origin === origin.url ? fileAt(parsed.pathname) : null;
      return file === null ? null : plainText(decoded(readFileSync(file)));
    },
  };
}

/** The visible text of a page, in one line. */
export function plainText(html: string): string {
  const texts = parseDocument(html, { decodeEntities: true }).children.map((node) =>
    isElement(node) ? textOf(node) : '',
  );
  return texts.join(' ').replace(/\s+/g, ' ').trim();
}
