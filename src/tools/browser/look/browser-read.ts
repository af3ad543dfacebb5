import { countWithUnit } from '#core/text/text.ts';
import * as z from 'zod';
import { writeResultText } from '#browsing/result-text.ts';
import { memoryToRead, memoryToDownload } from '#reading/open/page-memory.ts';
import { storeBrowserPage } from '#reading/open/read-browser-page.ts';
import { toReadPageFacts } from '#reading/recently-opened.ts';
import { showPage } from '#reading/reader.ts';
import { defineTool } from '#tools/define-tool.ts';
import { firstLineInput, numLinesInput, openedPageSchema } from '#tools/reader/shapes.ts';
import {
  toCallOptions,
  writeNextCall,
  selectorInput,
  sessionInput,
  stateFields,
  toStateOutput,
  tabInput,
} from '#tools/browser/shapes.ts';

export const browserRead = defineTool({
  name: 'browser_read',
  toolset: 'browser',
  title: 'Read the page as a document',
  historyWords: ['Read in the browser', 'read in the browser'],
  description:
    'Read the text of the current page, open (showing) in the browser tab, as numbered lines: what does it actually say? Reads the main content or one element, also behind a login (signed in). Returns a cursor for scroll, find and citations. To act on the page, use browser_snapshot.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    selector: selectorInput.optional(),
    loc: firstLineInput,
    num_lines: numLinesInput,
    session: sessionInput,
    tab: tabInput,
  }),
  // `text` is omitted, because `render` contains the same lines with their numbers.
  output: z.strictObject({ ...stateFields, ...openedPageSchema.omit({ text: true }).shape }),
  async run(input, { principal, services, signal }) {
    const { selector: part } = input;
    const { state, opened } = await services.inMemory(async (share) => {
      await share.take(memoryToDownload('html', services.fileBytesMax), signal);
      const { state: now, result } = await services.browser.call(
        input.session,
        'read',
        { target: part },
        toCallOptions(input),
      );
      await share.take(memoryToRead('html', result.html.length), signal);
      return { state: now, opened: await storeBrowserPage({ ...result, part }, principal.subject, signal, services) };
    });
    const shown = await showPage(opened, { loc: input.loc, numLines: input.num_lines, from: null }, services);
    const { title, text: _, ...page } = shown;
    const find = `find ${JSON.stringify({ cursor: shown.cursor, pattern: '…' })}`;
    // Without a selector, only the main content is read, so the answer also names the call that reads the whole page.
    const rest = `${writeNextCall('browser_read', { selector: 'body' }, state)} for menus and other text around the main content`;
    const next = part === undefined ? [find, rest] : [find];
    const head = await writeResultText(state, {
      head: `Read ${countWithUnit(opened.document.lineCount, 'line')}.`,
      next,
    });
    return {
      text: `${head}\n\n${shown.render}`,
      structured: {
        ...toStateOutput(state, next, opened.notes),
        ...page,
        ...(title === null ? {} : { title }),
      },
      url: shown.url,
      read: [toReadPageFacts(opened, shown.cursor, shown.viewport)],
    };
  },
});
