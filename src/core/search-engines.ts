import * as z from 'zod';

/** What searches the web, and `local`, the pages opened on this server. `SEARCH_PROVIDERS` names them. */
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
export const searchEngine = z.enum(SEARCH_ENGINES);

/** Free services that allow so many searches from one address: of a laptop its own, of Cloudflare one that strangers share. */
export const KEYLESS_ENGINES: readonly SearchEngine[] = ['keenable', 'firecrawl'];

const KEYED = ['exa', 'brave', 'tavily', 'searxng'] as const;
/**
 * The setting that an engine needs, in the order in which they are asked; the others need none. The order is that of an
 * independent comparison of autumn 2026 (docs/search-engines.md). `npm run bench:engines` measures another one.
 */
export const ENGINE_SETTINGS = {
  exa: 'EXA_API_KEY',
  brave: 'BRAVE_API_KEY',
  tavily: 'TAVILY_API_KEY',
  searxng: 'SEARXNG_URL',
} as const satisfies Record<(typeof KEYED)[number], string>;

/** As people know them. */
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

/** The search of one site, without a key. A search that names one asks nobody else. */
export const SEARCH_SOURCES = ['wikipedia', 'stackexchange', 'github'] as const;
export type SearchSource = (typeof SEARCH_SOURCES)[number];

type Chosen = {
  SEARCH_PROVIDERS: readonly SearchEngine[];
  hasCloudflareSearch: boolean;
} & Partial<Record<(typeof ENGINE_SETTINGS)[keyof typeof ENGINE_SETTINGS], string | undefined>>;

/** Engines that are asked at once, if more are set up: one may find the page that another misses. */
const SET_UP_AT_ONCE = 2;

/**
 * The engines of a deployment, `local` only where its owner named it. The first `atOnce` are asked at once, the others one
 * after the other. An engine that the owner did not choose is never asked: Cloudflare's search needs no key, so it is asked
 * where there is no other.
 */
export function chosenEngines(config: Chosen): { engines: readonly SearchEngine[]; atOnce: number } {
  const named = config.SEARCH_PROVIDERS;
  if (named.length > 0) return { engines: named, atOnce: named.length };
  const set = KEYED.filter((engine) => config[ENGINE_SETTINGS[engine]] !== undefined);
  const engines = set.length === 0 && config.hasCloudflareSearch ? (['cloudflare'] as const) : set;
  return { engines, atOnce: SET_UP_AT_ONCE };
}

/** What a search of this deployment covers, for people. `null`: no web, only what was opened here before. */
export function webSearchInWords(config: Chosen): string | null {
  const { engines, atOnce } = chosenEngines(config);
  if (engines.every((engine) => engine === 'local')) return null;
  const titles = engines.map((engine) => ENGINE_TITLES[engine]);
  const names = [titles.slice(0, atOnce).join(' and '), ...titles.slice(atOnce)].join(', else ');
  return `the web, through ${names}`;
}
