import * as z from 'zod';
import { SEARCH_RESULTS_MAX } from '#tools/limits.ts';
import { runSearch as searchWeb } from '#search/search.ts';
import { defineTool } from '#tools/define-tool.ts';

/**
 * The first of the two tools that ChatGPT requires for its knowledge features, in the prescribed shape: one string as
 * input; as output one JSON text, repeated as the structured result.
 */
export const chatgptSearch = defineTool({
  name: 'search',
  toolset: 'chatgpt',
  costs: { searches: 1 },
  title: 'Search',
  description: 'Search the web and get results whose id can be passed to fetch.',
  descriptionWithoutWeb:
    'Search the pages opened on this server before; it has no web search. Returns results whose id can be passed to fetch.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({ query: z.string().describe('Search terms or a question.') }),
  output: z.strictObject({
    results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.string() })),
  }),
  async run({ query }, { services, signal }) {
    const { hits } = await searchWeb({ query, count: SEARCH_RESULTS_MAX }, signal, services);
    const structured = { results: hits.map(({ title, url }) => ({ id: url, title, url })) };
    return { text: JSON.stringify(structured), structured };
  },
});
