import { DatabaseSync } from 'node:sqlite';
import { isStopWord, stemEnglish, splitWords } from '#core/words/words.ts';
import { PassageRanking } from '#ranking/rank.ts';
import { parseQuestion } from '#ranking/question.ts';
import type { CorpusPage } from './corpus.ts';
import type { Asked } from './questions.ts';

export type Found = { page: number; start: number; end: number };
type Way = (asked: Pick<Asked, 'question' | 'also'>, pages: readonly CorpusPage[], max: number) => Found[];

const CHUNK_CHARS = 1_000;
const K1 = 1.2;
const B = 0.75;

/** Periscope's ranking, and those it is compared with. */
export const WAYS = { ours, fts5, chunks } as const satisfies Record<string, Way>;

function ours({ question, also = [] }: Pick<Asked, 'question' | 'also'>, pages: readonly CorpusPage[], max: number) {
  const ranking = new PassageRanking(
    parseQuestion(question),
    also.map((text) => parseQuestion(text)),
  );
  for (const { title, lines, restStart } of pages) {
    const document = ranking.document(title, restStart);
    document.add(0, lines);
    document.end();
  }
  return ranking.passages(max).map(({ source, lines }) => ({ page: source, ...lines }));
}

/** Paragraphs in SQLite's full-text search, with its defaults. Other phrasings are more words of the question. */
function fts5(
  { question, also = [] }: Pick<Asked, 'question' | 'also'>,
  pages: readonly CorpusPage[],
  max: number,
): Found[] {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE parts USING fts5(body, tokenize = 'porter unicode61')`);
  const insert = database.prepare('INSERT INTO parts (rowid, body) VALUES (?, ?)');
  const parts = pages.flatMap(({ lines }, page) => paragraphs(lines).map((part) => ({ page, ...part })));
  database.exec('BEGIN');
  for (const [row, { page, start, end }] of parts.entries()) {
    insert.run(row, pages[page]?.lines.slice(start, end + 1).join('\n') ?? '');
  }
  database.exec('COMMIT');
  const words = [question, ...also].join(' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  const match = words.map((word) => `"${word}"`).join(' OR ');
  const rows = database
    .prepare('SELECT rowid FROM parts WHERE parts MATCH ? ORDER BY bm25(parts) LIMIT ?')
    .all(match, max);
  database.close();
  return rows.flatMap(({ rowid }) => parts[Number(rowid)] ?? []);
}

function paragraphs(lines: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const [at, line] of lines.entries()) {
    const last = found.at(-1);
    if (line.trim() === '') continue;
    if (last?.end === at - 1) last.end = at;
    else found.push({ start: at, end: at });
  }
  return found;
}

/** BM25 with the usual parameters over pieces of the same length. Other phrasings are more words of the question. */
function chunks(
  { question, also = [] }: Pick<Asked, 'question' | 'also'>,
  pages: readonly CorpusPage[],
  max: number,
): Found[] {
  const parts = pages.flatMap(({ lines }, page) => pieces(lines).map((part) => ({ page, ...part })));
  const counted = parts.map(({ page, start, end }) =>
    countsOf(pages[page]?.lines.slice(start, end + 1).join('\n') ?? ''),
  );
  const usual = counted.reduce((sum, { total }) => sum + total, 0) / Math.max(1, counted.length);
  const stems = [
    ...new Set(
      splitWords([question, ...also].join(' '))
        .filter((word) => !isStopWord(word))
        .map(stemEnglish),
    ),
  ];
  const rarity = stems.map((stem) => {
    const having = counted.filter(({ counts }) => counts.has(stem)).length;
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
  });
  const scores = counted.map(({ counts, total }) =>
    stems.reduce((sum, stem, n) => {
      const times = counts.get(stem) ?? 0;
      return sum + ((rarity[n] ?? 0) * times * (K1 + 1)) / (times + K1 * (1 - B + (B * total) / usual));
    }, 0),
  );
  return parts
    .map((part, n) => ({ part, score: scores[n] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, max)
    .map(({ part }) => part);
}

function pieces(lines: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let chars = Infinity;
  for (const [at, line] of lines.entries()) {
    const last = found.at(-1);
    if (last === undefined || chars + line.length > CHUNK_CHARS) {
      found.push({ start: at, end: at });
      chars = 0;
    } else last.end = at;
    chars += line.length + 1;
  }
  return found;
}

function countsOf(text: string): { counts: Map<string, number>; total: number } {
  const counts = new Map<string, number>();
  const words = splitWords(text);
  for (const word of words) counts.set(stemEnglish(word), (counts.get(stemEnglish(word)) ?? 0) + 1);
  return { counts, total: words.length };
}
