/**
 * Measures which pages of a site are found from its front page. Usage: npm run bench:discovery -- CORPUS [--only=a,b]
 * [--show]
 *
 * CORPUS has a folder of HTML for each package of documentation, made by different generators. The files are served on
 * a port, like a site. The product's pages are those of `discover`, then the links of each page's document, breadth
 * first. The expected pages are the HTML files that links reach from the front page, read from the source by another
 * parser.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { extract } from '#extract/extract.ts';
import { runToEnd, noPause } from '#core/flow/turns.ts';
import { discoverSitePages } from '#library/discovery/discover.ts';
import type { DiscoverPorts } from '#library/discovery/discover.ts';
import { linksInsideSite, linksOfLines, toPageKey } from '#library/discovery/links.ts';
import { corpusArguments } from './corpus.ts';

/** The front page of each package, and its generator. */
const SITES: readonly (readonly [name: string, generator: string, front: string])[] = [
  ['python3.11-doc', 'Sphinx', 'usr/share/doc/python3.11/html/index.html'],
  ['debian-policy', 'Sphinx, one folder', 'usr/share/doc/debian-policy/policy.html/index.html'],
  ['postgresql-doc-15', 'DocBook XSL', 'usr/share/doc/postgresql-doc-15/html/index.html'],
  ['apache2-doc', 'XSLT of its own', 'usr/share/doc/apache2-doc/manual/en/index.html'],
  ['tomcat10-docs', 'another XSLT', 'usr/share/tomcat10-docs/docs/index.html'],
  ['wireshark-doc', 'Asciidoctor, chunked', 'usr/share/doc/wireshark/wsug_html_chunked/index.html'],
  ['git-doc', 'AsciiDoc', 'usr/share/doc/git-doc/git.html'],
  ['clamav-doc', 'Doxygen', 'usr/share/doc/clamav/html/annotated.html'],
  ['libglib2.0-doc', 'gtk-doc', 'usr/share/gtk-doc/html/glib/index.html'],
  ['rust-doc', 'mdBook', 'usr/share/doc/rust-doc/html/book/index.html'],
  ['mkdocs-doc', 'MkDocs', 'usr/share/doc/mkdocs/html/index.html'],
  ['nodejs-doc', 'generator of its own', 'usr/share/doc/nodejs/api/index.html'],
  ['fish-common', 'Sphinx, a theme of its own', 'usr/share/doc/fish/index.html'],
  ['libcommons-lang3-java-doc', 'Javadoc', 'usr/share/doc/libcommons-lang3-java/api/overview-summary.html'],
  ['libgtk-4-doc', 'gi-docgen', 'usr/share/devhelp/books/gsk4/index.html'],
  ['octave-doc', 'Texinfo', 'usr/share/doc/octave/octave.html/index.html'],
  ['sqlite3-doc', 'Tcl of its own', 'usr/share/doc/sqlite3/index.html'],
];
const PAGES_MAX = 2_000;
const FILE_BYTES_MAX = 5_000_000;
const LINK = /<a\s(?:[^>]*?\s)?href\s*=\s*(?:(["'])(.*?)\1|([^\s"'>]+))/gis;

const { corpus, only, show } = corpusArguments();

for (const [name, generator, path] of SITES) {
  if (only !== null && !only.includes(name)) continue;
  const front = join(corpus, name, path);
  if (existsSync(front)) await measure(name, generator, realpathSync(front));
  else console.log(`${name.padEnd(24)} is not there`);
}

async function measure(name: string, generator: string, front: string): Promise<void> {
  const root = dirname(front);
  const origin = 'https://docs.example/';
  const fileOf = (url: string): string | null => {
    const path = decodeURIComponent(new URL(url).pathname).slice(1);
    const file = join(root, path === '' || path.endsWith('/') ? `${path}index.html` : path);
    const isThere = (file === root || file.startsWith(`${root}/`)) && existsSync(file) && statSync(file).isFile();
    return isThere && statSync(file).size <= FILE_BYTES_MAX ? file : null;
  };
  const start = origin + relative(root, front).replace(/^index\.html$/, '');
  const wanted = reachable(front, root);
  const ports: DiscoverPorts = {
    fetch: async (url) => {
      const file = fileOf(url);
      return file === null ? { missing: 'absent' } : { url, bytes: readFileSync(file) };
    },
    rules: async () => () => ({ isAllowed: true, bytes: 0 }),
    inTurn: (work) => work(noPause),
    signal: AbortSignal.timeout(60_000),
  };
  const asked = { start, prefix: origin, maxPages: PAGES_MAX };
  const { pages, ways } = await discoverSitePages(ports, asked);
  const known = pages.map(({ url }) => url);
  const keys = new Set(known.map(toPageKey));
  for (let at = 0; at < known.length && known.length < PAGES_MAX; at += 1) {
    const url = known[at] ?? '';
    const file = fileOf(url);
    if (file === null || !/\.html?$/.test(file)) continue;
    // A round does the same, but the store leaves out known pages.
    for (const link of runToEnd(linksInsideSite(await linksOf(file, url), origin, [])).pages) {
      if (keys.has(toPageKey(link))) continue;
      keys.add(toPageKey(link));
      known.push(link);
    }
  }
  const files = known.map(fileOf);
  const found = new Set(files.filter((file) => file !== null));
  const missed = [...wanted].filter((file) => !found.has(file));
  const twice =
    known.length - new Set(known.map(toPageKey)).size + files.filter((file) => file !== null).length - found.size;
  const outside = known.filter((url) => !url.startsWith(origin)).length;
  console.log(
    `${name.padEnd(24)} ${generator.padEnd(22)} ${wanted.size} articles that links reach, found ${((wanted.size - missed.length) / wanted.size).toFixed(3)}; ` +
      `${found.size} pages in all, ${twice} twice, ${outside} outside; ${ways.map(({ via, count }) => `${via} ${count}`).join(', ')}`,
  );
  if (show) for (const file of missed.slice(0, 8)) console.log(`  missed ${relative(root, file)}`);
}

/** Extraction reads a long page in parts, so all parts are read. */
async function linksOf(file: string, url: string): Promise<string[]> {
  const text = readFileSync(file, 'utf8');
  const links: string[] = [];
  for (let page = 1, total = 1; page <= total; page += 1) {
    const input = { kind: 'html', text, bytes: new Uint8Array(), url, mode: 'readable' } as const;
    const { lines, pages } = await extract(page === 1 ? input : { ...input, firstPage: page });
    for (const link of runToEnd(linksOfLines(lines))) links.push(link);
    total = pages?.total ?? 1;
  }
  return links;
}

/** HTML files below the root that can be reached by links, including the front page. */
function reachable(front: string, root: string): Set<string> {
  const found = new Set([front]);
  for (const file of found) {
    const html = readFileSync(file, 'utf8').replaceAll(/<!--.*?-->|<(script|style)\b.*?<\/\1>/gis, '');
    for (const [, quote, quoted = '', bare = ''] of html.matchAll(LINK)) {
      const href = (quote === undefined ? bare : quoted).replaceAll('&amp;', '&');
      const url = URL.parse(href, `file://${encodeURI(file)}`);
      if (url?.protocol !== 'file:' || url.search !== '') continue;
      const path = decodeURIComponent(url.pathname);
      const target = path.endsWith('/') ? `${path}index.html` : path;
      // Listings of source code are not articles.
      const isPage = target.startsWith(`${root}/`) && /(?<!\/src-html\/.*)\.html?$/.test(target) && existsSync(target);
      if (isPage && statSync(target).isFile() && statSync(target).size <= FILE_BYTES_MAX) found.add(target);
    }
  }
  return found;
}
