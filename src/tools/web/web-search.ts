import * as z from 'zod';
import { SEARCH_SOURCES } from '#core/search-engines.ts';
import { SEARCH_OFFSET_MAX, WEB_SEARCH_RESULTS_MAX } from '#core/limits.ts';
import { showResults } from '#reading/reader.ts';
import { parseRequest } from '#search/search-request.ts';
import { runSearch } from '#search/search.ts';
import type { ListedHit } from '#reading/result-text.ts';
import { defineTool } from '#tools/define-tool.ts';
import { addStoredPassages } from '#tools/held-hits.ts';
import { otherPhrasingsInput } from './shapes.ts';

const WEB_SEARCH_RESULTS_DEFAULT = 10;
/** Filters that only search providers on the web can apply, not the index of stored pages. */
const WEB_ONLY = ['safesearch', 'country', 'ui_lang', 'extra_snippets', 'goggles'] as const;

export const webSearch = defineTool({
  name: 'web_search',
  toolset: 'web',
  costs: { searches: 1 },
  title: 'Search with filters',
  description:
    'Search the web, or one source (Wikipedia, Stack Exchange such as Stack Overflow, GitHub), with filters for date (recent, past week), country, language and domains (only certain websites). Returns ranked results and a cursor for open_result. In `also`, always pass two to four rewordings, in the words that a page would use.',
  descriptionWithoutWeb:
    'Search the pages already opened or read on this server before; it has no web search. With source, look something up on Wikipedia, Stack Exchange (Stack Overflow) or GitHub. Returns ranked results and a cursor for open_result. In `also`, always pass two to four rewordings, in the words that a page would use.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    query: z.string().describe('Search terms or a question.'),
    also: otherPhrasingsInput,
    source: z.enum(SEARCH_SOURCES).optional().describe('Search this source instead of the web.'),
    count: z
      .int()
      .min(1)
      .max(WEB_SEARCH_RESULTS_MAX)
      .default(WEB_SEARCH_RESULTS_DEFAULT)
      .describe('Number of results.'),
    offset: z.int().min(0).max(SEARCH_OFFSET_MAX).default(0).describe('Page of results, from 0.'),
    freshness: z
      .string()
      .optional()
      .describe('pd, pw, pm or py (past day, week, month, year), or YYYY-MM-DDtoYYYY-MM-DD.'),
    safesearch: z.enum(['off', 'moderate', 'strict']).default('moderate').describe('Filter for adult content.'),
    country: z.string().optional().describe('Two-letter country code, such as DE.'),
    search_lang: z.string().optional().describe('Language of results, such as de.'),
    ui_lang: z.string().optional().describe('Language of the interface, such as de-DE.'),
    extra_snippets: z.boolean().default(false).describe('More snippets for each result.'),
    goggles: z.string().optional().describe('URL or rules of a Brave Goggle to rank with.'),
    domain_allowlist: z.array(z.string()).optional().describe('Only these domains and their subdomains.'),
    domain_denylist: z.array(z.string()).optional().describe('Exclude these domains.'),
  }),
  unused: [
    {
      options: ['domain_allowlist'],
      when: ({ domain_allowlist: list }) => list?.length === 0,
      because: 'an empty list allows all domains',
    },
    { options: ['domain_denylist'], when: ({ domain_denylist: list }) => list?.length === 0, because: 'it is empty' },
  ],
  needing: WEB_ONLY.map((option) => ({ ability: 'webSearch', option })),
  output: z.strictObject({
    cursor: z.string(),
    results: z.array(
      z.strictObject({
        rank: z.int(),
        title: z.string(),
        url: z.string(),
        description: z.string(),
        extra_snippets: z.array(z.string()),
        age: z.string().optional(),
        line: z.int().optional(),
        found_by: z.array(z.string()).optional(),
        stored_passage: z.strictObject({ L_start: z.int(), L_end: z.int(), text: z.string() }).optional(),
      }),
    ),
    more_results_available: z.boolean(),
    provider: z.string(),
    cached: z.boolean(),
    notes: z.array(z.string()),
  }),
  check: parseRequest,
  async run(input, { services, signal }) {
    const found = await runSearch(input, signal, services);
    const held = await addStoredPassages(input.query, input.also, found.hits, signal, services);
    const notes = [...found.notes, ...held.notes];
    const listed = held.hits.map((hit, n) => {
      const { age = null, extra_snippets: extraSnippets = [] } = found.hits[n] ?? {};
      return { ...hit, age, extraSnippets };
    });
    const next = `Next page of results: web_search with offset ${input.offset + 1}.`;
    const about = [`Provider: ${found.provider}${found.cached ? ' (cached)' : ''}.`, ...notes];
    const { cursor, render } = await showResults(
      listed,
      [...about, ...(found.more_results_available ? [next] : [])],
      services,
    );
    return {
      text: render,
      structured: {
        cursor,
        results: found.hits.map(({ age, place, ...hit }, n) => ({
          ...hit,
          ...(age === null ? {} : { age }),
          ...placeFields(listed[n]?.place ?? place, listed[n]?.held),
        })),
        more_results_available: found.more_results_available,
        provider: found.provider,
        cached: found.cached,
        notes,
      },
      cacheHit: found.cached,
    };
  },
});

function placeFields(place: ListedHit['place'], held: ListedHit['held']) {
  if (place === undefined) return {};
  if (held === undefined) return { line: place.line };
  const { lines, text } = held;
  return { line: place.line, stored_passage: { L_start: lines.start, L_end: lines.end, text } };
}
