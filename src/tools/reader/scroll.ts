import * as z from 'zod';
import { showMovedViewport } from '#reading/reader.ts';
import { defineTool } from '#tools/define-tool.ts';
import { citationField, cursorField, numLinesInput, pageCursor, viewportSchema } from './shapes.ts';

const SCROLL_DELTA_MAX = 5_000;
const lineDeltaInput = z
  .int()
  .min(-SCROLL_DELTA_MAX)
  .max(SCROLL_DELTA_MAX)
  .default(0)
  .describe('Lines down from the last view; negative: up.');

export const scrollTool = defineTool({
  name: 'scroll',
  toolset: 'reader',
  title: 'Scroll',
  description:
    'Read on (continue, keep going) in an opened page, article or document: show what comes after, the next or previous part, or more lines, or jump to a line. Also shows the rest of a text that was cut off. Fetches nothing.',
  hints: { readOnly: true, destructive: false, openWorld: false },
  input: z
    .strictObject({
      cursor: pageCursor,
      loc: z.int().min(0).optional().describe('First line to show, from 0. Takes precedence over delta.'),
      delta: lineDeltaInput,
      num_lines: numLinesInput,
    })
    .meta({ title: 'scrollArguments' }),
  unused: [
    {
      options: ['delta'],
      when: ({ loc }) => loc !== undefined,
      because: 'loc takes precedence',
    },
  ],
  output: z
    .strictObject({
      cursor: cursorField,
      viewport: viewportSchema,
      text: z.string(),
      citation: citationField,
      render: z.string(),
    })
    .meta({ title: 'scrollOutput' }),
  uses: (input) => ({
    cursor: input.cursor,
    move: { loc: input.loc ?? null, delta: input.delta, numLines: input.num_lines },
  }),
  async run(input, { services, shown }) {
    const { url, title, ...view } = await showMovedViewport(input.cursor, shown, input.num_lines, services);
    return {
      text: view.render,
      structured: view,
      url,
      read: [{ url, title, cursor: input.cursor, documentId: null, lines: view.viewport }],
      cacheHit: true,
    };
  },
});
