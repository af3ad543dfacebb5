import type { RecordWorkStart } from '#core/activity.ts';
import { fail } from '#core/failures/failure.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { sha256Hex } from '#core/text/text.ts';
import { logWork } from './log.ts';

export type HangReporter = {
  /** Reports that work begins. @returns a function that reports its end */
  begin: (what: string) => () => void;
  on: RecordWorkStart;
  /**
   * Reports the current tool call with its arguments. @throws {PeriscopeError} `skipped` if the call hung the server
   */
  onCall: (tool: string, args: unknown) => Promise<void>;
};

/**
 * Minimum characters of arguments by which a call is recognized. Shorter arguments are the same in many harmless calls.
 */
const ARGUMENTS_CHARS_MIN = 80;

/**
 * Used on Cloudflare, where no process watches the server: the platform ends long computations, and never repeats a
 * call.
 */
const UNWATCHED: HangReporter = {
  begin: () => () => undefined,
  on: async () => undefined,
  onCall: async () => undefined,
};

/**
 * Reports current work to `npm start`, so that it can name and skip the work when the server stops answering.
 * @param skipped hashes of the pages and calls to skip; `undefined` where no process watches
 */
export function createHangReporter(id: string, skipped: ReadonlySet<string> | undefined): HangReporter {
  if (skipped === undefined) return UNWATCHED;
  return {
    begin: (what) => {
      logWork({ work: 'began', id, what });
      return () => logWork({ work: 'ended', id });
    },
    on: async (address) => {
      const page = await sha256Hex(address);
      const url = redactUrl(address);
      if (skipped.has(page)) fail({ code: 'skipped', url });
      logWork({ work: 'on', id, page, url });
    },
    onCall: async (tool, args) => {
      const written = JSON.stringify(args);
      if (written.length < ARGUMENTS_CHARS_MIN) return;
      const call = await sha256Hex(`${tool} ${written}`);
      if (skipped.has(call)) fail({ code: 'skipped' });
      logWork({ work: 'call', id, call });
    },
  };
}
