/**
 * Measures pages that are too long for one document. Usage: node bench/parts.ts CORPUS [--pages=N] [--show]
 *
 * CORPUS has a folder of HTML pages for each package of documentation. The N longest pages of each that are read in
 * parts (6) are read from the first part to the last. The results for each page are its parts; the headings, code,
 * terms and cells that are in no part; those that are only in the rest of a part; and the names of places that open no
 * part, or a part without the text after them.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Parser } from 'htmlparser2';
import { mainLines } from '#core/document/document.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractedText } from '#extract/extractor.ts';

const BLOCKS = /^(?:h[1-6]|pre|dt|td|li|p)$/;
const VOID = /^(?:br|hr|img|input|link|meta|wbr|col|area|base|source|param|embed|track)$/;
const UNREAD = /^(?:script|style|head|noscript|template|svg|iframe|select|textarea|object|video|audio|canvas|map)$/;
const KEY_CHARS_MIN = 4;
/** Length of the text after a name that must be near the place to which the name leads. */
const SAMPLE_CHARS = 16;
const SAMPLES = 4;
const SAMPLE_LINES = 12;
const FILE_BYTES_MIN = 250_000;
const FILE_BYTES_MAX = 5_000_000;

const corpus = resolve(process.argv[2] ?? '.');
const pages = Number(process.argv.find((word) => word.startsWith('--pages='))?.slice('--pages='.length) ?? 6);
const show = process.argv.includes('--show');
const sums = { pages: 0, parts: 0, blocks: 0, lost: 0, beside: 0, names: 0, unknown: 0, astray: 0 };
for (const name of readdirSync(corpus)) {
  let left = pages;
  for (const file of longest(join(corpus, name))) {
    if (left === 0) break;
    if (await measure(file)) left -= 1;
  }
}
console.log(JSON.stringify(sums));

function longest(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.x?html$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, size: statSync(file).size }))
    .filter(({ size }) => size > FILE_BYTES_MIN && size < FILE_BYTES_MAX)
    .toSorted((a, b) => b.size - a.size)
    .map(({ file }) => file);
}

/** @returns true if the page is read in parts */
async function measure(file: string): Promise<boolean> {
  const html = readFileSync(file, 'utf8');
  const url = `https://docs.example/${file.slice(corpus.length + 1)}`;
  const read = (firstPage?: number) =>
    extract({ kind: 'html', text: html, bytes: new Uint8Array(), url, mode: 'readable', firstPage });
  const first = await read();
  if (first.pages === undefined) return false;
  const parts = [first];
  for (let page = 2; page <= first.pages.total; page += 1) parts.push(await read(page));
  const main = squeezed(parts.flatMap(mainLines).join('\n'));
  const all = squeezed(parts.flatMap(({ lines }) => lines).join('\n'));
  const { blocks, names } = factsOf(html);
  const lost = blocks.filter((key) => !all.includes(key));
  const beside = blocks.filter((key) => !main.includes(key) && all.includes(key));
  const opened = names.map((name) => ({ ...name, ...placeOf(name.name, parts) }));
  const unknown = opened.filter(({ part }) => part === null);
  const astray = opened.filter(({ part, line, sample }) => part !== null && !standsAt(sample, part, line));
  const own = {
    pages: 1,
    parts: parts.length,
    blocks: blocks.length,
    lost: lost.length,
    beside: beside.length,
    names: names.length,
    unknown: unknown.length,
    astray: astray.length,
  };
  sums.pages += own.pages;
  sums.parts += own.parts;
  sums.blocks += own.blocks;
  sums.lost += own.lost;
  sums.beside += own.beside;
  sums.names += own.names;
  sums.unknown += own.unknown;
  sums.astray += own.astray;
  const lines = parts.map(({ lines: { length } }) => length).join('+');
  console.log(`${file.slice(corpus.length + 1)} ${JSON.stringify(own)} lines ${lines} ${first.cuts.join(' ')}`);
  if (show) {
    for (const key of lost.slice(0, 8)) console.log(`  lost: ${key.slice(0, 80)}`);
    for (const { name } of unknown.slice(0, 8)) console.log(`  unknown: ${name}`);
    for (const { name, sample, line } of astray.slice(0, 8)) console.log(`  astray: ${name} at ${line}: ${sample}`);
  }
  return true;
}

function placeOf(
  name: string,
  [first, ...others]: readonly ExtractedText[],
): { part: ExtractedText | null; line: number } {
  const own = first?.anchors?.get(name);
  if (first !== undefined && own !== undefined) return { part: first, line: own };
  const page = first?.laterAnchors?.pages.get(name);
  const part = page === undefined ? undefined : others[page - 2];
  const line = part?.anchors?.get(name);
  return part === undefined || line === undefined ? { part: null, line: 0 } : { part, line };
}

function standsAt(sample: string, { lines }: ExtractedText, line: number): boolean {
  const near = lines.slice(Math.max(0, line - 1), line + SAMPLE_LINES);
  const text = squeezed(near.join('\n'));
  return Array.from({ length: SAMPLES }, (_, n) => sample.slice(n * SAMPLE_CHARS, (n + 1) * SAMPLE_CHARS)).some(
    (piece) => text.includes(piece),
  );
}

function squeezed(text: string): string {
  return text
    .replace(/\]\((?:https?:|mailto:|#)[^)\s]*(?:\s"[^"]*")?\)/g, ']')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/<(?:br|\/?su[bp])>/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

type Named = { name: string; sample: string };

/** Independent of the product's own reading. */
function factsOf(html: string): { blocks: string[]; names: Named[] } {
  const blocks: string[] = [];
  const names: Named[] = [];
  const seen = new Set<string>();
  const open: { name: string; text: string; isUnread: boolean }[] = [];
  let waiting: Named[] = [];
  let unread = 0;
  const parser = new Parser(
    {
      onopentag(name, { id = '', class: className = '', name: given = '', hidden, style = '' }) {
        const isUnread =
          UNREAD.test(name) ||
          hidden !== undefined ||
          /display:\s*none/.test(style) ||
          (name === 'a' && /\b(?:src|srclink|anchor)\b/.test(className));
        if (unread === 0 && !isUnread) {
          for (const place of [id, name === 'a' ? given : '']) {
            if (place === '' || seen.has(place)) continue;
            seen.add(place);
            waiting.push({ name: place, sample: '' });
          }
        }
        if (VOID.test(name)) return;
        if (isUnread) unread += 1;
        open.push({ name, text: '', isUnread });
      },
      ontext(text) {
        if (unread > 0) return;
        for (const element of open) if (BLOCKS.test(element.name)) element.text += text;
        for (const place of waiting) place.sample += text;
        const full = waiting.filter(({ sample }) => squeezed(sample).length >= SAMPLES * SAMPLE_CHARS);
        for (const { name, sample } of full)
          names.push({ name, sample: squeezed(sample).slice(0, SAMPLES * SAMPLE_CHARS) });
        if (full.length > 0) waiting = waiting.filter((place) => !full.includes(place));
      },
      onclosetag(name) {
        const at = open.findLastIndex((element) => element.name === name);
        if (at < 0) return;
        for (const element of open.splice(at)) {
          if (element.isUnread) unread -= 1;
          const key = squeezed(element.text.replace(/[¶#§]\s*$/, ''));
          if (BLOCKS.test(element.name) && unread === 0 && key.length >= KEY_CHARS_MIN) blocks.push(key);
        }
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { blocks, names };
}
