import * as z from 'zod';
import { parseBaseUrl, extractGivenHtml } from '#reading/extract-given-html.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  explainInput,
  explainExtraction,
  extractionExplanation,
  contentFields,
  extractionResultFields,
  siteconfigInput,
  siteconfigUnusedRule,
} from './shapes.ts';

/** Maximum characters of HTML that `web_extract` accepts: the default limit of a fetched page. */
const EXTRACT_HTML_CHARS_MAX = 5_000_000;

export const webExtract = defineTool({
  name: 'web_extract',
  toolset: 'web',
  title: 'Extract from HTML',
  description:
    'Convert raw HTML (a markup string) already at hand to Markdown: clean, readable text without tags, with metadata and links. Nothing is fetched or stored.',
  hints: { readOnly: true, destructive: false, openWorld: false },
  takesLongText: true,
  input: z.strictObject({
    html: z.string().min(1).max(EXTRACT_HTML_CHARS_MAX).describe('The HTML source.'),
    base_url: z.string().optional().describe('URL of the page, to resolve its links.'),
    mode: z
      .enum(['readable', 'raw'])
      .default('readable')
      .describe('readable: main content first. raw: everything in page order.'),
    siteconfig: siteconfigInput,
    explain: explainInput,
  }),
  unused: [siteconfigUnusedRule],
  output: z.strictObject({
    ...contentFields,
    ...extractionResultFields,
    notes: z.array(z.string()),
    explain: extractionExplanation.optional(),
  }),
  check: ({ base_url: base }) => void (base === undefined || parseBaseUrl(base)),
  async run(input, { services, signal }) {
    const { result, extraction, notes } = await extractGivenHtml(input, signal, services);
    return {
      text: result.text,
      structured: {
        ...(result.title === null ? {} : { title: result.title }),
        markdown: result.markdown,
        links: result.links,
        extractor: extraction.extractor,
        siteconfig: extraction.siteconfig ?? 'none',
        shown_lines: result.shown,
        total_lines: result.totalLines,
        ...(result.rest === null ? {} : { rest_lines: result.rest }),
        notes,
        ...(input.explain ? { explain: explainExtraction(extraction.explanation) } : {}),
      },
    };
  },
});
