import type { Viewport } from '#core/document/document.ts';

export const ACTIVITY_KINDS = ['read', 'search', 'cite', 'browse', 'purge'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** A page that a call read. `documentId`: `null` if the call does not know the ID. */
export type ReadPageFacts = {
  /** URL as it was opened. It may contain a credential. */
  url: string;
  title: string | null;
  cursor: string | null;
  documentId: string | null;
  lines: Viewport | null;
};

/** An entry of the activity log: one tool call, or one of the pages that a call read. */
export type Activity = {
  /** ID of the entry. Repeated writes with the same ID are ignored. */
  id: string;
  at: number;
  /** True for the first entry of a call, so that calls are counted once. */
  isCall: boolean;
  client: string;
  tool: string;
  kind: ActivityKind;
  /** URL without credentials. */
  url: string | null;
  title: string | null;
  words: string | null;
  cursor: string | null;
  documentId: string | null;
  lines: Viewport | null;
  session: string | null;
  ms: number;
  error: string | null;
  /**
   * Message of the failure, and its remedy in `hint`; `null` if the call succeeded, or if the message may quote a
   * script.
   */
  reason: string | null;
  hint: string | null;
};

export type SessionStep = {
  id: string;
  session: string;
  at: number;
  what: string;
  /** URL of the tab, without credentials. */
  url: string | null;
  title: string | null;
  error: string | null;
  without: NoPictureReason | null;
};

/**
 * Reasons for a browser step without a picture. `off`: pictures are disabled; `hidden`: the page shows a secret;
 * `busy`: the next call was waiting; `failed`: the browser was too slow; `dropped`: deleted for age or space.
 */
export const NO_PICTURE_REASONS = ['off', 'hidden', 'busy', 'failed', 'dropped'] as const;
export type NoPictureReason = (typeof NO_PICTURE_REASONS)[number];

/** Client name in the entries of changes that a person made in the console. */
export const CONSOLE_CLIENT_NAME = 'console';

/**
 * Facts of one tool call, for a log line and a counter. They include the redacted URL, but no other argument, no page
 * text and no secrets.
 */
export type CallFact = {
  ts: string;
  requestId: string;
  tool: string;
  /** URL without credentials. */
  url: string | null;
  ms: number;
  cacheHit: boolean | null;
  status: 'ok' | 'error';
  errorCode: string | null;
};

/**
 * Records the page or file before the work on it begins, so that a page on which the server hangs can be skipped later.
 * @throws {PeriscopeError} `skipped` if the server hung repeatedly while working on it
 */
export type RecordWorkStart = (address: string) => Promise<void>;
