import * as z from 'zod';
import { openAtFragment } from '#reading/open/fragments.ts';
import { computePinEnd, lineRangeFrom, showPage } from '#reading/reader.ts';
import { defineTool } from '#tools/define-tool.ts';
import { firstLineInput, numLinesInput, toOpenedAnswer, openedPageSchema, uriField } from './shapes.ts';

export const openUrlTool = defineTool({
  name: 'open_url',
  toolset: 'reader',
  title: 'Open a URL',
  description:
    'Read a web page, website, article, PDF, spreadsheet (Excel), Word or text file as numbered lines: what does its link (URL, address, https, www, com) say, what is its gist? Returns lines to summarize or cite, and a cursor to this fixed text, for scroll and find. For a whole page as Markdown, use web_open.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z
    .strictObject({
      url: uriField.describe('#fragment opens at that place; #page=N at page N of a PDF or long page.'),
      loc: firstLineInput,
      num_lines: numLinesInput,
    })
    .meta({ title: 'openUrlArguments' }),
  output: openedPageSchema.meta({ title: 'openUrlOutput' }),
  async run(input, { services, signal }) {
    const { opened, place } = await openAtFragment(
      {
        requestedUrl: input.url,
        mode: 'auto',
        holdUntil: computePinEnd(services),
        lines: lineRangeFrom(input.loc, input.num_lines),
      },
      signal,
      services,
    );
    const shown = await showPage(
      opened,
      { loc: input.loc, numLines: input.num_lines, from: null, at: place },
      services,
    );
    return toOpenedAnswer(opened, shown);
  },
});
