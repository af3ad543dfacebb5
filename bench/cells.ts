/**
 * Checks code that is rendered without `pre`, and tables with code, lists or tables in their cells, on real
 * documentation.
 *
 * Usage: node bench/cells.ts CORPUS [--pages=N] [--show] [--main]
 *
 * CORPUS has a folder of HTML pages for each package. The N pages (40) with most of both are read as a whole, or with
 * --main only their main part. A line of code must be in a fence or in a code span of a cell, letter by letter. Each
 * row and cell of a table must be in its place, in a table or in records. The expected result does not come from the
 * product's own reading.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Parser } from 'htmlparser2';
import { mainLines } from '#core/document/document.ts';
import { extract } from '#extract/extract.ts';

type Node = Element | string;
type Element = { name: string; className: string; attributes: Record<string, string>; inside: Node[] };
type Tally = { lines: number; verbatim: number; tables: number; whole: number };

/** Markup of such code by generator, from their documentation. Each line is a block in it, or ends with a `br`. */
const LISTINGS: readonly ((element: Element, around: Element) => boolean)[] = [
  ({ name, className }) => name === 'div' && /(?:^| )fragment(?: |$)/.test(className),
  ({ name, className }) => name === 'blockquote' && className === 'SCodeFlow',
  ({ name, className }) => name === 'div' && /(?:^| )(?:Small|Indented\d)?Examples$/.test(className),
  // In a sentence, a `br` in code only wraps it.
  ({ name, className, inside }, around) =>
    name === 'code' &&
    className === 'code' &&
    inside.some((node) => isElement(node) && node.name === 'br') &&
    around.inside.every((node) => isElement(node) || node.trim() === ''),
  ({ name, className }) => name === 'div' && /(?:^| )(?:lstlisting|alltt)(?: |$)/.test(className),
];
const BLOCKS = /^(?:div|p|tr|li|table|tbody|td|blockquote)$/;
const VOID = /^(?:br|hr|img|input|link|meta|wbr|col|area|base|source|param|embed|track)$/;
const NO_TEXT = /^(?:script|style|head|template|svg|button)$/;
const FILE_BYTES_MAX = 600_000;
/** Files of a package that are examined to find those with most to check. */
const LOOKED_AT_MAX = 1_500;

const corpus = resolve(process.argv[2] ?? '.');
const pages = Number(process.argv.find((word) => word.startsWith('--pages='))?.slice('--pages='.length) ?? 40);
const show = process.argv.includes('--show');
const onlyMain = process.argv.includes('--main');
const sums: Tally = { lines: 0, verbatim: 0, tables: 0, whole: 0 };
for (const name of readdirSync(corpus)) {
  const own: Tally = { lines: 0, verbatim: 0, tables: 0, whole: 0 };
  for (const file of pagesIn(join(corpus, name))) await measure(file, own);
  if (own.lines + own.tables === 0) continue;
  console.log(row(name, own));
  for (const key of ['lines', 'verbatim', 'tables', 'whole'] as const) sums[key] += own[key];
}
console.log(row('all', sums));

function row(name: string, { lines, verbatim, tables, whole }: Tally): string {
  const share = lines === 0 ? '' : ` (${((100 * verbatim) / lines).toFixed(2)} %)`;
  return `${name.padEnd(28)} lines ${verbatim}/${lines}${share}`.padEnd(62) + `tables ${whole}/${tables}`;
}

function pagesIn(folder: string): string[] {
  const hash = (file: string) => createHash('sha256').update(file.slice(corpus.length)).digest('hex');
  const weigh = (file: string) => {
    const html = readFileSync(file, 'utf8');
    const marks = html.match(
      /class="(?:fragment|SCodeFlow|(?:Small)?Examples|code)"|<t[dh][^>]*>\s*(?:<pre|<table|<ul|<ol)/gi,
    );
    return { file, weight: Math.min(50, marks?.length ?? 0) };
  };
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?(?:\.en)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < FILE_BYTES_MAX)
    .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
    .slice(0, LOOKED_AT_MAX)
    .map(weigh)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, pages)
    .map(({ file }) => file);
}

async function measure(file: string, into: Tally): Promise<void> {
  const html = readFileSync(file, 'utf8');
  const url = `https://docs.example/${file.slice(corpus.length + 1)}`;
  const page = await extract({
    kind: 'html',
    text: html,
    bytes: new Uint8Array(),
    url,
    mode: onlyMain ? 'readable' : 'raw',
  });
  if (page.cuts.length > 0) return;
  const markdown = onlyMain ? mainLines(page) : page.lines;
  const body = treeOf(html);
  const told = (what: string) => show && console.log(`  ${file.slice(corpus.length + 1)}: ${what}`);
  const code = codeLinesOf(markdown);
  for (const listing of find(body, (element, around) => LISTINGS.some((is) => is(element, around)))) {
    if (find(listing, ({ name }) => /^(?:img|ul|ol|h\d|pre)$/.test(name)).length > 0) continue;
    for (const line of linesOf(listing)) {
      into.lines += 1;
      const left = code.get(line) ?? 0;
      if (left > 0) into.verbatim += 1;
      else told(`line ${JSON.stringify(line)}`);
      code.set(line, left - 1);
    }
  }
  const found = tablesOf(markdown);
  for (const table of find(body, ({ name }) => name === 'table')) {
    if (!isWithBlocks(table)) continue;
    into.tables += 1;
    if (isCarried(rowsOf(table), found)) into.whole += 1;
    else told(`table ${textOf(table).replace(/\s+/g, ' ').slice(0, 160)}`);
  }
}

function isElement(node: Node): node is Element {
  return typeof node !== 'string';
}

function treeOf(html: string): Element {
  const root: Element = { name: 'root', className: '', attributes: {}, inside: [] };
  const open = [root];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, className: attributes['class'] ?? '', attributes, inside: [] };
        open.at(-1)?.inside.push(element);
        if (!VOID.test(name)) open.push(element);
      },
      ontext(text) {
        open.at(-1)?.inside.push(text);
      },
      onclosetag(name) {
        const at = open.findLastIndex((element) => element.name === name);
        if (at > 0) open.splice(at);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return root;
}

/** The outermost matching elements; for tables, also the inner ones. */
function find(root: Element, fits: (element: Element, around: Element) => boolean): Element[] {
  const found: Element[] = [];
  for (const node of root.inside) {
    if (!isElement(node) || NO_TEXT.test(node.name)) continue;
    const isFound = fits(node, root);
    if (isFound) found.push(node);
    if (!isFound || node.name === 'table') found.push(...find(node, fits));
  }
  return found;
}

function textOf(node: Node): string {
  if (!isElement(node)) return node;
  if (NO_TEXT.test(node.name) || node.className === 'lineno' || node.className.startsWith('ttc')) return '';
  if (node.name === 'br') return '\n';
  if (node.name === 'img') return node.attributes['alt'] ?? '';
  return node.inside.map(textOf).join('');
}

/** Lines of a listing, as a browser renders them. */
function linesOf(listing: Element): string[] {
  const lines: string[] = [];
  let line = '';
  const end = () => {
    const text = line.replaceAll('\u00a0', ' ').trimEnd();
    line = '';
    if (text !== '') lines.push(text);
  };
  const read = (element: Element): void => {
    for (const node of element.inside) {
      if (!isElement(node)) {
        line += line === '' ? node.replace(/^[ \t]*\n\s*?(?=[^ \t\n]|$)/, '').replace(/^\n+/, '') : node;
        if (/[ \t]*\n[ \t]*$/.test(line)) line = line.replace(/[ \t]*\n[ \t]*$/, '');
        line = line.replace(/[ \t]*\n[ \t\n]*/g, ' ');
      } else if (node.name === 'br') end();
      else if (!NO_TEXT.test(node.name) && node.className !== 'lineno' && !node.className.startsWith('ttc')) {
        if (BLOCKS.test(node.name)) end();
        read(node);
        if (BLOCKS.test(node.name)) end();
      }
    }
  };
  read(listing);
  end();
  return lines;
}

/** Lines of fences, and code spans of table rows. */
function codeLinesOf(markdown: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const add = (line: string) => found.set(line.trimEnd(), (found.get(line.trimEnd()) ?? 0) + 1);
  let fence: { marks: string; indent: number } | null = null;
  for (const line of markdown) {
    const marks = /^(?:[\s>]|[-*] |\d+[.)] |\[\^[^\]]+\]: )*?(`{3,})[^`]*$/.exec(line);
    if (fence !== null) {
      if (marks?.[1] === fence.marks && line.trimEnd().endsWith(fence.marks)) fence = null;
      else add(line.slice(fence.indent));
    } else if (marks?.[1] !== undefined) fence = { marks: marks[1], indent: line.indexOf(marks[1]) };
    else if (/^[\s>]*(?:[-*] )*\|/.test(line)) {
      for (const span of line.matchAll(/(?<!`)(`+)((?:(?!\1)[^])*?)\1(?!`)|<code>(.*?)<\/code>/g)) {
        const code = (span[2] ?? (span[3] ?? '').replace(/\\([^\w\s])/g, '$1')).replaceAll('\\|', '|');
        add(code.startsWith(' `') || code.endsWith('` ') ? code.slice(1, -1) : code);
      }
    }
  }
  return found;
}

/** True for a table with a header or parameters that has a block in one of its own cells. */
function isWithBlocks(table: Element): boolean {
  if (table.attributes['role'] === 'presentation') return false;
  const rows = ownRows(table);
  const cells = rows.flatMap(cellsOf);
  const isHeaded = cells.some(({ name }) => name === 'th') || /(?:^| )params(?: |$)/.test(table.className);
  if (rows.length < 2 || !isHeaded || !rows.some((one) => cellsOf(one).length > 1)) return false;
  if (find(table, ({ name }) => /^h[12]$|^form$/.test(name)).length > 0) return false;
  return cells.some((cell) => find(cell, isBlockInCell).length > 0);
}

function isBlockInCell(element: Element, around: Element): boolean {
  const { name } = element;
  if (name === 'pre') return textOf(element).trim().includes('\n');
  return (
    name === 'ul' || name === 'ol' || name === 'table' || name === 'dl' || LISTINGS.some((is) => is(element, around))
  );
}

function ownRows(table: Element): Element[] {
  return table.inside.flatMap((node) => {
    if (!isElement(node) || node.name === 'table') return [];
    return node.name === 'tr' ? [node] : /^t(?:head|body|foot)$/.test(node.name) ? ownRows(node) : [];
  });
}

function cellsOf(tr: Element): Element[] {
  return tr.inside.filter((node) => isElement(node)).filter(({ name }) => name === 'td' || name === 'th');
}

/** Texts of the cells, with each span repeated. */
function rowsOf(table: Element): string[][] {
  const above: { text: string; rows: number }[] = [];
  return ownRows(table).map((tr) => {
    const out: string[] = [];
    const fill = () => {
      for (let cell = above[out.length]; cell !== undefined && cell.rows > 0; cell = above[out.length]) {
        cell.rows -= 1;
        out.push(cell.text);
      }
    };
    const cells = cellsOf(tr);
    for (const cell of cells) {
      fill();
      const rows = Number(cell.attributes['rowspan'] ?? 1);
      const columns = cells.length === 1 && rows === 1 ? 1 : Number(cell.attributes['colspan'] ?? 1);
      for (let column = 0; column < columns; column += 1) {
        above[out.length] = { text: squeezed(textOf(cell)), rows: rows - 1 };
        out.push(squeezed(textOf(cell)));
      }
    }
    fill();
    return out;
  });
}

function isCarried(rows: string[][], found: readonly string[][][]): boolean {
  const wanted = rows.filter((cells) => cells.some((cell) => cell !== ''));
  return found.some((table) => {
    const got = table.filter((cells) => cells.some((cell) => cell !== ''));
    return isSame(wanted, got) || isRecords(wanted, got);
  });
}

function isSame(wanted: string[][], got: string[][]): boolean {
  return (
    wanted.length === got.length &&
    wanted.every((cells, index) => {
      const own = got[index] ?? [];
      return Array.from({ length: Math.max(cells.length, own.length) }).every(
        (_, at) => (cells[at] ?? '') === (own[at] ?? ''),
      );
    })
  );
}

/** True if each record is one text in which the header's names and the row's cells alternate. */
function isRecords(wanted: string[][], got: string[][]): boolean {
  const [header = [], ...body] = wanted;
  const records = got.map((cells) => cells.join(''));
  const labelled = body.map((cells) => cells.map((cell, at) => (header[at] ?? '') + cell).join(''));
  const plain = wanted.map((cells) => cells.join(''));
  return [labelled, plain].some(
    (texts) => texts.length === records.length && texts.every((text, at) => text === records[at]),
  );
}

/** Tables, and lists whose items are records. */
function tablesOf(markdown: readonly string[]): string[][][] {
  const found: string[][][] = [];
  const texts = markdown.map((line) => line.replace(/^(?:[\s>]|[-*] (?=\|)|\d+[.)] (?=\|))+/, ''));
  for (let at = 1; at < texts.length; at += 1) {
    if (!/^\|(?: --- \|)+$/.test(texts[at] ?? '')) continue;
    const table = [cellsIn(texts[at - 1] ?? '')];
    while (texts[at + 1]?.startsWith('|') === true) table.push(cellsIn(texts[(at += 1)] ?? ''));
    found.push(table);
  }
  return [...found, ...recordsOf(markdown)];
}

function cellsIn(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)(?:\\\\)*\|/)
    .map((cell) => squeezed(unmarked(cell)));
}

/** Lists at any depth: an item is its line and all lines with a deeper indent. */
function recordsOf(markdown: readonly string[]): string[][][] {
  const found: string[][][] = [];
  let list: { indent: number; items: string[][] } | null = null;
  const lists: { indent: number; items: string[][] }[] = [];
  let fence: string | null = null;
  for (const line of markdown) {
    const marks = /^[\s>]*(`{3,})/.exec(line)?.[1];
    if (fence !== null || marks !== undefined) {
      for (const { items } of fence === null || marks === fence ? [] : lists) items.at(-1)?.push(squeezed(line));
      fence = fence === null ? (marks ?? null) : marks === fence ? null : fence;
      continue;
    }
    const text = line.replace(/^[> ]*(?=[> ])/, (quote) => quote.replaceAll('>', ' '));
    const item = /^(\s*)[-*] /.exec(text);
    const indent = /\S/.exec(text)?.index ?? Infinity;
    while (lists.length > 0 && indent < (lists.at(-1)?.indent ?? 0) + (item === null ? 1 : 0)) lists.pop();
    if (item !== null && lists.at(-1)?.indent !== indent) {
      list = { indent, items: [] };
      lists.push(list);
      found.push(list.items);
    }
    if (item !== null) lists.at(-1)?.items.push([]);
    for (const { items } of lists) items.at(-1)?.push(squeezed(unmarked(/^\s*\| --- /.test(text) ? '' : text)));
  }
  return found;
}

function unmarked(markdown: string): string {
  return markdown
    .replace(/!?\]\((?:https?:|mailto:|#)[^)\s]*\)/g, ']')
    .replace(/(^|<br>)\s*\d+[.)] /g, '$1')
    .replace(/<\/?(?:br|sub|sup|code)>/g, ' ');
}

function squeezed(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
