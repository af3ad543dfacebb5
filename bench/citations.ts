/**
 * Measures `cite` on documentation: quotes of a page must be proved, and changed quotes refused. Usage:
 *
 * npm run bench:citations -- CORPUS [--pages=10] [--show]
 *
 * CORPUS has a folder of HTML pages for each package. PAGES pages of each, chosen by a hash of their names, are served
 * on loopback and opened. Code that the product does not share takes two quotes of each from its HTML. Each is cited
 * unchanged, and with one word swapped, left out, or `not` put before it. A proved quote counts only if the cited lines
 * contain its words.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDocument } from 'htmlparser2';
import * as z from 'zod';
import { randomFrom } from '#scripts/docs/scale/random.ts';
import { startOrigin } from '#support/origin.ts';
import type { RouteTable } from '#support/origin.ts';
import { startServer } from '#support/server.ts';
import { Caller } from './attack/wire.ts';
import { formatShare, wilson } from './interval.ts';
import { contentOf, decoded, leadText, squeezed } from './questions/page-text.ts';
import { record } from './record.ts';

const PAGE = /\.x?html?(?:\.[a-z-]+(?:\.[\w-]+)?)?$/;
const FILE_BYTES_MIN = 6_000;
const FILE_BYTES_MAX = 900_000;
const QUOTES_PER_PAGE = 2;
/** Shorter quotes may occur twice on a page, or be no sentence. */
const QUOTE_WORDS_MIN = 8;
const QUOTE_WORDS_MAX = 20;
/** The smallest number that `scroll` accepts. */
const SCROLL_LINES_MIN = 20;
const TEXTS = new Set(['p', 'li', 'dd']);
const QUERY = '?toolsets=reader,web&structured=on';

type Change = (words: readonly string[], at: number, other: string) => string[];

const KINDS = ['swapped', 'left out', 'negated'] as const;
const CHANGES: Readonly<Record<(typeof KINDS)[number], Change>> = {
  swapped: (words, at, other) => words.with(at, other),
  'left out': (words, at) => words.toSpliced(at, 1),
  negated: (words, at) => words.toSpliced(at, 0, 'not'),
};

const corpus = resolve(process.argv[2] ?? '.');
const pages = Number(process.argv.find((word) => word.startsWith('--pages='))?.slice('--pages='.length) ?? 10);
const show = process.argv.includes('--show');
const opened = z.looseObject({ cursor: z.string() });
const cited = z.looseObject({ L_start: z.number(), L_end: z.number() });
const routes: RouteTable = {};
const tallies = { true: { right: 0, all: 0 }, changed: { right: 0, all: 0 }, unopened: 0 };

const origin = await startOrigin(routes);
const server = await startServer({
  ALLOWED_PRIVATE_HOSTS: origin.host,
  BUDGET_CALLS_PER_MINUTE: '100000',
  BUDGET_CALLS_PER_DAY: '1000000',
  RENDER_ENABLED: 'false',
});
try {
  const caller = new Caller(Number(new URL(server.mcpUrl).port), server.token);
  for (const name of readdirSync(corpus)) {
    for (const file of pagesIn(join(corpus, name)).slice(0, pages)) await measure(caller, file);
  }
} finally {
  await server.close();
  await origin.close();
}
const { true: whole, changed, unopened } = tallies;
console.log(`${whole.right} of ${whole.all} quotes proved; ${changed.right} of ${changed.all} changed quotes refused`);
console.log(`${unopened} pages were not opened`);
for (const [row, { right, all }] of [['quotes-proved', whole] as const, ['quotes-refused', changed] as const]) {
  record({ row, n: all, value: formatShare(right / all, 4), interval: wilson(right, all) });
}

/** A fixed choice of files from all parts of the package. */
function pagesIn(folder: string): string[] {
  if (!statSync(folder).isDirectory()) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && PAGE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > FILE_BYTES_MIN && statSync(file).size < FILE_BYTES_MAX);
  return files.toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
}

function hashOf(file: string): string {
  return createHash('sha256').update(file.slice(corpus.length)).digest('hex');
}

async function measure(caller: Caller, file: string): Promise<void> {
  const bytes = readFileSync(file);
  const random = randomFrom(Number.parseInt(hashOf(file).slice(0, 8), 16));
  const texts = contentOf(parseDocument(decoded(bytes), { decodeEntities: true }))
    .filter(({ name }) => TEXTS.has(name))
    .map((element) => leadText(element).split(' '))
    .filter((words) => words.length >= QUOTE_WORDS_MIN);
  if (texts.length === 0) return;
  const path = new URL(
    `http://docs/${file
      .slice(corpus.length + 1)
      .split('/')
      .map(encodeURIComponent)
      .join('/')}`,
  );
  routes[path.pathname] = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(bytes);
  const answer = await caller.call('open_url', { url: origin.url + path.pathname }, QUERY);
  if (answer.isRefused) {
    tallies.unopened += 1;
    return;
  }
  const { cursor } = opened.parse(answer.structured);
  for (let number = 0; number < QUOTES_PER_PAGE; number += 1) {
    const words = texts[Math.floor(random() * texts.length)] ?? [];
    const start = Math.floor(random() * (words.length - QUOTE_WORDS_MIN + 1));
    await citeBoth(caller, cursor, words.slice(start, start + QUOTE_WORDS_MAX), texts.flat(), random);
  }
}

async function citeBoth(
  caller: Caller,
  cursor: string,
  words: readonly string[],
  all: readonly string[],
  random: () => number,
): Promise<void> {
  const quote = words.join(' ');
  const proved = await caller.call('cite', { cursor, quote }, QUERY);
  const isProved = !proved.isRefused && (await holds(caller, cursor, cited.parse(proved.structured), quote));
  tallies.true.all += 1;
  if (isProved) tallies.true.right += 1;
  else if (show) console.log(`not proved: ${quote}\n  ${proved.text.slice(0, 300).replaceAll('\n', '\n  ')}`);
  const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'swapped';
  const at = 1 + Math.floor(random() * (words.length - 2));
  const other = all[Math.floor(random() * all.length)] ?? '';
  const altered = CHANGES[kind](words, at, other).join(' ');
  const page = squeezed(all.join(''));
  if (page.includes(squeezed(altered)) || squeezed(altered) === squeezed(quote)) return;
  const refused = await caller.call('cite', { cursor, quote: altered }, QUERY);
  tallies.changed.all += 1;
  if (refused.isRefused) tallies.changed.right += 1;
  else if (show) console.log(`proved though ${kind}: ${altered}`);
}

/** Reads the cited lines again, and searches for the quote in them. */
async function holds(
  caller: Caller,
  cursor: string,
  { L_start: start, L_end: end }: { L_start: number; L_end: number },
  quote: string,
): Promise<boolean> {
  const wanted = { cursor, loc: start, num_lines: Math.max(SCROLL_LINES_MIN, end - start + 1) };
  const { text, isRefused } = await caller.call('scroll', wanted, QUERY);
  if (isRefused) throw new Error(text);
  const lines = [...text.matchAll(/^L(\d+): (.*)$/gm)].flatMap(([, line, words = '']) =>
    Number(line) >= start && Number(line) <= end ? [words] : [],
  );
  const plain = lines.join(' ').replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s"[^"]*")?\)/g, ']');
  return squeezed(plain).toLowerCase().includes(squeezed(quote).toLowerCase());
}
