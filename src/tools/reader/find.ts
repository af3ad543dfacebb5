import * as z from 'zod';
import { checkPatternLength } from '#reading/find/matcher.ts';
import { findInCursorDocument } from '#reading/find/find-in.ts';
import { defineTool } from '#tools/define-tool.ts';
import { cursorField, pageCursor } from './shapes.ts';

export const findTool = defineTool({
  name: 'find',
  toolset: 'reader',
  title: 'Find in page',
  historyWords: ['Looked for', 'look for'],
  description:
    'Find (locate, search for, Ctrl+F) a word or phrase inside an opened page, document or article: where is it mentioned, does the page contain it, does it appear (show up, occur) anywhere? Lists the lines with the text, name, number or pattern, ignoring case, each with its definition, list item or table header. Searches all parts of a long page.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z
    .strictObject({
      cursor: pageCursor,
      pattern: z.string().describe('Text to find.'),
      is_regex: z.boolean().default(false).describe('Treat the pattern as a case-sensitive RE2 regular expression.'),
    })
    .meta({ title: 'findArguments' }),
  output: z
    .strictObject({
      cursor: cursorField,
      matches: z.array(z.strictObject({ loc: z.int(), preview: z.string() })),
      render: z.string(),
    })
    .meta({ title: 'findOutput' }),
  uses: (input) => ({ cursor: input.cursor, move: null }),
  check: ({ pattern }) => checkPatternLength(pattern),
  async run(input, { services, signal, shown }) {
    const wanted = { pattern: input.pattern, isRegex: input.is_regex };
    const { url, matches, render } = await findInCursorDocument(input.cursor, shown, wanted, signal, services);
    return { text: render, structured: { cursor: input.cursor, matches, render }, url, cacheHit: true };
  },
});
