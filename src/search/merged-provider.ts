import { countWithUnit } from '#core/text/text.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { findFailure, PeriscopeError } from '#core/failures/failure.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { SECOND_MS, WEB_SEARCH_RESULTS_MAX } from '#core/limits.ts';
import { failProviderUnavailable } from './provider.ts';
import type { ProviderAnswer, SearchProvider, SearchQuery, SearchResult, SearchTime, UrlFilter } from './provider.ts';
import { addRanks } from './tidy-hits.ts';

/** Time in ms that the other providers have left after the first one has found results. */
const FUSION_PATIENCE_MS = 2 * SECOND_MS;
/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). A higher value reduces the effect of a
 * result's rank.
 */
const RANK_CONSTANT = 60;

/**
 * Creates a provider that asks several providers in parallel and merges their results. It waits only a short time for
 * the others after one has found results.
 */
export function createMergedProvider(parts: readonly SearchProvider[]): SearchProvider {
  return {
    name: parts.map(({ name }) => name).join('+'),
    source: `fused ${parts.map(({ source }) => source).join(' ')}`,
    paid: parts.some(({ paid }) => paid),
    cacheable: parts.every(({ cacheable }) => cacheable),
    parts,
    async search(query, time, listable) {
      const outcomes = await askAtOnce(parts, query, time, listable);
      const answers = outcomes.flatMap(({ name, outcome }) =>
        outcome instanceof PeriscopeError || outcome === null ? [] : [{ name, ...outcome }],
      );
      const [first] = outcomes.flatMap(({ outcome }) => (outcome instanceof PeriscopeError ? [outcome] : []));
      if (answers.length === 0) throw first ?? new TypeError('no provider was asked');
      const { hits, beyond } = join(answers, query.count);
      return {
        hits,
        more: answers.some((answer) => answer.more),
        notes: [
          ...outcomes.flatMap(missing),
          ...answers.flatMap(({ notes }) => notes),
          ...beyondNotes(beyond, query.count),
        ],
        isPartial: answers.length < parts.length || answers.some(({ isPartial }) => isPartial === true),
      };
    },
  };
}

function beyondNotes(beyond: number, count: number): string[] {
  if (beyond === 0) return [];
  const how =
    count < WEB_SEARCH_RESULTS_MAX
      ? `ask again with count ${Math.min(WEB_SEARCH_RESULTS_MAX, count + beyond)}`
      : 'narrow the query, or list domains in domain_allowlist';
  return [`${countWithUnit(beyond, 'further result')} of this page did not fit: ${how}.`];
}

type Named<T> = { name: string; outcome: T };

/** Asks all providers in parallel. The outcome is `null` for a provider that did not answer in time. */
async function askAtOnce(
  parts: readonly SearchProvider[],
  query: SearchQuery,
  time: SearchTime,
  listable: UrlFilter | undefined,
): Promise<Named<ProviderAnswer | PeriscopeError | null>[]> {
  const late = new AbortController();
  const own = { ...time, signal: AbortSignal.any([time.signal, late.signal]) };
  const { promise: found, resolve } = Promise.withResolvers<void>();
  const done = new Map<number, ProviderAnswer | PeriscopeError>();
  const asked = parts.map(async (provider, index) => {
    const outcome = await askProvider(provider, query, own, listable);
    done.set(index, outcome);
    if (!(outcome instanceof PeriscopeError) && outcome.hits.length > 0) resolve();
  });
  const all = Promise.all(asked);
  try {
    await Promise.race([all, found]);
    await resolveWithin(all, FUSION_PATIENCE_MS, time.signal);
    return parts.map(({ name }, index) => ({ name, outcome: done.get(index) ?? null }));
  } finally {
    all.catch(() => undefined);
    late.abort(new DOMException('Enough was found without it.', 'AbortError'));
  }
}

/**
 * Asks one provider. Returns a failure if asking another provider may help, and throws a failure that the caller can
 * correct.
 */
export async function askProvider(
  provider: SearchProvider,
  query: SearchQuery,
  time: SearchTime,
  listable: UrlFilter | undefined,
): Promise<ProviderAnswer | PeriscopeError> {
  try {
    return await provider.search(query, time, listable);
  } catch (error) {
    if (time.signal.aborted) failProviderUnavailable(provider.name, 'the call was cancelled', error);
    const failure = findFailure(error);
    if (failure === null || failure.code === 'invalid_argument') throw error;
    return new PeriscopeError(failure, { cause: error });
  }
}

function missing({ name, outcome }: Named<ProviderAnswer | PeriscopeError | null>): string[] {
  if (outcome instanceof PeriscopeError) return [failureMessage(outcome.failure)];
  if (outcome !== null) return outcome.hits.length === 0 ? [`${name} found nothing.`] : [];
  return [`${name} took more than ${FUSION_PATIENCE_MS / SECOND_MS} s longer than the others: left out.`];
}

/**
 * Merges results by reciprocal rank fusion over canonical URLs: a result scores 1/(60 + rank) for each list that
 * contains it. For equal scores, the result from the earlier list comes first. Title and description come from the list
 * in which the result ranks highest. Pure.
 */
function join(
  answers: readonly (Pick<ProviderAnswer, 'hits'> & { name: string })[],
  count: number,
): { hits: SearchResult[]; beyond: number } {
  const byUrl = new Map<string, { best: SearchResult; score: number; names: string[] }>();
  for (const { name, hits } of answers) {
    for (const hit of hits) {
      const known = byUrl.get(hit.url);
      const score = 1 / (RANK_CONSTANT + hit.rank);
      if (known === undefined) byUrl.set(hit.url, { best: hit, score, names: [name] });
      else {
        const best = hit.rank < known.best.rank ? hit : known.best;
        byUrl.set(hit.url, { best, score: known.score + score, names: [...known.names, name] });
      }
    }
  }
  const joined = [...byUrl.values()]
    .sort((a, b) => b.score - a.score)
    .map(({ best, names }) => ({ ...best, found_by: names }));
  return { hits: addRanks(joined.slice(0, count)), beyond: Math.max(0, joined.length - count) };
}
