import * as z from 'zod';
import type { LogInput } from '#browsing/session/operations/look-operations.ts';
import { writeResultText } from '#browsing/result-text.ts';
import { fail } from '#core/failures/failure.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  toCallOptions,
  writeNextCall,
  sessionInput,
  stateFields,
  toStateOutput,
  tabInput,
} from '#tools/browser/shapes.ts';

export const browserLog = defineTool({
  name: 'browser_log',
  toolset: 'browser',
  title: 'See what the page logged and requested',
  historyWords: ['Read the log of', 'read the log of'],
  description:
    'Show the console messages (log, warnings) and JavaScript errors of a page, or the network requests (traffic) and API calls it made, newest last. With an id, show one request in full, with headers and bodies of request and response. Use it to debug.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    kind: z.enum(['console', 'requests', 'request']).describe('request shows one request in full; pass its id.'),
    id: z.string().optional().describe('Id of a request, from kind "requests".'),
    filter: z.string().min(1).optional().describe('Show only entries that contain this text.'),
    after: z.int().min(0).default(0).describe('Show only newer entries: the mark of an earlier result.'),
    session: sessionInput,
    tab: tabInput,
  }),
  unused: [
    { options: ['id'], when: ({ kind }) => kind !== 'request', because: 'it needs kind "request"' },
    {
      options: ['filter', 'after'],
      when: ({ kind }) => kind === 'request',
      because: 'kind "request" shows one request in full',
    },
  ],
  output: z.strictObject({ ...stateFields, log: z.string(), mark: z.int(), left_out: z.int() }),
  check: inputOf,
  async run(input, { services }) {
    const { kind, after } = input;
    const { state, result } = await services.browser.call(input.session, 'log', inputOf(input), toCallOptions(input));
    const { lines, mark, leftOut, dropped, failed } = result;
    const log = lines.join('\n');
    const notes = [
      ...(leftOut === 0 ? [] : [`${leftOut} ${after > 0 ? 'later' : 'earlier'} lines are not shown.`]),
      ...(dropped === 0
        ? []
        : [`${dropped} older entries are no longer stored. Reload the page to record them again.`]),
      ...(after > mark ? ['after is higher than the last entry: the log was restarted since then.'] : []),
    ];
    const next = [
      ...(failed === null ? [] : [writeNextCall('browser_log', { kind: 'request', id: failed }, state)]),
      ...(kind === 'request' ? [] : [writeNextCall('browser_log', { kind, after: mark }, state)]),
    ];
    const what = kind === 'console' ? 'console messages' : 'requests';
    const head = kind === 'request' ? 'The request, with its answer.' : `${lines.length} ${what}, mark ${mark}.`;
    return {
      text: await writeResultText(state, { head, body: log, notes, next }),
      structured: { ...toStateOutput(state, next, notes), log, mark, left_out: leftOut },
      url: state.tab?.url,
    };
  },
});

function inputOf({
  kind,
  id,
  filter,
  after,
}: {
  kind: 'console' | 'requests' | 'request';
  id?: string | undefined;
  filter?: string | undefined;
  after: number;
}): LogInput {
  if (kind !== 'request') return { kind, filter, after };
  if (id !== undefined) return { kind, id };
  return fail({
    code: 'invalid_argument',
    field: 'id',
    problem: 'is missing: kind "request" shows one request',
    hint: 'Call browser_log with {"kind": "requests"} and pass one of its ids, such as "r12".',
  });
}
