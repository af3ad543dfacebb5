import type { SearchHit } from '#core/document/document.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { SEARCH_OFFSET_MAX } from '#core/limits.ts';
import { SEARCH_CACHE_TTL_MS, SEARCH_DEADLINE_MS, SEARCH_FALLBACK_CACHE_TTL_MS } from './limits.ts';
import type { SearchSource } from '#core/search-engines.ts';
import type { SearchCache } from '#storage/pages/sites.ts';
import { applyFilter, parseRequest, passesFilter } from './search-request.ts';
import type { DomainFilter, SearchRequest } from './search-request.ts';
import { askProvider } from './merged-provider.ts';
import type { UrlFilter, SearchProvider, SearchQuery, SearchResult, SearchTime } from './provider.ts';
import * as z from 'zod';
import { sha256Hex } from '#core/text/text.ts';
import { parseJson } from '#core/text/json.ts';

export type SearchDeps = {
  /** The search providers in the order in which they are asked. The local index is always one of them. */
  searchProviders: readonly SearchProvider[];
  /** Returns the provider for a source that a request names. Only this provider is then asked. */
  searchSource: (source: SearchSource) => SearchProvider;
  searchCache: Pick<SearchCache, 'get' | 'put'>;
  mayShow: (url: string) => boolean;
  now: () => number;
};

type SearchOutcome = {
  provider: string;
  hits: SearchResult[];
  more_results_available: boolean;
  cached: boolean;
  notes: string[];
};

/**
 * Asks providers in order until one answers. Notes report the failures of the providers before it. If a cached answer
 * is fresh, no provider is asked.
 * @throws {PeriscopeError} `invalid_argument` for a value that the caller can correct; `search_*`, the failure of the
 * first provider that failed, if all fail, or if some fail and the last one finds nothing
 */
export async function runSearch(request: SearchRequest, signal: AbortSignal, deps: SearchDeps): Promise<SearchOutcome> {
  const { query, filter } = parseRequest(request);
  const providers = request.source === undefined ? deps.searchProviders : [deps.searchSource(request.source)];
  const key = await cacheKey(providers, query);
  const stored = await fromCache(key, deps);
  if (stored !== null) return shown(stored, true, query, filter);
  const time = { signal, deadlineAt: deps.now() + SEARCH_DEADLINE_MS };
  const { answered, ttlMs } = await askInOrder(query, time, listableBy(filter, deps), providers);
  if (ttlMs > 0) await toCache(key, answered, ttlMs, deps);
  return shown(answered, false, query, filter);
}

export function toSearchHit({ title, url, description, place }: SearchResult): SearchHit {
  return { title, url, snippet: description, ...(place === undefined ? {} : { place }) };
}

async function askInOrder(
  query: SearchQuery,
  time: SearchTime,
  listable: UrlFilter,
  providers: readonly SearchProvider[],
): Promise<{ answered: Answered; ttlMs: number }> {
  const failed: PeriscopeError[] = [];
  for (const provider of providers) {
    const outcome = await askProvider(provider, query, time, listable);
    if (outcome instanceof PeriscopeError) {
      failed.push(outcome);
      continue;
    }
    const { hits, more, notes } = outcome;
    const isFallback = failed.length > 0;
    if (isFallback && hits.length === 0 && provider === providers.at(-1)) break;
    return {
      answered: { provider: provider.name, hits, more, notes: [...fallbackNotes(failed, provider), ...notes] },
      ttlMs: ttlOf(provider, isFallback || outcome.isPartial === true),
    };
  }
  throw failed[0] ?? new TypeError('there is no search provider');
}

function fallbackNotes(failed: readonly PeriscopeError[], provider: SearchProvider): string[] {
  if (failed.length === 0) return [];
  const name = provider.name === 'local' ? 'The local index' : provider.name;
  return [...failed.map(({ failure }) => failureMessage(failure)), `${name} was asked instead.`];
}

/**
 * Returns the time in ms for which an answer is cached. The time is shorter if a provider is missing from the answer,
 * because it may recover soon.
 */
function ttlOf(provider: SearchProvider, isMissing: boolean): number {
  if (!provider.cacheable) return 0;
  return isMissing ? SEARCH_FALLBACK_CACHE_TTL_MS : SEARCH_CACHE_TTL_MS;
}

/**
 * Returns the filter for stored pages. It leaves out pages that the domain lists exclude, and pages of sites that the
 * operator has blocked since they were stored.
 */
function listableBy(filter: DomainFilter | null, { mayShow }: SearchDeps): UrlFilter {
  if (filter === null) return { allows: mayShow, why: NOT_ALLOWED };
  return { allows: (url) => mayShow(url) && passesFilter(url, filter), why: `the domain lists or ${NOT_ALLOWED}` };
}

const NOT_ALLOWED = 'the rules of this server do not allow their addresses';

function shown(answered: Answered, cached: boolean, query: SearchQuery, filter: DomainFilter | null): SearchOutcome {
  const { provider, notes } = answered;
  const more_results_available = answered.more && (query.offset ?? 0) < SEARCH_OFFSET_MAX;
  const { hits, left } = filter === null ? { hits: answered.hits, left: 0 } : applyFilter(answered.hits, filter);
  const note = `${left} of ${answered.hits.length} results were left out by the domain lists.`;
  const about = [...foundBy(hits), ...notes, ...(left === 0 ? [] : [note])];
  return { provider, hits, more_results_available, cached, notes: about };
}

function foundBy(hits: readonly SearchResult[]): string[] {
  const found = hits.flatMap(({ rank, found_by: names = [] }) => names.map((name) => ({ name, rank })));
  if (found.length === 0) return [];
  const notes = [...Map.groupBy(found, ({ name }) => name)].map(
    ([name, of]) => `Found by ${name}: ${of.map(({ rank }) => rank).join(', ')}.`,
  );
  return [notes.join(' ')];
}

/** Reads a cached answer. If the cache fails, the search continues without it. */
async function fromCache(key: string, { searchCache, now }: SearchDeps): Promise<Answered | null> {
  const body = await searchCache.get(key, now()).catch(() => null);
  return body === null ? null : readAnswered(body);
}

async function toCache(
  key: string,
  answered: Answered,
  ttlMs: number,
  { searchCache, now }: SearchDeps,
): Promise<void> {
  await searchCache.put(key, JSON.stringify(answered), now() + ttlMs).catch(() => {});
}

/** An answer as it is cached. Domain filters are applied later, so that callers with different filters can share it. */
type Answered = { provider: string; hits: SearchResult[]; more: boolean; notes: string[] };

/**
 * The version of the format of cached answers. It is part of the cache key, so answers in an older format are not
 * found.
 */
const FORMAT = 2;

const answered: z.ZodType<Answered> = z.object({
  provider: z.string(),
  hits: z.array(
    z.object({
      rank: z.number(),
      title: z.string(),
      url: z.string(),
      description: z.string(),
      extra_snippets: z.array(z.string()),
      age: z.string().nullable(),
      found_by: z.array(z.string()).optional(),
    }),
  ),
  more: z.boolean(),
  notes: z.array(z.string()),
});

function cacheKey(providers: readonly SearchProvider[], query: SearchQuery): Promise<string> {
  // `also` (rewordings) is left out of the key. It affects only stored pages, whose results are not cached.
  const fields = Object.entries(query)
    .filter(([name, value]) => value !== undefined && name !== 'also')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify([FORMAT, providers.map((provider) => provider.source), fields]));
}

/** Parses a cached answer. Returns `null` if it has another format. */
function readAnswered(body: string): Answered | null {
  const parsed = answered.safeParse(parseJson(body));
  return parsed.success ? parsed.data : null;
}
