/** Values of `SEARCH_PROVIDERS`: web search engines, and `local` for the pages opened on this server. */
export const SEARCH_ENGINES = [
  'brave',
  'exa',
  'tavily',
  'searxng',
  'cloudflare',
  'keenable',
  'firecrawl',
  'local',
] as const;
export type SearchEngine = (typeof SEARCH_ENGINES)[number];

/**
 * Free services that limit requests per IP address. A laptop has its own address. Cloudflare's addresses are shared
 * with strangers, who soon use up the limit.
 */
export const KEYLESS_ENGINES: readonly SearchEngine[] = ['keenable', 'firecrawl'];

const KEYED = ['exa', 'brave', 'tavily', 'searxng'] as const;
/**
 * The setting that each engine with a key or URL requires. Engines are used in this order. It comes from an independent
 * comparison of autumn 2026 (docs/search.md), which `npm run bench:engines` repeats.
 */
export const ENGINE_SETTING_NAMES = {
  exa: 'EXA_API_KEY',
  brave: 'BRAVE_API_KEY',
  tavily: 'TAVILY_API_KEY',
  searxng: 'SEARXNG_URL',
} as const satisfies Record<(typeof KEYED)[number], string>;

export const ENGINE_TITLES: Record<SearchEngine, string> = {
  brave: 'Brave',
  exa: 'Exa',
  tavily: 'Tavily',
  searxng: 'a SearXNG instance',
  cloudflare: 'the Web Search API of Cloudflare',
  keenable: 'Keenable (keenable.ai), a third party that sees the queries',
  firecrawl: 'Firecrawl (firecrawl.dev), a third party that sees the queries',
  local: 'the pages opened here before',
};

/** Sites that a search can name as its source, without a key. Such a search uses no engine. */
export const SEARCH_SOURCES = ['wikipedia', 'stackexchange', 'github'] as const;
export type SearchSource = (typeof SEARCH_SOURCES)[number];

type Chosen = {
  SEARCH_PROVIDERS: readonly SearchEngine[];
  hasCloudflareSearch: boolean;
} & Partial<Record<(typeof ENGINE_SETTING_NAMES)[keyof typeof ENGINE_SETTING_NAMES], string | undefined>>;

/**
 * Number of configured engines that are queried in parallel. More than one, because an engine may find a page that
 * another misses.
 */
const SET_UP_AT_ONCE = 2;

/**
 * Returns the engines of a deployment: those named in `SEARCH_PROVIDERS`, otherwise those whose setting is present. If
 * there are none and the Worker has the binding for it, Cloudflare's search is used, which needs no key. The first
 * `atOnce` engines are queried in parallel, the others one after the other.
 */
export function chooseEngines(config: Chosen): { engines: readonly SearchEngine[]; atOnce: number } {
  const named = config.SEARCH_PROVIDERS;
  if (named.length > 0) return { engines: named, atOnce: named.length };
  const set = KEYED.filter((engine) => config[ENGINE_SETTING_NAMES[engine]] !== undefined);
  const engines = set.length === 0 && config.hasCloudflareSearch ? (['cloudflare'] as const) : set;
  return { engines, atOnce: SET_UP_AT_ONCE };
}

/** Describes what searches on this deployment cover. `null`: only pages opened here before. */
export function describeWebSearch(config: Chosen): string | null {
  const { engines, atOnce } = chooseEngines(config);
  if (engines.every((engine) => engine === 'local')) return null;
  const titles = engines.map((engine) => ENGINE_TITLES[engine]);
  const names = [titles.slice(0, atOnce).join(' and '), ...titles.slice(atOnce)].join(', else ');
  return `the web, through ${names}`;
}
