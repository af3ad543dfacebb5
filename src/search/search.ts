import type { SearchHit } from '#core/document.ts';
import { messageOf } from '#core/failures/failure-message.ts';
import { failureIn, PeriscopeError } from '#core/failures/failure.ts';
import { SEARCH_OFFSET_MAX } from '#core/limits.ts';
import { SEARCH_CACHE_TTL_MS, SEARCH_DEADLINE_MS, SEARCH_FALLBACK_CACHE_TTL_MS } from './limits.ts';
import type { SearchCache } from '#storage/pages/sites.ts';
import { applyFilter, parseRequest, passesFilter } from './search-request.ts';
import type { DomainFilter, SearchRequest } from './search-request.ts';
import { failUnavailable, PROVIDER_NAMES } from './provider.ts';
import type {
  UrlFilter,
  ProviderAnswer,
  ProviderName,
  SearchHttp,
  SearchProvider,
  SearchQuery,
  SearchResult,
  SearchTime,
} from './provider.ts';
import * as z from 'zod';
import { sha256Hex } from '#core/text/text.ts';
import { parseJson } from '#core/text/json.ts';
import type { Config } from '#core/config.ts';
import type { PageIndex } from '#storage/search/page-index.ts';
import { braveProvider } from './brave.ts';
import type { Limiter } from './brave.ts';
import { localProvider } from './local.ts';
import { searxngProvider } from './searxng.ts';

export type SearchDeps = {
  /** In order of preference; the last one (local) is always available. */
  searchProviders: readonly SearchProvider[];
  searchCache: Pick<SearchCache, 'get' | 'put'>;
  mayShow: (url: string) => boolean;
  now: () => number;
};

type SearchOutcome = {
  provider: ProviderName;
  hits: SearchResult[];
  more_results_available: boolean;
  cached: boolean;
  notes: string[];
};

/**
 * Asks providers in order until one answers; notes say which failed. A fresh stored answer is used first.
 * @throws {PeriscopeError} `invalid_argument` for what the caller can correct; `search_*`, the failure of the first
 *   provider, when no provider has results
 */
export async function search(request: SearchRequest, signal: AbortSignal, deps: SearchDeps): Promise<SearchOutcome> {
  const { query, filter } = parseRequest(request);
  const key = await cacheKey(deps.searchProviders, query);
  const stored = await fromCache(key, deps);
  if (stored !== null) return shown(stored, true, query, filter);
  const time = { signal, deadlineAt: deps.now() + SEARCH_DEADLINE_MS };
  const { answered, ttlMs } = await askInOrder(query, time, listableBy(filter, deps), deps.searchProviders);
  if (ttlMs > 0) await toCache(key, answered, ttlMs, deps);
  return shown(answered, false, query, filter);
}

export function asListHit({ title, url, description, place }: SearchResult): SearchHit {
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
    const outcome = await attempt(provider, query, time, listable);
    if (outcome instanceof PeriscopeError) {
      failed.push(outcome);
      continue;
    }
    const { hits, more, notes } = outcome;
    const isFallback = failed.length > 0;
    if (isFallback && hits.length === 0 && provider === providers.at(-1)) break;
    return {
      answered: { provider: provider.name, hits, more, notes: [...fallbackNotes(failed, provider), ...notes] },
      ttlMs: ttlOf(provider, isFallback),
    };
  }
  throw failed[0] ?? new TypeError('there is no search provider');
}

function fallbackNotes(failed: readonly PeriscopeError[], provider: SearchProvider): string[] {
  if (failed.length === 0) return [];
  const name = provider.name === 'local' ? 'The local index' : provider.name;
  return [...failed.map(({ failure }) => messageOf(failure)), `${name} was asked instead.`];
}

/** Returns the failure when the next provider should be asked. What the caller can correct is thrown. */
async function attempt(
  provider: SearchProvider,
  query: SearchQuery,
  time: SearchTime,
  listable: UrlFilter,
): Promise<ProviderAnswer | PeriscopeError> {
  try {
    return await provider.search(query, time, listable);
  } catch (error) {
    if (time.signal.aborted) failUnavailable(provider.name, 'the call was cancelled', error);
    const failure = failureIn(error);
    if (failure === null || failure.code === 'invalid_argument') throw error;
    return new PeriscopeError(failure, { cause: error });
  }
}

/** A fallback's answer is stored for a shorter time: the preferred provider may be back soon. */
function ttlOf(provider: SearchProvider, isFallback: boolean): number {
  if (!provider.cacheable) return 0;
  return isFallback ? SEARCH_FALLBACK_CACHE_TTL_MS : SEARCH_CACHE_TTL_MS;
}

/** The operator may have blocked the site of a stored page since. */
function listableBy(filter: DomainFilter | null, { mayShow }: SearchDeps): UrlFilter {
  if (filter === null) return { allows: mayShow, why: NOT_ALLOWED };
  return { allows: (url) => mayShow(url) && passesFilter(url, filter), why: `the domain lists or ${NOT_ALLOWED}` };
}

const NOT_ALLOWED = 'the rules of this server do not allow their addresses';

function shown(answered: Answered, cached: boolean, query: SearchQuery, filter: DomainFilter | null): SearchOutcome {
  const { provider, notes } = answered;
  const more = answered.more && (query.offset ?? 0) < SEARCH_OFFSET_MAX;
  if (filter === null) return { provider, hits: answered.hits, more_results_available: more, cached, notes };
  const { hits, left } = applyFilter(answered.hits, filter);
  const note = `${left} of ${answered.hits.length} results were left out by the domain lists.`;
  return { provider, hits, more_results_available: more, cached, notes: left === 0 ? notes : [...notes, note] };
}

/** A search works without its cache. */
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

/** Stored before domain filters, so callers with other filters share it. */
type Answered = { provider: ProviderName; hits: SearchResult[]; more: boolean; notes: string[] };

/** Part of the key: answers in another format are not found. */
const FORMAT = 1;

const answered: z.ZodType<Answered> = z.object({
  provider: z.enum(PROVIDER_NAMES),
  hits: z.array(
    z.object({
      rank: z.number(),
      title: z.string(),
      url: z.string(),
      description: z.string(),
      extra_snippets: z.array(z.string()),
      age: z.string().nullable(),
    }),
  ),
  more: z.boolean(),
  notes: z.array(z.string()),
});

function cacheKey(providers: readonly SearchProvider[], query: SearchQuery): Promise<string> {
  const fields = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify([FORMAT, providers.map((provider) => provider.source), fields]));
}

/** `null` for another format. */
function readAnswered(body: string): Answered | null {
  const parsed = answered.safeParse(parseJson(body));
  return parsed.success ? parsed.data : null;
}

type ProviderDeps = {
  index: PageIndex;
  limiter: (name: string) => Limiter;
  http: SearchHttp;
  userAgent: string;
};

/** In the order in which they are asked: brave, searxng, and always local. */
export function configuredProviders(
  config: Pick<Config, 'BRAVE_API_KEY' | 'SEARXNG_URL'>,
  ports: ProviderDeps,
): SearchProvider[] {
  const { BRAVE_API_KEY: key, SEARXNG_URL: base } = config;
  const { userAgent, http } = ports;
  const web = [
    ...(key === undefined ? [] : [braveProvider({ key, userAgent, http, limiter: limiterFor(key, ports.limiter) })]),
    ...(base === undefined ? [] : [searxngProvider({ base, userAgent, http })]),
  ];
  return [...web, localProvider(ports.index, web.length === 0)];
}

const NAME_HEX_DIGITS = 16;

/** A queue for each API key, since each key has its own plan. The name is a hash, so it does not reveal the key. */
function limiterFor(key: string, named: ProviderDeps['limiter']): Limiter {
  const limiter = async () => named(`brave ${(await sha256Hex(`search limiter\n${key}`)).slice(0, NAME_HEX_DIGITS)}`);
  return {
    reserve: async (waitMaxMs) => (await limiter()).reserve(waitMaxMs),
    learn: async (windows, refused) => (await limiter()).learn(windows, refused),
  };
}
