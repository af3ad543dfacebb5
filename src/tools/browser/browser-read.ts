import * as z from 'zod';
import { shownText } from '#browsing/result-text.ts';
import { readingMemory, downloadMemory } from '#reading/open/page-memory.ts';
import { readBrowserPage } from '#reading/open/read-browser-page.ts';
import { asReadPage } from '#reading/recently-opened.ts';
import { showPage } from '#reading/reader.ts';
import { defineTool } from '#tools/define-tool.ts';
import { loc, numLines, openedPage } from '#tools/reader/shapes.ts';
import { callOptions, nextCall, selector, session, stateFields, stateShape, tab } from './shapes.ts';

export const browserRead = defineTool({
  name: 'browser_read',
  toolset: 'browser',
  title: 'Read the page as a document',
  description:
    'Read the text (main content, or one element) of the current page, open in the browser tab, such as one behind a login (signed in), as numbered lines. Returns a cursor for scroll, find and citations. To act on the page, use browser_snapshot.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({ selector: selector.optional(), loc, num_lines: numLines, session, tab }),
  output: z.strictObject({ ...stateFields, ...openedPage.shape }),
  async run(input, { principal, services, signal }) {
    const { selector: part } = input;
    const { state, opened } = await services.inMemory(async (share) => {
      await share.take(downloadMemory('html', services.fileBytesMax), signal);
      const { state: now, result } = await services.browser.call(
        input.session,
        'read',
        { target: part },
        callOptions(input),
      );
      await share.take(readingMemory('html', result.html.length), signal);
      return { state: now, opened: await readBrowserPage({ ...result, part }, principal.subject, signal, services) };
    });
    const shown = await showPage(opened, { loc: input.loc, numLines: input.num_lines, from: null }, services);
    const { title, ...page } = shown;
    const find = `find ${JSON.stringify({ cursor: shown.cursor, pattern: '…' })}`;
    // Without a selector only the main content is read, so the answer says how to get the rest.
    const rest = `${nextCall('browser_read', { selector: 'body' }, state)} for menus and other text around the main content`;
    const next = part === undefined ? [find, rest] : [find];
    const head = await shownText(state, { head: `Read ${opened.document.lineCount} lines.`, next });
    return {
      text: `${head}\n\n${shown.render}`,
      structured: {
        ...stateShape(state, next, opened.notes),
        ...page,
        ...(title === null ? {} : { title }),
      },
      url: shown.url,
      read: [asReadPage(opened, shown.cursor, shown.viewport)],
    };
  },
});
