/**
 * Invented answers of search services, in the format of their public references: Brave's Web Search API (response, rate
 * limit headers, error codes) and SearXNG's search API.
 */

export type FoundPage = { url: string; title: string; text: string; age?: string; more?: string[] };

/** Part of every upstream text that is not a result. No caller may ever see it. */
export const CANARY = 'upstream-words-nobody-may-repeat';

export const BRAVE_HEADERS = {
  'x-ratelimit-limit': '1, 15000',
  'x-ratelimit-policy': '1;w=1, 15000;w=2592000',
  'x-ratelimit-remaining': '0, 14523',
  'x-ratelimit-reset': '1, 1419704',
};

export function braveAnswer(pages: readonly FoundPage[], options: { more?: boolean; altered?: string } = {}): Response {
  const results = pages.map((page) => ({
    type: 'search_result',
    subtype: 'generic',
    title: asHtml(page.title),
    url: page.url,
    description: `<strong>Found:</strong> ${asHtml(page.text)}`,
    ...(page.age === undefined ? {} : { age: page.age, page_age: '2026-11-19T08:00:00' }),
    ...(page.more === undefined ? {} : { extra_snippets: page.more.map(asHtml) }),
    language: 'en',
    family_friendly: true,
    profile: { name: CANARY, url: page.url, long_name: 'site.example', img: 'https://img.example/i.png' },
    meta_url: { scheme: 'https', netloc: 'site.example', hostname: 'site.example', favicon: '', path: '› page' },
  }));
  return Response.json(
    {
      type: 'search',
      query: {
        original: CANARY,
        altered: options.altered ?? null,
        show_strict_warning: false,
        is_navigational: false,
        spellcheck_off: false,
        country: 'us',
        bad_results: false,
        more_results_available: options.more ?? false,
      },
      mixed: {
        type: 'mixed',
        main: results.map((_, index) => ({ type: 'web', index, all: false })),
        top: [],
        side: [],
      },
      ...(pages.length === 0 ? {} : { web: { type: 'search', results, family_friendly: true } }),
    },
    { headers: BRAVE_HEADERS },
  );
}

/** An `ErrorResponse` of Brave. */
export function braveError(
  status: number,
  code: string,
  options: { meta?: unknown; headers?: Record<string, string>; asList?: boolean } = {},
): Response {
  const error = { id: '5d832250', status, code, detail: CANARY, meta: options.meta ?? { component: CANARY } };
  return Response.json(
    { type: 'ErrorResponse', ...(options.asList === true ? { errors: [error] } : { error }), time: 1_795_000_000 },
    { status, headers: { ...BRAVE_HEADERS, ...options.headers } },
  );
}

/** Brave's answer to an unknown value. */
export function braveValidation(where: string, name: string): Response {
  return braveError(422, 'VALIDATION', {
    meta: { component: CANARY, errors: [{ type: 'enum', loc: [where, name], msg: CANARY, input: CANARY }] },
  });
}

export function searxngAnswer(pages: readonly FoundPage[], silentEngines: readonly string[] = []): Response {
  return Response.json({
    query: CANARY,
    number_of_results: 0,
    results: pages.map((page, index) => ({
      url: page.url,
      title: page.title,
      content: page.text,
      publishedDate: page.age ?? null,
      engine: 'one',
      engines: ['one', 'two'],
      template: 'default.html',
      parsed_url: ['https', 'site.example', '/', '', '', ''],
      positions: [index + 1],
      score: 1 / (index + 1),
      category: 'general',
      thumbnail: '',
    })),
    answers: [CANARY],
    corrections: [],
    infoboxes: [],
    suggestions: [CANARY],
    unresponsive_engines: silentEngines.map((engine) => [engine, CANARY]),
  });
}

export function htmlPage(status: number, headers: Record<string, string> = {}): Response {
  return new Response(`<!DOCTYPE html><html lang="en"><title>${CANARY}</title><p>${CANARY}</p></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

function asHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
}
