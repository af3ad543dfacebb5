import type { RunWithCpuLock } from '#core/flow/turns.ts';
import { discoverSitePages } from './discovery/discover.ts';
import { toPageKey } from '#library/discovery/links.ts';
import type { Follow, FollowStore } from '#storage/library/follows.ts';
import type { RoundPages } from '#storage/library/round-pages.ts';
import type { HostPaceDeps } from './at-host.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { FailureCode } from '#core/failures/failure.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { withDeadline } from '#net/fetch/deadline.ts';
import { checkUrl } from '#net/fetch/gate.ts';
import { followRedirects } from '#net/fetch/hops.ts';
import { checkRobots, loadRobots } from '#net/robots/robots-policy.ts';
import { runAtHostPace } from './at-host.ts';
import { isFullFetchRound } from './round.ts';
import type { DiscoverPorts } from './discovery/discover.ts';

type FindPagesDeps = HostPaceDeps & { follows: FollowStore; roundPages: RoundPages; inTurn: RunWithCpuLock };

/** Finds the pages of a site in the site's own lists, and adds them. @returns the number of new pages */
export async function discoverAndAddPages(follow: Follow, signal: AbortSignal, deps: FindPagesDeps): Promise<number> {
  const { id, url, prefix, pagesMax, found: before, round } = follow;
  if (before.leftOut.some(({ reason }) => reason === SKIPPED) && !isFullFetchRound(round)) return 0;
  // The followed URL may redirect into the site, and may itself be outside the prefix.
  const start = url.startsWith(prefix) ? url : prefix;
  const found = await discoverSitePages(sitePorts(signal, deps), { start, prefix, maxPages: pagesMax });
  await deps.follows.foundPages(id, { ways: found.ways, leftOut: found.leftOut });
  return deps.roundPages.add(
    id,
    found.pages.map(({ url: page, via, names }) => ({ key: toPageKey(page), url: page, via, names })),
  );
}

/** Records for the user that the site's lists are skipped, because the Worker was killed twice while reading them. */
export async function recordSkippedDiscovery(
  { id, found }: Follow,
  { follows }: Pick<FindPagesDeps, 'follows'>,
): Promise<void> {
  const leftOut = found.leftOut.filter(({ reason }) => reason !== SKIPPED);
  await follows.foundPages(id, { ways: found.ways, leftOut: [...leftOut, { reason: SKIPPED, count: 1 }] });
}

const SKIPPED = 'lists of pages that crashed the server twice; the next rounds skip them';

/** Access to the site for discovery. Each request passes the address gate, robots.txt and the host's rate limit. */
function sitePorts(signal: AbortSignal, deps: FindPagesDeps): DiscoverPorts {
  return {
    fetch: async (url, maxBytes) => {
      try {
        const answered = await runAtHostPace(url, signal, deps, () =>
          load(canonicalizeUrl(url), maxBytes, signal, deps),
        );
        return 'value' in answered ? answered.value : { missing: 'failed' };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof PeriscopeError)) throw error;
        return { missing: WHY_MISSING.get(error.failure.code) ?? 'failed' };
      }
    },
    rules: async (origin) => {
      const time = { signal, deadlineAt: deps.now() + deps.net.policy.timeoutMs };
      try {
        await checkUrl(origin, deps.net, signal);
        return deps.net.policy.respectRobots ? await loadRobots(origin, time, deps.net) : ALL_OPEN;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PeriscopeError) return ALL_CLOSED;
        throw error;
      }
    },
    inTurn: (work) => deps.inTurn(signal, work),
    signal,
  };
}

const ALL_OPEN = () => ({ isAllowed: true, bytes: 0 });
const ALL_CLOSED = () => ({ isAllowed: false, bytes: 0 });

const WHY_MISSING: ReadonlyMap<FailureCode, 'disallowed' | 'too large'> = new Map([
  ['robots_disallowed', 'disallowed'],
  ['ssrf_blocked', 'disallowed'],
  ['too_large', 'too large'],
]);
const OK = 200;
const ABSENT: readonly number[] = [404, 410];

async function load(
  url: string,
  limitBytes: number,
  signal: AbortSignal,
  { net, now }: HostPaceDeps,
): ReturnType<DiscoverPorts['fetch']> {
  const { timeoutMs, userAgent, respectRobots } = net.policy;
  const deadlineAt = now() + timeoutMs;
  const { answer, finalUrl } = await withDeadline({ ms: timeoutMs, what: 'Looking for pages', url }, signal, (late) => {
    const time = { signal: late, deadlineAt };
    const approve = async (hop: string) => {
      if (respectRobots) await checkRobots(hop, time, net);
    };
    const headers = { 'user-agent': userAgent, accept: '*/*' };
    return followRedirects({ canonicalUrl: url, headers, approve, limitBytes, onOverflow: () => 'fail' }, time, net);
  });
  if (answer.status === OK) return { url: finalUrl, bytes: answer.bytes };
  return { missing: ABSENT.includes(answer.status) ? 'absent' : 'failed' };
}
