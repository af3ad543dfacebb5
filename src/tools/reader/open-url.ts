import * as z from 'zod';
import { openAtFragment } from '#reading/open/fragments.ts';
import { holdUntil, linesFrom, showPage } from '#reading/reader.ts';
import { defineTool } from '#tools/define-tool.ts';
import { loc, numLines, openedAnswer, openedPage, uri } from './shapes.ts';

export const openUrl = defineTool({
  name: 'open_url',
  toolset: 'reader',
  title: 'Open a URL',
  description:
    'Read a web page, website, article, PDF, spreadsheet (Excel), Word or text file as numbered lines: what does its link (URL, address, https, www, com) say, what is its gist? Returns lines to summarize or cite, and a cursor for scroll and find, whose text never changes. For a whole page as Markdown, use web_open.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z
    .strictObject({
      url: uri.describe('#fragment opens at that place; #page=N at page N of a PDF or long page.'),
      loc,
      num_lines: numLines,
    })
    .meta({ title: 'openUrlArguments' }),
  output: openedPage.meta({ title: 'openUrlOutput' }),
  async run(input, { services, signal }) {
    const { opened, place } = await openAtFragment(
      {
        requestedUrl: input.url,
        mode: 'auto',
        holdUntil: holdUntil(services),
        lines: linesFrom(input.loc, input.num_lines),
      },
      signal,
      services,
    );
    const shown = await showPage(
      opened,
      { loc: input.loc, numLines: input.num_lines, from: null, at: place },
      services,
    );
    return openedAnswer(opened, shown);
  },
});
