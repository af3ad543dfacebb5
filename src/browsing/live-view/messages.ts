/** What the page of the live view and the object of its session say to each other, beside the pictures. */

/** Where a pointer is, as a share of the picture: 0 to 1. */
export type LivePoint = { x: number; y: number };

export type LiveButton = 'none' | 'left' | 'middle' | 'right';

/** What the hands of a person do. `held`: Alt 1, Control 2, Meta 4, Shift 8, added up. */
export type LiveInput =
  | ({ kind: 'mouse'; type: 'move' | 'down' | 'up'; button: LiveButton; clicks: number; held: number } & LivePoint)
  /** How far, as a share of the picture. */
  | ({ kind: 'wheel'; dx: number; dy: number; held: number } & LivePoint)
  | { kind: 'touch'; type: 'start' | 'move' | 'end' | 'cancel'; points: LivePoint[] }
  /** As `KeyboardEvent` names it. */
  | { kind: 'key'; type: 'down' | 'up'; key: string; code: string; held: number; again: boolean }
  /** Text that was typed on no key: pasted, dictated, or written by an input method. */
  | { kind: 'text'; text: string }
  /** What an input method has not decided on yet. */
  | { kind: 'compose'; text: string }
  | { kind: 'go'; url: string }
  | { kind: 'history'; move: 'back' | 'forward' | 'reload' }
  | { kind: 'open' }
  | { kind: 'shut'; tab: string }
  /** The pages of the session get the screen of a phone, of this height in CSS pixels; `null`: their own again. */
  | { kind: 'screen'; phone: number | null }
  /** The answer to a dialog of the page. */
  | { kind: 'answer'; accept: boolean; text: string }
  /** One of the choices of a list. */
  | { kind: 'choose'; at: number };

/** Said by the page. */
export type FromLivePage =
  /** A picture was drawn. */
  | { kind: 'drawn' }
  /** The page is still there. `ticket`: a new one, which shows that its person may still see the session. */
  | { kind: 'here'; ticket?: string | undefined }
  | { kind: 'look'; tab: string }
  | { kind: 'take' }
  | { kind: 'give' }
  /** The person will not do what a model asked for. */
  | { kind: 'decline' }
  | LiveInput;

export type LiveTab = { id: string; url: string; title: string };

/** How the session is, sent when it changes. */
export type LiveState = {
  kind: 'state';
  tabs: LiveTab[];
  /** The tab that this page is shown; `null` while the session has none. */
  shown: string | null;
  /** Of what the pictures show, in CSS pixels, and whether it is the screen of a phone. */
  size: { width: number; height: number; isTouched: boolean };
  /** How many look at the session. */
  viewers: number;
  /** Who drives: this page, a page elsewhere, or nobody, so that models do. `soon`: when a call of a model has ended. */
  driver: 'you' | 'soon' | 'other' | null;
  /** What a model asks the person for, in its words. */
  asked: string | null;
  /** Since when the session has its browser, in ms from now back. */
  openForMs: number;
  /** When it ends if nobody uses it. */
  restsInMs: number;
};

/** Said by the object. */
export type ToLivePage =
  | LiveState
  /** What could not be done, in words. */
  | { kind: 'problem'; text: string }
  /** The page asks, and does nothing until it is answered. `null`: it was answered, or is gone. */
  | { kind: 'dialog'; dialog: { type: string; message: string; proposed: string } | null }
  /** The choices of the list that was clicked; `null`: it is gone. */
  | { kind: 'choices'; labels: string[] | null; chosen: number; place?: LivePlace | undefined };

/** Where a field is, as shares of the picture. */
export type LivePlace = LivePoint & { width: number; height: number };

/** Why the object ends the line, as the code of its end. */
export const LIVE_CLOSED = {
  /** The session has no browser now. */
  resting: 4001,
  /** The session was closed for good. */
  ended: 4002,
  /** As many look at it as may. */
  full: 4003,
  /** Has shown no new ticket for too long. */
  silent: 4005,
  /** Said what no page of ours says. */
  broken: 4004,
} as const;
