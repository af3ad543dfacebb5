import * as z from 'zod';
import { renderShown } from '#browsing/render.ts';
import { sharedName } from '#browsing/session/session-name.ts';
import { defineTool } from '#tools/define-tool.ts';
import { nextCall, session, stateFields, stateShape } from './shapes.ts';

export const browserLaunch = defineTool({
  name: 'browser_launch',
  toolset: 'browser',
  title: 'Start a browser session',
  description:
    'Starts a named browser session, or restores a parked one with its pages, cookies and storage, and lists what is open. Optional: browser_navigate starts its session by itself. With shared, others who may sign in here can use it, as shared/NAME.',
  hints: { readOnly: false, destructive: false, openWorld: false },
  input: z.strictObject({ session, shared: z.boolean().default(false) }),
  output: z.strictObject({ ...stateFields, is_new: z.boolean(), open_sessions: z.array(z.string()) }),
  async run({ session: name, shared }, { services }) {
    const { browser } = services;
    const { state, result } = await browser.ask(shared ? sharedName(name) : name, (object, caller) =>
      object.launch(caller, {}),
    );
    const open = await browser.openSessions();
    const next = [nextCall('browser_navigate', { url: 'https://example.com/' }, state)];
    const notes = open.length > 1 ? [`Your open sessions: ${open.join(', ')}.`] : [];
    const head = result.existed ? 'The session is ready.' : 'A new session is ready.';
    return {
      text: await renderShown(state, { head, notes, next }),
      structured: { ...stateShape(state, next), is_new: !result.existed, open_sessions: open },
      url: state.tab?.url,
    };
  },
});
