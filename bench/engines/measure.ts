import { failureMessage } from '#core/failures/describe-failure.ts';
import { findFailure } from '#core/failures/failure.ts';
import { createMergedProvider } from '#search/merged-provider.ts';
import type { SearchProvider } from '#search/provider.ts';
import { SECOND_MS } from '#core/limits.ts';

/** A query, and the hosts of good answers. */
export type EngineQuery = { query: string; hosts: readonly string[] };

/** `rank`: that of the first result on an expected host, from 1; `null` if there is none. */
type Outcome = { rank: number | null; ms: number; failure: string | null };

export type EngineFigures = {
  name: string;
  queries: number;
  failed: number;
  /** Share of queries with an expected host among the first five results, with its interval at 95 %. */
  hitAt5: number;
  low: number;
  high: number;
  mrr: number;
  medianMs: number;
  failures: string[];
};

const TOP = 5;
const COUNT = 10;
const DEADLINE_MS = 20 * SECOND_MS;

/**
 * Measures each engine alone, then each pair in parallel. The best comes first; of equals, the one that queries fewer
 * engines. Queries run one after the other, to respect rate limits.
 */
export async function measureEngines(
  engines: readonly SearchProvider[],
  queries: readonly EngineQuery[],
  now: () => number,
): Promise<EngineFigures[]> {
  const pairs = engines.flatMap((one, index) =>
    engines.slice(index + 1).map((other) => createMergedProvider([one, other])),
  );
  const figures: EngineFigures[] = [];
  for (const provider of [...engines, ...pairs]) {
    const outcomes: Outcome[] = [];
    for (const wanted of queries) outcomes.push(await ask(provider, wanted, now));
    figures.push(figuresOf(provider.name, outcomes));
  }
  const asked = ({ name }: EngineFigures) => name.split('+').length;
  return figures.toSorted((a, b) => b.hitAt5 - a.hitAt5 || asked(a) - asked(b) || b.mrr - a.mrr);
}

/** The setting for the best engine, or for the best pair. */
export function bestSetting(figures: readonly EngineFigures[]): string | null {
  const [best] = figures;
  return best === undefined || best.hitAt5 === 0 ? null : `SEARCH_PROVIDERS=${best.name.replaceAll('+', ',')}`;
}

/** A row for each combination, and a line for each kind of failure. */
export function tableOf(figures: readonly EngineFigures[]): string {
  const rows = figures.map(({ name, queries, failed, hitAt5, low, high, mrr, medianMs }) => [
    name,
    hitAt5.toFixed(2),
    `${low.toFixed(2)}-${high.toFixed(2)}`,
    mrr.toFixed(2),
    `${medianMs} ms`,
    `${failed} of ${queries}`,
  ]);
  const all = [['engines', 'hit@5', 'at 95 %', 'MRR', 'median', 'failed'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...figures.flatMap(({ name, failures }) => failures.map((why) => `${name}: ${why}`))].join('\n');
}

async function ask(provider: SearchProvider, { query, hosts }: EngineQuery, now: () => number): Promise<Outcome> {
  const started = now();
  const time = { signal: AbortSignal.timeout(DEADLINE_MS), deadlineAt: started + DEADLINE_MS };
  try {
    const { hits } = await provider.search({ query, count: COUNT }, time);
    const found = hits.findIndex(({ url }) => isOn(url, hosts));
    return { rank: found < 0 ? null : found + 1, ms: now() - started, failure: null };
  } catch (error) {
    const failure = findFailure(error);
    if (failure === null) throw error;
    return { rank: null, ms: now() - started, failure: failureMessage(failure) };
  }
}

/** A host includes its subdomains. */
function isOn(url: string, hosts: readonly string[]): boolean {
  const { hostname } = new URL(url);
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

function figuresOf(name: string, outcomes: readonly Outcome[]): EngineFigures {
  const queries = outcomes.length;
  const hits = outcomes.filter(({ rank }) => rank !== null && rank <= TOP).length;
  const times = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const failures = [...new Set(outcomes.flatMap(({ failure }) => failure ?? []))];
  const mrr = outcomes.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / rank), 0) / queries;
  return {
    name,
    queries,
    failed: outcomes.filter(({ failure }) => failure !== null).length,
    hitAt5: hits / queries,
    ...interval(hits, queries),
    mrr,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    failures,
  };
}

const Z = 1.96;

/** Wilson's interval of a share at 95 %. */
function interval(hits: number, queries: number): { low: number; high: number } {
  const share = hits / queries;
  const square = Z * Z;
  const middle = (share + square / (2 * queries)) / (1 + square / queries);
  const half =
    (Z * Math.sqrt((share * (1 - share)) / queries + square / (4 * queries * queries))) / (1 + square / queries);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
