import type { Viewport } from './document/document.ts';

export const ACTIVITY_KINDS = ['read', 'search', 'cite', 'browse', 'purge'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** `documentId`: `null` where the call does not know it. */
export type ReadPage = {
  /** As opened; it may hold a credential. */
  url: string;
  title: string | null;
  cursor: string | null;
  documentId: string | null;
  lines: Viewport | null;
};

/** One call of a model, or one of the pages of a call. */
export type Activity = {
  /** A repeated write with the same id is ignored. */
  id: string;
  at: number;
  /** Only the first line of a call is counted. */
  isCall: boolean;
  client: string;
  tool: string;
  kind: ActivityKind;
  /** Credentials removed. */
  url: string | null;
  title: string | null;
  words: string | null;
  cursor: string | null;
  documentId: string | null;
  lines: Viewport | null;
  session: string | null;
  ms: number;
  error: string | null;
  /** Why the call failed, and what can be done. */
  reason: string | null;
  hint: string | null;
};

export type HistorySettings = { activity: boolean; pictures: boolean };

export type Step = {
  id: string;
  session: string;
  at: number;
  what: string;
  /** Address of the tab, credentials removed. */
  url: string | null;
  title: string | null;
  error: string | null;
  without: NoPictureReason | null;
};

/**
 * `off`: pictures are switched off; `hidden`: the page shows something secret; `busy`: the next call was waiting;
 * `failed`: the browser gave none in time; `dropped`: removed for lack of room or because of its age.
 */
export const NO_PICTURE_REASONS = ['off', 'hidden', 'busy', 'failed', 'dropped'] as const;
export type NoPictureReason = (typeof NO_PICTURE_REASONS)[number];

/** One log line and one counter for each tool call, without arguments, page text or secrets. */
export type CallFact = {
  /** ISO 8601, UTC. */
  ts: string;
  requestId: string;
  tool: string;
  /** Credentials removed. */
  url: string | null;
  ms: number;
  cacheHit: boolean | null;
  status: 'ok' | 'error';
  errorCode: string | null;
};
