import type { Texts } from '#core/text/page-texts.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';

/** Who calls which session. */
export type Caller = {
  subject: string;
  /** Hosts under which this server is reached: a browser must not come back through them. */
  ownHosts: readonly string[];
  /** As the caller names it; `shared/…` for one that others may use, too. */
  session: string;
};

export type TabState = { id: string; url: string; title: string };

/** What every result says of the session. Addresses, titles and events are the page's: data. */
export type SessionState = {
  session: string;
  /** The tab the call worked on; `null` when the session has none. */
  tab: TabState | null;
  /** Whether its title is another than the result before told. */
  isTitleNew: boolean;
  /** Every tab, in the order they opened. */
  tabs: TabState[];
  /** When the session had to be brought back for this call: what could not be. */
  restored: Restored | null;
  /** What a person changed who drove the session since the last result. An object of an earlier version does not tell. */
  handedBack?: HandedBack | null;
  /** What in the tab asks for a person; empty for nothing. */
  wall?: 'password' | 'code' | 'captcha' | '';
  /** References to secrets of the caller that fit it. */
  secrets?: string[];
  /** What happened in the tab during the call. */
  events: PageEvent[];
  /** The loop for which the scripts of the page were stopped; missing from an object of an earlier version. */
  stopped?: PageLoop | null;
  /** Tabs that opened during the call. */
  opened: TabState[];
};

/** `typed`: names of fields whose content is lost, the page's words; objects of an earlier version do not tell them. */
export type Restored = { couldNot: string[]; typed?: string[] };

/** How a person left a session that they drove. Tabs are named by their ids. Never what they typed. */
export type HandedBack = {
  seconds: number;
  /** On purpose, by leaving the page, or by doing nothing. */
  how: 'given_back' | 'left' | 'idle';
  moved: string[];
  opened: string[];
  closed: string[];
  /** As far as it can be seen: nothing asks for a password any more, and the site knows the browser by something new. */
  hasSignedIn: boolean;
};

export type Done<T> = { state: SessionState; result: T };

/** Errors do not cross from one object to another with what they carry: failures travel as data. */
export type Reply<T> = { done: Done<T> } | { failure: Failure };

/** `settings` are not told by an object of an earlier version. */
export type Launched = { existed: boolean; settings?: TabSettings };

/** `files`: how many files went with it; an object of an earlier version does not tell. */
export type Closed = { existed: boolean; files?: number };

/** What is left of a session that was closed. */
export function closedState(session: string): SessionState {
  return { session, tab: null, isTitleNew: false, tabs: [], restored: null, events: [], opened: [] };
}

const TAB = { id: 'ours', url: 'page', title: 'page' } as const;

/** Whose the texts of it are. */
export const STATE_TEXTS: Texts<SessionState> = {
  session: 'ours',
  tab: TAB,
  tabs: TAB,
  opened: TAB,
  restored: 'page',
  handedBack: { how: 'ours', moved: 'ours', opened: 'ours', closed: 'ours' },
  wall: 'ours',
  // Names that a person gave, as a call passes them.
  secrets: 'ours',
  events: {
    kind: 'ours',
    level: 'ours',
    text: 'page',
    url: 'page',
    problem: 'page',
    reason: 'page',
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
