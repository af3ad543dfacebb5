import type { TextOrigins } from '#core/text/page-texts.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';

export type Caller = {
  subject: string;
  /** Hosts of this server, which the browser must not reach. */
  ownHosts: readonly string[];
  session: string;
  /** By which it can be cancelled; missing from calls of the console. */
  call?: CancellableCall | undefined;
};

/** `request`: how a client names the call when it cancels it with another request; `null` where it cannot. */
export type CancellableCall = { id: string; request: string | null };

export type TabState = { id: string; url: string; title: string };

/** URLs, titles and events come from pages. */
export type SessionState = {
  session: string;
  tab: TabState | null;
  /** Whether the title differs from the one in the previous result. */
  isTitleNew: boolean;
  tabs: TabState[];
  /** What could not be restored, if this call restored the session. */
  restored: RestoreLosses | null;
  /** Changes that a person made since the last result. */
  handedBack: HandedBack | null;
  /** What in the tab requires a person. */
  wall: 'password' | 'code' | 'captcha' | '';
  /** References to the caller's secrets that fit the wall. */
  secrets: string[];
  events: PageEvent[];
  /** Refs whose element the page had rebuilt. */
  drawnAnew: { ref: string; now: string }[];
  /** The loop for which the page's scripts were stopped. */
  stopped: PageLoop | null;
  opened: TabState[];
};

/** `typed`: names (from the page) of fields whose content is lost. */
export type RestoreLosses = { couldNot: string[]; typed: string[] };

/** How a person left a session. Tabs are given by id; what was typed is never included. */
export type HandedBack = {
  seconds: number;
  how: 'given_back' | 'left' | 'idle';
  moved: string[];
  opened: string[];
  closed: string[];
  /** A guess: no page asks for a password any more, and there are new cookies. */
  hasSignedIn: boolean;
};

export type OperationResult<T> = { state: SessionState; result: T };

/** Errors lose their data between objects, so failures are sent as data. */
export type Reply<T> = { done: OperationResult<T> } | { failure: Failure };

/** `files`: number of deleted files. */
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
  };
}

const TAB = { id: 'ours', url: 'page', title: 'page' } as const;

export const STATE_TEXTS: TextOrigins<SessionState> = {
  session: 'ours',
  tab: TAB,
  tabs: TAB,
  opened: TAB,
  restored: 'page',
  handedBack: { how: 'ours', moved: 'ours', opened: 'ours', closed: 'ours' },
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
};
