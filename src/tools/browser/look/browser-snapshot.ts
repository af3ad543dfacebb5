import * as z from 'zod';
import { writeResultText } from '#browsing/result-text.ts';
import { VIEW_BYTES_DEFAULT, VIEW_BYTES_MAX, VIEW_BYTES_MIN } from '#core/limits.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  NOTHING_SHOWN,
  toCallOptions,
  writeNextCall,
  selectorInput,
  sessionInput,
  stateFields,
  toStateOutput,
  tabInput,
  suggestSignInSteps,
} from '#tools/browser/shapes.ts';

export const browserSnapshot = defineTool({
  name: 'browser_snapshot',
  toolset: 'browser',
  title: 'Look at the page as text',
  historyWords: ['Viewed', 'view'],
  description:
    'Look at what the current page (screen) of the browser shows now, as text. Lists everything clickable, the things to click on or fill in: links, buttons, fields, menus, each with a ref (@e12) for the other browser tools. A ref stays valid until its element is replaced.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    selector: selectorInput.optional().describe('Show only this element and what it contains.'),
    find: z
      .string()
      .optional()
      .describe(
        'Show only lines that contain this text or match this /regular expression/, each with its row or field.',
      ),
    context: z.int().min(0).max(10).optional().describe('Lines to show around each match of find.'),
    interactive_only: z.boolean().default(false).describe('Show only links, buttons, fields and the like.'),
    compact: z.boolean().default(true).describe('false adds refs to headings and texts, and all options of lists.'),
    max_bytes: z
      .int()
      .min(VIEW_BYTES_MIN)
      .max(VIEW_BYTES_MAX)
      .default(VIEW_BYTES_DEFAULT)
      .describe('Maximum size of the result; more follows in parts.'),
    after: z.string().optional().describe('Show the next part: snapshot_next of the last result.'),
    session: sessionInput,
    tab: tabInput,
  }),
  unused: [{ options: ['context'], when: ({ find }) => find === undefined, because: 'it needs find' }],
  output: z.strictObject({
    ...stateFields,
    snapshot: z.string(),
    shown_lines: z.int(),
    total_lines: z.int(),
    snapshot_next: z.string().optional(),
  }),
  async run(input, { services }) {
    const {
      selector: target,
      find,
      context,
      interactive_only: interactiveOnly,
      compact,
      max_bytes: maxBytes,
      after,
    } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'snapshot',
      { target, find, context, interactiveOnly, compact, maxBytes, after },
      toCallOptions(input),
    );
    const { text, shown, total, next: rest } = result;
    const again = {
      ...(find === undefined ? {} : { find }),
      ...(context === undefined ? {} : { context }),
      ...(target === undefined ? {} : { selector: target }),
      ...(interactiveOnly ? { interactive_only: true } : {}),
      ...(compact ? {} : { compact: false }),
    };
    const more = rest === null ? [] : [writeNextCall('browser_snapshot', { ...again, after: rest }, state)];
    const next = [...more, ...suggestSignInSteps(state)];
    const notes = [
      ...(shown < total ? [`${shown} of ${total} lines are shown.`] : []),
      ...(total > 0
        ? []
        : [
            find !== undefined
              ? 'Nothing on the page matches.'
              : target === undefined
                ? NOTHING_SHOWN
                : 'The element shows nothing.',
          ]),
    ];
    return {
      text: await writeResultText(state, { body: text, notes, next }),
      structured: {
        ...toStateOutput(state, next, notes),
        snapshot: text,
        ...(rest === null ? {} : { snapshot_next: rest }),
        shown_lines: shown,
        total_lines: total,
      },
      url: state.tab?.url,
    };
  },
});
