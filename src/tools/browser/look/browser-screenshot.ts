import * as z from 'zod';
import { writeResultText } from '#browsing/result-text.ts';
import { SCREENSHOT_SIDE_PX_DEFAULT } from '#core/limits.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  toCallOptions,
  noteOmittedSnapshot,
  suggestSnapshotSteps,
  selectorInput,
  sessionInput,
  tabInput,
} from '#tools/browser/shapes.ts';

const SCREENSHOT_SIDE_MAX = 2_000;
/** Minimum side of a picture in pixels. In a smaller one, a page cannot be recognized. */
const SCREENSHOT_SIDE_MIN = 64;

export const browserScreenshot = defineTool({
  name: 'browser_screenshot',
  toolset: 'browser',
  title: 'See the page',
  historyWords: ['Took a picture of', 'take a picture of'],
  description:
    'Take (capture) a screenshot: a picture (PNG or JPEG image) of what the page looks like right now, with its layout, colors and each chart. Shows the visible part, the full page or one element, as a JPEG with the accessibility tree.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    selector: selectorInput.optional(),
    full_page: z.boolean().default(false).describe('The whole page instead of the visible part.'),
    overlay: z.boolean().default(false).describe('Draw the refs on the image.'),
    accessibility_tree: z.boolean().default(true).describe('Also return the page as text with refs.'),
    max_side: z
      .int()
      .min(SCREENSHOT_SIDE_MIN)
      .max(SCREENSHOT_SIDE_MAX)
      .default(SCREENSHOT_SIDE_PX_DEFAULT)
      .describe('Maximum side length in pixels.'),
    quality: z.int().min(35).max(85).default(85).describe('JPEG quality.'),
    session: sessionInput,
    tab: tabInput,
  }),
  unused: [
    {
      options: ['full_page'],
      when: ({ selector: target, full_page: fullPage }) => target !== undefined && fullPage,
      because: 'selector captures one element',
    },
  ],
  output: null,
  async run(input, { services }) {
    const { selector: target, full_page: fullPage, overlay, accessibility_tree: text, max_side: maxSide } = input;
    const { quality } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'screenshot',
      { target, fullPage, overlay, text, maxSide, quality },
      toCallOptions(input),
    );
    const { picture, snapshot } = result;
    const marked = overlay ? `, ${picture.labelled} refs marked` : '';
    const head = `JPEG, ${picture.width} × ${picture.height} px, ${picture.bytes} bytes, quality ${picture.quality}${marked}.`;
    const next = snapshot === null ? [] : suggestSnapshotSteps(snapshot, state);
    const notes = [...(picture.note === undefined ? [] : [picture.note]), ...noteOmittedSnapshot(snapshot)];
    return {
      text: await writeResultText(state, { head, body: snapshot?.text, notes, next }),
      structured: null,
      image: { base64: picture.jpegBase64, mimeType: 'image/jpeg' },
      url: state.tab?.url,
    };
  },
});
