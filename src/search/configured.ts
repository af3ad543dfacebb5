import { chooseEngines } from '#core/search-engines.ts';
import type { SearchEngine, SearchSource } from '#core/search-engines.ts';
import { sha256Hex } from '#core/text/text.ts';
import type { PageIndex } from '#storage/search/page-index.ts';
import { braveProvider } from '#search/engines/brave.ts';
import { cloudflareProvider } from '#search/engines/cloudflare.ts';
import type { CloudflareSearch } from '#search/engines/cloudflare.ts';
import { exaProvider } from '#search/engines/exa.ts';
import { gitHubProvider } from '#search/engines/github.ts';
import { hostedProvider } from '#search/engines/hosted.ts';
import { searxngProvider } from '#search/engines/searxng.ts';
import { stackExchangeProvider } from '#search/engines/stack-exchange.ts';
import { tavilyProvider } from '#search/engines/tavily.ts';
import { wikipediaProvider } from '#search/engines/wikipedia.ts';
import { createMergedProvider } from './merged-provider.ts';
import { localProvider } from './local.ts';
import type { SearchHttp, SearchProvider } from './provider.ts';
import type { SearchRateLimiter } from './engine.ts';

type ProviderDeps = {
  index: PageIndex;
  limiter: (name: string) => SearchRateLimiter;
  http: SearchHttp;
  userAgent: string;
  cloudflare: CloudflareSearch;
};

type Settings = Parameters<typeof chooseEngines>[0];

/**
 * Lists the search providers in the order in which they are asked. The first `atOnce` providers are asked in parallel,
 * so they form one provider. The local index is last, unless the setting names its position.
 */
export function createSearchProviders(config: Settings, deps: ProviderDeps): SearchProvider[] {
  const { engines, atOnce } = chooseEngines(config);
  const isOnly = engines.every((engine) => engine === 'local');
  const made = engines.flatMap((engine) =>
    engine === 'local' ? [localProvider(deps.index, isOnly)] : createWebEngine(engine, config, deps),
  );
  const first = made.slice(0, atOnce);
  const asked = first.length > 1 ? [createMergedProvider(first), ...made.slice(atOnce)] : made;
  if (engines.includes('local')) return asked;
  return [...asked, localProvider(deps.index, isOnly)];
}

/**
 * Creates the provider of a web search engine. Returns an empty list if the engine's setting is missing; the check of
 * the settings prevents that.
 */
export function createWebEngine(
  engine: Exclude<SearchEngine, 'local'>,
  config: Settings,
  deps: Omit<ProviderDeps, 'index'>,
): SearchProvider[] {
  const { userAgent, http } = deps;
  switch (engine) {
    case 'brave':
      return given(config.BRAVE_API_KEY, (key) =>
        braveProvider({ key, userAgent, http, limiter: braveLimiterFor(key, deps.limiter) }),
      );
    case 'exa':
      return given(config.EXA_API_KEY, (key) => exaProvider({ key, userAgent, http }));
    case 'tavily':
      return given(config.TAVILY_API_KEY, (key) => tavilyProvider({ key, userAgent, http }));
    case 'searxng':
      return given(config.SEARXNG_URL, (base) => searxngProvider({ base, userAgent, http }));
    case 'cloudflare':
      return [cloudflareProvider(deps.cloudflare, http)];
    case 'keenable':
    case 'firecrawl':
      return [hostedProvider(engine, { userAgent, http })];
  }
}

function given(setting: string | undefined, make: (value: string) => SearchProvider): SearchProvider[] {
  return setting === undefined ? [] : [make(setting)];
}

/**
 * Creates the provider that asks the search of one site, which needs no API key. All isolates of the deployment share
 * one queue per site.
 */
export function createSourceProvider(
  source: SearchSource,
  { userAgent, http, limiter }: Pick<ProviderDeps, 'userAgent' | 'http' | 'limiter'>,
): SearchProvider {
  return SOURCES[source]({ userAgent, http, limiter: limiter(source) });
}

const SOURCES = { wikipedia: wikipediaProvider, stackexchange: stackExchangeProvider, github: gitHubProvider };

const NAME_HEX_DIGITS = 16;

/**
 * Returns the request queue of an API key. Each key has its own queue, because each has its own rate limits. The
 * queue's name contains a hash of the key instead of the key.
 */
function braveLimiterFor(key: string, named: ProviderDeps['limiter']): SearchRateLimiter {
  const limiter = async () => named(`brave ${(await sha256Hex(`search limiter\n${key}`)).slice(0, NAME_HEX_DIGITS)}`);
  return {
    reserve: async (waitMaxMs) => (await limiter()).reserve(waitMaxMs),
    learn: async (windows, refused) => (await limiter()).learn(windows, refused),
  };
}
