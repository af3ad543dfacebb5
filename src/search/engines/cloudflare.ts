import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { cancelBody } from '#net/fetch/read-body.ts';
import { DATE_AND_SEARCH_FILTERS, dayOfTime, engineProvider, readHits } from '#search/engine.ts';
import type { EngineResults } from '#search/engine.ts';
import { failProviderUnavailable } from '#search/provider.ts';
import type { ProviderResponse, SearchHttp, SearchProvider, SearchQuery } from '#search/provider.ts';

declare global {
  /**
   * Environment variables of the Worker. The binding `AI` is used only for Web Search. It cannot run locally, and only
   * `npm run deploy` declares it.
   */
  interface Env {
    AI?: { websearch: (request: object) => Promise<Response> };
  }
}

export type CloudflareSearch = {
  /** The method of the AI binding that searches the web. `null` without the binding. */
  websearch: ((request: object) => Promise<Response>) | null;
  /**
   * Takes one search from the daily budget.
   * @returns `null` if a search was taken, otherwise the time in ms until the next one is available
   */
  spend: () => Promise<number | null>;
};

/** The API's maximum number of results per request. */
const RESULTS_MAX = 20;
const GATEWAY = 'default';
/** HTTP status codes for a request whose form the API does not accept. */
const NOT_UNDERSTOOD = new Set([400, 422]);

/**
 * The two forms of a request. The documentation and the types of this beta API disagree on the form of the gateway
 * setting.
 */
const SHAPES = [
  (query: object) => ({ ...query, gatewayId: GATEWAY }),
  (query: object) => ({ ...query, options: { gateway: { id: GATEWAY } } }),
];
let shapes: readonly (typeof SHAPES)[number][] = SHAPES;

const item = z.object({
  url: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  lastModifiedDate: z.string().nullish(),
});
const list = z.union([z.object({ items: z.array(z.unknown()) }), z.object({ results: z.array(z.unknown()) })]);
const response = z.union([list, z.object({ result: list })]);

/** Cloudflare's Web Search API. It needs no API key; the account pays with AI Gateway credits. */
export function cloudflareProvider({ websearch, spend }: CloudflareSearch, http: SearchHttp): SearchProvider {
  const ask = websearch ?? noBinding;
  return engineProvider(
    {
      name: 'cloudflare',
      paid: true,
      cacheable: false,
      keyRefusals: [],
      ignored: () => DATE_AND_SEARCH_FILTERS,
      before: () => (websearch === null ? noBinding() : spendOne(spend)),
      send: (query) => sendEither({ query: query.query, limit: limitOf(query) }, ask),
      read: readCloudflare,
      why: reasonFor,
    },
    http,
  );
}

const NO_BINDING = 'this deployment has no AI binding; npm run deploy adds it where the account has AI Gateway credits';
const NO_CREDITS =
  'the account has no AI Gateway credits left; its owner can add some on the AI Gateway page of the Cloudflare dashboard';

async function noBinding(): Promise<never> {
  return failProviderUnavailable('cloudflare', NO_BINDING);
}

async function spendOne(spend: CloudflareSearch['spend']): Promise<void> {
  const waitMs = await spend();
  if (waitMs === null) return;
  fail({
    code: 'search_rate_limited',
    provider: 'cloudflare',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
  });
}

/**
 * Sends the request in the form that worked last, and in the other form if the API rejects the first. A rejected
 * request costs nothing.
 */
async function sendEither(
  query: { query: string; limit: number },
  websearch: (request: object) => Promise<Response>,
): Promise<Response> {
  const [first, ...others] = shapes;
  const [other] = others;
  if (first === undefined || other === undefined)
    return failProviderUnavailable('cloudflare', 'no request could be made');
  const answer = await understood(websearch(first(query)));
  if (answer !== null) return answer;
  shapes = [other, first];
  return websearch(other(query));
}

async function understood(asked: Promise<Response>): Promise<Response | null> {
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof TypeError) return null;
    throw error;
  });
  if (answer === null || !NOT_UNDERSTOOD.has(answer.status)) return answer;
  await cancelBody(answer.body);
  return null;
}

/** Returns the number of results to request. The API cannot skip results, so the number includes all earlier pages. */
function limitOf({ count, offset = 0 }: SearchQuery): number {
  return Math.min(RESULTS_MAX, count * (offset + 1));
}

function readCloudflare(body: unknown, query: SearchQuery): EngineResults | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const found = 'result' in parsed.data ? parsed.data.result : parsed.data;
  const items = 'items' in found ? found.items : found.results;
  const raw = readHits(items, item, ({ lastModifiedDate, ...hit }) => ({ ...hit, age: dayOfTime(lastModifiedDate) }));
  const asked = limitOf(query);
  return { raw, more: raw.length >= asked && asked < RESULTS_MAX, fromFirst: true };
}

function reasonFor({ status }: ProviderResponse): string | null {
  return status === 402 ? NO_CREDITS : null;
}
