import * as z from 'zod';
import { formatCitation, noteScriptedUrl } from '#core/document/citation.ts';
import { createFence } from '#core/text/text.ts';
import { checkQuote, citeQuote } from '#reading/cite/cite.ts';
import { defineTool } from '#tools/define-tool.ts';
import { CITATION_NOTE_CHARS_MAX } from '#tools/limits.ts';

export const citeTool = defineTool({
  name: 'cite',
  toolset: 'web',
  title: 'Cite a quote',
  description:
    'Quote and cite a source: verify (check) that the page behind a cursor contains the exact sentence or quote (quotation), word for word, and save the citation (reference, footnote) for the user. Returns the lines of the quote and a link, or the most similar passage.',
  hints: { readOnly: false, destructive: false, openWorld: false },
  optionScopes: [{ option: 'share', scope: 'cite:share', description: 'share also creates a public link.' }],
  input: z.strictObject({
    cursor: z.string().describe('Cursor of an opened page.'),
    quote: z.string().describe('Exact words of the page.'),
    note: z
      .string()
      .max(CITATION_NOTE_CHARS_MAX)
      .optional()
      .describe('Note for the user, such as the claim that the quote supports.'),
    share: z.boolean().default(false).describe('Also create a public link to the quote.'),
  }),
  output: z.strictObject({
    citation: z.string(),
    cursor: z.string(),
    L_start: z.int(),
    L_end: z.int(),
    link: z.string(),
    share_link: z.string().optional(),
    quote: z.string(),
    url: z.string(),
    title: z.string().optional(),
    fetched_at: z.string(),
    notes: z.array(z.string()),
  }),
  check: ({ quote }) => checkQuote(quote),
  async run(input, { services, signal }) {
    const { citation, link, shareLink } = await citeQuote(input, signal, services);
    const { cursor, firstLine, lastLine, quote, url, title, fetchedAt } = citation;
    const mark = formatCitation(cursor, { start: firstLine, end: lastLine });
    const words = await createFence(quote);
    const note = noteScriptedUrl(citation.urlByScript);
    const notes = note === null ? [] : [note];
    return {
      text: [
        `Cite: ${mark} ${link}`,
        'The page says, word for word:',
        words.open,
        quote,
        words.close,
        `URL: ${url}`,
        ...notes.map((text) => `Note: ${text}`),
        ...(shareLink === null ? [] : [`Anyone can open the quote at ${shareLink} until the user stops sharing it.`]),
      ].join('\n'),
      structured: {
        citation: mark,
        cursor,
        L_start: firstLine,
        L_end: lastLine,
        link,
        ...(shareLink === null ? {} : { share_link: shareLink }),
        quote,
        url,
        ...(title === null ? {} : { title }),
        fetched_at: new Date(fetchedAt).toISOString(),
        notes,
      },
      url,
      read: [{ url, title, cursor, documentId: citation.documentId, lines: { start: firstLine, end: lastLine } }],
      cacheHit: true,
    };
  },
});
