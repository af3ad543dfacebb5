import { describeFailure } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { HEALTH_CHECK_DEADLINE_MS } from '#web/limits.ts';
import { within } from '#core/flow/abort.ts';

/** How one part of a deployment is, in words for its owner. */
export type Check = {
  name: string;
  /** `unknown`: it could not be looked at from here. */
  verdict: 'ok' | 'warn' | 'fail' | 'unknown';
  /** What was found, and what that means. */
  found: string;
  /** What to do about it. */
  fix?: string;
  /** A command that looks from elsewhere. */
  command?: string;
};

export type Verdict = Omit<Check, 'name'>;

/** Takes an error nobody planned for, and gives the id under which it stands in the log. */
export type Report = (error: unknown) => string;

export function ok(found: string): Verdict {
  return { verdict: 'ok', found };
}

/**
 * Looks at one part, in bounded time. Whatever goes wrong is a failed check: what we threw in its own words, everything
 * else in the log only, as it may hold anything.
 * @param fix what to do when it fails in a way that has no advice of its own
 */
export async function look(name: string, fix: string, report: Report, work: () => Promise<Verdict>): Promise<Check> {
  try {
    const found = await within(work(), HEALTH_CHECK_DEADLINE_MS);
    return { name, ...(found ?? TOO_LATE) };
  } catch (error) {
    if (error instanceof PeriscopeError) {
      const { message } = describeFailure(error.failure);
      return { name, verdict: 'fail', found: message, fix };
    }
    return { name, verdict: 'fail', found: `It failed; the log has the error as ${report(error)}.`, fix };
  }
}

const TOO_LATE: Verdict = {
  verdict: 'fail',
  found: `It did not answer within ${HEALTH_CHECK_DEADLINE_MS / 1000} seconds.`,
  fix: 'Load this page again; if that does not help, look at the status page of Cloudflare.',
};
