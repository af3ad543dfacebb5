import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { discard } from '#net/fetch/read-body.ts';
import { engineProvider } from '#search/engine.ts';
import type { Found } from '#search/engine.ts';
import { failUnavailable } from '#search/provider.ts';
import type { HttpAnswer, SearchHttp, SearchProvider, SearchQuery } from '#search/provider.ts';

declare global {
  /**
   * The AI binding, of which only the Web Search API is used. It has no local half: the configuration that
   * `npm run deploy` writes has it, and no other.
   */
  interface Env {
    AI?: { websearch: (request: object) => Promise<Response> };
  }
}

/** The Web Search API as a deployment has it. */
export type CloudflareSearch = {
  /** Of the binding; `null` where there is none. */
  websearch: ((request: object) => Promise<Response>) | null;
  /** Takes one search of the budget of the day. @returns the ms until there is one again, or `null` */
  spend: () => Promise<number | null>;
};

/** Searches that one request may return. */
const RESULTS_MAX = 20;
/** The gateway that every account has. */
const GATEWAY = 'default';
/** Of a request that is not understood. */
const NOT_UNDERSTOOD = new Set([400, 422]);

/**
 * The documentation of this beta and the types of its binding name the gateway in different places. What was understood
 * last is tried first.
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

/** Cloudflare's Web Search API: the account pays with AI Gateway credits, and no key is needed. */
export function cloudflareProvider({ websearch, spend }: CloudflareSearch, http: SearchHttp): SearchProvider {
  const ask = websearch ?? noBinding;
  return engineProvider(
    {
      name: 'cloudflare',
      source: 'cloudflare',
      paid: true,
      cacheable: false,
      keyRefusals: [],
      ignored: () => NEVER,
      before: () => (websearch === null ? noBinding() : spendOne(spend)),
      send: (query) => sendEither({ query: query.query, limit: limitOf(query) }, ask),
      read: readCloudflare,
      why: reasonFor,
    },
    http,
  );
}

const NEVER = ['freshness', 'safesearch', 'country', 'search_lang', 'ui_lang', 'extra_snippets', 'goggles'] as const;
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

/** A request that was not understood found nothing and costs nothing. */
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
  await discard(answer.body);
  return null;
}

/** It has no pages: as many results are asked for as come before the wanted page and on it. */
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
