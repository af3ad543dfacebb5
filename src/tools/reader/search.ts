import * as z from 'zod';
import { SEARCH_RESULTS_MAX } from '#tools/limits.ts';
import { showResults } from '#reading/reader.ts';
import { parseRequest } from '#search/search-request.ts';
import { runSearch as searchWeb } from '#search/search.ts';
import { addStoredPassages } from '#tools/held-hits.ts';
import { defineTool } from '#tools/define-tool.ts';
import { cursorField, uriField } from './shapes.ts';

const SEARCH_RESULTS_DEFAULT = 5;

export const searchTool = defineTool({
  name: 'search',
  toolset: 'reader',
  costs: { searches: 1 },
  title: 'Search',
  description:
    'Search the web (google): find pages about a topic and look up information on the internet (online), such as news, facts, papers, prices, products, people and documentation. Returns a numbered list with a cursor, valid for a day after its last use; open a result with open_result. In query, include synonyms that a page may use; for filters by date, country, language or domain, use web_search.',
  descriptionWithoutWeb:
    'Search the pages already opened, read or looked at earlier (yesterday, last week) on this server for the one that said or mentioned something; it has no web search. Returns a numbered list with a cursor; open a result with open_result. In query, include synonyms that a page may use; to read any other page, pass its URL to open_url.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z
    .strictObject({
      query: z.string().describe('Search terms or a question.'),
      topn: z.int().min(1).max(SEARCH_RESULTS_MAX).default(SEARCH_RESULTS_DEFAULT).describe('Number of results.'),
    })
    .meta({ title: 'searchArguments' }),
  output: z
    .strictObject({
      cursor: cursorField,
      results: z.array(
        z.strictObject({ id: z.int().min(1), title: z.string(), url: uriField, snippet: z.string().optional() }),
      ),
      render: z.string(),
    })
    .meta({ title: 'searchOutput' }),
  check: ({ query, topn }) => parseRequest({ query, count: topn }),
  async run({ query, topn }, { services, signal }) {
    const found = await searchWeb({ query, count: topn }, signal, services);
    const { hits, notes } = await addStoredPassages(query, [], found.hits, signal, services);
    const { cursor: list, render } = await showResults(hits, [...found.notes, ...notes], services);
    const results = hits.map(({ title, url, snippet }, index) => ({ id: index + 1, title, url, snippet }));
    return { text: render, structured: { cursor: list, results, render }, cacheHit: found.cached };
  },
});
