/**
 * Measures losses inside the kept part of a page. Usage: node bench/loss.ts CORPUS [--pages=N] [--show]
 *
 * CORPUS has a folder of HTML pages for each package of documentation. N pages of each are read (16), chosen by a hash
 * of their names. Headings, code, terms and cells count if they are between the first and the last kept one and not in
 * parts that the page itself hides or marks as navigation. Line numbers next to code do not count, nor do links to
 * sources and to the place itself. --show lists all losses.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Parser } from 'htmlparser2';
import { mainLines } from '#core/document/document.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractedText } from '#extract/extractor.ts';
import { record } from './record.ts';

const KINDS: Readonly<Record<string, Kind>> = {
  h1: 'headings',
  h2: 'headings',
  h3: 'headings',
  h4: 'headings',
  h5: 'headings',
  h6: 'headings',
  pre: 'code',
  dt: 'terms',
  td: 'cells',
};
type Kind = 'headings' | 'code' | 'terms' | 'cells';
const ALL_KINDS: readonly Kind[] = ['headings', 'code', 'terms', 'cells'];
type Block = { kind: Kind; key: string; text: string };
type Open = { name: string; isNavigation: boolean; text: string };

const VOID = /^(?:br|hr|img|input|link|meta|wbr|col|area|base|source|param|embed|track)$/;
const NAVIGATION = /^(?:nav|header|footer|aside|script|style|head|form|noscript)$/;
const NAMED =
  /\b(?:viewcode-link|nav|nav_table|navheader|navfooter|toc|sidebar|footer|related|breadcrumb|headerlink|sphinxsidebar|navbar|menu|search)\b/i;
/** Matches the numbers of a listing, from any line on. */
const LINE_NUMBERS = /^\s*\d+(?:\s+\d+){2,}\s*$/;
/** Shorter texts occur anywhere. */
const KEY_CHARS_MIN = 4;
const FILE_BYTES_MIN = 6_000;
const FILE_BYTES_MAX = 900_000;

const corpus = resolve(process.argv[2] ?? '.');
const pages = Number(process.argv.find((word) => word.startsWith('--pages='))?.slice('--pages='.length) ?? 16);
const show = process.argv.includes('--show');
const sums = tallies();
let packages = 0;
for (const name of readdirSync(corpus)) {
  const files = pagesIn(join(corpus, name)).slice(0, pages);
  if (files.length === 0) continue;
  packages += 1;
  const own = tallies();
  for (const file of files) await measure(file, own);
  console.log(row(name, own));
  for (const kind of ALL_KINDS) {
    sums[kind].all += own[kind].all;
    sums[kind].lost += own[kind].lost;
  }
}
console.log(row('all', sums));
record(
  ...ALL_KINDS.map((kind) => ({
    row: `loss-${kind}`,
    n: sums[kind].all,
    value: `${sums[kind].lost} of ${sums[kind].all.toLocaleString('en')}`,
  })),
);

function tallies(): Record<Kind, { all: number; lost: number }> {
  const none = () => ({ all: 0, lost: 0 });
  return { headings: none(), code: none(), terms: none(), cells: none() };
}

function row(name: string, of: ReturnType<typeof tallies>): string {
  const figures = ALL_KINDS.map((kind) => `${kind} ${of[kind].lost}/${of[kind].all}`.padEnd(20));
  return `${name.padEnd(26)} ${figures.join(' ')}`;
}

/** A fixed choice of files from all parts of the package. */
function pagesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > FILE_BYTES_MIN && statSync(file).size < FILE_BYTES_MAX);
  const hashed = files.map(
    (file) => [createHash('sha256').update(file.slice(corpus.length)).digest('hex'), file] as const,
  );
  return hashed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
}

async function measure(file: string, into: ReturnType<typeof tallies>): Promise<void> {
  const html = readFileSync(file, 'utf8');
  const url = `https://docs.example/${file.slice(corpus.length + 1)}`;
  const page = await readPage(html, url);
  if (page === null) return;
  const kept = squeezed(
    mainLines(page)
      .join('\n')
      .replace(/\]\((?:https?:|mailto:|#)[^)\s]*(?:\s"[^"]*")?\)/g, ']'),
  );
  const blocks = blocksOf(html).map((block) => ({ ...block, isLost: !kept.includes(block.key) }));
  const first = blocks.findIndex(({ isLost }) => !isLost);
  const last = blocks.findLastIndex(({ isLost }) => !isLost);
  for (const { kind, text, isLost } of first < 0 ? [] : blocks.slice(first, last + 1)) {
    into[kind].all += 1;
    if (!isLost) continue;
    into[kind].lost += 1;
    if (show) console.log(`  ${kind} lost of ${file.slice(corpus.length + 1)}: ${text}`);
  }
}

/** Returns `null` for a page that only scripts would fill: it has no kept part. */
async function readPage(html: string, url: string): Promise<ExtractedText | null> {
  try {
    return await extract({ kind: 'html', text: html, bytes: new Uint8Array(), url, mode: 'readable' });
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    console.log(`  refused, ${blocksOf(html).length} blocks: ${url}`);
    return null;
  }
}

function squeezed(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/<(?:br|\/?su[bp])>/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Independent of the product's own reading. */
function blocksOf(html: string): Block[] {
  const found: Block[] = [];
  const open: Open[] = [];
  let navigation = 0;
  const end = ({ name, isNavigation, text }: Open) => {
    if (isNavigation) navigation -= 1;
    const kind = KINDS[name];
    const key = squeezed(text.replace(/[¶#]\s*$/, ''));
    if (isNavigation || navigation > 0 || kind === undefined || key.length < KEY_CHARS_MIN || LINE_NUMBERS.test(text))
      return;
    found.push({ kind, key, text: text.trim().replace(/\s+/g, ' ').slice(0, 80) });
  };
  const parser = new Parser(
    {
      onopentag(name, { class: className = '', id = '', role = '', hidden }) {
        if (VOID.test(name)) return;
        const isNavigation = hidden !== undefined || NAVIGATION.test(name) || NAMED.test(`${className} ${id} ${role}`);
        if (isNavigation) navigation += 1;
        open.push({ name, isNavigation, text: '' });
      },
      ontext(text) {
        if (navigation > 0) return;
        for (const element of open) if (KINDS[element.name] !== undefined) element.text += text;
      },
      onclosetag(name) {
        const at = open.map((element) => element.name).lastIndexOf(name);
        if (at >= 0) for (const element of open.splice(at).reverse()) end(element);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return found;
}
