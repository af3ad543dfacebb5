/**
 * Measures extraction on labelled pages. Usage: node bench/extraction.ts [FOLDER] [--only=NAME,…] [--half=a|b] [--fold=0…4]
 * FOLDER holds truth.json and pages/ID.html.gz (default: ../shared/bench beside the project). Halves and
 * parts of five are chosen by a hash of the page's id, as in the training, so that what is tuned on some can be checked
 * on the others.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { mainLines } from '#core/document.ts';
import { extract } from '#extract/extract.ts';
import { plainText } from './plain-text.ts';
import { rivals } from './rivals/rivals.ts';
import type { Rival } from './rivals/rivals.ts';
import { scorePage } from './scoring.ts';
import type { Score, Truth } from './scoring.ts';

type Row = Score & { id: string; type: string; half: string; ms: number; truth: Truth };

const root = resolve(import.meta.dirname, '..');
const folder = resolve(process.argv[2]?.startsWith('--') === false ? process.argv[2] : join(root, '../shared/bench'));
const option = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const only = option('only')?.split(',');
const half = option('half');
const fold = option('fold');
const truths: Record<string, Truth> = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));
const results = join(root, 'bench/results');
mkdirSync(results, { recursive: true });

const hashOf = (id: string) => createHash('sha256').update(id).digest();
const halfOf = (id: string) => ((hashOf(id)[0] ?? 0) % 2 === 0 ? 'a' : 'b');
const foldOf = (id: string) => String((hashOf(id)[1] ?? 0) % 5);

const summaries: string[] = [];
const wanted = (name: string) => only === undefined || only.includes(name);
for (const rival of [...(wanted('ours') ? [ours()] : []), ...(await rivals(wanted))]) {
  const rows = await measure(rival);
  const text = table(rival.name, rows);
  summaries.push(text);
  console.log(text);
}
writeFileSync(join(results, 'extraction.txt'), summaries.join('\n'));

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
  const first = Object.keys(truths)[0] ?? '';
  for (let warm = 0; warm < 3; warm += 1) await run(rival, first);
  for (const [id, truth] of Object.entries(truths)) {
    if (half !== undefined && halfOf(id) !== half) continue;
    if (fold !== undefined && foldOf(id) !== fold) continue;
    const { text, ms } = await run(rival, id);
    predictions[id] = text;
    rows.push({ ...scorePage(text, truth), id, type: truth.type, half: halfOf(id), ms, truth });
  }
  writeFileSync(join(results, `${rival.name}.json`), JSON.stringify(predictions));
  writeFileSync(
    join(results, `${rival.name}-pages.json`),
    JSON.stringify(rows.map((row) => ({ ...row, truth: undefined }))),
  );
  return rows;
}

async function run(rival: Rival, id: string): Promise<{ text: string; ms: number }> {
  const html = gunzipSync(readFileSync(join(folder, 'pages', `${id}.html.gz`))).toString('utf8');
  const url = truths[id]?.url ?? 'https://example.com/';
  // The thread's own time: others on the machine do not count, and no extractor here waits for anything.
  const before = process.threadCpuUsage();
  let markdown = '';
  try {
    markdown = await rival.extract(html, url);
  } catch (error) {
    console.error(rival.name, id, String(error).slice(0, 200));
  }
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  return { text: rival.isMarkdown ? plainText(markdown) : markdown, ms };
}

function table(name: string, rows: readonly Row[]): string {
  const types = [...new Set(rows.map((row) => row.type))].sort();
  const out = [`${name}\n${'type'.padEnd(16)}pages    F1  half a  half b  cpu ms: median   p95   max`];
  for (const type of [...types, 'ALL']) {
    const some = type === 'ALL' ? rows : rows.filter((row) => row.type === type);
    const times = some.map((row) => row.ms).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
    out.push(
      `${type.padEnd(16)}${String(some.length).padStart(5)} ${percent(some)}  ${percent(some.filter((row) => row.half === 'a'))}  ${percent(
        some.filter((row) => row.half === 'b'),
      )}   ${at(0.5).padStart(13)} ${at(0.95).padStart(5)} ${at(1).padStart(5)}`,
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

function percent(rows: readonly Row[]): string {
  if (rows.length === 0) return '     -';
  return ((100 * rows.reduce((total, row) => total + row.f1, 0)) / rows.length).toFixed(1).padStart(6);
}
