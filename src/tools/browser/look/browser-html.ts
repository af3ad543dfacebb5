import * as z from 'zod';
import { writeResultText } from '#browsing/result-text.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  toCallOptions,
  writeNextCall,
  selectorInput,
  sessionInput,
  stateFields,
  toStateOutput,
  tabInput,
} from '#tools/browser/shapes.ts';

const HTML_BYTES_DEFAULT = 20_000;
const HTML_BYTES_MAX = 60_000;

export const browserHtml = defineTool({
  name: 'browser_html',
  toolset: 'browser',
  title: 'See the HTML of the page',
  historyWords: ['Read the HTML of', 'read the HTML of'],
  description:
    'Get the HTML source (DOM, markup) of the page in the browser, after its scripts ran, or of one element, without scripts, styles and long data. Use it to inspect structure and attributes; for text, browser_read is shorter.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    selector: selectorInput.optional(),
    max_bytes: z
      .int()
      .min(500)
      .max(HTML_BYTES_MAX)
      .default(HTML_BYTES_DEFAULT)
      .describe('Cut the HTML after this many bytes.'),
    keep_scripts: z.boolean().default(false).describe('Keep script and style elements.'),
    session: sessionInput,
    tab: tabInput,
  }),
  output: z.strictObject({ ...stateFields, html: z.string(), bytes: z.int(), cut: z.boolean() }),
  async run(input, { services }) {
    const { selector: target, max_bytes: maxBytes, keep_scripts: keepsScripts } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'html',
      { target, maxBytes, keepsScripts },
      toCallOptions(input),
    );
    const { html, bytes, isCut, notes } = result;
    const next = isCut ? [writeNextCall('browser_html', { selector: 'main' }, state)] : [];
    return {
      text: await writeResultText(state, { head: `${bytes} bytes of HTML.`, body: html, notes, next }),
      structured: { ...toStateOutput(state, next, notes), html, bytes, cut: isCut },
      url: state.tab?.url,
    };
  },
});
