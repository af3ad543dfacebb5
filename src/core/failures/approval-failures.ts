import { declare, pageQuote } from './declare.ts';

type ApprovalNeeded = {
  session: string;
  /**
   * `asked`: a new question. `waiting`: the user has not answered. `refused`: the user said no. `held`: the act was done,
   * and the document that the page opens next waits for the answer.
   */
  state: 'asked' | 'waiting' | 'refused' | 'held';
  id: string;
  /** Host of the page; empty for a page without one. */
  host: string;
  /** The server's own words for the effect, such as `it may delete something`. */
  because: string;
  /** The act in the server's own words, such as `Click the button`. Missing for a held request. */
  act?: string | undefined;
  /** The name of the control, inside a fence. */
  quoted?: string | undefined;
  /** The page on which the user answers, added by the HTTP layer. */
  page?: string | undefined;
};

export const APPROVAL_FAILURES = {
  approval_needed: declare<ApprovalNeeded>({
    message: ({ state, host, because }) => MESSAGES[state](named(host), because),
    advice: ({ state, id, host, act, quoted, page = APPROVALS_PAGE }) => [
      ADVICE[state](page),
      { question: id, state, host, ...(act === undefined ? {} : { act }), ...pageQuote(quoted), link: page },
    ],
    texts: {
      session: 'ours',
      state: 'ours',
      id: 'ours',
      host: 'page',
      because: 'ours',
      act: 'ours',
      quoted: 'page',
      page: 'ours',
    },
  }),
};

type State = ApprovalNeeded['state'];

const askFirst = (host: string, because: string) =>
  `The user has to approve this act on ${host} first, because ${because}. Nothing was done.`;
const repeat = (page: string) => `Ask the user to answer at ${page}. Then repeat this act with the same arguments.`;

const MESSAGES: Record<State, (host: string, because: string) => string> = {
  asked: askFirst,
  waiting: askFirst,
  refused: (host) => `The user refused this act on ${host}. Nothing was done.`,
  held: (host, because) =>
    `The act was done. The page now ${because} to ${host}, which the user has not approved. It waits for at most 60 s.`,
};

const ADVICE: Record<State, (page: string) => string> = {
  asked: repeat,
  waiting: repeat,
  refused: () => 'Do not try the act in another way. Ask the user what to do instead.',
  held: (page) => `Ask the user to answer at ${page}, then call browser_snapshot. Do not repeat the act.`,
};

const APPROVALS_PAGE = '/console/approvals on this server';

function named(host: string): string {
  return host === '' ? 'this page' : host;
}
