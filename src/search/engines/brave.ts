import type { RateWindow } from '#client/pace/search-limiter.ts';
import { fail } from '#core/failures/failure.ts';
import { BRAVE_QUERY_CHARS_MAX, BRAVE_QUERY_WORDS_MAX, SEARCH_RAW_HITS_MAX } from '#search/limits.ts';
import { FETCH_ATTEMPTS_MAX } from '#net/limits.ts';
import { retryAfterSeconds, retryDelay } from '#net/fetch/fetch-port.ts';
import { parseJson } from '#core/text/json.ts';
import { sendProviderRequest, failProviderUnavailable, requestProvider } from '#search/provider.ts';
import { readHits, joinWithinChars, waitForRateLimit } from '#search/engine.ts';
import type { HitFields, SearchRateLimiter } from '#search/engine.ts';
import type {
  ProviderResponse,
  ProviderAnswer,
  SearchHttp,
  SearchProvider,
  SearchQuery,
  SearchTime,
} from '#search/provider.ts';
import { SECOND_MS } from '#core/limits.ts';
import * as z from 'zod';
import { textOfHtml, cleanHits } from '#search/tidy-hits.ts';
import type { Failure } from '#core/failures/failure.ts';

type BraveDeps = { key: string; userAgent: string; limiter: SearchRateLimiter; http: SearchHttp };

const TOO_MANY = 429;

/**
 * Brave Search. Each request waits in the deployment's queue. Requests that fail with 429 or 5xx are retried while time
 * remains.
 */
export function braveProvider(deps: BraveDeps): SearchProvider {
  return {
    name: 'brave',
    source: 'brave',
    paid: true,
    cacheable: true,
    async search(query, time) {
      const request = braveRequest(query, deps.key, deps.userAgent);
      const answer = await send(request, time, deps);
      const found = readBraveAnswer(parseJson(answer.text), query);
      if (found === null) failProviderUnavailable('brave', 'its answer does not have the documented form');
      return { ...found, notes: [...request.notes, ...found.notes] };
    },
  };
}

async function send(
  request: { url: string; headers: Record<string, string> },
  time: SearchTime,
  deps: BraveDeps,
): Promise<ProviderResponse> {
  for (let attempt = 1; ; attempt += 1) {
    await waitForRateLimit('brave', deps.limiter, time, deps.http);
    const answer = await sendProviderRequest(
      'brave',
      (signal) => requestProvider(deps.http, request, signal),
      time,
      deps.http,
      (status, headers) => tell(status, headers, deps.limiter),
    );
    if (answer.status === 200) return answer;
    const now = deps.http.now();
    const delay = retryDelay({
      attemptsMax: FETCH_ATTEMPTS_MAX,
      attempt,
      retryAfterSeconds: retryAfterSeconds(answer.headers, now),
      leftMs: time.deadlineAt - now,
      random: deps.http.random(),
    });
    if (delay === null || !mayPass(answer)) fail(braveFailure(answer, rateLimitWindows(answer.headers)));
    await deps.http.sleep(delay, time.signal);
  }
}

async function tell(status: number, headers: Headers, limiter: SearchRateLimiter): Promise<void> {
  const windows = rateLimitWindows(headers);
  const refused = status === TOO_MANY;
  if (windows.length === 0 && !refused) return;
  await limiter.learn(windows, refused).catch(() => {});
}

const response = z.object({
  type: z.literal('search'),
  query: z.object({ more_results_available: z.boolean().nullish(), altered: z.string().nullish() }).nullish(),
  web: z.object({ results: z.array(z.unknown()) }).nullish(),
});

const result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  age: z.string().nullish(),
  page_age: z.string().nullish(),
  extra_snippets: z.array(z.string()).nullish(),
});

const SPELLING_NOTE = 'brave corrected the spelling of the query; put words in double quotes to keep them as they are.';

/**
 * Reads the results from an answer. Returns `null` if the answer does not have the documented format. A malformed
 * result is left out.
 */
export function readBraveAnswer(body: unknown, query: SearchQuery): ProviderAnswer | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const found = parsed.data.web?.results ?? [];
  const list = cleanHits(
    readHits(found.slice(0, SEARCH_RAW_HITS_MAX), result, (item) => hitOf(item, query.extra_snippets === true)),
    query.count,
  );
  const more = parsed.data.query?.more_results_available ?? found.length >= query.count;
  const altered = parsed.data.query?.altered ?? '';
  return {
    hits: list.hits,
    more: more || list.beyond,
    notes: [...list.notes, ...(altered === '' || altered === query.query ? [] : [SPELLING_NOTE])],
  };
}

/**
 * Converts the HTML fields of a result to text. Brave marks query words with `<strong>` and uses character references.
 */
function hitOf(item: z.output<typeof result>, wantsSnippets: boolean): HitFields {
  return {
    url: item.url,
    title: textOfHtml(item.title ?? ''),
    description: textOfHtml(item.description ?? ''),
    extraSnippets: wantsSnippets ? (item.extra_snippets ?? []).map(textOfHtml) : [],
    age: item.age ?? item.page_age,
  };
}

const ENDPOINT = 'https://api.search.brave.com/res/v1/web/search';

/** Languages for which Brave uses another code, or a code with a script or region (API reference, language codes). */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ja: 'jp',
    no: 'nb',
    pt: 'pt-br',
    zh: 'zh-hans',
    'zh-cn': 'zh-hans',
    'zh-sg': 'zh-hans',
    'zh-hk': 'zh-hant',
    'zh-mo': 'zh-hant',
    'zh-tw': 'zh-hant',
  }),
);
const WITH_REGION = new Set(['en-gb', 'pt-br', 'pt-pt', 'zh-hans', 'zh-hant']);

/** Builds a Web Search request (API reference, GET). It asks for web results only, without highlighting. Pure. */
export function braveRequest(
  query: SearchQuery,
  key: string,
  userAgent: string,
): { url: string; headers: Record<string, string>; notes: string[] } {
  const text = joinWithinChars(query.query.split(' ').slice(0, BRAVE_QUERY_WORDS_MAX), BRAVE_QUERY_CHARS_MAX);
  const parameters = new URLSearchParams({
    q: text,
    count: String(query.count),
    offset: String(query.offset ?? 0),
    text_decorations: 'false',
    result_filter: 'web',
  });
  const optional = {
    freshness: query.freshness,
    safesearch: query.safesearch,
    country: query.country,
    search_lang: query.search_lang === undefined ? undefined : braveLanguage(query.search_lang),
    ui_lang: query.ui_lang,
    extra_snippets: query.extra_snippets === true ? 'true' : undefined,
    goggles: query.goggles,
  };
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) parameters.set(name, value);
  return {
    url: `${ENDPOINT}?${parameters.toString()}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent,
      'x-subscription-token': key,
    },
    notes: text === query.query ? [] : [CUT_NOTE],
  };
}

const CUT_NOTE = `brave takes ${BRAVE_QUERY_CHARS_MAX} characters and ${BRAVE_QUERY_WORDS_MAX} words: the end of the query was left out.`;

function braveLanguage(language: string): string {
  const own = LANGUAGES.get(language);
  if (own !== undefined || WITH_REGION.has(language)) return own ?? language;
  const base = language.split('-', 1)[0] ?? '';
  return LANGUAGES.get(base) ?? base;
}

const POLICY = /^(\d{1,9})\s*;\s*w=(\d{1,9})$/;
const NUMBER = /^\d{1,9}$/;

/**
 * Parses the `X-RateLimit-*` headers, which list one value per window: `Policy` `1;w=1, 15000;w=2592000`, `Remaining`
 * `0, 14999`, `Reset` `1, 1419704` in seconds. A limit of 0 marks a window that the plan does not count. Returns an
 * empty list if the policy is missing or unreadable. Pure.
 */
export function rateLimitWindows(headers: Headers): RateWindow[] {
  const remaining = numbers(headers.get('x-ratelimit-remaining'));
  const reset = numbers(headers.get('x-ratelimit-reset'));
  return parts(headers.get('x-ratelimit-policy')).flatMap((part, index) => {
    const [, limit, seconds] = POLICY.exec(part) ?? [];
    if (limit === undefined || seconds === undefined) return [];
    const resetSeconds = reset[index] ?? null;
    return [
      {
        limit: Number(limit),
        windowMs: Number(seconds) * SECOND_MS,
        remaining: remaining[index] ?? null,
        resetMs: resetSeconds === null ? null : resetSeconds * SECOND_MS,
      },
    ];
  });
}

function numbers(value: string | null): (number | null)[] {
  return parts(value).map((part) => (NUMBER.test(part) ? Number(part) : null));
}

function parts(value: string | null): string[] {
  return value === null ? [] : value.split(',').map((part) => part.trim());
}

/**
 * An error in Brave's `ErrorResponse`. The API reference documents a list of errors, but the service sends a single
 * one.
 */
const apiError = z.object({
  code: z.string(),
  meta: z.object({ errors: z.array(z.object({ loc: z.array(z.unknown()) })).nullish() }).nullish(),
});
const errorBody = z.object({ error: apiError.nullish(), errors: z.array(apiError).nullish() });

const KEY_PROBLEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    SUBSCRIPTION_TOKEN_INVALID: 'it is not valid',
    SUBSCRIPTION_TOKEN_MISSING: 'it was not received',
    SUBSCRIPTION_NOT_FOUND: 'it belongs to no subscription',
    RESOURCE_NOT_ALLOWED: 'it is not allowed to use web search',
    OPTION_NOT_IN_PLAN: 'its plan does not include an option of this search, such as extra_snippets or goggles',
  }),
);
const KEY_STATUSES = new Set([401, 403]);
/** The documented error codes. Only these may appear in a failure, because the service could send any text. */
const KNOWN_CODES = new Set([...KEY_PROBLEMS.keys(), 'VALIDATION', 'INTERNAL', 'RATE_LIMITED', 'QUOTA_LIMITED']);

const FIELDS: ReadonlyMap<string, string> = new Map(
  ['count', 'offset', 'freshness', 'safesearch', 'country', 'search_lang', 'ui_lang', 'extra_snippets', 'goggles']
    .map((name) => [name, name] as const)
    .concat([['q', 'query']]),
);

/**
 * Returns true if a retry may help, after a rate limit or a server error. An exhausted quota does not recover before
 * the deadline.
 */
function mayPass(answer: ProviderResponse): boolean {
  return answer.status >= 500 || (answer.status === TOO_MANY && readError(answer).code !== 'QUOTA_LIMITED');
}

/** Converts an error answer to a failure (API reference: 400, 403, 404, 422, 429 and their codes). */
function braveFailure(answer: ProviderResponse, windows: readonly RateWindow[]): Failure {
  const provider = 'brave';
  const { status } = answer;
  const { code, locations } = readError(answer);
  if (status === TOO_MANY) {
    return { code: 'search_rate_limited', provider, retryAfterSeconds: retryAfter(windows, code === 'QUOTA_LIMITED') };
  }
  const keyProblem = keyProblemOf(status, code, locations);
  if (keyProblem !== null) return { code: 'search_auth_error', provider, reason: keyProblem };
  const field = locations
    .map(([where, name]) => (where === 'query' ? FIELDS.get(name ?? '') : undefined))
    .find(Boolean);
  if (code === 'VALIDATION' && field !== undefined) return badValue(field);
  if (status >= 300 && status < 400) {
    return { code: 'search_unavailable', provider, reason: 'it answered with a redirect, which is not followed' };
  }
  return {
    code: 'search_unavailable',
    provider,
    reason: `it answered HTTP ${status}${code === null ? '' : ` ${code}`}`,
  };
}

function keyProblemOf(status: number, code: string | null, locations: readonly string[][]): string | null {
  const named = code === null ? undefined : KEY_PROBLEMS.get(code);
  if (named !== undefined) return named;
  const isHeader = locations.some(([where, name]) => where === 'header' && name === 'x-subscription-token');
  if (isHeader) return 'it was sent in a form that is not accepted';
  return KEY_STATUSES.has(status) ? `it answered HTTP ${status}` : null;
}

function badValue(field: string): Failure {
  return {
    code: 'invalid_argument',
    field,
    problem: 'the search provider brave does not know this value',
    hint: `Leave ${field} out, or pass a common value: country such as US or ALL, search_lang such as en, ui_lang such as en-US.`,
  };
}

function readError(answer: ProviderResponse): { code: string | null; locations: string[][] } {
  const parsed = errorBody.safeParse(parseJson(answer.text));
  const error = parsed.success ? (parsed.data.error ?? parsed.data.errors?.[0]) : undefined;
  if (error === undefined) return { code: null, locations: [] };
  return {
    code: KNOWN_CODES.has(error.code) ? error.code : null,
    locations: (error.meta?.errors ?? []).map(({ loc }) => loc.map(String)),
  };
}

/**
 * Returns the seconds, at least 1, until exhausted windows reset. For an exhausted quota it is the longest wait,
 * otherwise the shortest.
 */
function retryAfter(windows: readonly RateWindow[], isQuota: boolean): number {
  const waits = windows
    .filter((window) => window.limit > 0 && window.remaining === 0)
    .map((window) => window.resetMs ?? window.windowMs);
  if (waits.length === 0) return 1;
  return Math.max(1, Math.ceil((isQuota ? Math.max(...waits) : Math.min(...waits)) / SECOND_MS));
}
