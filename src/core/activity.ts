import type { Viewport } from './document.ts';

/** What a person is told that their models did. */
export const ACTIVITY_KINDS = ['read', 'search', 'cite', 'browse', 'purge'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** A page that a call has shown, for the person's activity. `documentId`: `null` where the call does not know it. */
export type ReadPage = {
  /** As it was opened; it may hold a credential. */
  url: string;
  title: string | null;
  cursor: string | null;
  documentId: string | null;
  lines: Viewport | null;
};

/** A line of a person's activity: what a model did in one call, or to one of the pages of one. */
export type Activity = {
  /** Names it, so that it is kept once. */
  id: string;
  /** When the call began (ms). */
  at: number;
  /** Whether it is the first of its call: only that is counted. */
  isCall: boolean;
  /** The OAuth client or the access token that the call came with. */
  client: string;
  tool: string;
  kind: ActivityKind;
  /** Without what looks like a credential. */
  url: string | null;
  title: string | null;
  /** What was searched or looked for. */
  words: string | null;
  cursor: string | null;
  documentId: string | null;
  lines: Viewport | null;
  session: string | null;
  ms: number;
  /** Code of the error. */
  error: string | null;
};

/** What a person wants to have kept. */
export type KeepingWish = { activity: boolean; pictures: boolean };

/** One step of a browser session, as its person sees it afterwards. */
export type Step = {
  id: string;
  session: string;
  at: number;
  /** What was done: `click`, `type`. */
  what: string;
  /** Where the tab was then, without what looks like a credential. */
  url: string | null;
  title: string | null;
  error: string | null;
  /** Why there is no picture; `null` when there is one. */
  without: StepWithout | null;
};

/**
 * `off`: pictures are switched off; `hidden`: something on the page is for nobody to see; `busy`: the next call was waiting;
 * `failed`: the browser gave none in time; `dropped`: there is no room any more, or its time is over.
 */
export const STEP_WITHOUT = ['off', 'hidden', 'busy', 'failed', 'dropped'] as const;
export type StepWithout = (typeof STEP_WITHOUT)[number];

/** What is recorded of one tool call: one log line, one counter. No argument, page text or secret is in it. */
export type CallFact = {
  /** ISO 8601, UTC. */
  ts: string;
  requestId: string;
  tool: string;
  /** With credentials removed. */
  url: string | null;
  ms: number;
  cacheHit: boolean | null;
  status: 'ok' | 'error';
  errorCode: string | null;
};
