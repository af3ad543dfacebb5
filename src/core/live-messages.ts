/** What the page of the live view and the object of its session say to each other, beside the pictures. */

/** Said by the page. */
export type FromLivePage =
  /** A picture was drawn. */
  | { kind: 'drawn' }
  /** The page is still there. */
  | { kind: 'here' }
  | { kind: 'look'; tab: string };

export type LiveTab = { id: string; url: string; title: string };

/** How the session is, sent when it changes. */
export type LiveState = {
  kind: 'state';
  tabs: LiveTab[];
  /** The tab that this page is shown; `null` while the session has none. */
  shown: string | null;
  /** The size of what the pictures show, in CSS pixels. */
  size: { width: number; height: number };
  /** How many look at the session. */
  viewers: number;
  /** Since when the session has its browser, in ms from now back. */
  openForMs: number;
  /** When it ends if nobody uses it. */
  restsInMs: number;
};

/** Said by the object. */
export type ToLivePage = LiveState;

/** Why the object ends the line, as the code of its end. */
export const LIVE_CLOSED = {
  /** The session has no browser now. */
  resting: 4001,
  /** The session was closed for good. */
  ended: 4002,
  /** As many look at it as may. */
  full: 4003,
  /** Said what no page of ours says. */
  broken: 4004,
} as const;
