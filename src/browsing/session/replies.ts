import type { TextOrigins } from '#core/text/page-texts.ts';
import type { ErrorPage } from '#core/failures/declare.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';

export type Caller = {
  subject: string;
  ownHosts: readonly string[];
  session: string;
  /** Identifies the call, so that the client can cancel it. Calls from the console have none. */
  call?: CancellableCall | undefined;
};

/** `request`: id of the MCP request, which a cancellation refers to; `null` if the call cannot be cancelled. */
export type CancellableCall = { id: string; request: string | null };

export type TabState = { id: string; url: string; title: string };

/** State of a session. URLs, titles and events come from pages. */
export type SessionState = {
  session: string;
  tab: TabState | null;
  /** True if the title has changed since the previous result. */
  isTitleNew: boolean;
  tabs: TabState[];
  restored: RestoreLosses | null;
  handedBack: HandBackReport | null;
  /** The sign-in step or CAPTCHA in the tab, which only a person can pass; `''` for none or an already reported one. */
  wall: 'password' | 'code' | 'captcha' | '';
  secrets: string[];
  events: PageEvent[];
  /** Refs of elements that the page replaced by equal new elements, each with the new element's ref. */
  drawnAnew: { ref: string; now: string }[];
  /** Origins of the frames of other sites into which the call entered text. */
  enteredIn?: string[];
  stopped: PageLoop | null;
  errorPage: ErrorPage | null;
  opened: TabState[];
  /** Requests of the page that wait for the user's approval. `link`: the approval page, added by the HTTP layer. */
  held: WaitingRequestNote[];
};

/** A request that waits for approval. `host`: host in the request's URL. */
export type WaitingRequestNote = { id: string; method: string; host: string; link?: string };

/** A request that was sent without asking the user. `method`: `socket` for a new WebSocket. */
export type UnaskedRequest = { method: string; url: string };

/** Losses of a restored session. `typed`: names, from the page, of fields whose text is lost. */
export type RestoreLosses = { couldNot: string[]; typed: string[] };

/** Changes while a person drove the session. Tabs are named by id. Text that the person typed is never included. */
export type HandBackReport = {
  seconds: number;
  how: 'given_back' | 'left' | 'idle';
  moved: string[];
  opened: string[];
  closed: string[];
  /**
   * A guess: true if a page asked for a password or code before, no page asks or shows a CAPTCHA now, and cookies are
   * new or changed.
   */
  hasSignedIn: boolean;
  stillAsks: 'password' | 'code' | 'captcha' | '';
};

export type OperationResult<T> = { state: SessionState; result: T };

/**
 * Reply of a session object. Failures are returned as data, because an error thrown across Durable Objects loses its
 * fields.
 */
export type Reply<T> = { done: OperationResult<T> } | { failure: Failure };

export type ClosedSession = { existed: boolean; files: number };

export function createClosedSessionState(session: string): SessionState {
  return {
    session,
    tab: null,
    isTitleNew: false,
    tabs: [],
    restored: null,
    handedBack: null,
    wall: '',
    secrets: [],
    events: [],
    drawnAnew: [],
    stopped: null,
    errorPage: null,
    opened: [],
    held: [],
  };
}

const TAB = { id: 'ours', url: 'page', title: 'page' } as const;

export const SESSION_STATE_TEXT_ORIGINS: TextOrigins<SessionState> = {
  session: 'ours',
  tab: TAB,
  tabs: TAB,
  opened: TAB,
  restored: 'page',
  handedBack: { how: 'ours', moved: 'ours', opened: 'ours', closed: 'ours', stillAsks: 'ours' },
  wall: 'ours',
  // Names of secrets were chosen by the user and passed by the call, so they are not page text.
  secrets: 'ours',
  drawnAnew: { ref: 'ours', now: 'ours' },
  enteredIn: 'page',
  events: {
    kind: 'ours',
    level: 'ours',
    text: 'page',
    url: 'page',
    problem: 'page',
    reason: 'page',
    rule: { level: 'ours', by: 'ours', site: 'page' },
    what: 'ours',
    type: 'ours',
    message: 'page',
    answer: 'ours',
    name: 'page',
    file: { id: 'ours', name: 'page', mediaType: 'page', sha256: 'ours' },
    tab: 'ours',
    loop: { of: 'ours' },
  },
  stopped: { of: 'ours' },
  errorPage: { session: 'ours', tab: 'ours' },
  held: { id: 'ours', method: 'ours', host: 'page', link: 'ours' },
};
