import * as z from 'zod';
import { fail } from '#core/errors.ts';
import { renderShown } from '#browsing/render.ts';
import type { SessionState } from '#browsing/session/answers.ts';
import { defineTool } from '#tools/define-tool.ts';
import { session, stateFields, stateShape, tab } from './shapes.ts';

export const browserClose = defineTool({
  name: 'browser_close',
  toolset: 'browser',
  title: 'Close a browser session',
  description:
    'Ends a browser session for good, with its cookies and everything kept of it, or closes one tab of it. A session that is only left alone is parked by itself and comes back when it is used.',
  hints: { readOnly: false, destructive: true, openWorld: false },
  input: z.strictObject({ session, tab }),
  output: z.strictObject({ ...stateFields, closed: z.enum(['session', 'tab']) }),
  async run({ session: name, tab: closedTab }, { services }) {
    const { browser } = services;
    if (closedTab !== undefined) {
      const { state } = await browser.ask(name, (object, caller) => object.closeTab(caller, closedTab));
      return closed(state, 'tab', `Tab ${closedTab} is closed.`);
    }
    const { state, result } = await browser.ask(name, (object, caller) => object.close(caller));
    if (!result.existed) fail({ code: 'unknown_session', session: name });
    return closed(state, 'session', 'The session is closed and nothing of it is kept.');
  },
});

async function closed(state: SessionState, what: 'session' | 'tab', head: string) {
  return {
    text: await renderShown({ ...state, tab: null }, { head, next: [] }),
    structured: { ...stateShape({ ...state, tab: null }, []), closed: what },
  };
}
