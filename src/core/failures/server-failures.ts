import { declareFailure, pageQuoteField } from './declare.ts';
import type { FailureAdvice, FailureResultFields } from './declare.ts';

/** The page after a wait that failed: described in the server's words (`problem`), quoted, or as a new snapshot. */
type Instead = {
  problem: string;
  quoted?: string | undefined;
  snapshot?: string | undefined;
  /** Set if the page has not changed since the last answer with a snapshot of it. */
  isShown?: true | undefined;
};

/** `ownPages`: how many pages of the caller on the same site were being fetched, so that this one was not requested. */
type Timeout = {
  what: string;
  afterMs: number;
  url?: string | undefined;
  instead?: Instead | undefined;
  ownPages?: number | undefined;
};
type FollowLimit = { of: 'follows' | 'pages' | 'deployment' | 'text' | 'all text'; limit: number; left: number };

export const SERVER_FAILURES = {
  /** `quoted`: helpful words of the page, marked as page text. */
  invalid_argument: declareFailure<{ field: string; problem: string; hint: string; quoted?: string | undefined }>({
    message: (failure) => `${failure.field}: ${failure.problem}`,
    advice: (failure) => [failure.hint, { field: failure.field, ...pageQuoteField(failure.quoted) }],
    texts: { field: 'ours', problem: 'page', hint: 'page', quoted: 'page' },
  }),
  timeout: declareFailure<Timeout>({
    message: ({ what, afterMs, instead, ownPages }) => {
      if (ownPages !== undefined)
        return `The page was not requested, because ${ownPages} other pages that you opened on the same site did not answer within ${afterMs} ms.`;
      return instead === undefined
        ? `${what} took longer than ${afterMs} ms.`
        : `${what} within ${afterMs} ms: ${instead.problem}.`;
    },
    advice: (failure) => timeoutAdvice(failure),
    texts: {
      what: 'ours',
      url: 'page',
      instead: { problem: 'ours', quoted: 'page', snapshot: 'page' },
    },
  }),
  cancelled: declareFailure<object>({
    message: () => 'The call was cancelled before it ended. Changes that it had already made to the page remain.',
    advice: () => ['Call browser_snapshot to see the page as it is now.'],
    texts: {},
  }),
  search_auth_error: declareFailure<{ provider: string; reason: string }>({
    message: (failure) => `The search provider ${failure.provider} refused the key: ${failure.reason}.`,
    advice: (failure) => [
      'Ask the operator of this server to check the key of the provider.',
      { provider: failure.provider },
    ],
    texts: { provider: 'ours', reason: 'page' },
  }),
  search_rate_limited: declareFailure<{ provider: string; retryAfterSeconds: number }>({
    message: (failure) => `The search provider ${failure.provider} accepts no more searches right now.`,
    advice: (failure) => [
      `Wait ${failure.retryAfterSeconds} s, then search again.`,
      { provider: failure.provider, retry_after_seconds: failure.retryAfterSeconds },
    ],
    texts: { provider: 'ours' },
  }),
  search_unavailable: declareFailure<{ provider: string; reason: string }>({
    message: (failure) => `The search provider ${failure.provider} gave no usable answer: ${failure.reason}.`,
    advice: (failure) => [
      'Search again later, or open a URL you already know with open_url.',
      { provider: failure.provider },
    ],
    texts: { provider: 'ours', reason: 'page' },
  }),
  /** The page can be read, but may not be followed. `reason`: in the server's words. */
  not_followed: declareFailure<{ url: string; reason: string }>({
    message: (failure) => `${failure.url} cannot be followed. ${failure.reason}`,
    advice: () => ['Only public pages are followed. A single page can be read with open_url, or in a browser session.'],
    texts: { url: 'page', reason: 'page' },
  }),
  /** `left`: number of pages that the user may still follow. */
  follow_limit: declareFailure<FollowLimit>({
    message: (failure) => `${FOLLOW_LIMITS[failure.of]} (${failure.limit}).`,
    advice: (failure) => [followLimitHint(failure), { limit: failure.limit }],
    texts: { of: 'ours' },
  }),
  /** The host is being read for another followed site or page, and only one of them may read a host at a time. */
  host_busy: declareFailure<{ url: string; retryAfterSeconds: number }>({
    message: (failure) =>
      `Another follow is reading the host of ${failure.url} now. Each host is read by one follow at a time.`,
    advice: (failure) => ['Call follow again later.', { retry_after_seconds: failure.retryAfterSeconds }],
    texts: { url: 'page' },
  }),
  unknown_library: declareFailure<{ name: string; known: readonly string[] }>({
    message: (failure) => `No followed page or site has the name or address "${failure.name}".`,
    advice: (failure) => [
      failure.known.length === 0
        ? 'No page or site is followed yet, so omit library.'
        : `Use all, or one of: ${failure.known.join(', ')}.`,
      { libraries: failure.known },
    ],
    texts: { name: 'page', known: 'page' },
  }),
  /** `option`: the parameter that needs the permission, if the tool needs none without it. */
  permission_denied: declareFailure<{ scopes: readonly string[]; tool: string; option?: string }>({
    message: (failure) =>
      `${failure.tool}${failure.option === undefined ? '' : ` with ${failure.option}`} needs the permission ${failure.scopes.join(', ')}, which this connection does not have.`,
    advice: (failure) => [
      `Ask the user to reconnect this client and tick ${failure.scopes.join(' and ')} on the consent page${failure.option === undefined ? '' : `, or call ${failure.tool} without ${failure.option}`}.`,
      { scopes: failure.scopes },
    ],
    texts: { scopes: 'ours', tool: 'ours', option: 'ours' },
  }),
  rate_limited: declareFailure<{
    budget: string;
    scope: 'subject' | 'deployment';
    /** The setting that raises the budget; `null` if there is none. */
    setting: string | null;
    retryAfterSeconds: number;
  }>({
    message: (failure) =>
      failure.scope === 'subject'
        ? `Your budget of ${failure.budget} is used up.`
        : `This server's budget of ${failure.budget}, which all its users share, is used up.`,
    advice: (failure) => [
      `Wait ${failure.retryAfterSeconds} s, then call again. ${failure.setting === null ? 'Make fewer calls at the same time.' : `The operator of this server can raise ${failure.setting}.`}`,
      { budget: failure.budget, scope: failure.scope, retry_after_seconds: failure.retryAfterSeconds },
    ],
    texts: { budget: 'ours', scope: 'ours', setting: 'ours' },
  }),
  cache_error: declareFailure<{ reason: string }>({
    message: (failure) => `The page store failed: ${failure.reason}.`,
    advice: () => ['Try again; if it happens again, tell the operator of this server.'],
    texts: { reason: 'ours' },
  }),
  /**
   * A service of the platform, other than the database, failed. `mayHaveActed`: the call may have acted on a page
   * before it failed.
   */
  unavailable: declareFailure<{ mayHaveActed?: true | undefined }>({
    message: () => 'A part of this server did not answer.',
    advice: (failure) => [
      failure.mayHaveActed === true
        ? 'The action may have been carried out: check with browser_snapshot before you try again.'
        : 'Try again; if it happens again, tell the operator of this server.',
    ],
    texts: {},
  }),
  /**
   * `of`: `memory` if too many pages are being read, `own pages` if they are the caller's; missing if a service of the
   * platform is overloaded.
   */
  overloaded: declareFailure<{ retryAfterSeconds: number; of?: 'memory' | 'own pages' | undefined }>({
    message: (failure) => OVERLOADED[failure.of ?? 'service'],
    advice: (failure) => [
      `Wait ${failure.retryAfterSeconds} s, then try again.`,
      { retry_after_seconds: failure.retryAfterSeconds },
    ],
    texts: { of: 'ours' },
  }),
  internal: declareFailure<{ requestId: string }>({
    message: () => 'Something went wrong inside the server.',
    advice: (failure) => [
      `Try again; if it happens again, report request ${failure.requestId} to the operator of this server.`,
      { request_id: failure.requestId },
    ],
    texts: { requestId: 'ours' },
  }),
};

const OVERLOADED = {
  memory: 'This server was reading as many large pages as its memory holds, so this one was not read.',
  'own pages': 'Other pages that you opened were still being read or rendered, so this one was not read.',
  service: 'A part of this server is overloaded, so this call was not completed.',
} as const;

function timeoutAdvice({ what, afterMs, url, instead, ownPages }: Timeout): FailureAdvice {
  if (ownPages !== undefined) {
    return [
      'Try again when they have ended. Open fewer pages of a slow site at a time.',
      { after_ms: afterMs, ...(url === undefined ? {} : { url }) },
    ];
  }
  if (instead === undefined) {
    return [
      isOfBrowser(what)
        ? 'Call browser_snapshot to check: the action may have been done. If the page does not respond, open it again with browser_navigate.'
        : 'Try again. If that fails too, use another source.',
      { after_ms: afterMs, ...(url === undefined ? {} : { url }) },
    ];
  }
  return [
    instead.isShown === true
      ? 'The page has not changed since the last answer that shows it. Wait again if the page is still loading, or act on it.'
      : instead.snapshot === undefined
        ? 'Call browser_snapshot to see what the page shows instead.'
        : 'The snapshot below shows the page as it is now. Continue from there, or wait again if the page is still loading.',
    { after_ms: afterMs, ...pageQuoteField(instead.quoted), ...snapshotField(instead.snapshot) },
  ];
}

/** True if `what` names a page in a browser session, for which no hint may suggest another source. */
function isOfBrowser(what: string): boolean {
  return what === 'The page' || what === 'Reading the page';
}

const FOLLOW_LIMITS: Record<FollowLimit['of'], string> = {
  follows: 'The user has reached the limit of followed pages and sites',
  pages: 'This would exceed the number of pages that the user may follow',
  deployment: 'This server has reached its limit of followed pages',
  text: "The stored text of the user's followed pages has reached its limit in bytes",
  'all text': 'The stored text of all pages that this server follows has reached its limit in bytes',
};

const END_IT = 'Stop following pages you no longer need: call follow with every: 0.';

function followLimitHint({ of, left }: FollowLimit): string {
  switch (of) {
    case 'pages':
      return left > 0 ? `Pass a smaller max_pages (up to ${left}). ${END_IT}` : END_IT;
    case 'deployment':
      return `${END_IT} The operator can raise FOLLOW_PAGES_TOTAL.`;
    case 'text':
      return `${END_IT} The operator can raise FOLLOW_BYTES_PER_PERSON.`;
    case 'all text':
      return `${END_IT} The operator can raise FOLLOW_BYTES_TOTAL.`;
    case 'follows':
      return END_IT;
  }
}

function snapshotField(text: string | undefined): FailureResultFields {
  return text === undefined ? {} : { snapshot: text };
}
