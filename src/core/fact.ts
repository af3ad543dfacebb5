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
