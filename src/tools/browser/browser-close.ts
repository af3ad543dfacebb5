import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { writeResultText } from '#browsing/result-text.ts';
import type { SessionState } from '#browsing/session/replies.ts';
import { defineTool } from '#tools/define-tool.ts';
import { sessionInput, stateFields, toStateOutput, tabInput } from './shapes.ts';

export const browserClose = defineTool({
  name: 'browser_close',
  toolset: 'browser',
  title: 'Close a browser session',
  historyWords: ['Closed the session', 'close the session'],
  description:
    'Close (quit, end, shut down) a browser session when done, and delete its cookies and stored state, or close one of its tabs. Idle sessions are saved automatically and may stay open.',
  hints: { readOnly: false, destructive: true, openWorld: false },
  input: z.strictObject({ session: sessionInput, tab: tabInput.describe('Close only this tab.') }),
  output: z.strictObject({ ...stateFields, closed: z.enum(['session', 'tab']) }),
  async run({ session: name, tab: closedTab }, { services }) {
    const { browser } = services;
    if (closedTab !== undefined) {
      const { state } = await browser.call(name, 'close_tab', null, { tab: closedTab });
      return closed(state, 'tab', `Tab ${closedTab} is closed.`);
    }
    const closing = crypto.randomUUID();
    const { state, result } = await browser.ask(name, (object, caller) => object.close(caller, closing));
    if (!result.existed) fail({ code: 'unknown_session', session: name });
    const { files } = result;
    const gone =
      files === 0
        ? ''
        : ` ${files === 1 ? 'The file that it downloaded is' : `The ${files} files that it downloaded are`} gone, too.`;
    return closed(state, 'session', `The session is closed, and nothing stored for it is left.${gone}`);
  },
});

async function closed(state: SessionState, what: 'session' | 'tab', head: string) {
  return {
    text: await writeResultText({ ...state, tab: null }, { head, next: [] }),
    structured: { ...toStateOutput({ ...state, tab: null }, []), closed: what },
  };
}
