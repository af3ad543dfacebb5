import * as z from 'zod';
import { writeResultText } from '#browsing/result-text.ts';
import type { SessionState } from '#browsing/session/replies.ts';
import type { HandoffState } from '#browsing/session/handover.ts';
import { oneLine } from '#core/text/text.ts';
import { defineTool } from '#tools/define-tool.ts';
import { writeNextCall, sessionInput, stateFields, toStateOutput, tabInput } from './shapes.ts';

const HANDOFF_REASON_CHARS_MAX = 200;

export const browserHandoff = defineTool({
  name: 'browser_handoff',
  toolset: 'browser',
  title: 'Ask the person to take over',
  historyWords: ['Asked you to take over', 'ask you to take over'],
  description:
    'Ask the user, a person (human), to take over the browser by hand (manually), such as to sign in, enter a password or two-factor code, or solve a CAPTCHA. Pass the returned link to the user and call again; each call waits up to 20 s.',
  hints: { readOnly: false, destructive: false, openWorld: true },
  input: z.strictObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(HANDOFF_REASON_CHARS_MAX)
      .describe('One sentence for the user: what to do, and why.'),
    session: sessionInput,
    tab: tabInput,
  }),
  output: z.strictObject({
    ...stateFields,
    state: z.enum(['waiting', 'person_driving', 'given_back', 'left', 'declined']),
    link: z.string(),
  }),
  async run(input, { services: { browser, handoffAsked }, links }) {
    const reason = oneLine(input.reason, HANDOFF_REASON_CHARS_MAX);
    const { state, result } = await browser.ask(input.session, (object, caller) =>
      object.handoff(caller, { tab: input.tab }, { reason, declines: links.said === 'decline' }),
    );
    const link = browser.liveLink(state.session);
    if (result.isNew && links.said !== 'decline') handoffAsked({ reason, link });
    const became: Became = result.hasLeft === true ? 'left' : result.state;
    const { head, next } = wordsFor(became, link, reason, state);
    return {
      text: await writeResultText(state, { head: `State: ${became}. ${head}`, next }),
      structured: { ...toStateOutput(state, next), state: became, link },
      url: state.tab?.url,
      ...(result.isNew && links.canAsk && links.said === null
        ? { asksToOpen: { url: link, message: `Take over the browser: ${reason}`, session: state.session } }
        : {}),
    };
  },
});

type Became = HandoffState['state'] | 'left';

function wordsFor(of: Became, link: string, reason: string, state: SessionState) {
  const again = writeNextCall('browser_handoff', { reason }, state);
  switch (of) {
    case 'waiting':
      return { head: `The person has not taken over yet. Their link: ${link}`, next: [again] };
    case 'person_driving':
      return {
        head: 'The user is driving. Calls that act are refused until the user gives the session back.',
        next: [again],
      };
    case 'given_back':
      return { head: 'The person has given the session back.', next: [writeNextCall('browser_snapshot', {}, state)] };
    case 'left':
      return {
        head: 'The person left without giving the session back. It is yours again; they may not have finished.',
        next: [writeNextCall('browser_snapshot', {}, state), again],
      };
    case 'declined':
      return { head: 'The user declined. Continue without this step, or ask them why.', next: [] };
  }
}
