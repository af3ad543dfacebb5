import { CANARY } from './search-answers.ts';
import type { FoundPage } from './search-answers.ts';

/** Invented answers in the format of the services' references. All parts but the results contain the canary. */

/** Exa: Search, with highlights. */
export function exaAnswer(pages: readonly FoundPage[]): Response {
  return Response.json({
    requestId: CANARY,
    resolvedSearchType: 'neural',
    results: pages.map(({ url, title, text }) => ({ id: url, url, title, author: CANARY, highlights: [text] })),
    costDollars: { total: 0.005 },
  });
}

/** Tavily: Search. */
export function tavilyAnswer(pages: readonly FoundPage[]): Response {
  return Response.json({
    query: CANARY,
    answer: CANARY,
    images: [],
    results: pages.map(({ url, title, text }) => ({ url, title, content: text, score: 0.8, raw_content: null })),
    response_time: 1.2,
    request_id: CANARY,
  });
}

/** Cloudflare's Web Search API, in the types of its binding. */
export function cloudflareAnswer(pages: readonly FoundPage[]): Response {
  return Response.json({
    items: pages.map(({ url, title, text }) => ({ url, title, description: text })),
    metadata: { query: CANARY, requestId: CANARY, latencyMs: 80 },
  });
}

/** A tool result of Keenable's MCP server, as an event stream. */
export function keenableAnswer(pages: readonly FoundPage[]): Response {
  const text = pages
    .map(({ url, title, text: snippet }) => `Title: ${oneLine(title)}\nURL: ${url}\nSnippets:\n${snippet}`)
    .join('\n\n');
  const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }], isError: false } };
  return new Response(`event: message\ndata: ${JSON.stringify(message)}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

/** A tool result of Firecrawl's MCP server: its text is JSON. */
export function firecrawlAnswer(pages: readonly FoundPage[]): Response {
  const web = pages.map(({ url, title, text }, position) => ({ url, title, description: text, position }));
  const text = JSON.stringify({ success: true, data: { web }, id: CANARY });
  return Response.json({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } });
}

/** MediaWiki allows no longer titles. */
const TITLE_CHARS_MAX = 255;

/** MediaWiki: list=search. */
export function wikipediaAnswer(pages: readonly FoundPage[], next: number | null): Response {
  return Response.json({
    batchcomplete: true,
    ...(next === null ? {} : { continue: { sroffset: next, continue: '-||' } }),
    query: {
      searchinfo: { totalhits: 99, suggestion: CANARY },
      search: pages.map(({ title, text }, index) => ({
        ns: 0,
        title: title.slice(0, TITLE_CHARS_MAX),
        pageid: index + 1,
        snippet: `<span class="searchmatch">Found:</span> ${asHtml(text)}`,
      })),
    },
  });
}

/** Stack Exchange: search/excerpts. */
export function stackExchangeAnswer(
  pages: readonly FoundPage[],
  more: boolean,
  wrapper: Record<string, number> = {},
): Response {
  return Response.json({
    items: pages.map(({ url, title, text }) => ({
      item_type: 'question',
      question_id: Number(/(\d+)$/.exec(url)?.[1] ?? 0) + 1,
      title: asHtml(title),
      excerpt: `<span class="highlight">Found:</span> ${asHtml(text)}`,
      tags: [CANARY],
      is_answered: true,
    })),
    has_more: more,
    quota_max: 300,
    quota_remaining: 290,
    ...wrapper,
  });
}

/** GitHub: search/repositories. */
export function gitHubAnswer(pages: readonly FoundPage[], total: number): Response {
  return Response.json(
    {
      total_count: total,
      incomplete_results: false,
      items: pages.map(({ url, title, text }, id) => ({ id, full_name: title, html_url: url, description: text })),
    },
    { headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1795262460' } },
  );
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
