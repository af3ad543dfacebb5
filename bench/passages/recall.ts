import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ceilingOf } from './ceiling.ts';
import { keyOf, readCorpus } from './corpus.ts';
import type { CorpusPage } from './corpus.ts';
import { MODEL_QUESTIONS } from './model-questions.ts';
import { QUESTIONS } from './questions.ts';
import type { Asked } from './questions.ts';
import { readClosedQuestions, readQuestions, SECOND_QUESTIONS } from './second-questions.ts';
import { WAYS } from './ways.ts';
import type { Found } from './ways.ts';
import { formatShare, wilson } from '../interval.ts';
import { record } from '../record.ts';

const PASSAGES = 5;
const PAGES = 10;
const TOKENS_MIN = 1_500;
const TOKENS_SHARE = 0.05;

type Outcome = {
  rank: number | null;
  tokens: number;
  budget: number;
  isAnyPage: boolean;
  isOther: boolean;
  ms: number;
};

/** The rows of the scoreboard for a set of questions. The older sets, which were tuned on, have none. */
const ROWS: Readonly<Record<string, string>> = { model: 'passages-new', closed: 'passages-closed' };

/**
 * @param wanted which questions
 * @param mayShow true to show those that were not answered best
 * @param phrasings by question, in place of those that the set has
 */
export async function measureRecall(
  corpus: string,
  wanted: string,
  mayShow: boolean,
  phrasings: Readonly<Record<string, readonly string[]>> | null,
): Promise<void> {
  const show = mayShow && (wanted === 'first' || wanted === 'seen');
  const questions = questionsOf(wanted);
  const withPhrasings = questions.map((asked) => ({
    ...asked,
    also: (phrasings === null ? asked.also : phrasings[asked.question]) ?? [],
  }));
  const alone = questions.map((asked) => ({ ...asked, also: [] }));
  const packages = await readCorpus(corpus, questions, PAGES);
  const measured = new Map<string, Outcome[]>();
  const hasPhrasings = withPhrasings.some(({ also }) => also.length > 0);
  for (const [how, some] of [['alone', alone] as const, ['phrased', withPhrasings] as const]) {
    if (how === 'phrased' && !hasPhrasings) continue;
    for (const [name, find] of Object.entries(WAYS)) {
      for (const pages of [1, PAGES]) {
        const outcomes: Outcome[] = [];
        for (const asked of some) {
          const all = packages.get(keyOf(asked));
          if (all === undefined) throw new Error(`There is no ${asked.page} in ${asked.package}.`);
          outcomes.push(ask(asked, all.slice(0, pages), find, show && find === WAYS.ours));
        }
        report(`${name} ${how}, ${pages === 1 ? 'one page' : `${pages} pages`}`, outcomes);
        measured.set(`${name} ${how} ${pages}`, outcomes);
      }
    }
  }
  const row = ROWS[wanted];
  if (row !== undefined) {
    recordWays(row, 'alone', measured);
    if (hasPhrasings) recordWays(row, 'phrased', measured);
  }
  for (const pages of [1, PAGES]) {
    const cases = questions.map((asked) => ({ asked, pages: (packages.get(keyOf(asked)) ?? []).slice(0, pages) }));
    console.log(`${pages === 1 ? 'one page' : `${pages} pages`}: ${ceilingOf(cases)}`);
  }
  console.log('A reranker of Workers AI: not measured, as there was no account.');
}

function questionsOf(wanted: string): readonly Asked[] {
  if (wanted === 'first') return QUESTIONS;
  if (wanted === 'model') return MODEL_QUESTIONS;
  if (wanted === 'closed') return readClosedQuestions();
  if (wanted.endsWith('.json')) return readQuestions(wanted);
  return SECOND_QUESTIONS.filter(({ isSeen }) => wanted === 'second' || isSeen === (wanted === 'seen'));
}

const RIVALS = { fts5: 'FTS5 over paragraphs', chunks: 'BM25 over 1,000 characters' };

function recordWays(rows: string, how: 'alone' | 'phrased', measured: ReadonlyMap<string, readonly Outcome[]>): void {
  const end = how === 'alone' ? '' : '-phrased';
  for (const [row, pages] of [[`${rows}-page${end}`, 1] as const, [`${rows}-ten${end}`, PAGES] as const]) {
    const own = measured.get(`ours ${how} ${pages}`) ?? [];
    const of = (valueOf: (outcomes: readonly Outcome[]) => string) =>
      Object.fromEntries(
        Object.entries(RIVALS).map(([name, title]) => [title, valueOf(measured.get(`${name} ${how} ${pages}`) ?? [])]),
      );
    const recalled = (outcomes: readonly Outcome[]) => formatShare(found(outcomes) / outcomes.length, 2);
    record({
      row,
      n: own.length,
      value: recalled(own),
      interval: wilson(found(own), own.length),
      others: of(recalled),
    });
    const shown = (outcomes: readonly Outcome[]) => medianTokens(outcomes).toLocaleString('en');
    if (pages === PAGES) record({ row: `${row}-tokens`, n: own.length, value: shown(own), others: of(shown) });
  }
}

function found(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ rank }) => rank !== null).length;
}

function ask(
  asked: Asked,
  pages: readonly CorpusPage[],
  find: (typeof WAYS)[keyof typeof WAYS],
  show: boolean,
): Outcome {
  const started = performance.now();
  const passages = find(asked, pages, PASSAGES);
  const ms = performance.now() - started;
  const at = passages.findIndex((passage, index) =>
    asked.isSplit === true
      ? asked.answers(ownLines(passages.slice(0, index + 1), pages))
      : passage.page === 0 && answers(asked, passage, pages),
  );
  const outcome = {
    rank: at < 0 ? null : at + 1,
    tokens: countTokens(passages.map((passage) => linesOf(passage, pages).join('\n')).join('\n')),
    budget: Math.max(TOKENS_MIN, TOKENS_SHARE * pages.reduce((sum, { tokens }) => sum + tokens, 0)),
    isAnyPage:
      asked.isSplit === true
        ? asked.answers(passages.flatMap((passage) => linesOf(passage, pages)))
        : passages.some((passage) => answers(asked, passage, pages)),
    isOther: asked.isOther,
    ms,
  };
  if (show && (outcome.rank === null || outcome.rank > 1)) {
    console.log(`  rank ${outcome.rank ?? '–'} of ${pages.length}: ${asked.package} ${asked.page}: ${asked.question}`);
    for (const passage of passages.slice(0, 3)) {
      console.log(
        `      ${passage.page} L${passage.start}-L${passage.end} ${linesOf(passage, pages).join(' ').slice(0, 160)}`,
      );
    }
  }
  return outcome;
}

/** Lines of passages from the page that answers. */
function ownLines(passages: readonly Found[], pages: readonly CorpusPage[]): string[] {
  return passages.filter(({ page }) => page === 0).flatMap((passage) => linesOf(passage, pages));
}

function linesOf({ page, start, end }: Found, pages: readonly CorpusPage[]): string[] {
  return pages[page]?.lines.slice(start, end + 1) ?? [];
}

function answers(asked: Asked, passage: Found, pages: readonly CorpusPage[]): boolean {
  return asked.answers(linesOf(passage, pages));
}

function report(name: string, outcomes: readonly Outcome[]): void {
  const others = outcomes.filter(({ isOther }) => isOther);
  const tokens = outcomes.map((outcome) => outcome.tokens).toSorted((a, b) => a - b);
  const over = outcomes.filter((outcome) => outcome.tokens > outcome.budget).length;
  const median = medianTokens(outcomes);
  const ms = outcomes.map((outcome) => outcome.ms).toSorted((a, b) => a - b);
  console.log(
    `${name.padEnd(34)} ${outcomes.length} questions: recall@5 ${recall(outcomes)} (${formatShare(outcomes.filter(({ isAnyPage }) => isAnyPage).length / outcomes.length, 2)} when other pages count), nDCG@5 ${ndcg(outcomes)}; ` +
      `${others.length === 0 ? '' : `${others.length} in other words: ${recall(others)}, ${ndcg(others)}; `}tokens ${median} (median), ${tokens.at(-1) ?? 0} (most), ` +
      `${over} above budget; ${Math.round(ms[Math.floor(ms.length * 0.95)] ?? 0)} ms (p95)`,
  );
}

function medianTokens(outcomes: readonly Outcome[]): number {
  const tokens = outcomes.map((outcome) => outcome.tokens).toSorted((a, b) => a - b);
  return tokens[Math.floor(tokens.length / 2)] ?? 0;
}

function recall(outcomes: readonly Outcome[]): string {
  const [low, high] = wilson(found(outcomes), outcomes.length);
  return `${formatShare(found(outcomes) / outcomes.length, 2)} (${formatShare(low, 2)}–${formatShare(high, 2)})`;
}

function ndcg(outcomes: readonly Outcome[]): string {
  const gains = outcomes.map(({ rank }): number => (rank === null ? 0 : 1 / Math.log2(rank + 1)));
  return (gains.reduce((sum, gain) => sum + gain, 0) / outcomes.length).toFixed(2);
}
