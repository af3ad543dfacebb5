/**
 * Checks that code and tables of real pages are complete. Usage: node bench/structure.ts [FOLDER] [--show=N]
 *
 * FOLDER has truth.json and pages/ID.html.gz (default: ../shared/bench next to the project). Each page is read as a
 * whole: every `pre` must become one fence with the same text, and every data table must keep its rows × columns.
 *
 * The expected result does not come from the product's writer: `pre` and `table` are read from the page's DOM.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PeriscopeError } from '#core/failures/failure.ts';
import { extract } from '#extract/extract.ts';
import { isDataTable, classifyTable } from '#extract/html/table-form.ts';
import { isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { sanitizeText } from '#core/text/plain.ts';

type Truth = { url: string };
/** The number of a kind, how many are kept, and the reasons why others are exceptions. */
type Tally = { all: number; kept: number; exceptions: Map<string, number>; failed: string[] };

const FENCE = /^(.*?)(`{3,})([^`]*)$/;
/** The writer's limit for spelling out spans. */
const COLUMNS_MAX = 64;

const root = resolve(import.meta.dirname, '..');
const given = process.argv[2];
const folder = resolve(given === undefined || given.startsWith('--') ? join(root, '../shared/bench') : given);
const show = Number(process.argv.find((word) => word.startsWith('--show='))?.slice('--show='.length) ?? 0);
const truths: Record<string, Truth> = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));

const code = tally();
const tables = tally();
for (const [id, { url }] of Object.entries(truths)) {
  const html = gunzipSync(readFileSync(join(folder, 'pages', `${id}.html.gz`))).toString('utf8');
  const lines = await linesOf(html, url);
  if (lines.length === 0) console.log(`${id}: nothing to read`);
  const document = parsePage(sanitizeText(html), false).document;
  checkCode(id, document.body, fencesOf(lines));
  checkTables(id, document.body, tablesOf(lines));
}
report('pre', code);
report('data table', tables);

async function linesOf(html: string, url: string): Promise<readonly string[]> {
  try {
    return (await extract({ kind: 'html', text: html, bytes: new Uint8Array(), url, mode: 'raw' })).lines;
  } catch (error) {
    if (error instanceof PeriscopeError) return [];
    throw error;
  }
}

function tally(): Tally {
  return { all: 0, kept: 0, exceptions: new Map(), failed: [] };
}

function report(name: string, { all, kept, exceptions, failed }: Tally): void {
  const apart = [...exceptions.values()].reduce((sum, count) => sum + count, 0);
  const meant = all - apart;
  const share = meant === 0 ? 100 : (100 * kept) / meant;
  console.log(`${name}: ${kept} of ${meant} carried whole (${share.toFixed(2)} %); ${apart} more counted apart`);
  for (const [reason, count] of exceptions) console.log(`  apart: ${reason}: ${count}`);
  for (const failure of failed.slice(0, show)) console.log(`  not carried: ${failure}`);
}

function except(into: Tally, reason: string): void {
  into.exceptions.set(reason, (into.exceptions.get(reason) ?? 0) + 1);
}

function checkCode(id: string, body: DomElement, fences: Map<string, number>): void {
  for (const pre of body.querySelectorAll('pre')) {
    code.all += 1;
    const text = drawnText(pre);
    const reason = codeException(pre, text);
    if (reason !== null) except(code, reason);
    else if (take(fences, text)) code.kept += 1;
    else if (pre.querySelector('div, li, p, tr') !== null && takeJoined(fences, text)) code.kept += 1;
    else code.failed.push(`${id} ${JSON.stringify(text.slice(0, 300))}`);
  }
}

/** The reason why a `pre` need not become a separate fence. */
function codeException(pre: DomElement, text: string): string | null {
  if (text.trim() === '') return 'empty';
  if (/^[\d\s]+$/.test(text) && pre.closest('td') !== null) return 'a column of line numbers';
  if ((pre.parentElement?.closest('pre') ?? null) !== null) return 'inside another pre';
  const table = pre.closest('table');
  if (table !== null && isDataTable(table)) return 'in a cell of a data table, where it is a code span';
  if (pre.closest('h1, h2, h3, h4, h5, h6, summary, dt') !== null) return 'in a line of its own kind';
  return null;
}

/** The text as a browser renders it: `br` ends a line, and text that is drawn next to code is left out. */
function drawnText(pre: DomElement): string {
  const beside = new Set<DomNode>(
    pre.querySelectorAll(
      'button, .lineno, .linenos, .lnt, .ln, .gutter, .line-numbers-rows, .react-syntax-highlighter-line-number',
    ),
  );
  return withoutEnd(sanitizeText(drawnIn(pre, beside)));
}

function drawnIn(node: DomNode, without: ReadonlySet<DomNode>): string {
  if (without.has(node)) return '';
  if (isText(node)) return node.textContent ?? '';
  if (isElement(node) && node.localName === 'br') return '\n';
  let text = '';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) text += drawnIn(child, without);
  return text;
}

function withoutEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function take(found: Map<string, number>, key: string): boolean {
  const count = found.get(key) ?? 0;
  if (count > 0) found.set(key, count - 1);
  return count > 0;
}

/** Compares without line ends, because lines that are separate elements have none in the source. */
function takeJoined(found: Map<string, number>, text: string): boolean {
  const joined = text.replaceAll('\n', '');
  for (const [fence, count] of found) {
    if (count > 0 && fence.replaceAll('\n', '') === joined) return take(found, fence);
  }
  return false;
}

function add(found: Map<string, number>, key: string): void {
  found.set(key, (found.get(key) ?? 0) + 1);
}

/** Texts of the fences, without the indent or quote marks around them. */
function fencesOf(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = 0; at < lines.length; at += 1) {
    const open = FENCE.exec(lines[at] ?? '');
    if (open === null || !/^[\s>]*(?:(?:[-*]|\d+[.)]|\[\^[^\]]+\]:)\s+|>\s?)*$/.test(open[1] ?? '')) continue;
    const indent = (open[1] ?? '').length;
    const text: string[] = [];
    for (
      at += 1;
      at < lines.length && (lines[at] ?? '').slice(noteIndent(open[1] ?? '', indent)) !== open[2];
      at += 1
    ) {
      text.push((lines[at] ?? '').slice(noteIndent(open[1] ?? '', indent)));
    }
    add(found, text.join('\n'));
  }
  return found;
}

/** The indent of a note's text, for any label. */
function noteIndent(prefix: string, indent: number): number {
  const label = /\[\^[^\]]+\]: /.exec(prefix)?.[0].length;
  return label === undefined ? indent : indent - label + 4;
}

function checkTables(id: string, body: DomElement, found: Map<string, number>): void {
  for (const table of body.querySelectorAll('table')) {
    if (!isDataTable(table)) continue;
    tables.all += 1;
    if ((table.parentElement?.closest('table') ?? null) !== null && isInData(table)) {
      except(tables, 'inside a cell of a data table');
      continue;
    }
    if ((table.textContent ?? '').trim() === '') {
      except(tables, 'without text');
      continue;
    }
    if (classifyTable(table) === 'records') {
      except(tables, 'written as one record a row');
      continue;
    }
    if (table.closest('h1, h2, h3, h4, h5, h6, summary, dt, pre') !== null) {
      except(tables, 'in a heading or code');
      continue;
    }
    const shape = shapeOf(table);
    if (take(found, shape)) tables.kept += 1;
    else
      tables.failed.push(
        `${id} ${shape} ${JSON.stringify((table.textContent ?? '').replace(/\s+/g, ' ').slice(0, 200))}`,
      );
  }
}

function isInData(table: DomElement): boolean {
  for (let outer = table.parentElement?.closest('table') ?? null; outer !== null;) {
    if (isDataTable(outer)) return true;
    outer = outer.parentElement?.closest('table') ?? null;
  }
  return false;
}

/** Rows × columns once each span is spelled out (WHATWG HTML §4.9.12). */
function shapeOf(table: DomElement): string {
  const taken: number[] = [];
  let rows = 0;
  let columns = 0;
  let group: DomElement | null = null;
  for (const row of table.querySelectorAll('tr')) {
    if (row.closest('table') !== table) continue;
    if (row.parentElement !== group) taken.length = 0;
    group = row.parentElement;
    rows += 1;
    let at = 0;
    const cells = [...row.children].filter((cell) => cell.localName === 'td' || cell.localName === 'th');
    for (const cell of cells) {
      while ((taken[at] ?? 0) >= rows) at += 1;
      const wide = cells.length === 1 && span(cell, 'rowspan') === 1 ? 1 : span(cell, 'colspan');
      for (let column = 0; column < wide && (column === 0 || at < COLUMNS_MAX); column += 1) {
        taken[at] = rows + span(cell, 'rowspan') - 1;
        at += 1;
      }
    }
    while ((taken[at] ?? 0) >= rows) at += 1;
    columns = Math.max(columns, at);
  }
  return `${rows} × ${columns}`;
}

function span(cell: DomElement, name: string): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  if (value === 0 && name === 'rowspan') return 65_534;
  return Number.isFinite(value) && value >= 1 ? value : 1;
}

/** Shapes of the GFM tables; one with an empty head has a row less. */
function tablesOf(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const text = lines.map((line) => line.replace(/^[\s>]*(?:(?:[-*]|\d+[.)]|\[\^[^\]]+\]:)\s+)*/, ''));
  for (let at = 1; at < text.length; at += 1) {
    const rule = text[at] ?? '';
    if (!/^\|(?: --- \|)+$/.test(rule)) continue;
    const columns = cellsOf(rule);
    const head = /^\|[\s|]*$/.test(text[at - 1] ?? '') ? 0 : 1;
    let rows = 0;
    while (text[at + 1]?.startsWith('|') === true && cellsOf(text[at + 1] ?? '') === columns) {
      rows += 1;
      at += 1;
    }
    add(found, `${rows + head} × ${columns}`);
    if (head === 0) add(found, `${rows + 1} × ${columns}`);
  }
  return found;
}

function cellsOf(row: string): number {
  return (row.match(/(?<!\\)(?:\\\\)*\|/g)?.length ?? 1) - 1;
}
