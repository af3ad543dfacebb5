import { BrowserGone, CdpError } from './connection.ts';

/** What went away by itself, or with its browser, needs nothing more. */
export function ignoreGone(error: unknown): void {
  if (error instanceof CdpError || error instanceof BrowserGone) return;
  throw error;
}
