import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { writeResultText } from '#browsing/result-text.ts';
import type { NavigateResult } from '#browsing/session/operations/navigate.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  actionInput,
  toCallOptions,
  dialogTextUnusedRule,
  snapshotFields,
  noteOmittedSnapshot,
  toSnapshotOutput,
  suggestSnapshotSteps,
  stateFields,
  toStateOutput,
  suggestNextSteps,
} from './shapes.ts';

export const browserNavigate = defineTool({
  name: 'browser_navigate',
  toolset: 'browser',
  title: 'Open a page in the browser',
  historyWords: ['Went to', 'go to'],
  description:
    'Open (visit, go to, browse, head over to) a URL, address or website in the browser, or go back, forward or reload (refresh) the page in a tab. Starts the session if needed. To only read a page, web_open is faster.',
  hints: { readOnly: false, destructive: false, openWorld: true },
  input: z.strictObject({
    url: z.string().optional().describe('Address to open. Pass either url or history.'),
    history: z.enum(['back', 'forward', 'reload']).optional().describe('Move in the history of the tab instead.'),
    new_tab: z.boolean().default(false).describe('Open the URL in a new tab.'),
    wait_until: z.enum(['load', 'domcontentloaded', 'networkidle']).default('load').describe('Load state to wait for.'),
    timeout_ms: z.int().min(500).max(20_000).default(15_000).describe('Maximum wait for the page.'),
    ...actionInput,
  }),
  unused: [
    dialogTextUnusedRule,
    { options: ['tab'], when: ({ new_tab: newTab }) => newTab, because: 'new_tab opens another tab' },
    {
      options: ['wait_until'],
      when: ({ history }) => history !== undefined,
      because: 'history has its own wait',
    },
  ],
  output: z.strictObject({ ...stateFields, ...snapshotFields, status: z.int().optional(), still_loading: z.boolean() }),
  check: refuseUnclear,
  async run(input, { services }) {
    const { url, history, new_tab: newTab, wait_until: waitUntil, timeout_ms: timeoutMs, snapshot } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'navigate',
      { url, history, newTab, waitUntil, timeoutMs, snapshot },
      toCallOptions(input),
    );
    const { status, stillLoading, cut } = result;
    const next = [...suggestSnapshotSteps(result.snapshot, state), ...suggestNextSteps(state)];
    const notes = [
      ...(stillLoading ? [`The page was still loading after ${timeoutMs} ms.`] : []),
      ...(cut === undefined ? [] : [CUT_NOTES[cut]]),
      ...(result.isUnread === true ? [UNREAD] : []),
      ...noteOmittedSnapshot(result.snapshot),
    ];
    return {
      text: await writeResultText(state, {
        head: headOf(result),
        body: result.snapshot?.text,
        notes,
        next,
      }),
      structured: {
        ...toStateOutput(state, next, notes),
        ...toSnapshotOutput(result.snapshot),
        ...(status === null ? {} : { status }),
        still_loading: stillLoading,
      },
      url: state.tab?.url,
    };
  },
});

const CUT_NOTES: Readonly<Record<NonNullable<NavigateResult['cut']>, string>> = {
  connection: 'The connection broke, so only the beginning of the page came.',
  body: 'The compressed body of the page is damaged, so only its beginning came.',
};
const UNREAD = 'The page opened, but it was too slow to be read for a snapshot.';

function headOf({ file, status }: Pick<NavigateResult, 'file' | 'status'>): string {
  if (file === 'kept')
    return 'This is a file, not a page: it was downloaded, and the tab still shows its earlier page.';
  if (file === 'coming') {
    return 'This is a file, not a page, and it is still being downloaded: browser_files {"action":"list"} lists it when the download is complete.';
  }
  return status === null || status === 200 ? 'Opened.' : `Opened (HTTP ${status}).`;
}

/**
 * Refuses a call that names both a URL and a step in the history, such as `back`, or neither of them, or such a step
 * for a new tab.
 */
function refuseUnclear({
  url,
  history,
  new_tab: newTab,
}: {
  url?: unknown;
  history?: unknown;
  new_tab: boolean;
}): void {
  if (url !== undefined && history === undefined) return;
  if (url === undefined && history !== undefined && !newTab) return;
  const hint = 'Pass url for an address, or history with "back", "forward" or "reload" for a page of the tab.';
  if (url === undefined && history === undefined) {
    fail({ code: 'invalid_argument', field: 'url', problem: 'is missing: there is nowhere to go', hint });
  }
  const problem = newTab ? 'does not go with new_tab: a new tab has none' : 'does not go with url';
  fail({ code: 'invalid_argument', field: 'history', problem, hint });
}
