import { fail } from '#core/failures/failure.ts';
import { OPENED_DOCUMENT_PIN_EXTRA_MS, HOUR_MS } from '#core/limits.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { canonicalizeUrl, redactForFailure } from '#net/fetch/canonical-url.ts';
import { openPage } from '#reading/open/open-page.ts';
import type { OpenResult } from '#reading/opened.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import type {
  Follow,
  FollowBudget,
  FollowStore,
  FollowLookup,
  PageCounts,
  FollowUse,
} from '#storage/library/follows.ts';
import { runAtHostPace, loadHostPauseMs } from './at-host.ts';
import { discoverAndAddPages } from './find-pages.ts';
import { describeBeyondPagesMax, toPageKey } from './discovery/links.ts';
import { findFollowedPageRefusal } from './round.ts';
import type { RoundDeps } from './round.ts';
import { DISCOVERY_MS_MAX } from './limits.ts';

/** Maximum pages and sites that a user follows. Low enough for the user to review the list. */
const FOLLOWS_PER_PERSON_MAX = 200;

type FollowRequest = {
  url: string;
  scope: Follow['scope'];
  pagesMax: number;
  everyHours: number;
  contains: string | null;
};

/** Parameters of a round, one check of a followed page or site. `origin`: this server's URL as the user accesses it. */
export type RoundParams = { follow: string; round: number; origin: string };

/** Starts and ends workflow instances by their ID. Both calls are idempotent. */
export type WorkflowRuns = {
  begin: (run: string, round: RoundParams) => Promise<void>;
  end: (run: string) => Promise<void>;
  /** True if the workflow instance has ended; false if it is unknown. */
  hasEnded: (run: string) => Promise<boolean>;
};

export type FollowDeps = RoundDeps & {
  follows: FollowStore;
  runs: WorkflowRuns;
  origin: string;
  followBudget: FollowBudget;
};

export type FollowState = {
  follow: Follow;
  pages: PageCounts;
  /** Time in ms between two requests to the site's host. */
  pauseMs: number;
  taken: FollowUse;
  /** Pages found but not followed, by reason. */
  leftOut: readonly { reason: string; count: number }[];
  isNew: boolean;
  /** Number of parts of a long page. Only the first part is followed. */
  parts: number;
};

/**
 * Follows a page or site. If it is followed already, reports its state and applies new terms, such as the interval.
 * @throws {PeriscopeError} same errors as opening the page; `not_followed` if it may not be followed; `follow_limit`
 */
export async function followPage(request: FollowRequest, signal: AbortSignal, deps: FollowDeps): Promise<FollowState> {
  const url = canonicalizeUrl(request.url);
  const known = await deps.follows.look(deps.subject, url, request.scope);
  if (known.follow !== null) return again(known.follow, known, request, signal, deps);
  checkRoom(known.taken, request, deps);
  const opened = await firstLook(url, signal, deps);
  const [added, pauseMs] = await Promise.all([add(url, opened, request, deps), loadHostPauseMs(url, signal, deps)]);
  const { follow: one } = added;
  if (one.scope === 'page') {
    if (one.run !== null) await deps.runs.begin(one.run, { follow: one.id, round: one.round, origin: one.origin });
    return { ...stateOf(one, added, pauseMs, true), parts: opened.snapshot.meta.pages?.total ?? 1 };
  }
  await findInTime(one, signal, deps);
  await startRound(one, deps);
  const now = await deps.follows.look(deps.subject, url, request.scope);
  return stateOf(now.follow ?? one, now, pauseMs, true);
}

/** Stops discovery at the time limit. Pages not found by then are found by links, or by the next check. */
async function findInTime(added: Follow, signal: AbortSignal, deps: FollowDeps): Promise<void> {
  const controller = new AbortController();
  const either = AbortSignal.any([signal, controller.signal]);
  const looking = discoverAndAddPages(added, either, deps).catch((error: unknown) => {
    if (!either.aborted) throw error;
  });
  await resolveWithin(looking, DISCOVERY_MS_MAX, signal);
  controller.abort();
}

/** Stops following a page or site. @returns the removed record; `null` if there was none */
export async function unfollow(
  url: string,
  scope: Follow['scope'],
  deps: Pick<FollowDeps, 'follows' | 'runs' | 'subject'>,
): Promise<Follow | null> {
  const known = await deps.follows.find(deps.subject, canonicalizeUrl(url), scope);
  if (known === null) return null;
  await deleteFollow(known, deps);
  return known;
}

export async function deleteFollow(
  known: Follow,
  { follows, runs }: Pick<FollowDeps, 'follows' | 'runs'>,
): Promise<void> {
  await follows.remove(known.subject, known.id);
  if (known.run !== null) await runs.end(known.run);
}

async function again(
  known: Follow,
  looked: FollowLookup,
  request: FollowRequest,
  signal: AbortSignal,
  deps: FollowDeps,
): Promise<FollowState> {
  const { everyHours, contains } = request;
  const pauseMs = await loadHostPauseMs(known.url, signal, deps);
  const isOther = known.everyHours !== everyHours || known.contains !== contains;
  if (isOther) await deps.follows.change(known.id, { everyHours, contains });
  // The first check has not begun if the call that added the page or site was interrupted.
  const isBegun = known.round === 0 && (await startRound(known, deps));
  const now = isOther || isBegun ? await deps.follows.look(deps.subject, known.url, known.scope) : looked;
  return stateOf(now.follow ?? known, now, pauseMs, false);
}

function stateOf(known: Follow, { pages, taken }: FollowLookup, pauseMs: number, isNew: boolean): FollowState {
  const told = known.found.leftOut;
  const reason = describeBeyondPagesMax(known.pagesMax);
  const listed = told.find((one) => one.reason === reason)?.count ?? 0;
  // The two numbers may count the same pages, found by lists and by links, so they are not added.
  const most = Math.max(listed, pages.excluded);
  const others = told.filter((one) => one.reason !== reason);
  const leftOut = most === 0 ? others : [...others, { reason, count: most }];
  return { follow: known, pages, pauseMs, taken, leftOut, isNew, parts: 1 };
}

/**
 * Checks the limits. Called before the site is contacted, and again if the addition was refused.
 * @throws {PeriscopeError} `follow_limit`
 */
function checkRoom(taken: FollowUse, { scope, pagesMax }: FollowRequest, { followBudget }: FollowDeps): void {
  const { pages, bytes } = followBudget;
  const wanted = scope === 'page' ? 1 : pagesMax;
  if (taken.follows >= FOLLOWS_PER_PERSON_MAX) {
    fail({ code: 'follow_limit', of: 'follows', limit: FOLLOWS_PER_PERSON_MAX, left: 0 });
  }
  const left = Math.max(0, pages.ofPerson - taken.pages.ofPerson);
  if (wanted > left) fail({ code: 'follow_limit', of: 'pages', limit: pages.ofPerson, left });
  if (taken.pages.ofAll + wanted > pages.ofAll) {
    fail({ code: 'follow_limit', of: 'deployment', limit: pages.ofAll, left: 0 });
  }
  if (taken.bytes.ofPerson >= bytes.ofPerson)
    fail({ code: 'follow_limit', of: 'text', limit: bytes.ofPerson, left: 0 });
  if (taken.bytes.ofAll >= bytes.ofAll) fail({ code: 'follow_limit', of: 'all text', limit: bytes.ofAll, left: 0 });
}

async function firstLook(url: string, signal: AbortSignal, deps: FollowDeps): Promise<OpenResult> {
  const request = {
    requestedUrl: url,
    mode: 'auto',
    holdUntil: deps.now() + HOUR_MS + OPENED_DOCUMENT_PIN_EXTRA_MS,
  } as const;
  const answered = await runAtHostPace(url, signal, deps, () => openPage(request, signal, deps));
  if ('waitMs' in answered) {
    return fail({
      code: 'host_busy',
      url: redactForFailure(url),
      retryAfterSeconds: Math.ceil(answered.waitMs / 1000),
    });
  }
  const reason = findFollowedPageRefusal(answered.value, deps);
  if (reason !== null) fail({ code: 'not_followed', url: redactForFailure(url), reason });
  return answered.value;
}

async function add(
  url: string,
  opened: OpenResult,
  request: FollowRequest,
  deps: FollowDeps,
): Promise<FollowLookup & { follow: Follow }> {
  const { follows, subject, followBudget, origin } = deps;
  const { scope, contains, everyHours } = request;
  const isPage = scope === 'page';
  const pagesMax = isPage ? 1 : request.pagesMax;
  const id = `l_${randomBase64Url(ID_BYTES)}`;
  const { title } = opened.document;
  const prefix = isPage ? url : prefixOf(opened.shownUrl);
  const terms = { url, scope, prefix, contains, pagesMax, everyHours };
  const start = isPage ? url : opened.shownUrl;
  const added = await follows.add(
    { id, subject, ...terms, origin, title, createdAt: deps.now() },
    { key: toPageKey(start), url: start, via: 'asked' },
    { pages: followBudget.pages, isBegun: isPage },
  );
  if (added.follow !== null) return { ...added, follow: added.follow };
  // Other calls may have used up the space in the meantime.
  checkRoom(added.taken, request, deps);
  return fail({ code: 'follow_limit', of: 'deployment', limit: followBudget.pages.ofAll, left: 0 });
}

const ID_BYTES = 10;

/** The folder of a URL: `/docs/` for `/docs/intro.html`, `/docs/` and `/docs`. */
function prefixOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const folder = last === '' || last.includes('.') ? pathname.slice(0, pathname.length - last.length) : `${pathname}/`;
  return origin + folder;
}

/** Starts the next check of the page or site, unless one is running. @returns true if it started */
export async function startRound(
  known: Follow,
  { follows, runs, now }: Pick<FollowDeps, 'follows' | 'runs' | 'now'>,
): Promise<boolean> {
  const begun = await follows.beginRound(known, now());
  if (begun === null) return false;
  await runs.begin(begun.run, { follow: known.id, round: begun.round, origin: known.origin });
  return true;
}
