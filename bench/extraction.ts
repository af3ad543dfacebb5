/**
 * Measures extraction on labelled pages. Usage: node bench/extraction.ts [FOLDER] [--only=NAME,…] [--fold=0…4]
 *
 * FOLDER has truth.json and pages/ID.html.gz, and may have more of them in its folder `more` (default: ../shared/bench
 * next to the project). The shipped models were trained on all of these pages. `bench/training/train.ts --folds`
 * measures unseen pages.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mainLines } from '#core/document/document.ts';
import { extract } from '#extract/extract.ts';
import { labelledPages } from './labelled.ts';
import type { LabelledPage } from './labelled.ts';
import { plainText } from './plain-text.ts';
import { mean, resampled, formatShare } from './interval.ts';
import { record } from './record.ts';
import { rivals } from './rivals/rivals.ts';
import type { Rival } from './rivals/rivals.ts';
import { scorePage } from './scoring.ts';
import type { Score, Truth } from './scoring.ts';

/** Pages that are read once before any measurement. */
const WARM_UP = 3;

/** Rows of the scoreboard, and the page type of each. */
const ROWS = {
  'wcxb-all': null,
  'wcxb-article': 'article',
  'wcxb-documentation': 'documentation',
  'wcxb-product': 'product',
};

type Row = Score & { id: string; type: string; ms: number; truth: Truth };

const root = resolve(import.meta.dirname, '..');
const folder = resolve(process.argv[2]?.startsWith('--') === false ? process.argv[2] : join(root, '../shared/bench'));
const option = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const only = option('only')?.split(',');
const fold = option('fold');
const pages = labelledPages(folder).filter((page) => fold === undefined || page.fold === Number(fold));
const results = join(root, 'bench/results');
mkdirSync(results, { recursive: true });

const summaries: string[] = [];
const measured = new Map<string, Row[]>();
const wanted = (name: string) => only === undefined || only.includes(name);
for (const rival of [...(wanted('ours') ? [ours()] : []), ...(await rivals(wanted))]) {
  const rows = await measure(rival);
  const text = table(rival.name, rows);
  summaries.push(text);
  measured.set(rival.name, rows);
  console.log(text);
}
writeFileSync(join(results, 'extraction.txt'), summaries.join('\n'));
if (only === undefined && fold === undefined) recordScores();

function ours(): Rival {
  return {
    name: 'ours',
    isMarkdown: true,
    extract: async (html, url) => {
      const page = await extract({ kind: 'html', text: html, bytes: new Uint8Array(), url, mode: 'readable' });
      return mainLines(page).join('\n');
    },
  };
}

async function measure(rival: Rival): Promise<Row[]> {
  const rows: Row[] = [];
  const predictions: Record<string, string> = {};
  for (const page of pages.slice(0, WARM_UP)) await run(rival, page);
  for (const page of pages) {
    const { text, ms } = await run(rival, page);
    const { id, truth } = page;
    predictions[id] = text;
    rows.push({ ...scorePage(text, truth), id, type: truth.type, ms, truth });
  }
  writeFileSync(join(results, `${rival.name}.json`), JSON.stringify(predictions));
  writeFileSync(
    join(results, `${rival.name}-pages.json`),
    JSON.stringify(rows.map((row) => ({ ...row, truth: undefined }))),
  );
  return rows;
}

async function run(rival: Rival, page: LabelledPage): Promise<{ text: string; ms: number }> {
  const html = page.html();
  // Time of this thread: other programs do not count, and no extractor here waits.
  const before = process.threadCpuUsage();
  let markdown = '';
  try {
    markdown = await rival.extract(html, page.truth.url);
  } catch (error) {
    console.error(rival.name, page.id, String(error).slice(0, 200));
  }
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  return { text: rival.isMarkdown ? plainText(markdown) : markdown, ms };
}

function table(name: string, rows: readonly Row[]): string {
  const types = [...new Set(rows.map((row) => row.type))].sort();
  const out = [`${name}\n${'type'.padEnd(16)}pages    F1  cpu ms: median   p95   max`];
  for (const type of [...types, 'ALL']) {
    const some = type === 'ALL' ? rows : rows.filter((row) => row.type === type);
    const times = some.map((row) => row.ms).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
    out.push(
      `${type.padEnd(16)}${String(some.length).padStart(5)} ${percent(some)}  ${at(0.5).padStart(14)} ${at(0.95).padStart(5)} ${at(1).padStart(5)}`,
    );
  }
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const withAll = sum((row) => row.truth.with.length);
  const withoutAll = sum((row) => row.truth.without.length);
  out.push(
    `must-have ${((100 * sum((row) => row.withOk)) / withAll).toFixed(1)} %  must-not-have kept out ${(
      (100 * sum((row) => row.withoutOk)) /
      withoutAll
    ).toFixed(1)} %  empty ${rows.filter((row) => row.empty).length}\n`,
  );
  return out.join('\n');
}

function recordScores(): void {
  const [[, own = []] = [], ...others] = measured;
  for (const [row, type] of Object.entries(ROWS)) {
    const scores = (rows: readonly Row[]) =>
      rows.filter((one) => type === null || one.type === type).map(({ f1 }) => f1);
    record({
      row,
      n: scores(own).length,
      value: formatShare(mean(scores(own))),
      interval: resampled(scores(own), mean),
      others: Object.fromEntries(others.map(([name, rows]) => [name, formatShare(mean(scores(rows)))])),
    });
  }
}

function percent(rows: readonly Row[]): string {
  if (rows.length === 0) return '     -';
  return ((100 * rows.reduce((total, row) => total + row.f1, 0)) / rows.length).toFixed(1).padStart(6);
}
