/** Messages between the page of the live view and the object of its session. Pictures are sent separately. */

/** Position of a pointer, as fractions of the picture from 0 to 1. */
export type LivePoint = { x: number; y: number };

export type LiveButton = 'none' | 'left' | 'middle' | 'right';

/** Input of a person. `held`: sum of Alt 1, Control 2, Meta 4, Shift 8. */
export type LiveInput =
  | ({ kind: 'mouse'; type: 'move' | 'down' | 'up'; button: LiveButton; clicks: number; held: number } & LivePoint)
  /** Distances are fractions of the picture. */
  | ({ kind: 'wheel'; dx: number; dy: number; held: number } & LivePoint)
  | { kind: 'touch'; type: 'start' | 'move' | 'end' | 'cancel'; points: LivePoint[] }
  /** Key names as in `KeyboardEvent`. */
  | { kind: 'key'; type: 'down' | 'up'; key: string; code: string; held: number; again: boolean }
  /** Text without keys: pasted, dictated, or from an input method. */
  | { kind: 'text'; text: string }
  | { kind: 'compose'; text: string }
  | { kind: 'go'; url: string }
  | { kind: 'history'; move: 'back' | 'forward' | 'reload' }
  | { kind: 'open' }
  | { kind: 'shut'; tab: string }
  /** Sets the pages' screen to that of a phone with this height in CSS pixels; `null` restores their own screen. */
  | { kind: 'screen'; phone: number | null }
  | { kind: 'answer'; accept: boolean; text: string }
  | { kind: 'choose'; at: number };

export type FromLivePage =
  | { kind: 'drawn' }
  /** Keep-alive of the page. `ticket`: a new ticket, which proves that its person may still view the session. */
  | { kind: 'here'; ticket?: string | undefined }
  | { kind: 'look'; tab: string }
  | { kind: 'take' }
  | { kind: 'give' }
  | { kind: 'decline' }
  | LiveInput;

export type LiveQuestion = { text: string; path: string };

export type LiveTab = { id: string; url: string; title: string };

export type LiveState = {
  kind: 'state';
  tabs: LiveTab[];
  shown: string | null;
  /** Size of the pictures' viewport in CSS pixels. `isTouched`: true for the screen of a phone. */
  size: { width: number; height: number; isTouched: boolean };
  viewers: number;
  /**
   * The driver: this page, another page, or none, so that models drive. `soon`: this page, after the model's call.
   * `elsewhere`: another page of the same person, which this page can replace.
   */
  driver: 'you' | 'soon' | 'elsewhere' | 'other' | null;
  asked: string | null;
  /** A question about an act that waits for the person's answer, and its page. Words of the page are in quotes. */
  question?: LiveQuestion;
  /** Age of the session's browser in ms. */
  openForMs: number;
  /** Time in ms until an unused session ends. */
  restsInMs: number;
};

export type ToLivePage =
  | LiveState
  | { kind: 'problem'; text: string }
  /** A dialog that blocks the page until it is answered. `null`: the dialog was answered, or is gone. */
  | { kind: 'dialog'; dialog: { type: string; message: string; proposed: string } | null }
  | { kind: 'choices'; labels: string[] | null; chosen: number; place?: LivePlace | undefined };

/** Rectangle of a field, as fractions of the picture. */
export type LivePlace = LivePoint & { width: number; height: number };

export const LIVE_CLOSED = {
  resting: 4001,
  ended: 4002,
  full: 4003,
  silent: 4005,
  /** Close code for a message that the live view's own page never sends. */
  broken: 4004,
} as const;
