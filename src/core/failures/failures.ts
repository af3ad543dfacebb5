import { BROWSER_FAILURES } from './browser-failures.ts';
import type { FailureDefinition, ErrorPage } from './declare.ts';
import { PAGE_FAILURES } from './page-failures.ts';
import { SERVER_FAILURES } from './server-failures.ts';
import { declareFailure, pageQuoteField } from './declare.ts';
import type { RuleLevel } from '#core/site-rules.ts';

type BlockedByRule = {
  /** Site of the rule; for a default level, the page's host; empty for a page without a host. */
  site: string;
  level: RuleLevel;
  by: 'owner' | 'person';
  effect: string;
  /** URL at which the rule can be changed, added by the HTTP layer. */
  page?: string | undefined;
};

const RULE_FAILURES = {
  blocked_by_rule: declareFailure<BlockedByRule>({
    message: (failure) => `A rule of ${OF[failure.by]} ${rule(failure)}. The call was refused.`,
    advice: (failure) => [
      `${instead(failure)} ${failure.by === 'owner' ? 'Only the owner of this server can change the rule,' : 'The user can change the rule'} at ${failure.page ?? RULES_PAGE}.`,
      { site: failure.site, level: failure.level, set_by: failure.by === 'owner' ? 'owner' : 'user' },
    ],
    texts: { site: 'page', level: 'ours', by: 'ours', effect: 'ours', page: 'ours' },
  }),
};

const OF = { owner: 'the owner of this server', person: 'the user' } as const;
const RULES_PAGE = '/console/rules on this server';

function rule({ site, level, effect }: BlockedByRule): string {
  const pages = site === '' ? 'pages without a site' : site;
  if (level === 'block') return `blocks ${pages} for models`;
  if (level === 'ask' && effect === 'script')
    return `requires the user's consent for actions on ${pages}, so scripts are refused there`;
  return `lets models only look at ${pages}: no clicks, keys, fields, uploads, scripts or accepted dialogs`;
}

function instead({ site, level }: BlockedByRule): string {
  if (level === 'block')
    return `Use another ${site.includes('/') ? 'page or site' : 'site'}. If a tab shows this one, open another page there or close the tab.`;
  if (level === 'ask') return 'Use the other browser tools.';
  return 'Viewing, reading, scrolling, hovering and browser_navigate work there. For more, ask the user to do it: call browser_handoff.';
}

type ApprovalNeeded = {
  session: string;
  /**
   * `asked`: the question is new. `waiting`: the user has not answered it. `refused`: the user refused. `held`: the act
   * was done, but the page's next request waits for the answer.
   */
  state: 'asked' | 'waiting' | 'refused' | 'held';
  id: string;
  /** Host of the page; empty for a page without a host. */
  host: string;
  /** The reason for asking in the server's own words, such as `it may delete something`. */
  because: string;
  /** The act in the server's own words, such as `Click the button`. Missing if `state` is `held`. */
  act?: string | undefined;
  /** The name of the control, marked as page text. */
  quoted?: string | undefined;
  /** URL at which the user answers, added by the HTTP layer. */
  page?: string | undefined;
};

const APPROVAL_FAILURES = {
  approval_needed: declareFailure<ApprovalNeeded>({
    message: ({ state, host, because }) => MESSAGES[state](named(host), because),
    advice: ({ state, id, host, act, quoted, page = APPROVALS_PAGE }) => [
      ADVICE[state](page),
      { question: id, state, host, ...(act === undefined ? {} : { act }), ...pageQuoteField(quoted), link: page },
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

const TABLE = { ...PAGE_FAILURES, ...BROWSER_FAILURES, ...RULE_FAILURES, ...APPROVAL_FAILURES, ...SERVER_FAILURES };

type Code = keyof typeof TABLE;
type Fields = {
  [C in Code]: (typeof TABLE)[C] extends FailureDefinition<infer Declared> ? Declared : never;
};

export type FailureOf<Some extends Code> = { [C in Some]: { code: C } & Fields[C] & Progress }[Some];

type Progress = {
  /**
   * For a call that fills several fields: the field that failed, and those filled before it, as the caller named them.
   */
  filling?: { at: string; set: readonly string[]; total: number } | undefined;
  /** For a call with several steps: number of steps completed before the failure. */
  listed?: { done: number; total: number } | undefined;
  /** Set if the tab of the call shows the error page of the browser. */
  errorPage?: ErrorPage | undefined;
};

export const FAILURES: { readonly [C in Code]: FailureDefinition<Fields[C]> } = TABLE;
