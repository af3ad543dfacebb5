import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import * as z from 'zod';
import { describeFailure } from '#core/failures/describe-failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { braveProvider } from '#search/engines/brave.ts';
import { cloudflareProvider } from '#search/engines/cloudflare.ts';
import { exaProvider } from '#search/engines/exa.ts';
import { gitHubProvider } from '#search/engines/github.ts';
import { hostedProvider } from '#search/engines/hosted.ts';
import { stackExchangeProvider } from '#search/engines/stack-exchange.ts';
import { tavilyProvider } from '#search/engines/tavily.ts';
import { wikipediaProvider } from '#search/engines/wikipedia.ts';
import { localProvider } from '#search/local.ts';
import type { SearchHttp, SearchProvider, SearchQuery } from '#search/provider.ts';
import { searxngProvider } from '#search/engines/searxng.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { failureOf } from '#support/net-world.ts';
import {
  cloudflareAnswer,
  exaAnswer,
  firecrawlAnswer,
  gitHubAnswer,
  keenableAnswer,
  stackExchangeAnswer,
  tavilyAnswer,
  wikipediaAnswer,
} from '#support/engine-answers.ts';
import { braveAnswer, CANARY, searxngAnswer } from '#support/search-answers.ts';
import type { FoundPage } from '#support/search-answers.ts';
import { storeIndexedPage } from '#support/search-index.ts';
import { openLimiter, plenty, searchWorld } from '#support/search-world.ts';
import type { Sent } from '#support/search-world.ts';

/** The providers, each with a service that a test plays. */
export type Subject = {
  name: string;
  /** A provider whose service has exactly these pages. */
  over: (pages: readonly FoundPage[]) => Promise<{ provider: SearchProvider; sent: Sent[] }>;
  /** Addresses of the results, for a service whose results are its own pages. */
  addressOf?: (page: FoundPage, index: number) => string;
  /** Patterns in a request for the fields that this service names differently. */
  shownAs?: Partial<Record<keyof SearchQuery, RegExp>>;
  /** The service has no second page. */
  isOnePage?: boolean;
};

const INSTANCE_PAGE = 10;

export const brave = (answer: (request: Sent, count: number) => Response) => engine('brave', answer);
export const searxng = (answer: (request: Sent, count: number) => Response) => engine('searxng', answer);

/** An engine whose service is played by a test. */
export function engine(name: EngineName, answer: (request: Sent, count: number) => Response | Promise<Response>) {
  const world = searchWorld(answer);
  const { http, sent } = world;
  return { provider: makeEngine(name, http), sent, world };
}

const OWN = { key: 'a-key', userAgent: 'Periscope/test', limiter: openLimiter };

function makeEngine(name: EngineName, http: SearchHttp): SearchProvider {
  switch (name) {
    case 'brave':
      return braveProvider({ ...OWN, http });
    case 'exa':
      return exaProvider({ ...OWN, http });
    case 'tavily':
      return tavilyProvider({ ...OWN, http });
    case 'searxng':
      return searxngProvider({ base: 'http://10.0.0.7:8888/', userAgent: OWN.userAgent, http });
    case 'keenable':
    case 'firecrawl':
      return hostedProvider(name, { ...OWN, http });
    case 'cloudflare':
      return cloudflareProvider({ websearch: (body) => bound(http, body), spend: async () => null }, http);
    case 'wikipedia':
      return wikipediaProvider({ ...OWN, http });
    case 'stackexchange':
      return stackExchangeProvider({ ...OWN, http });
    case 'github':
      return gitHubProvider({ ...OWN, http });
  }
}

/** The binding has no address: the request is in the body. */
function bound(http: SearchHttp, body: object): Promise<Response> {
  const { signal } = new AbortController();
  const init = { headers: {}, redirect: 'manual', cache: 'no-store', signal, body: JSON.stringify(body) } as const;
  return http.fetch('https://binding.invalid/', init);
}

/** Every engine that sends requests over the network. */
export const ENGINES = [
  'brave',
  'exa',
  'tavily',
  'searxng',
  'cloudflare',
  'keenable',
  'firecrawl',
  'wikipedia',
  'stackexchange',
  'github',
] as const;
export type EngineName = (typeof ENGINES)[number];

const asked = z.record(z.string(), z.unknown());
const bodyOf = ({ body }: Sent) => asked.parse(JSON.parse(body));

/** The first results, as services without pages answer. */
const head = (pages: readonly FoundPage[], count: unknown) => pages.slice(0, Number(count));

export const subjects: Subject[] = [
  {
    name: 'brave',
    over: async (pages) =>
      engine('brave', ({ url }) => {
        const count = Number(url.searchParams.get('count'));
        const from = count * Number(url.searchParams.get('offset'));
        return braveAnswer(pages.slice(from, from + count), { more: pages.length > from + count });
      }),
  },
  {
    name: 'exa',
    over: async (pages) => engine('exa', (request) => exaAnswer(head(pages, bodyOf(request)['numResults']))),
    shownAs: {
      freshness: /"startPublishedDate":"2026-01-01T[^]*"endPublishedDate":"2026-02-01T/,
      safesearch: /"moderation":true/,
      country: /"userLocation":"DE"/,
      extra_snippets: /"maxCharacters":1600/,
    },
  },
  {
    name: 'tavily',
    over: async (pages) => engine('tavily', (request) => tavilyAnswer(head(pages, bodyOf(request)['max_results']))),
    shownAs: { freshness: /"start_date":"2026-01-01","end_date":"2026-02-01"/ },
  },
  {
    name: 'searxng',
    over: async (pages) =>
      engine('searxng', ({ url }) => {
        const from = INSTANCE_PAGE * (Number(url.searchParams.get('pageno')) - 1);
        return searxngAnswer(pages.slice(from, from + INSTANCE_PAGE));
      }),
  },
  {
    name: 'cloudflare',
    over: async (pages) => engine('cloudflare', (request) => cloudflareAnswer(head(pages, bodyOf(request)['limit']))),
  },
  { name: 'keenable', isOnePage: true, over: async (pages) => engine('keenable', () => keenableAnswer(pages)) },
  { name: 'firecrawl', isOnePage: true, over: async (pages) => engine('firecrawl', () => firecrawlAnswer(pages)) },
  {
    name: 'wikipedia',
    over: async (pages) =>
      engine('wikipedia', ({ url }) => {
        const from = Number(url.searchParams.get('sroffset'));
        const to = from + Number(url.searchParams.get('srlimit'));
        return wikipediaAnswer(pages.slice(from, to), pages.length > to ? to : null);
      }),
    addressOf: ({ title }) => `https://en.wikipedia.org/wiki/${title.replaceAll(' ', '_')}`,
    shownAs: { search_lang: /^https:\/\/de\.wikipedia\.org/ },
  },
  {
    name: 'stackexchange',
    over: async (pages) =>
      engine('stackexchange', ({ url }) => {
        const size = Number(url.searchParams.get('pagesize'));
        const from = size * (Number(url.searchParams.get('page')) - 1);
        return stackExchangeAnswer(pages.slice(from, from + size), pages.length > from + size);
      }),
    addressOf: (_, index) => `https://stackoverflow.com/questions/${index + 1}`,
    shownAs: { freshness: /fromdate=1767225600&todate=1769904000/ },
  },
  {
    name: 'github',
    over: async (pages) =>
      engine('github', ({ url }) => {
        const size = Number(url.searchParams.get('per_page'));
        const from = size * (Number(url.searchParams.get('page')) - 1);
        return gitHubAnswer(pages.slice(from, from + size), pages.length);
      }),
    shownAs: { freshness: /pushed:2026-01-01\.\.2026-02-01/ },
  },
  {
    name: 'local',
    over: async (pages) => {
      for (const page of pages) await storeIndexedPage(page);
      return { provider: localProvider(new PageIndex(openDb(env.DB))), sent: [] };
    },
  },
];

export const walruses = (count: number): FoundPage[] =>
  Array.from({ length: count }, (_, n) => ({
    url: `https://walrus.example/${n}`,
    title: `Walrus ${n}`,
    text: `A walrus has tusks, says page ${n}.`,
  }));

export const ask = (provider: SearchProvider, query: Partial<SearchQuery> = {}) =>
  provider.search({ query: 'walrus', count: 5, ...query }, plenty());

/** A failure and its message to the caller, which must not contain words of the service. */
export async function toldOf(provider: SearchProvider): Promise<{ failure: Failure; message: string }> {
  const failure = await failureOf(ask(provider));
  const report = describeFailure(failure);
  expect(JSON.stringify(report)).not.toContain(CANARY);
  return { failure, message: report.message };
}
