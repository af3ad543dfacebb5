/**
 * Measures search over whole followed libraries. Usage: npm run bench:library -- CORPUS [--only=a,b] [--show]
 *
 * CORPUS has a folder of HTML pages for each package of documentation. The pages in one folder of a package are a
 * user's library, stored and indexed by the code of the Worker in an SQLite database. The questions are those of the 64
 * of `bench:passages` whose package has a library of 300 pages or more. The results are the mean reciprocal rank of the
 * page that answers, for `find_passages` with `library` and for local search, and how often one of the first five
 * passages has the answer.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { sql } from 'drizzle-orm';
import { extract } from '#extract/extract.ts';
import { localProvider } from '#search/local.ts';
import { findStoredPassages } from '#search/stored-passages.ts';
import type { Db } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { indexQueuedDocuments, createQueueStatement } from '#storage/search/search-index.ts';
import { storeDocument } from '#support/store-document.ts';
import { QUESTIONS } from './passages/questions.ts';
import { newDatabase, openLocalD1 } from './search/local-d1.ts';
import { corpusArguments } from './corpus.ts';

const { corpus, only, show } = corpusArguments();
const SUBJECT = 'u_bench';
const PAGES_MIN = 300;
const TOP = 10;
const PASSAGES = 5;
const FILE_BYTES_MAX = 1_500_000;
const packages = [...new Set(QUESTIONS.map((one) => one.package))].filter(
  (name) => only === null || only.includes(name),
);

/** `own`: ranks by passages, for questions in the words of their answers. */
type Ranks = { passages: number[]; search: number[]; own: number[]; answered: number };
const all: Ranks = { passages: [], search: [], own: [], answered: 0 };
for (const name of packages) {
  const questions = QUESTIONS.filter((one) => one.package === name);
  const root = rootOf(name, questions[0]?.page ?? '');
  const files = root === null ? [] : globSync(join(root, '**/*.html*')).filter(isPage);
  if (root === null || files.length < PAGES_MIN) {
    console.log(`${name.padEnd(22)} ${files.length} pages: too few`);
    continue;
  }
  const ranks = await asLibrary(name, root, files, questions);
  report(name, files.length, ranks);
  all.passages.push(...ranks.passages);
  all.search.push(...ranks.search);
  all.own.push(...ranks.own);
  all.answered += ranks.answered;
}
report('all', 0, all);

/** The root folder of the library that contains the page of a question. */
function rootOf(name: string, page: string): string | null {
  const [file] = globSync(join(corpus, name, '**', page)).toSorted((a, b) => a.length - b.length);
  if (file === undefined) return null;
  let root = dirname(file);
  for (const part of page.split('/').slice(0, -1).toReversed()) if (root.endsWith(`/${part}`)) root = dirname(root);
  // Up to the folder with all of the HTML.
  while (/\/(?:library|howto|tutorial|reference|topics|intro|ref)$/.test(root)) root = dirname(root);
  return root;
}

function isPage(file: string): boolean {
  const facts = statSync(file);
  return /\.html?$/.test(file) && facts.isFile() && facts.size <= FILE_BYTES_MAX;
}

async function asLibrary(
  name: string,
  root: string,
  files: readonly string[],
  questions: typeof QUESTIONS,
): Promise<Ranks> {
  const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
  const { db, exec, close } = openLocalD1(newDatabase(home));
  try {
    exec('BEGIN');
    await db.run(sql`INSERT INTO follows
      (id, subject, url, scope, prefix, pages_max, every_hours, origin, created_at, next_at, found, varying)
      VALUES ('l_bench', ${SUBJECT}, 'https://docs.example/', 'site', 'https://docs.example/', 2000, 24, '', 0, 0, '{}', '[]')`);
    for (const [place, file] of files.entries()) await storePage(db, file, urlOf(file, root), place);
    await indexQueuedDocuments(db, Infinity);
    exec('COMMIT');
    const ranks: Ranks = { passages: [], search: [], own: [], answered: 0 };
    for (const asked of questions) {
      const { question } = asked;
      const index = new PageIndex(db, SUBJECT);
      const passages = await findStoredPassages(question, [], {
        pageIndex: index.within(['l_bench']),
        mayShow: () => true,
      });
      const time = { signal: new AbortController().signal, deadlineAt: Infinity };
      const { hits } = await localProvider(index).search({ query: question, count: TOP }, time);
      const isWanted = (url: string) => `/${new URL(url).pathname}`.endsWith(`/${asked.page}`);
      const pages = [...new Set(passages.map(({ url }) => url.split('#')[0] ?? ''))];
      const rank = pages.findIndex(isWanted);
      ranks.passages.push(inverse(rank));
      if (!asked.isOther) ranks.own.push(inverse(rank));
      ranks.search.push(inverse(hits.findIndex(({ url }) => isWanted(url))));
      if (passages.slice(0, PASSAGES).some(({ url, text }) => isWanted(url) && asked.answers(text)))
        ranks.answered += 1;
      if (show && rank !== 0)
        console.log(`  ${rank + 1} ${name} ${asked.page}: ${question}\n      ${pages.slice(0, 3).join(' ')}`);
    }
    return ranks;
  } finally {
    close();
    rmSync(home, { recursive: true, force: true });
  }
}

function inverse(place: number): number {
  return place < 0 || place >= TOP ? 0 : 1 / (place + 1);
}

function urlOf(file: string, root: string): string {
  return new URL(relative(root, file).split('/').map(encodeURIComponent).join('/'), 'https://docs.example/').href;
}

async function storePage(db: Db, file: string, url: string, place: number): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const extraction = await extract({ kind: 'html', text, bytes: new Uint8Array(), url, mode: 'readable' });
  const { id } = await storeDocument(db, extraction);
  await db.run(sql`INSERT OR IGNORE INTO snapshots (key, url, final_url, mode, document_id, fetched_at, validated_at, meta)
    VALUES (${url}, ${url}, ${url}, 'readable', ${id}, 0, 0, '{}')`);
  await db.run(sql`INSERT OR IGNORE INTO follow_pages (follow, key, place, url, via, document_id, final_url, state)
    VALUES ('l_bench', ${url}, ${place}, ${url}, 'links', ${id}, ${url}, 'kept')`);
  await db.batch([createQueueStatement(db, sql`documents.id = ${id}`)]);
}

function report(name: string, pages: number, { passages, search, own, answered }: Ranks): void {
  const mean = (values: readonly number[]) => {
    const sum = values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);
    const variance = values.reduce((total, value) => total + (value - sum) ** 2, 0) / Math.max(1, values.length - 1);
    return `${sum.toFixed(3)} ± ${(1.96 * Math.sqrt(variance / Math.max(1, values.length))).toFixed(2)}`;
  };
  console.log(
    `${name.padEnd(22)} ${pages === 0 ? '' : `${pages} pages, `}${passages.length} questions: MRR ${mean(passages)} by passages (${own.length} in the words of the page ${mean(own)}), ` +
      `${mean(search)} by local search; answered in ${PASSAGES} passages ${answered} of ${passages.length}`,
  );
}
