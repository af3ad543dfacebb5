/** Messages between the page of the live view and the session's Durable Object. Images are sent as binary messages. */

/** Position of a pointer, as fractions (0 to 1) of the image's width and height. */
export type LivePoint = { x: number; y: number };

export type LiveButton = 'none' | 'left' | 'middle' | 'right';

/** Input of a person. `held`: sum of the held modifier keys: Alt 1, Control 2, Meta 4, Shift 8. */
export type LiveInput =
  | ({ kind: 'mouse'; type: 'move' | 'down' | 'up'; button: LiveButton; clicks: number; held: number } & LivePoint)
  /** `dx` and `dy`: scroll distances as fractions of the image's width and height. */
  | ({ kind: 'wheel'; dx: number; dy: number; held: number } & LivePoint)
  | { kind: 'touch'; type: 'start' | 'move' | 'end' | 'cancel'; points: LivePoint[] }
  /** `key` and `code` as in `KeyboardEvent`. `again`: true for repeats of a held key. */
  | { kind: 'key'; type: 'down' | 'up'; key: string; code: string; held: number; again: boolean }
  /** Text without key presses: pasted, dictated, or from an input method. */
  | { kind: 'text'; text: string }
  | { kind: 'compose'; text: string }
  | { kind: 'go'; url: string }
  | { kind: 'history'; move: 'back' | 'forward' | 'reload' }
  | { kind: 'open' }
  | { kind: 'shut'; tab: string }
  /** Shows the pages on a phone screen of this height in CSS pixels; `null` restores their own size. */
  | { kind: 'screen'; phone: number | null }
  | { kind: 'answer'; accept: boolean; text: string }
  | { kind: 'choose'; at: number };

export type LivePageMessage =
  | { kind: 'drawn' }
  /** Keep-alive of the page. `ticket`: a new ticket, which proves that its user may still view the session. */
  | { kind: 'here'; ticket?: string | undefined }
  | { kind: 'look'; tab: string }
  | { kind: 'take' }
  | { kind: 'give' }
  | { kind: 'decline' }
  | LiveInput;

export type LiveApprovalLink = { text: string; path: string };

export type LiveTab = { id: string; url: string; title: string };

export type LiveState = {
  kind: 'state';
  tabs: LiveTab[];
  shown: string | null;
  /** Viewport size of the pages in CSS pixels. `isTouched`: true if they are shown as on a touch screen. */
  size: { width: number; height: number; isTouched: boolean };
  viewers: number;
  /**
   * The person who drives, as seen from this page. `you`: here. `soon`: here, after the model's call. `elsewhere`: on
   * another page of the same user, which this page can replace. `other`: on any other page. `null`: models drive.
   */
  driver: 'you' | 'soon' | 'elsewhere' | 'other' | null;
  asked: string | null;
  /** An approval question that waits for the user's answer, and the path of its page. Page text is in quotes. */
  question?: LiveApprovalLink;
  /** Time in ms since the session's browser was opened. */
  openForMs: number;
  /** Time in ms until the browser ends if the session is not used. */
  restsInMs: number;
};

export type LiveServerMessage =
  | LiveState
  | { kind: 'problem'; text: string }
  /** A JavaScript dialog, which blocks the page until it is answered. `null`: the dialog was answered, or is gone. */
  | { kind: 'dialog'; dialog: { type: string; message: string; proposed: string } | null }
  | { kind: 'choices'; labels: string[] | null; chosen: number; place?: LiveFieldBox | undefined };

/** Rectangle of a field, as fractions of the image's width and height. */
export type LiveFieldBox = LivePoint & { width: number; height: number };

export const LIVE_CLOSE_CODES = {
  resting: 4001,
  ended: 4002,
  full: 4003,
  silent: 4005,
  /** Close code for a message that the live view's own page never sends. */
  broken: 4004,
} as const;
