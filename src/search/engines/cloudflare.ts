import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { cancelBody } from '#net/fetch/read-body.ts';
import { DATES_AND_FILTERS, engineProvider } from '#search/engine.ts';
import type { Found } from '#search/engine.ts';
import { failUnavailable } from '#search/provider.ts';
import type { HttpAnswer, SearchHttp, SearchProvider, SearchQuery } from '#search/provider.ts';

declare global {
  /** The AI binding, used only for Web Search. It cannot run locally; only `npm run deploy` declares it. */
  interface Env {
    AI?: { websearch: (request: object) => Promise<Response> };
  }
}

export type CloudflareSearch = {
  /** The binding's method; `null` without binding. */
  websearch: ((request: object) => Promise<Response>) | null;
  /**
   * Takes one search from the daily budget. @returns ms until the next search is available, or `null` if one was taken
   */
  spend: () => Promise<number | null>;
};

/** The API's limit on results per request. */
const RESULTS_MAX = 20;
const GATEWAY = 'default';
/** Status codes of a request in an unsupported form. */
const NOT_UNDERSTOOD = new Set([400, 422]);

/** Request forms, because documentation and types of this beta disagree on the gateway. The last good one is first. */
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

/** Cloudflare's Web Search API. The account pays with AI Gateway credits; no key is needed. */
export function cloudflareProvider({ websearch, spend }: CloudflareSearch, http: SearchHttp): SearchProvider {
  const ask = websearch ?? noBinding;
  return engineProvider(
    {
      name: 'cloudflare',
      source: 'cloudflare',
      paid: true,
      cacheable: false,
      keyRefusals: [],
      ignored: () => DATES_AND_FILTERS,
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
  return failUnavailable('cloudflare', NO_BINDING);
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

/** Tries both request forms. A rejected form costs nothing. */
async function sendEither(
  query: { query: string; limit: number },
  websearch: (request: object) => Promise<Response>,
): Promise<Response> {
  const [first, ...others] = shapes;
  const [other] = others;
  if (first === undefined || other === undefined) return failUnavailable('cloudflare', 'no request could be made');
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

/** The API has no pages, so the request covers all results through the wanted page. */
function limitOf({ count, offset = 0 }: SearchQuery): number {
  return Math.min(RESULTS_MAX, count * (offset + 1));
}

function readCloudflare(body: unknown, query: SearchQuery): Found | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const found = 'result' in parsed.data ? parsed.data.result : parsed.data;
  const raw = ('items' in found ? found.items : found.results).flatMap((one) => {
    const { success, data } = item.safeParse(one);
    if (!success) return [];
    const { url, title, description, lastModifiedDate: date } = data;
    return [
      {
        url,
        title: title ?? '',
        description: description ?? '',
        extraSnippets: [],
        age: date?.replace(/T.*$/s, '') ?? null,
      },
    ];
  });
  const asked = limitOf(query);
  return { raw, more: raw.length >= asked && asked < RESULTS_MAX, fromFirst: true };
}

function reasonFor({ status }: HttpAnswer): string | null {
  return status === 402 ? NO_CREDITS : null;
}
