import * as z from 'zod';
import { PAGE_RESULT_BYTES_MAX } from '#core/limits.ts';
import { openWhole, wholePageResult } from '#reading/open/open-whole.ts';
import { asReadPage } from '#reading/recently-opened.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  explain,
  explainLines,
  fetchUnused,
  maxAgeSeconds,
  maxLines,
  mode,
  modeNeeding,
  page,
  pageShape,
  refresh,
  siteconfig,
} from './shapes.ts';

export const webOpen = defineTool({
  name: 'web_open',
  toolset: 'web',
  title: 'Open a page whole',
  description:
    'Read a whole web page, article, PDF or file from its URL (link, address): fetch (scrape) the full content as one Markdown text, with metadata, links and a snapshot hash. If it does not fit one result, scroll with the returned cursor shows more. To cite lines or read a part, open_url is shorter.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    url: z.string().describe('Address of the page. #fragment or #page=N starts there.'),
    mode,
    siteconfig,
    refresh,
    max_age_seconds: maxAgeSeconds,
    max_lines: maxLines,
    explain,
  }),
  needing: modeNeeding,
  unused: fetchUnused,
  output: page,
  async run(input, { services, signal }) {
    const options = { mode: input.mode, refresh: input.refresh, maxAgeSeconds: input.max_age_seconds };
    const whole = await openWhole(input.url, { ...options, siteconfig: input.siteconfig }, signal, services);
    const extra = input.explain ? explainLines(whole.opened) : [];
    const result = await wholePageResult(
      whole,
      { extra, maxLines: input.max_lines, budgetBytes: PAGE_RESULT_BYTES_MAX },
      services,
    );
    return {
      text: result.text,
      structured: pageShape(whole, result, input.explain),
      url: result.url,
      read: [asReadPage(whole.opened, whole.cursor, null)],
      cacheHit: whole.opened.origin !== 'fetched',
      resources: [{ snapshot: whole.opened.snapshot.key, url: result.url }],
    };
  },
});
