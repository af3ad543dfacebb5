import type { TextOrigins } from '#core/text/page-texts.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';

export type Caller = {
  subject: string;
  ownHosts: readonly string[];
  session: string;
  /** Identifies the call for cancellation. Calls from the console have none. */
  call?: CancellableCall | undefined;
};

/** `request`: the id under which the client can cancel the call from another request; `null` if it cannot. */
export type CancellableCall = { id: string; request: string | null };

export type TabState = { id: string; url: string; title: string };

/** URLs, titles and events come from pages. */
export type SessionState = {
  session: string;
  tab: TabState | null;
  /** True if the title differs from the one in the previous result. */
  isTitleNew: boolean;
  tabs: TabState[];
  restored: RestoreLosses | null;
  handedBack: HandedBack | null;
  /** The sign-in step or CAPTCHA in the tab that only a person can pass. */
  wall: 'password' | 'code' | 'captcha' | '';
  secrets: string[];
  events: PageEvent[];
  /** Refs whose element the page has rebuilt, with the new ref. */
  drawnAnew: { ref: string; now: string }[];
  stopped: PageLoop | null;
  opened: TabState[];
  /** Requests that wait for the user's answer. `link`: where the user answers; the HTTP layer adds it. */
  held: HeldNote[];
};

/** `host`: of the receiver, as in its URL. */
export type HeldNote = { id: string; method: string; host: string; link?: string };

/** `typed`: names (from the page) of fields whose content is lost. */
export type RestoreLosses = { couldNot: string[]; typed: string[] };

/** Details of how a person left a session. Tabs are given by id. Typed text is never included. */
export type HandedBack = {
  seconds: number;
  how: 'given_back' | 'left' | 'idle';
  moved: string[];
  opened: string[];
  closed: string[];
  /** A heuristic: no page asks for a password any more, and there are new cookies. */
  hasSignedIn: boolean;
  stillAsks: 'password' | 'code' | 'captcha' | '';
};

export type OperationResult<T> = { state: SessionState; result: T };

/** Errors lose their data between Durable Objects, so failures are returned as data. */
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
  // A person chose these names, and calls pass them.
  secrets: 'ours',
  drawnAnew: { ref: 'ours', now: 'ours' },
  events: {
    kind: 'ours',
    level: 'ours',
    text: 'page',
    url: 'page',
    problem: 'page',
    reason: 'page',
    rule: { level: 'ours', by: 'ours', host: 'page' },
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
