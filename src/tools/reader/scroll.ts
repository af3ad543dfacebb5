import * as z from 'zod';
import { showMoved } from '#reading/reader.ts';
import { defineTool } from '#tools/define-tool.ts';
import { citation, cursor, delta, numLines, pageCursor, viewportSchema } from './shapes.ts';

export const scroll = defineTool({
  name: 'scroll',
  toolset: 'reader',
  title: 'Scroll',
  description:
    'Read on (continue, keep going) in an opened page, article or document: show what comes after, the next or previous part, or more lines, or jump to a line. Also for a text that was cut off; nothing is fetched again.',
  hints: { readOnly: true, destructive: false, openWorld: false },
  input: z
    .strictObject({
      cursor: pageCursor,
      loc: z.int().min(0).optional().describe('First line to show, from 0. Takes precedence over delta.'),
      delta,
      num_lines: numLines,
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
    .strictObject({ cursor, viewport: viewportSchema, text: z.string(), citation, render: z.string() })
    .meta({ title: 'scrollOutput' }),
  uses: (input) => ({
    cursor: input.cursor,
    move: { loc: input.loc ?? null, delta: input.delta, numLines: input.num_lines },
  }),
  async run(input, { services, shown }) {
    const { url, title, ...view } = await showMoved(input.cursor, shown, input.num_lines, services);
    return {
      text: view.render,
      structured: view,
      url,
      read: [{ url, title, cursor: input.cursor, documentId: null, lines: view.viewport }],
      cacheHit: true,
    };
  },
});
