import type { TextOrigins } from '#core/text/page-texts.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';

export type Caller = {
  subject: string;
  ownHosts: readonly string[];
  session: string;
  /** Identifies the call for cancellation. Calls from the console have no id. */
  call?: CancellableCall | undefined;
};

/** `request`: the id under which another request of the client can cancel the call; `null` if none can. */
export type CancellableCall = { id: string; request: string | null };

export type TabState = { id: string; url: string; title: string };

/** State of a session. URLs, titles and events come from pages. */
export type SessionState = {
  session: string;
  tab: TabState | null;
  /** True if the title differs from the one in the previous result. */
  isTitleNew: boolean;
  tabs: TabState[];
  restored: RestoreLosses | null;
  handedBack: HandedBack | null;
  /** The sign-in step or CAPTCHA in the tab, which only a person can pass; empty for none. */
  wall: 'password' | 'code' | 'captcha' | '';
  secrets: string[];
  events: PageEvent[];
  /** Refs of elements that the page has re-created, each with its new ref. */
  drawnAnew: { ref: string; now: string }[];
  stopped: PageLoop | null;
  opened: TabState[];
  /** Requests that wait for the user's answer. `link`: where the user answers, added by the HTTP layer. */
  held: HeldNote[];
};

/** `host`: host of the receiver, as in its URL. */
export type HeldNote = { id: string; method: string; host: string; link?: string };

/** A request that nobody was asked about. `method`: `socket` for a new WebSocket. */
export type SentUnasked = { method: string; url: string };

/** `typed`: names, from the page, of fields whose content is lost. */
export type RestoreLosses = { couldNot: string[]; typed: string[] };

/** State in which a person left a session. Tabs are named by id. Typed text is never included. */
export type HandedBack = {
  seconds: number;
  how: 'given_back' | 'left' | 'idle';
  moved: string[];
  opened: string[];
  closed: string[];
  /** A heuristic: true if no page asks for a password any more and there are new cookies. */
  hasSignedIn: boolean;
  stillAsks: 'password' | 'code' | 'captcha' | '';
};

export type OperationResult<T> = { state: SessionState; result: T };

/** Reply of a session. Failures are data, because errors lose theirs between Durable Objects. */
export type Reply<T> = { done: OperationResult<T> } | { failure: Failure };

export type Closed = { existed: boolean; files: number };

export function closedState(session: string): SessionState {
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
    opened: [],
    held: [],
  };
}

const TAB = { id: 'ours', url: 'page', title: 'page' } as const;

export const STATE_TEXTS: TextOrigins<SessionState> = {
  session: 'ours',
  tab: TAB,
  tabs: TAB,
  opened: TAB,
  restored: 'page',
  handedBack: { how: 'ours', moved: 'ours', opened: 'ours', closed: 'ours', stillAsks: 'ours' },
  wall: 'ours',
  // Names of secrets are trusted: a person chose them, and calls pass them.
  secrets: 'ours',
  drawnAnew: { ref: 'ours', now: 'ours' },
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
  held: { id: 'ours', method: 'ours', host: 'page', link: 'ours' },
};
