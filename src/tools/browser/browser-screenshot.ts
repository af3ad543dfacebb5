import * as z from 'zod';
import { shownText } from '#browsing/result-text.ts';
import { SCREENSHOT_SIDE_DEFAULT } from '#core/limits.ts';
import { defineTool } from '#tools/define-tool.ts';
import { callOptions, snapshotSteps, selector, session, tab } from './shapes.ts';

const SCREENSHOT_SIDE_MAX = 2_000;
/** In a smaller picture, pages cannot be told apart. */
const SCREENSHOT_SIDE_MIN = 64;

export const browserScreenshot = defineTool({
  name: 'browser_screenshot',
  toolset: 'browser',
  title: 'See the page',
  description:
    'Takes a JPEG picture of the visible part of the page, of the whole page or of one element, with the accessibility tree. With overlay, the refs are drawn on the picture.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    selector: selector.optional(),
    full_page: z.boolean().default(false),
    overlay: z.boolean().default(false),
    accessibility_tree: z.boolean().default(true),
    max_side: z.int().min(SCREENSHOT_SIDE_MIN).max(SCREENSHOT_SIDE_MAX).default(SCREENSHOT_SIDE_DEFAULT),
    quality: z.int().min(35).max(85).default(85),
    session,
    tab,
  }),
  unused: [
    {
      options: ['full_page'],
      when: ({ selector: target, full_page: fullPage }) => target !== undefined && fullPage,
      because: 'selector takes one element',
    },
  ],
  output: null,
  async run(input, { services }) {
    const { selector: target, full_page: fullPage, overlay, accessibility_tree: text, max_side: maxSide } = input;
    const { quality } = input;
    const { state, result } = await services.browser.ask(input.session, (object, caller) =>
      object.screenshot(caller, callOptions(input), { selector: target, fullPage, overlay, text, maxSide, quality }),
    );
    const { picture, snapshot } = result;
    const marked = overlay ? `, ${picture.labelled} refs marked` : '';
    const head = `JPEG, ${picture.width} × ${picture.height} px, ${picture.bytes} bytes, quality ${picture.quality}${marked}.`;
    const next = snapshot === null ? [] : snapshotSteps(snapshot, state);
    const notes = picture.note === undefined ? [] : [picture.note];
    return {
      text: await shownText(state, { head, body: snapshot?.text, notes, next }),
      structured: null,
      image: { base64: picture.jpegBase64, mimeType: 'image/jpeg' },
      url: state.tab?.url,
    };
  },
});
