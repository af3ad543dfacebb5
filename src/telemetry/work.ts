import type { WorksOn } from '#core/flow/works-on.ts';
import { fail } from '#core/failures/failure.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { sha256Hex } from '#core/text/text.ts';
import { logWork } from './log.ts';

/** Current work of one request, or of one step of a round. */
export type Watched = {
  /** @returns what ends it */
  begin: (what: string) => () => void;
  on: WorksOn;
  /** Says that the work at hand is a call with these arguments. @throws {PeriscopeError} `skipped` as for a page */
  onCall: (tool: string, args: unknown) => Promise<void>;
};

/** Shorter arguments are those of many calls. What makes a server hang by itself has more. */
const ARGUMENTS_CHARS_MIN = 80;

/** On Cloudflare nobody looks: the platform ends what computes for too long, and no call is made again by itself. */
const UNWATCHED: Watched = { begin: () => () => undefined, on: async () => undefined, onCall: async () => undefined };

/**
 * Tells `npm start` what is in work: when nothing else answers any more, it can still name that, and have it skipped.
 * @param skipped hashes of the pages and calls that are; `undefined` where nobody looks
 */
export function watchedWork(id: string, skipped: ReadonlySet<string> | undefined): Watched {
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
