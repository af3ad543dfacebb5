import { fail } from '#core/failures/failure.ts';
import { HOUR_MS } from '#core/limits.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { canonicalUrl, safeUrl } from '#net/fetch/canonical-url.ts';
import { openPage } from '#reading/open/open-page.ts';
import type { OpenResult } from '#reading/opened.ts';
import { within } from '#core/flow/abort.ts';
import type { Follow, FollowStore, PageBudget, PageCounts } from '#storage/library/follows.ts';
import { atHost, pauseAt } from './at-host.ts';
import { findPages } from './find-pages.ts';
import { pageKey } from './discovery/page-key.ts';
import { refusedByPage } from './round.ts';
import type { RoundDeps } from './round.ts';
import { DISCOVERY_MS_MAX, FOLLOWS_PER_PERSON_MAX } from './limits.ts';

export type FollowRequest = {
  url: string;
  scope: Follow['scope'];
  pagesMax: number;
  everyHours: number;
  contains: string | null;
};

/** Rounds as the platform carries them; both may be asked for twice. */
export type Runs = {
  begin: (run: string, round: { follow: string; round: number; origin: string }) => Promise<void>;
  end: (run: string) => Promise<void>;
  /** Not when it does not know the run. */
  hasEnded: (run: string) => Promise<boolean>;
};

export type FollowDeps = RoundDeps & {
  follows: FollowStore;
  runs: Runs;
  origin: string;
  pageBudget: PageBudget;
};

/** What is followed, as a person or a model is told of it. */
export type FollowState = {
  follow: Follow;
  pages: PageCounts;
  /** ms between two requests to its host. */
  pauseMs: number;
  taken: { ofPerson: number; limit: number };
  isNew: boolean;
};

/**
 * Follows a page or a site from now on, or tells how far it is; other terms than before take the place of the old ones.
 * @throws {PeriscopeError} what opening the page throws; `not_followed` when it may not be followed; `follow_limit`
 */
export async function follow(request: FollowRequest, signal: AbortSignal, deps: FollowDeps): Promise<FollowState> {
  const url = canonicalUrl(request.url);
  const known = await deps.follows.find(deps.subject, url, request.scope);
  if (known !== null) return again(known, request, signal, deps);
  const opened = await firstLook(url, signal, deps);
  const start = request.scope === 'site' ? opened.url : url;
  const added = await add(url, opened, request, deps);
  await deps.roundPages.add(added.id, [{ key: pageKey(start), url: start, via: 'asked' }]);
  if (request.scope === 'site') await findInTime(added, signal, deps);
  await beginRound(added, deps);
  return stateOf(added, true, signal, deps);
}

/** What it has not found by then, links and the next round find. */
async function findInTime(added: Follow, signal: AbortSignal, deps: FollowDeps): Promise<void> {
  const controller = new AbortController();
  const either = AbortSignal.any([signal, controller.signal]);
  const looking = findPages(added, either, deps).catch((error: unknown) => {
    if (!either.aborted) throw error;
  });
  await within(looking, DISCOVERY_MS_MAX, signal);
  controller.abort();
}

/** @returns what is not followed any more, `null` when it was not */
export async function unfollow(
  url: string,
  scope: Follow['scope'],
  deps: Pick<FollowDeps, 'follows' | 'runs' | 'subject'>,
): Promise<Follow | null> {
  const known = await deps.follows.find(deps.subject, canonicalUrl(url), scope);
  if (known === null) return null;
  await endFollow(known, deps);
  return known;
}

export async function endFollow(known: Follow, { follows, runs }: Pick<FollowDeps, 'follows' | 'runs'>): Promise<void> {
  await follows.remove(known.subject, known.id);
  if (known.run !== null) await runs.end(known.run);
}

async function again(
  known: Follow,
  request: FollowRequest,
  signal: AbortSignal,
  deps: FollowDeps,
): Promise<FollowState> {
  const { everyHours, contains } = request;
  const isOther = known.everyHours !== everyHours || known.contains !== contains;
  if (isOther) await deps.follows.change(known.id, { everyHours, contains });
  // A call that was killed before its first round began.
  if (known.round === 0) await beginRound(known, deps);
  return stateOf(known, false, signal, deps);
}

async function stateOf(known: Follow, isNew: boolean, signal: AbortSignal, deps: FollowDeps): Promise<FollowState> {
  const { follows, subject, pageBudget } = deps;
  const [now, counts, taken, pauseMs] = await Promise.all([
    follows.find(subject, known.url, known.scope),
    follows.counts([known.id]),
    follows.pagesTaken(subject),
    pauseAt(known.url, signal, deps),
  ]);
  const pages = counts.get(known.id) ?? { new: 0, kept: 0, gone: 0, closed: 0 };
  return {
    follow: now ?? known,
    pages,
    pauseMs,
    taken: { ofPerson: taken.ofPerson, limit: pageBudget.ofPerson },
    isNew,
  };
}

async function firstLook(url: string, signal: AbortSignal, deps: FollowDeps): Promise<OpenResult> {
  const request = { url, mode: 'auto', holdUntil: deps.now() + HOUR_MS } as const;
  const answered = await atHost(url, signal, deps, () => openPage(request, signal, deps));
  if ('waitMs' in answered) {
    return fail({ code: 'host_busy', url: safeUrl(url), retryAfterSeconds: Math.ceil(answered.waitMs / 1000) });
  }
  const reason = refusedByPage(answered.value, deps);
  if (reason !== null) fail({ code: 'not_followed', url: safeUrl(url), reason });
  return answered.value;
}

async function add(url: string, opened: OpenResult, request: FollowRequest, deps: FollowDeps): Promise<Follow> {
  const { follows, subject, pageBudget, origin } = deps;
  const { scope, contains, everyHours } = request;
  const pagesMax = scope === 'page' ? 1 : request.pagesMax;
  const taken = await follows.pagesTaken(subject);
  if (taken.follows >= FOLLOWS_PER_PERSON_MAX) {
    fail({ code: 'follow_limit', of: 'follows', limit: FOLLOWS_PER_PERSON_MAX, left: 0 });
  }
  const id = `l_${randomBase64Url(ID_BYTES)}`;
  const { title } = opened.document;
  const prefix = scope === 'page' ? url : prefixOf(opened.url);
  const terms = { url, scope, prefix, contains, pagesMax, everyHours };
  const isThere = await follows.add({ id, subject, ...terms, origin, title, createdAt: deps.now() }, pageBudget);
  const added = await follows.find(subject, url, scope);
  if (isThere && added !== null) return added;
  const left = Math.max(0, pageBudget.ofPerson - taken.ofPerson);
  return left < pagesMax
    ? fail({ code: 'follow_limit', of: 'pages', limit: pageBudget.ofPerson, left })
    : fail({ code: 'follow_limit', of: 'deployment', limit: pageBudget.ofAll, left: 0 });
}

const ID_BYTES = 10;

/** The folder of an address: `/docs/intro.html` and `/docs/` are in `/docs/`, and so is `/docs`. */
export function prefixOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const folder = last === '' || last.includes('.') ? pathname.slice(0, pathname.length - last.length) : `${pathname}/`;
  return origin + folder;
}

/** The next round, unless one is under way. @returns whether it began */
export async function beginRound(
  known: Follow,
  { follows, runs, now }: Pick<FollowDeps, 'follows' | 'runs' | 'now'>,
): Promise<boolean> {
  const begun = await follows.beginRound(known, now());
  if (begun === null) return false;
  await runs.begin(begun.run, { follow: known.id, round: begun.round, origin: known.origin });
  return true;
}
