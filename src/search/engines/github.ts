import * as z from 'zod';
import type { RateWindow } from '#client/pace/search-limiter.ts';
import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';
import { dayOfTime, parseFreshness, engineProvider, SEARCH_FILTERS, readHits } from '#search/engine.ts';
import type { EngineResults, FreeEngineDeps } from '#search/engine.ts';
import { requestProvider } from '#search/provider.ts';
import type { ProviderResponse, SearchProvider, SearchQuery } from '#search/provider.ts';

const ENDPOINT = 'https://api.github.com/search';
/** GitHub's maximum length of a query in characters. It rejects longer ones. */
const QUERY_CHARS_MAX = 256;
/** Matches search qualifiers that exist only for issues and pull requests. */
const ABOUT_ISSUES = /(?:^|\s)(?:is|type):(?:issue|pr|open|closed|merged)\b/i;

const response = z.object({ total_count: z.number(), items: z.array(z.unknown()) });
const result = z.object({
  html_url: z.string(),
  full_name: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  body: z.string().nullish(),
  pushed_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/**
 * GitHub's search without an API key, which is limited to ten searches a minute per IP address. It searches issues and
 * pull requests if the query has a qualifier such as `is:issue`, and repositories otherwise. GitHub's code search needs
 * a key.
 */
export function gitHubProvider({ userAgent, http, limiter }: FreeEngineDeps): SearchProvider {
  const headers = {
    accept: 'application/vnd.github+json',
    'accept-encoding': 'gzip',
    'user-agent': userAgent,
    'x-github-api-version': '2022-11-28',
  };
  return engineProvider(
    {
      name: 'github',
      paid: false,
      cacheable: true,
      keyRefusals: [],
      ignored: () => SEARCH_FILTERS,
      send: (query, signal) => requestProvider(http, { url: searchUrl(query, http.now()), headers }, signal),
      read: readGitHub,
      why: ({ status, headers: sent }) =>
        status === 403 && sent.get('x-ratelimit-remaining') === '0' ? TOO_MANY : null,
      queue: { limiter, windows: (answer) => windowsOf(answer, http.now()) },
    },
    http,
  );
}

const TOO_MANY = 'too many searches came from the network address of this server';

function searchUrl(query: SearchQuery, now: number): string {
  const isAboutIssues = ABOUT_ISSUES.test(query.query);
  const days = parseFreshness(query.freshness, now);
  const when = days === null ? '' : ` ${isAboutIssues ? 'updated' : 'pushed'}:${days.from}..${days.to}`;
  const parameters = new URLSearchParams({
    q: `${query.query.slice(0, QUERY_CHARS_MAX - when.length)}${when}`,
    per_page: String(query.count),
    page: String((query.offset ?? 0) + 1),
  });
  return `${ENDPOINT}/${isAboutIssues ? 'issues' : 'repositories'}?${parameters.toString()}`;
}

function readGitHub(body: unknown, query: SearchQuery): EngineResults | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const raw = readHits(parsed.data.items, result, (item) => ({
    url: item.html_url,
    title: item.full_name ?? item.title,
    description: item.description ?? item.body,
    age: dayOfTime(item.pushed_at ?? item.updated_at),
  }));
  return { raw, more: parsed.data.total_count > query.count * ((query.offset ?? 0) + 1) };
}

function windowsOf({ headers }: ProviderResponse, now: number): RateWindow[] {
  const [limit, remaining, resetAt] = ['limit', 'remaining', 'reset'].map((name) =>
    Number.parseInt(headers.get(`x-ratelimit-${name}`) ?? '', 10),
  );
  if (limit === undefined || remaining === undefined || resetAt === undefined) return [];
  if (![limit, remaining, resetAt].every(Number.isSafeInteger)) return [];
  return [{ limit, windowMs: MINUTE_MS, remaining, resetMs: Math.max(0, resetAt * SECOND_MS - now) }];
}
