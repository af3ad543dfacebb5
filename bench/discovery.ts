/**
 * Measures which pages of a site are found from its front page. Usage: npm run bench:discovery -- CORPUS [--show]
 *
 * CORPUS holds a folder of HTML for each package of documentation, made by different generators. The files answer through a port,
 * as a site does. Ours: `discover`, then the links of each page's document, breadth first. The truth: the HTML files that
 * links reach from the front page, read from the source by another parser.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseHTML } from 'linkedom';
import { extract } from '#extract/extract.ts';
import { discover } from '#library/discovery/discover.ts';
import type { DiscoverPorts } from '#library/discovery/discover.ts';
import { linksInside, linksOfLines } from '#library/discovery/links.ts';
import { pageKey } from '#library/discovery/page-key.ts';

/** The front page of each package, and what made it. */
const SITES: readonly (readonly [name: string, generator: string, front: string])[] = [
  ['python3.11-doc', 'Sphinx', 'pairs/python3.11-doc/v2/usr/share/doc/python3.11/html/index.html'],
  [
    'python-django-doc',
    'Sphinx, own theme',
    'pairs/python-django-doc/v2/usr/share/doc/python-django-doc/html/index.html',
  ],
  ['glance-doc', 'Sphinx, openstackdocs', 'pairs/glance-doc/v2/usr/share/doc/glance-doc/html/index.html'],
  ['postgresql-doc-15', 'DocBook XSL', 'pairs/postgresql-doc-15/v2/usr/share/doc/postgresql-doc-15/html/index.html'],
  ['git-doc', 'AsciiDoc', 'pairs/git-doc/v2/usr/share/doc/git-doc/git.html'],
  ['apache2-doc', 'XSLT of its own', 'pairs/apache2-doc/v2/usr/share/doc/apache2-doc/manual/en/index.html'],
  [
    'wireshark-doc',
    'Asciidoctor, chunked',
    'pairs/wireshark-doc/v2/usr/share/doc/wireshark/wsug_html_chunked/index.html',
  ],
  ['tomcat10-docs', 'XSLT of its own', 'pairs/tomcat10-docs/v2/usr/share/tomcat10-docs/docs/index.html'],
  ['nodejs-doc', 'generator of its own', 'pairs/nodejs-doc/v2/usr/share/doc/nodejs/api/index.html'],
  ['clamav-doc', 'Doxygen', 'pairs/clamav-doc/v2/usr/share/doc/clamav/html/index.html'],
  ['libglib2.0-doc', 'gtk-doc', 'pairs/libglib2.0-doc/v2/usr/share/doc/libglib2.0-0/glib/index.html'],
  ['rust-doc book', 'mdBook', 'corpus/rust-doc/usr/share/doc/rust-doc/html/book/index.html'],
  ['glibc-doc', 'Texinfo', 'corpus/glibc-doc/usr/share/doc/glibc-doc/html/libc/index.html'],
  ['debian-policy', 'Sphinx, single', 'corpus/debian-policy/usr/share/doc/debian-policy/policy.html/index.html'],
  ['sqlite3-doc', 'Tcl of its own', 'corpus/sqlite3-doc/usr/share/doc/sqlite3/index.html'],
  ['mkdocs-doc', 'MkDocs', 'corpus/mkdocs-doc/usr/share/doc/mkdocs/html/index.html'],
  ['developers-reference-ru', 'Sphinx', 'corpus/developers-reference-ru/usr/share/developers-reference/ru/index.html'],
  ['perl-doc', 'pod2html', 'corpus/perl-doc/usr/share/doc/perl/html/index.html'],
];
const PAGES_MAX = 4_000;
const FILE_BYTES_MAX = 5_000_000;

const corpus = resolve(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '.');
const show = process.argv.includes('--show');

for (const [name, generator, path] of SITES) {
  const front = join(corpus, path);
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
    allowed: async () => true,
  };
  const asked = { start, prefix: origin, maxPages: PAGES_MAX };
  const { pages, ways } = await discover(ports, asked);
  const known = pages.map(({ url }) => url);
  for (let at = 0; at < known.length && known.length < PAGES_MAX; at += 1) {
    const url = known[at] ?? '';
    const file = fileOf(url);
    if (file === null || !/\.html?$/.test(file)) continue;
    known.push(...linksInside(await linksOf(file, url), origin, known).pages);
  }
  const files = known.map(fileOf);
  const found = new Set(files.filter((file) => file !== null));
  const missed = [...wanted].filter((file) => !found.has(file));
  const twice =
    known.length - new Set(known.map(pageKey)).size + files.filter((file) => file !== null).length - found.size;
  const outside = known.filter((url) => !url.startsWith(origin)).length;
  console.log(
    `${name.padEnd(24)} ${generator.padEnd(22)} ${wanted.size} articles that links reach, found ${((wanted.size - missed.length) / wanted.size).toFixed(3)}; ` +
      `${found.size} pages in all, ${twice} twice, ${outside} outside; ${ways.map(({ via, count }) => `${via} ${count}`).join(', ')}`,
  );
  if (show) for (const file of missed.slice(0, 8)) console.log(`  missed ${relative(root, file)}`);
}

/** Extraction reads a long page in parts, and each is looked at. */
async function linksOf(file: string, url: string): Promise<string[]> {
  const text = readFileSync(file, 'utf8');
  const links: string[] = [];
  for (let page = 1, total = 1; page <= total; page += 1) {
    const input = { kind: 'html', text, bytes: new Uint8Array(), url, mode: 'readable' } as const;
    const { lines, pages } = await extract(page === 1 ? input : { ...input, firstPage: page });
    links.push(...linksOfLines(lines));
    total = pages?.total ?? 1;
  }
  return links;
}

/** HTML files below the root that links lead to, the front page among them. */
function reachable(front: string, root: string): Set<string> {
  const found = new Set([front]);
  for (const file of found) {
    const { document } = parseHTML(readFileSync(file, 'utf8'));
    for (const link of document.querySelectorAll('a[href]')) {
      const url = URL.parse(link.getAttribute('href') ?? '', `file://${encodeURI(file)}`);
      if (url?.protocol !== 'file:' || url.search !== '') continue;
      const path = decodeURIComponent(url.pathname);
      const target = path.endsWith('/') ? `${path}index.html` : path;
      const isPage = target.startsWith(`${root}/`) && /\.html?$/.test(target) && existsSync(target);
      if (isPage && statSync(target).isFile() && statSync(target).size <= FILE_BYTES_MAX) found.add(target);
    }
  }
  return found;
}
