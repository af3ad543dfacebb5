import * as z from 'zod';
import { openAtFragment } from '#reading/open/fragments.ts';
import { computePinEnd, lineRangeFrom, findListedResult, showPage } from '#reading/reader.ts';
import { defineTool } from '#tools/define-tool.ts';
import { cursorField, numLinesInput, toOpenedAnswer, openedPageSchema } from './shapes.ts';

/** Without zod's `default`, so that a tool can tell whether the caller set the line. */
const optionalFirstLineInput = z
  .int()
  .min(0)
  .optional()
  .meta({ default: 0 })
  .describe('First line to show, from 0. Default: the snippet.');

export const openResultTool = defineTool({
  name: 'open_result',
  toolset: 'reader',
  title: 'Open a search result',
  description:
    'Open a search result (hit, found link) by its number in the list, such as the first or second, and read the page or article as numbered lines. Returns a page cursor for scroll, find and citations; open_result accepts that cursor for other results of the same list.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z
    .strictObject({
      cursor: cursorField.describe('Cursor of the search.'),
      result_id: z.int().min(1).describe('Number of the result, from 1.'),
      loc: optionalFirstLineInput,
      num_lines: numLinesInput,
    })
    .meta({ title: 'openResultArguments' }),
  output: openedPageSchema.meta({ title: 'openResultOutput' }),
  uses: (input) => ({
    cursor: input.cursor,
    move: null,
    result: { resultId: input.result_id, loc: input.loc ?? null, numLines: input.num_lines },
  }),
  async run(input, { services, signal, shown: list }) {
    const { url, place: found } = findListedResult(input.cursor, list, input.result_id);
    const lines = lineRangeFrom(input.loc ?? found?.line ?? 0, input.num_lines);
    const known = list?.held ?? null;
    const held = known === null ? undefined : { snapshot: known.page.snapshot, documentId: known.page.documentId };
    const { opened, place } = await openAtFragment(
      { requestedUrl: url, mode: 'auto', holdUntil: computePinEnd(services), lines, held },
      signal,
      services,
    );
    const isHeld = opened.snapshot.key === held?.snapshot && opened.document.id === held.documentId;
    // The matching line was found in the stored document. If the page has changed since, the line number would show
    // other text.
    const line = found?.documentId === opened.document.id ? found.line : null;
    const shown = await showPage(
      opened,
      {
        loc: input.loc ?? line ?? 0,
        numLines: input.num_lines,
        from: input.cursor,
        at: line === null ? place : null,
        held: isHeld ? known : null,
      },
      services,
    );
    return toOpenedAnswer(opened, shown);
  },
});
