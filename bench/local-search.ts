/**
 * Measures local search on graded queries. Usage: npm run bench:local-search -- [FOLDER] [--own] [--show]
 *
 * FOLDER has queries.json and LIBRARY.jsonl, one page a line (default: ../shared/bench/search-eval). The code of the
 * Worker stores and indexes the pages in an SQLite database, and the tools' own provider searches them. `--own` uses
 * the 40 queries of `bench/search/own-queries.json` instead.
 *
 * The results are MRR, recall@5 and nDCG@5 by page, each with its interval at 95 %. Each query is sent alone, and with
 * the phrasings in `bench/search/phrasings.json`, which were written from the query alone.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { extract } from '#extract/extract.ts';
import { localProvider } from '#search/local.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { indexQueuedDocuments, createQueueStatement } from '#storage/search/search-index.ts';
import { storeDocument } from '#support/store-document.ts';
import { newDatabase, openLocalD1 } from './search/local-d1.ts';
import { mean, resampled, formatShare } from './interval.ts';
import { record } from './record.ts';

const folder = resolve(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '../shared/bench/search-eval');
const show = process.argv.includes('--show');
const asked = process.argv.includes('--own')
  ? join(import.meta.dirname, 'search/own-queries.json')
  : join(folder, 'queries.json');
const TOP = 5;

const queries = z
  .array(
    z.object({
      query: z.string(),
      qrels: z.array(z.object({ url: z.string(), grade: z.number() })),
    }),
  )
  .parse(JSON.parse(readFileSync(asked, 'utf8')));
const phrasings = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'search/phrasings.json'), 'utf8')));
const page = z.object({ url: z.string(), title: z.string(), markdown: z.string() });

const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
try {
  const { db, exec, close } = openLocalD1(newDatabase(home));
  exec('BEGIN');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line !== '') await store(page.parse(JSON.parse(line)));
    }
  }
  await indexQueuedDocuments(db, Infinity);
  exec('COMMIT');
  const provider = localProvider(new PageIndex(db));
  await measure('local-search', 'the query alone', () => []);
  if (queries.some(({ query }) => phrasings[query] !== undefined))
    await measure('local-search-phrased', 'with other phrasings', (query) => phrasings[query] ?? []);
  close();

  async function measure(row: string, what: string, alsoOf: (query: string) => readonly string[]) {
    const scores: { mrr: number; recall: number; ndcg: number }[] = [];
    const times: number[] = [];
    for (const { query, qrels } of queries) {
      const started = performance.now();
      const { hits } = await provider.search(
        { query, also: alsoOf(query), count: 2 * TOP },
        { signal: new AbortController().signal, deadlineAt: Infinity },
      );
      times.push(performance.now() - started);
      const score = scoreOf(
        hits.map(({ url }) => url.split('#')[0] ?? ''),
        new Map(qrels.map(({ url, grade }) => [url, grade])),
      );
      scores.push(score);
      if (show && score.ndcg < 0.99) {
        console.log(`${score.mrr.toFixed(2)} ${score.recall.toFixed(2)} ${score.ndcg.toFixed(2)}  ${query}`);
        for (const { url } of hits.slice(0, TOP))
          console.log(`    ${qrels.find((one) => one.url === url)?.grade ?? '-'} ${url}`);
        console.log(`    wanted: ${qrels.map(({ url, grade }) => `${grade} ${url}`).join(', ')}`);
      }
    }
    const column = (name: 'mrr' | 'recall' | 'ndcg') => withInterval(scores.map((score) => score[name]));
    times.sort((a, b) => a - b);
    console.log(
      `${scores.length} queries, ${what}: MRR ${column('mrr')}, recall@5 ${column('recall')}, nDCG@5 ${column('ndcg')}; ${Math.round(times[Math.floor(times.length / 2)] ?? 0)} ms (median)`,
    );
    if (process.argv.includes('--own')) return;
    const ranks = scores.map(({ mrr }) => mrr);
    record({ row, n: ranks.length, value: formatShare(mean(ranks)), interval: resampled(ranks, mean) });
  }

  async function store({ url, title, markdown }: z.output<typeof page>): Promise<void> {
    const text = markdown;
    const extraction = await extract({ kind: 'markdown', text, bytes: new Uint8Array(), url, mode: 'readable' });
    const { id } = await storeDocument(db, { ...extraction, title: extraction.title ?? title });
    await db.run(sql`INSERT INTO snapshots (key, url, final_url, mode, document_id, fetched_at, validated_at, meta)
      VALUES (${url}, ${url}, ${url}, 'readable', ${id}, 0, 0, '{}')`);
    await db.batch([createQueueStatement(db, sql`documents.id = ${id}`)]);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

function scoreOf(urls: readonly string[], grades: ReadonlyMap<string, number>) {
  const relevant = [...grades.values()].filter((grade) => grade > 0).length;
  const first = urls.findIndex((url) => (grades.get(url) ?? 0) > 0);
  const top = [...new Set(urls)].slice(0, TOP);
  const gain = (list: readonly number[]) =>
    list.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  const ideal = gain([...grades.values()].toSorted((a, b) => b - a).slice(0, TOP));
  return {
    mrr: first < 0 ? 0 : 1 / (first + 1),
    recall: top.filter((url) => (grades.get(url) ?? 0) > 0).length / relevant,
    ndcg: gain(top.map((url) => grades.get(url) ?? 0)) / ideal,
  };
}

function withInterval(values: readonly number[]): string {
  const [low, high] = resampled(values, mean);
  return `${formatShare(mean(values))} (${formatShare(low)}–${formatShare(high)})`;
}
