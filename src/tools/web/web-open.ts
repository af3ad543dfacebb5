import * as z from 'zod';
import { openPageWithCursor, createPageResult } from '#reading/open/open-whole.ts';
import { toReadPageFacts } from '#reading/recently-opened.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  explainInput,
  writeExplainLines,
  fetchUnusedRules,
  maxAgeSecondsInput,
  maxLinesInput,
  modeInput,
  MODE_NEEDS_BROWSER,
  pageSchema,
  toPageOutput,
  refreshInput,
  siteconfigInput,
} from './shapes.ts';

export const webOpen = defineTool({
  name: 'web_open',
  toolset: 'web',
  title: 'Open a page whole',
  description:
    'Read a whole (entire) web page, article, PDF or file from its URL (link, address, https): fetch (scrape) the newest version, not cut, as one Markdown text (.md). Returns the full content with metadata, links and a snapshot hash. To read on in a very long page, use scroll; to cite lines or read a part, open_url is shorter.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    url: z.string().describe('Address of the page. #fragment or #page=N starts there.'),
    mode: modeInput,
    siteconfig: siteconfigInput,
    refresh: refreshInput,
    max_age_seconds: maxAgeSecondsInput,
    max_lines: maxLinesInput,
    explain: explainInput,
  }),
  needing: MODE_NEEDS_BROWSER,
  unused: fetchUnusedRules,
  output: pageSchema,
  async run(input, { services, signal }) {
    const options = { mode: input.mode, refresh: input.refresh, maxAgeSeconds: input.max_age_seconds };
    const whole = await openPageWithCursor(input.url, { ...options, siteconfig: input.siteconfig }, signal, services);
    const extra = input.explain ? writeExplainLines(whole.opened) : [];
    const result = await createPageResult(whole, { extra, maxLines: input.max_lines }, services);
    return {
      text: result.text,
      structured: toPageOutput(whole, result, input.explain),
      url: result.url,
      read: [toReadPageFacts(whole.opened, whole.cursor, null)],
      cacheHit: whole.opened.origin !== 'fetched',
      resources: [{ snapshot: whole.opened.snapshot.key, url: result.url }],
    };
  },
});
