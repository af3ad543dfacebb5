import * as z from 'zod';
import { PAGE_RESULT_BYTES_MAX, RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { openPageWithCursor, createPageResult } from '#reading/open/open-whole.ts';
import type { PageWithCursor } from '#reading/open/open-whole.ts';
import { toReadPageFacts } from '#reading/recently-opened.ts';
import type { ToolServices } from '#tools/define-tool.ts';
import { defineTool } from '#tools/define-tool.ts';

/** The second of the two tools that ChatGPT requires for its knowledge features. `id` is the URL of the page. */
export const chatgptFetch = defineTool({
  name: 'fetch',
  toolset: 'chatgpt',
  title: 'Fetch a page',
  description: 'Read the text of a page, by the id that search returned or by its URL.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({ id: z.string().describe('Id from search, or a URL.') }),
  output: z.strictObject({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.strictObject({
      snapshot: z.string(),
      fetched_at: z.string(),
      total_lines: z.string(),
      shown_lines: z.string(),
      rest_lines: z.string().optional(),
    }),
  }),
  async run({ id }, { services, signal }) {
    const options = { mode: 'auto', siteconfig: undefined, refresh: false, maxAgeSeconds: undefined } as const;
    const whole = await openPageWithCursor(id, options, signal, services);
    const { structured, text } = await withinOneResult(id, whole, services);
    return {
      text,
      structured,
      url: structured.url,
      read: [toReadPageFacts(whole.opened, whole.cursor, null)],
      cacheHit: whole.opened.origin !== 'fetched',
    };
  },
});

const TRIES_MAX = 4;

/**
 * Shortens the page, in at most {@link TRIES_MAX} attempts, until the whole result fits, because cutting the JSON text
 * itself would make it invalid.
 */
async function withinOneResult(id: string, whole: PageWithCursor, services: ToolServices) {
  let budget = PAGE_RESULT_BYTES_MAX;
  let answer = await shaped(id, whole, budget, services);
  for (let tries = 1; tries < TRIES_MAX && utf8Bytes(answer.text) > RESULT_TEXT_BYTES_MAX; tries += 1) {
    budget = Math.floor((budget * RESULT_TEXT_BYTES_MAX * 0.9) / utf8Bytes(answer.text));
    answer = await shaped(id, whole, budget, services);
  }
  return answer;
}

async function shaped(id: string, whole: PageWithCursor, budget: number, services: ToolServices) {
  const room = { textBytes: Infinity, markdownBytes: budget };
  const result = await createPageResult(whole, { extra: [], room }, services);
  const { snapshot } = whole.opened;
  const structured = {
    id,
    title: result.title ?? result.url,
    text: result.markdown,
    url: result.url,
    metadata: {
      snapshot: snapshot.key,
      fetched_at: new Date(snapshot.fetchedAt).toISOString(),
      total_lines: String(result.totalLines),
      shown_lines: String(result.shown.end - result.shown.start + 1),
      ...(result.rest === null ? {} : { rest_lines: String(result.rest.end - result.rest.start + 1) }),
    },
  };
  return { structured, text: JSON.stringify(structured) };
}
