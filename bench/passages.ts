/**
 * Measures which passages are found for questions on documentation. Usage:
 * npm run bench:passages -- CORPUS [--questions=first|seen|unseen|second] [--show]
 *
 * CORPUS holds a folder of HTML pages for each package of documentation. `first`: 64 questions by who tuned the ranker. `second`:
 * 48 by somebody who had not seen it; `seen`: half of these, for tuning; `unseen`: the half on which nothing was tuned, so it is
 * never shown (the default). A question is asked of the page that answers it,
 * and of ten pages of its package, this one among them. It counts as answered when a line that answers it is in one of five
 * passages. Two other ways are measured beside ours on the same pages: SQLite's FTS5 with `bm25()` over paragraphs, and
 * BM25 over pieces of 1,000 characters. Tokens are those of the lines that are shown.
 */
import { resolve } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { keyOf, readCorpus } from './passages/corpus.ts';
import type { CorpusPage } from './passages/corpus.ts';
import { QUESTIONS } from './passages/questions.ts';
import type { Asked } from './passages/questions.ts';
import { SECOND_QUESTIONS } from './passages/second-questions.ts';
import { WAYS } from './passages/ways.ts';
import type { Found } from './passages/ways.ts';

const PASSAGES = 5;
const PAGES = 10;
const TOKENS_MIN = 1_500;
const TOKENS_SHARE = 0.05;

type Outcome = { rank: number | null; tokens: number; budget: number; isOther: boolean; ms: number };

const corpus = resolve(process.argv[2] ?? '.');
const wanted = process.argv.find((word) => word.startsWith('--questions='))?.slice('--questions='.length) ?? 'unseen';
const show = process.argv.includes('--show') && wanted !== 'unseen' && wanted !== 'second';
const questions =
  wanted === 'first'
    ? QUESTIONS
    : SECOND_QUESTIONS.filter(({ isSeen }) => wanted === 'second' || isSeen === (wanted === 'seen'));
const packages = await readCorpus(corpus, questions, PAGES);
for (const [name, find] of Object.entries(WAYS)) {
  for (const pages of [1, PAGES]) {
    const outcomes: Outcome[] = [];
    for (const asked of questions) {
      const all = packages.get(keyOf(asked));
      if (all === undefined) throw new Error(`There is no ${asked.page} in ${asked.package}.`);
      outcomes.push(ask(asked, all.slice(0, pages), find));
    }
    report(`${name}, ${pages === 1 ? 'one page' : `${pages} pages`}`, outcomes);
  }
}

console.log('A reranker of Workers AI: not measured, as there was no account.');

function ask(asked: Asked, pages: readonly CorpusPage[], find: (typeof WAYS)[keyof typeof WAYS]): Outcome {
  const started = performance.now();
  const found = find(asked.question, pages, PASSAGES);
  const ms = performance.now() - started;
  const at = found.findIndex((passage) => answers(asked, passage, pages));
  const outcome = {
    rank: at < 0 ? null : at + 1,
    tokens: countTokens(found.map((passage) => linesOf(passage, pages).join('\n')).join('\n')),
    budget: Math.max(TOKENS_MIN, TOKENS_SHARE * pages.reduce((sum, { tokens }) => sum + tokens, 0)),
    isOther: asked.isOther,
    ms,
  };
  if (show && find === WAYS.ours && (outcome.rank === null || outcome.rank > 1)) {
    console.log(`  rank ${outcome.rank ?? '–'} of ${pages.length}: ${asked.package} ${asked.page}: ${asked.question}`);
    for (const passage of found.slice(0, 3)) {
      console.log(
        `      ${passage.page} L${passage.start}-L${passage.end} ${linesOf(passage, pages).join(' ').slice(0, 160)}`,
      );
    }
  }
  return outcome;
}

function linesOf({ page, start, end }: Found, pages: readonly CorpusPage[]): string[] {
  return pages[page]?.lines.slice(start, end + 1) ?? [];
}

function answers(asked: Asked, passage: Found, pages: readonly CorpusPage[]): boolean {
  return passage.page === 0 && asked.answers(linesOf(passage, pages));
}

function report(name: string, outcomes: readonly Outcome[]): void {
  const others = outcomes.filter(({ isOther }) => isOther);
  const tokens = outcomes.map((outcome) => outcome.tokens).toSorted((a, b) => a - b);
  const over = outcomes.filter((outcome) => outcome.tokens > outcome.budget).length;
  const median = tokens[Math.floor(tokens.length / 2)] ?? 0;
  const ms = outcomes.map((outcome) => outcome.ms).toSorted((a, b) => a - b);
  console.log(
    `${name.padEnd(34)} ${outcomes.length} questions: recall@5 ${recall(outcomes)}, nDCG@5 ${ndcg(outcomes)}; ` +
      `${others.length} in other words: ${recall(others)}, ${ndcg(others)}; tokens ${median} (median), ${tokens.at(-1) ?? 0} (most), ` +
      `${over} above budget; ${Math.round(ms[Math.floor(ms.length * 0.95)] ?? 0)} ms (p95)`,
  );
}

/** With Wilson's interval at 95 %. */
function recall(outcomes: readonly Outcome[]): string {
  const n = outcomes.length;
  const p = outcomes.filter(({ rank }) => rank !== null).length / n;
  const z = 1.96;
  const middle = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half95 = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return `${p.toFixed(2)} (${(middle - half95).toFixed(2)}–${Math.min(1, middle + half95).toFixed(2)})`;
}

function ndcg(outcomes: readonly Outcome[]): string {
  const gains = outcomes.map(({ rank }): number => (rank === null ? 0 : 1 / Math.log2(rank + 1)));
  return (gains.reduce((sum, gain) => sum + gain, 0) / outcomes.length).toFixed(2);
}
