import { inShares } from '#core/flow/turns.ts';
import type { Steps } from '#core/flow/turns.ts';
import { failureIn } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { messageOf } from '#core/failures/describe-failure.ts';
import { DOCUMENT_HOLD_STEP_MS, HOUR_MS } from '#core/limits.ts';
import { forbidsAiInput } from '#net/robots/content-signals.ts';
import { openPage } from '#reading/open/open-page.ts';
import type { OpenPageDeps, OpenResult } from '#reading/opened.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import type { Follow, PageOutcome } from '#storage/library/follows.ts';
import type { FollowedPage, RoundPages, ToldChange, WrittenPage } from '#storage/library/round-pages.ts';
import { atHost } from './at-host.ts';
import type { HostDeps } from './at-host.ts';
import { toldBlocks } from './told-blocks.ts';
import { linksInside, linksOfLines } from './discovery/links.ts';
import { pageKey } from './discovery/page-key.ts';
import { MISSING_ROUNDS_MAX, WHOLE_ROUND_EVERY } from './limits.ts';

export type RoundDeps = OpenPageDeps & HostDeps & { roundPages: RoundPages; documents: DocumentStore };

/** What a round looks at: what is followed, as its round began. */
export type Round = Pick<
  Follow,
  'id' | 'scope' | 'prefix' | 'contains' | 'round' | 'everyHours' | 'varying' | 'pagesMax'
>;

/** What came of the page, how long its host wants to be left alone (ms), or `null` when it is no longer followed. */
export type Checked = { outcome: PageOutcome } | { waitMs: number } | null;

/**
 * Reads one page in a round, in its turn at its host, and writes what came of it. Once it is written, the same again reads
 * and writes nothing. Of a page that is as it was, nothing is written.
 * @throws {PeriscopeError} what another try may overcome
 */
export async function checkPage(round: Round, key: string, signal: AbortSignal, deps: RoundDeps): Promise<Checked> {
  const page = await deps.roundPages.find(round.id, key);
  if (page === null) return null;
  if (page.writtenRound === round.round && page.outcome !== null) return { outcome: page.outcome };
  if (page.problem === SKIPPED && !isWholeRound(round.round)) return { outcome: 'closed' };
  const answered = await atHost(page.url, signal, deps, () => read(page, round, signal, deps));
  if ('waitMs' in answered) return answered;
  const { written, told, found } = await judge(page, answered.value, round, signal, deps);
  // Links first: were the page written without them, nobody would look at them again.
  if (found.length > 0) await deps.roundPages.add(round.id, found);
  if (isNews(page, written)) await deps.roundPages.write(page, round.round, written, told);
  return { outcome: written.outcome ?? 'same' };
}

/** For a page that was in work when the Worker was ended, and again after that: it is not read, and its person is told. */
export async function skipPage(round: Round, key: string, deps: RoundDeps): Promise<Checked> {
  const page = await deps.roundPages.find(round.id, key);
  if (page === null) return null;
  const { written, told } = ofClosed(page, SKIPPED, null, deps);
  await deps.roundPages.write(page, round.round, written, told);
  return { outcome: 'closed' };
}

const SKIPPED = 'Reading this page crashed the server twice, so some rounds skip it.';

type Reading = { opened: OpenResult } | { missing: true } | { closed: string } | { failed: string };

async function read(page: FollowedPage, round: Round, signal: AbortSignal, deps: RoundDeps): Promise<Reading> {
  const isFirst = page.documentId === null;
  const request = {
    requestedUrl: page.url,
    mode: 'auto',
    isRound: true,
    holdUntil: deps.now() + HOUR_MS + DOCUMENT_HOLD_STEP_MS,
    refresh: isWholeRound(round.round),
    // To begin with, a copy that others have opened lately does: the site need not send it again.
    ...(isFirst ? {} : { maxAgeMs: 0 }),
  } as const;
  try {
    return { opened: await openPage(request, signal, deps) };
  } catch (error) {
    const failure = failureIn(error);
    if (failure === null || isTransient(failure)) throw error;
    return ofFailure(failure);
  }
}

/** Some sites confirm what is no longer true, so now and then pages are read whole. */
export function isWholeRound(round: number): boolean {
  return round % WHOLE_ROUND_EVERY === 0;
}

/** Another try may overcome it. */
function isTransient(failure: Failure): boolean {
  switch (failure.code) {
    case 'http_error':
      return failure.statusCode >= 500 || failure.statusCode === 429;
    case 'fetch_failed':
    case 'timeout':
    case 'overloaded':
    case 'unavailable':
    case 'cache_error':
      return true;
    default:
      return false;
  }
}

const NOT_FOUND = 404;
const GONE = 410;

function ofFailure(failure: Failure): Reading {
  if (failure.code === 'skipped') return { closed: SKIPPED };
  if (failure.code === 'http_error' && [NOT_FOUND, GONE].includes(failure.statusCode)) return { missing: true };
  return isRefused(failure) ? { closed: messageOf(failure) } : { failed: messageOf(failure) };
}

/** By us or by its site: it is not public any more. A wall against programs may be gone in the next round. */
function isRefused(failure: Failure): boolean {
  if (failure.code === 'challenge_page') return failure.kind === 'login_wall';
  return failure.code === 'robots_disallowed' || failure.code === 'ssrf_blocked';
}

/** `found`: pages that it links to. */
type Judged = { written: WrittenPage; told: ToldChange | null; found: FoundByLink[] };
type FoundByLink = { key: string; url: string; via: string };

async function judge(
  page: FollowedPage,
  reading: Reading,
  round: Round,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<Judged> {
  if ('failed' in reading) return { written: { ...asItWas(page), outcome: 'failed' }, told: null, found: [] };
  if ('missing' in reading) return ofMissing(page, deps);
  if ('closed' in reading) return ofClosed(page, reading.closed, null, deps);
  const closed = await whyClosed(page, reading.opened, round, signal, deps);
  if (closed !== null) return ofClosed(page, closed, reading.opened.shownUrl, deps);
  return ofOpened(page, reading.opened, round, signal, deps);
}

function asItWas({ documentId, finalUrl, title, state, problem, missing }: FollowedPage) {
  return { documentId, finalUrl, title, state, problem, missing };
}

type More = Partial<Pick<ToldChange, 'movedTo' | 'title' | 'problem' | 'after' | 'blocks'>>;

function toldOf(
  { url, title, documentId }: FollowedPage,
  kind: ToldChange['kind'],
  more: More,
  at: number,
): ToldChange {
  const nothing = { movedTo: null, problem: null, after: null, blocks: [] };
  return { kind, url, title, before: documentId, ...nothing, ...more, at };
}

/** A site may be down for an hour, so a page is gone when it was missing in rounds in a row. */
function ofMissing(page: FollowedPage, { now }: RoundDeps): Judged {
  const missing = page.missing + 1;
  if (missing < MISSING_ROUNDS_MAX || page.state === 'gone') {
    return {
      written: { ...asItWas(page), missing: Math.min(missing, MISSING_ROUNDS_MAX), outcome: 'missing' },
      told: null,
      found: [],
    };
  }
  const told = page.state === 'stored' ? toldOf(page, 'gone', {}, now()) : null;
  return { written: { ...asItWas(page), missing, state: 'gone', outcome: 'gone' }, told, found: [] };
}

/** @param readAt where it was read, if it could be */
function ofClosed(page: FollowedPage, problem: string, readAt: string | null, { now }: RoundDeps): Judged {
  const written = { ...asItWas(page), state: 'closed', problem, outcome: 'closed' } as const;
  if (page.state !== 'stored') return { written, told: null, found: [] };
  const movedTo = readAt !== null && isElsewhere(page, readAt) ? readAt : null;
  const told = toldOf(page, movedTo === null ? 'closed' : 'moved', { movedTo, problem }, now());
  return { written, told, found: [] };
}

async function ofOpened(
  page: FollowedPage,
  { document, shownUrl: url, lines }: OpenResult,
  round: Round,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<Judged> {
  const { id, title, lineCount } = document;
  const kept = { documentId: id, finalUrl: url, title, state: 'stored', problem: null, missing: 0 } as const;
  const before = page.documentId;
  const isOther = before !== id;
  const now = isOther ? (lines ?? (await deps.documents.readLines(id, 0, lineCount - 1))) : [];
  const found = isOther && round.scope === 'site' ? await linkedPages(now, round, signal, deps) : [];
  const judged = (outcome: PageOutcome, kind: ToldChange['kind'] | null, more: More = {}): Judged => {
    const told = kind === null ? null : toldOf(page, kind, { title, after: id, ...more }, deps.now());
    return { written: { ...kept, outcome }, told, found };
  };
  if (before === null) return judged('first', round.round > 1 ? 'new' : null);
  if (page.state === 'gone') return judged('changed', 'new');
  const blocks = isOther ? await toldBlocks(before, { document, lines: now }, round, signal, deps) : [];
  if (isElsewhere(page, url)) return judged('moved', 'moved', { movedTo: url, blocks });
  return blocks.length === 0 ? judged('same', null) : judged('changed', 'changed', { blocks });
}

function isElsewhere({ finalUrl }: FollowedPage, url: string): boolean {
  return finalUrl !== null && pageKey(finalUrl) !== pageKey(url);
}

const PRIVATE = 'Its response is for one user only, and only public pages are followed.';
const AI_INPUT = 'The site asks not to feed the page to AI models (Content-Signal: ai-input=no).';
const SEARCH = 'The site asks that the page is in no search index (Content-Signal: search=no).';
const NOINDEX = 'The page asks not to be indexed (noindex).';
const OUTSIDE = 'It redirects to an address outside of the followed site.';
const TWICE = 'It redirects to another followed page.';

/** Why a page that could be read is not followed, in our words; `null` when it is. */
async function whyClosed(
  page: FollowedPage,
  opened: OpenResult,
  round: Round,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<string | null> {
  const refused = refusedByPage(opened, deps);
  if (refused !== null) return refused;
  if (round.scope === 'page') return null;
  if (!opened.shownUrl.startsWith(round.prefix)) return OUTSIDE;
  const { canonical } = opened.snapshot.meta;
  const isTwice =
    pageKey(opened.shownUrl) !== page.key
      ? await isFollowedAt(opened.shownUrl, page, round, deps)
      : typeof canonical === 'string' && (await isSameAt(canonical, page, opened, round, signal, deps));
  return isTwice ? TWICE : null;
}

/** Where it leads to is followed; from its first reading on, if it was not known before. */
async function isFollowedAt(url: string, page: FollowedPage, round: Round, deps: RoundDeps): Promise<boolean> {
  const key = pageKey(url);
  if ((await deps.roundPages.find(round.id, key)) !== null) return true;
  // Later, a page has moved, and is told of as such.
  if (page.documentId !== null) return false;
  return (await deps.roundPages.add(round.id, [{ key, url, via: page.via }])) > 0;
}

/**
 * The page names another address for itself, and says the same there. Some sites name one address for all of their pages, so that is
 * looked at, once.
 */
async function isSameAt(
  canonical: string,
  page: FollowedPage,
  { document }: OpenResult,
  round: Round,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<boolean> {
  const key = pageKey(canonical);
  if (key === page.key || !canonical.startsWith(round.prefix)) return false;
  const other = await deps.roundPages.find(round.id, key);
  if (other !== null && other.documentId !== null) return other.state === 'stored' && other.documentId === document.id;
  if (page.documentId !== null) return false;
  const request = {
    requestedUrl: canonical,
    mode: 'auto',
    isRound: true,
    holdUntil: deps.now() + HOUR_MS + DOCUMENT_HOLD_STEP_MS,
  } as const;
  const there = await atHost(canonical, signal, deps, () => openPage(request, signal, deps)).catch(notThere);
  if (!('value' in there) || there.value.document.id !== document.id || pageKey(there.value.shownUrl) !== key)
    return false;
  return other !== null || (await deps.roundPages.add(round.id, [{ key, url: canonical, via: page.via }])) > 0;
}

function notThere(error: unknown): { waitMs: number } {
  if (failureIn(error) === null) throw error;
  return { waitMs: 0 };
}

/** Why a page is not followed that can be read, as far as it says so itself. */
export function refusedByPage(
  { isPrivate, snapshot }: Pick<OpenResult, 'isPrivate' | 'snapshot'>,
  { net }: Pick<OpenPageDeps, 'net'>,
): string | null {
  if (isPrivate) return PRIVATE;
  const { noindex, preferences, isUnindexed } = snapshot.meta;
  if (noindex.includes('noindex') || noindex.includes('none')) return NOINDEX;
  if (!net.policy.respectSignals || preferences === undefined) return null;
  if (forbidsAiInput(preferences)) return AI_INPUT;
  return isUnindexed === true ? SEARCH : null;
}

function linkedPages(
  lines: readonly string[],
  { prefix, pagesMax }: Round,
  signal: AbortSignal,
  { inTurn }: RoundDeps,
): Promise<FoundByLink[]> {
  const steps = function* (): Steps<FoundByLink[]> {
    // The store leaves out those that are known, and takes no more than twice as many as are followed.
    const { pages } = yield* linksInside(yield* linksOfLines(lines), prefix, [], 4 * pagesMax);
    return pages.map((url) => ({ key: pageKey(url), url, via: 'links' }));
  };
  return inTurn(signal, (pause) => inShares(steps(), pause));
}

/** `same` and `failed` are no news by themselves. */
function isNews(page: FollowedPage, written: WrittenPage): boolean {
  const { documentId, finalUrl, state, missing } = written;
  if (written.outcome === 'failed') return false;
  const isSame = page.documentId === documentId && page.finalUrl === finalUrl && page.state === state;
  return !isSame || page.missing !== missing;
}
