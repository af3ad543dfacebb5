import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { ROBOTS_BYTES_MAX, ROBOTS_TTL_MS, ROBOTS_UNREACHABLE_TTL_MS } from '#net/limits.ts';
import { redactForFailure } from '#net/fetch/canonical-url.ts';
import { withDeadline } from '#net/fetch/deadline.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import type { CallDeadline } from '#net/fetch/hops.ts';
import { RedirectError, followRedirects } from '#net/fetch/hops.ts';
import type { RobotsPreferences } from './content-signals.ts';
import { crawlDelaySeconds, decideRobots } from './robots.ts';
import type { RobotsEntry } from './robots.ts';

const ROBOTS_DEADLINE_MS = 8 * SECOND_MS;
const ROBOTS_RULE_CHARS_MAX = 200;

export type RobotsDecision = {
  /** False if the deployment ignores robots.txt (`RESPECT_ROBOTS`). */
  checked: boolean;
  allowed: boolean;
  robotsUrl: string;
  /** The rule that allowed or forbade the URL, as the site wrote it, in ASCII. `null` if no rule matched. */
  rule: string | null;
  /** The preferences in this robots.txt for the use of the page, such as `ai-input=no`. */
  said?: RobotsPreferences | undefined;
};

/**
 * Checks the robots.txt of the URL's origin.
 * @throws {PeriscopeError} `robots_disallowed`; `fetch_failed` or `timeout` if the file cannot be fetched, so that the
 *   whole site counts as disallowed (RFC 9309 §2.3.1.4)
 */
export async function checkRobots(url: string, time: CallDeadline, deps: NetDeps): Promise<RobotsDecision> {
  const { origin, pathname, search } = new URL(url);
  const robotsUrl = `${origin}/robots.txt`;
  if (pathname === '/robots.txt') return { checked: true, allowed: true, robotsUrl, rule: null };
  const entry = await knownEntry(origin, time, deps).catch((error: unknown) => failAsPage(error, url));
  if (entry.outcome === 'open') return { checked: true, allowed: true, robotsUrl, rule: null };
  if (entry.outcome === 'closed')
    return refuse(url, robotsUrl, 'its robots.txt could not be read, so the whole site counts as disallowed');
  const verdict = decideRobots(entry.body, deps.policy.productToken, `${pathname}${search}`);
  if (!verdict.allowed) return refuse(url, robotsUrl, 'one of its rules disallows this address');
  const rule = verdict.rule === null ? null : oneLine(verdict.rule, ROBOTS_RULE_CHARS_MAX);
  return { checked: true, allowed: true, robotsUrl, rule, said: verdict.said };
}

/**
 * Loads the robots.txt of an origin. Returns a function that decides whether a path may be read. `bytes` is the number
 * of bytes that the decision read and compared, as a measure of its CPU time.
 * @throws {PeriscopeError} as {@link checkRobots} does if robots.txt cannot be fetched
 */
export async function loadRobots(
  origin: string,
  time: CallDeadline,
  deps: NetDeps,
): Promise<(path: string) => { isAllowed: boolean; bytes: number }> {
  const entry = await knownEntry(origin, time, deps).catch((error: unknown) => failAsPage(error, origin));
  return (path) => {
    if (entry.outcome !== 'rules') return { isAllowed: entry.outcome === 'open', bytes: 0 };
    const { allowed, steps } = decideRobots(entry.body, deps.policy.productToken, path);
    return { isAllowed: allowed, bytes: entry.body.length + steps };
  };
}

/**
 * Returns the site's `Crawl-delay` in ms, or 0 if it has none or if the deployment ignores robots.txt.
 * @throws {PeriscopeError} as {@link checkRobots} does if robots.txt cannot be fetched
 */
export async function crawlDelayMs(url: string, time: CallDeadline, deps: NetDeps): Promise<number> {
  if (!deps.policy.respectRobots) return 0;
  const entry = await knownEntry(new URL(url).origin, time, deps).catch((error: unknown) => failAsPage(error, url));
  const seconds = entry.outcome === 'rules' ? crawlDelaySeconds(entry.body, deps.policy.productToken) : null;
  return (seconds ?? 0) * SECOND_MS;
}

async function knownEntry(origin: string, time: CallDeadline, deps: NetDeps): Promise<RobotsEntry> {
  const known = await deps.robotsStore.get(origin);
  if (known !== null && known.expiresAt > deps.now()) return known;
  const entry = await fetchEntry(origin, time, deps);
  await deps.robotsStore.put(origin, entry);
  return entry;
}

async function fetchEntry(origin: string, time: CallDeadline, deps: NetDeps): Promise<RobotsEntry> {
  const url = `${origin}/robots.txt`;
  const deadline = { ms: ROBOTS_DEADLINE_MS, what: 'Reading robots.txt', url };
  const deadlineAt = Math.min(time.deadlineAt, deps.now() + ROBOTS_DEADLINE_MS);
  const request = {
    canonicalUrl: url,
    headers: { 'user-agent': deps.policy.userAgent, accept: 'text/plain, */*;q=0.1' },
    limitBytes: ROBOTS_BYTES_MAX,
    onOverflow: () => 'cut' as const,
  };
  try {
    const { answer } = await withDeadline(deadline, time.signal, (signal) =>
      followRedirects(request, { signal, deadlineAt }, deps),
    );
    if (answer.status >= 500) return entryOf('closed', ROBOTS_UNREACHABLE_TTL_MS, deps);
    if (answer.status >= 300) return entryOf('open', ROBOTS_TTL_MS, deps);
    return entryOf('rules', ROBOTS_TTL_MS, deps, answer.bytes);
  } catch (error) {
    // A robots.txt behind endless redirects counts as missing (RFC 9309 §2.3.1.2).
    if (error instanceof RedirectError) return entryOf('open', ROBOTS_TTL_MS, deps);
    if (isGateRefusal(error)) return entryOf('closed', ROBOTS_UNREACHABLE_TTL_MS, deps);
    throw error;
  }
}

/** Replaces the URL of robots.txt in a failure by the page's URL, because the caller asked for the page. */
function failAsPage(error: unknown, url: string): never {
  if (!(error instanceof PeriscopeError)) throw error;
  const { failure } = error;
  if (failure.code === 'fetch_failed') {
    fail(
      {
        ...failure,
        url: redactForFailure(url),
        reason: `${failure.reason} (while fetching robots.txt, which comes first)`,
      },
      { cause: error },
    );
  }
  if (failure.code === 'timeout') fail({ ...failure, url: redactForFailure(url) }, { cause: error });
  throw error;
}

function isGateRefusal(error: unknown): boolean {
  return error instanceof PeriscopeError && error.failure.code === 'ssrf_blocked';
}

function entryOf(
  outcome: RobotsEntry['outcome'],
  ttlMs: number,
  deps: NetDeps,
  body: Uint8Array = new Uint8Array(0),
): RobotsEntry {
  return { outcome, body, expiresAt: deps.now() + ttlMs };
}

function refuse(url: string, robotsUrl: string, reason: string): never {
  fail({ code: 'robots_disallowed', url: redactForFailure(url), robotsUrl, reason });
}
