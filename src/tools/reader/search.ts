import * as z from 'zod';
import { SEARCH_RESULTS_DEFAULT, SEARCH_RESULTS_MAX } from '#tools/limits.ts';
import { showResults } from '#reading/reader.ts';
import { parseRequest } from '#search/search-request.ts';
import { search as searchWeb } from '#search/search.ts';
import { withHeldPassages } from '#tools/held-hits.ts';
import { defineTool } from '#tools/define-tool.ts';
import { cursor, uri } from './shapes.ts';

export const search = defineTool({
  name: 'search',
  toolset: 'reader',
  costs: { searches: 1 },
  title: 'Search',
  description:
    'Searches the web and returns numbered results with a cursor; open one with open_result. They never change and live for a day after their last use. web_search has filters for date, country, language and domains.',
  descriptionWithoutWeb:
    'Searches the pages opened on this server before, not the web, and returns numbered results with a cursor; open one with open_result. They never change and live for a day after their last use. To read any other page, pass its address to open_url.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z
    .strictObject({ query: z.string(), topn: z.int().min(1).max(SEARCH_RESULTS_MAX).default(SEARCH_RESULTS_DEFAULT) })
    .meta({ title: 'searchArguments' }),
  output: z
    .strictObject({
      cursor,
      results: z.array(
        z.strictObject({ id: z.int().min(1), title: z.string(), url: uri, snippet: z.string().optional() }),
      ),
      render: z.string(),
    })
    .meta({ title: 'searchOutput' }),
  check: ({ query, topn }) => parseRequest({ query, count: topn }),
  async run({ query, topn }, { services, signal }) {
    const found = await searchWeb({ query, count: topn }, signal, services);
    const { hits, notes } = await withHeldPassages(query, found.hits, signal, services);
    const { cursor: list, render } = await showResults(hits, [...found.notes, ...notes], services);
    const results = hits.map(({ title, url, snippet }, index) => ({ id: index + 1, title, url, snippet }));
    return { text: render, structured: { cursor: list, results, render }, cacheHit: found.cached };
  },
});
