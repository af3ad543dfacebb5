import { headingLevel } from '#core/document/document.ts';
import { runWithPauses } from '#core/flow/turns.ts';
import type { WorkSteps, RunWithCpuLock } from '#core/flow/turns.ts';
import { findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { OPENED_DOCUMENT_PIN_EXTRA_MS, HOUR_MS } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { readableText } from '#core/text/visible-text.ts';
import { forbidsAiInput } from '#net/robots/content-signals.ts';
import { openPage } from '#reading/open/open-page.ts';
import type { OpenPageDeps, OpenResult } from '#reading/opened.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import type { Follow, PageOutcome } from '#storage/library/follows.ts';
import type {
  ChangedBlock,
  FollowedPage,
  RoundPages,
  NewChange,
  RoundPageUpdate,
} from '#storage/library/round-pages.ts';
import { runAtHostPace } from './at-host.ts';
import type { HostPaceDeps } from './at-host.ts';
import { findReportedBlocks, readWholeDocument } from './changes.ts';
import { linksInsideSite, linksOfLines, toPageKey } from './discovery/links.ts';
import type { Document } from '#core/document/document.ts';
import { divideMainPartIntoBlocks } from '#library/compare/blocks.ts';
import type { DocumentLines } from '#library/compare/compare.ts';

/** Every seventh check fetches pages unconditionally, because some sites respond 304 although a page has changed. */
const WHOLE_ROUND_EVERY = 7;
/** Checks in which a page must be missing, with no read in between, to count as gone: a site may fail for an hour. */
const MISSING_ROUNDS_MAX = 2;

export type RoundDeps = OpenPageDeps & HostPaceDeps & { roundPages: RoundPages; documents: DocumentStore };

/** The fields of a followed page or site that a check needs, with their values at the start of the check. */
export type RoundTarget = Pick<
  Follow,
  'id' | 'scope' | 'prefix' | 'contains' | 'round' | 'everyHours' | 'varying' | 'pagesMax'
>;

/** The outcome of the page, or the time (ms) to wait for its host; `null` if the page is no longer followed. */
export type PageCheckResult = { outcome: PageOutcome } | { waitMs: number } | null;

/**
 * Checks one page within its host's rate limit, and records the outcome. A repeated call finds a written outcome and
 * does nothing. An unchanged page is not written, so a repeated call checks it again.
 * @throws {PeriscopeError} a failure that a retry may overcome
 */
export async function checkFollowedPage(
  round: RoundTarget,
  key: string,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<PageCheckResult> {
  const page = await deps.roundPages.find(round.id, key);
  if (page === null) return null;
  if (page.writtenRound === round.round && page.outcome !== null) return { outcome: page.outcome };
  if (page.problem === SKIPPED && !isFullFetchRound(round.round)) return { outcome: 'closed' };
  const answered = await runAtHostPace(page.url, signal, deps, () => read(page, round, signal, deps));
  if ('waitMs' in answered) return answered;
  const { written, told, found, renamed = null } = await judge(page, answered.value, round, signal, deps);
  // Links are stored first, because an interrupted step that has stored the page would not read its links again.
  if (found.length > 0) await deps.roundPages.add(round.id, found);
  if (isNews(page, written)) await deps.roundPages.write(page, round.round, written, told, renamed);
  return { outcome: written.outcome ?? 'same' };
}

/** Records that a page is skipped because the Worker was killed twice while reading it. The user sees the reason. */
export async function recordSkippedPage(round: RoundTarget, key: string, deps: RoundDeps): Promise<PageCheckResult> {
  const page = await deps.roundPages.find(round.id, key);
  if (page === null) return null;
  const { written, told } = ofClosed(page, SKIPPED, null, deps);
  await deps.roundPages.write(page, round.round, written, told);
  return { outcome: 'closed' };
}

const SKIPPED = 'Reading this page crashed the server twice, so some rounds skip it.';

type Reading = { opened: OpenResult } | { missing: true } | { closed: string } | { failed: string };

async function read(page: FollowedPage, round: RoundTarget, signal: AbortSignal, deps: RoundDeps): Promise<Reading> {
  const isFirst = page.documentId === null;
  const request = {
    requestedUrl: page.url,
    mode: 'auto',
    isRound: true,
    holdUntil: deps.now() + HOUR_MS + OPENED_DOCUMENT_PIN_EXTRA_MS,
    refresh: isFullFetchRound(round.round),
    // The first check accepts a recently stored copy, to save the site a request.
    ...(isFirst ? {} : { maxAgeMs: 0 }),
  } as const;
  try {
    return { opened: await openPage(request, signal, deps) };
  } catch (error) {
    const failure = findFailure(error);
    if (failure === null || isTransient(failure)) throw error;
    return ofFailure(failure);
  }
}

/** True for a check that fetches pages unconditionally (see `WHOLE_ROUND_EVERY`). */
export function isFullFetchRound(round: number): boolean {
  return round % WHOLE_ROUND_EVERY === 0;
}

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
  return isRefused(failure) ? { closed: failureMessage(failure) } : { failed: failureMessage(failure) };
}

/** True if the rules of this server or of the site forbid reading the page, or if the site requires a sign-in. */
function isRefused(failure: Failure): boolean {
  if (failure.code === 'challenge_page') return failure.kind === 'login_wall';
  return failure.code === 'robots_disallowed' || failure.code === 'ssrf_blocked';
}

/** Result of checking a page. */
type Judged = {
  written: RoundPageUpdate;
  /** The change to report; `null` for none. */
  told: NewChange | null;
  /** Pages to which the page links. */
  found: FoundByLink[];
  /** The same page at its old URL. */
  renamed?: FollowedPage | null;
};
type FoundByLink = { key: string; url: string; via: string };

async function judge(
  page: FollowedPage,
  reading: Reading,
  round: RoundTarget,
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

type More = Partial<Pick<NewChange, 'movedTo' | 'title' | 'problem' | 'after' | 'blocks'>>;

function toldOf({ url, title, documentId }: FollowedPage, kind: NewChange['kind'], more: More, at: number): NewChange {
  const nothing = { movedTo: null, problem: null, after: null, blocks: [] };
  return { kind, url, title, before: documentId, ...nothing, ...more, at };
}

/** A missing page is gone only after several checks with no read in between: a site may respond 404 for an hour. */
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

/** @param readAt the URL at which the page was read; `null` if it could not be read */
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
  round: RoundTarget,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<Judged> {
  const { id, title, lineCount } = document;
  const kept = { documentId: id, finalUrl: url, title, state: 'stored', problem: null, missing: 0 } as const;
  const before = page.documentId;
  const isOther = before !== id;
  const isBack = page.state === 'gone';
  const now = isOther || isBack ? (lines ?? (await deps.documents.readLines(id, 0, lineCount - 1))) : [];
  const found = isOther && round.scope === 'site' ? await linkedPages(now, round, signal, deps) : [];
  const judged = (outcome: PageOutcome, kind: NewChange['kind'] | null, more: More = {}): Judged => {
    const told = kind === null ? null : toldOf(page, kind, { title, after: id, ...more }, deps.now());
    return { written: { ...kept, outcome }, told, found };
  };
  if (before === null && round.round === 1) return judged('first', null);
  if (before === null) {
    const place = { follow: round.id, round: round.round, url };
    const renamed = await renamedFrom({ document, lines: now }, place, signal, deps);
    if (renamed === null || renamed.documentId === null) return judged('first', 'new', { blocks: firstBlock(now) });
    const blocks = await findReportedBlocks(renamed.documentId, { document, lines: now }, round, signal, deps);
    const told = toldOf(renamed, 'moved', { title, movedTo: url, after: id, blocks }, deps.now());
    return { written: { ...kept, outcome: 'first' }, told, found, renamed };
  }
  if (isBack) return judged('changed', 'new', { blocks: firstBlock(now) });
  const blocks = isOther ? await findReportedBlocks(before, { document, lines: now }, round, signal, deps) : [];
  if (isElsewhere(page, url)) return judged('moved', 'moved', { movedTo: url, blocks });
  return blocks.length === 0 ? judged('same', null) : judged('changed', 'changed', { blocks });
}

const FIRST_LINE_CHARS_MAX = 500;

/** The first line of a new page that is not a heading, to be shown as its change. */
function firstBlock(lines: readonly string[]): ChangedBlock[] {
  const at = lines.findIndex((line) => line.trim() !== '' && headingLevel(line) === 0);
  const line = lines[at];
  if (line === undefined) return [];
  const text = oneLine(readableText(line), FIRST_LINE_CHARS_MAX);
  const words: ChangedBlock['words'] = text === '' ? [] : [{ kind: 'new', text }];
  return [{ kind: 'added', before: null, after: { first: at, last: at }, section: null, head: null, words }];
}

function isElsewhere({ finalUrl }: FollowedPage, url: string): boolean {
  return finalUrl !== null && toPageKey(finalUrl) !== toPageKey(url);
}

const PRIVATE = 'Its response is for one user only, and only public pages are followed.';
const AI_INPUT = 'The site asks not to feed the page to AI models (Content-Signal: ai-input=no).';
const SEARCH = 'The site asks that the page is in no search index (Content-Signal: search=no).';
const NOINDEX = 'The page asks not to be indexed (noindex).';
const OUTSIDE = 'It redirects to an address outside of the followed site.';
const TWICE = 'It redirects to another followed page.';

/** The reason not to follow a page that could be read; `null` if it may be followed. */
async function whyClosed(
  page: FollowedPage,
  opened: OpenResult,
  round: RoundTarget,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<string | null> {
  const refused = findFollowedPageRefusal(opened, deps);
  if (refused !== null) return refused;
  if (round.scope === 'page') return null;
  if (!opened.shownUrl.startsWith(round.prefix)) return OUTSIDE;
  const { canonical } = opened.snapshot.meta;
  const isTwice =
    toPageKey(opened.shownUrl) !== page.key
      ? await isFollowedAt(opened.shownUrl, page, round, deps)
      : typeof canonical === 'string' && (await isSameAt(canonical, page, opened, round, signal, deps));
  return isTwice ? TWICE : null;
}

/** True if the target of a redirect is also followed. At the first check, an unknown target is added to the site. */
async function isFollowedAt(url: string, page: FollowedPage, round: RoundTarget, deps: RoundDeps): Promise<boolean> {
  const key = toPageKey(url);
  if ((await deps.roundPages.find(round.id, key)) !== null) return true;
  // After the first check, a redirect means that the page has moved, which is reported as a change.
  if (page.documentId !== null) return false;
  return (await deps.roundPages.add(round.id, [{ key, url, via: page.via }])) > 0;
}

/** True if the canonical URL leads to the same text. Some sites declare one canonical URL for all their pages. */
async function isSameAt(
  canonical: string,
  page: FollowedPage,
  { document }: OpenResult,
  round: RoundTarget,
  signal: AbortSignal,
  deps: RoundDeps,
): Promise<boolean> {
  const key = toPageKey(canonical);
  if (key === page.key || !canonical.startsWith(round.prefix)) return false;
  const other = await deps.roundPages.find(round.id, key);
  if (other !== null && other.documentId !== null) return other.state === 'stored' && other.documentId === document.id;
  if (page.documentId !== null) return false;
  const request = {
    requestedUrl: canonical,
    mode: 'auto',
    isRound: true,
    holdUntil: deps.now() + HOUR_MS + OPENED_DOCUMENT_PIN_EXTRA_MS,
  } as const;
  const there = await runAtHostPace(canonical, signal, deps, () => openPage(request, signal, deps)).catch(notThere);
  if (!('value' in there) || there.value.document.id !== document.id || toPageKey(there.value.shownUrl) !== key)
    return false;
  return other !== null || (await deps.roundPages.add(round.id, [{ key, url: canonical, via: page.via }])) > 0;
}

function notThere(error: unknown): { waitMs: number } {
  if (findFailure(error) === null) throw error;
  return { waitMs: 0 };
}

/** The reason not to follow a private page, or one that forbids it itself, as by `noindex`; `null` for other pages. */
export function findFollowedPageRefusal(
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
  { prefix, pagesMax }: RoundTarget,
  signal: AbortSignal,
  { inTurn }: RoundDeps,
): Promise<FoundByLink[]> {
  const steps = function* (): WorkSteps<FoundByLink[]> {
    // Twice what the store accepts (`2 * pagesMax`), because the store first drops pages that are already known.
    const { pages } = yield* linksInsideSite(yield* linksOfLines(lines), prefix, [], 4 * pagesMax);
    return pages.map((url) => ({ key: toPageKey(url), url, via: 'links' }));
  };
  return inTurn(signal, (pause) => runWithPauses(steps(), pause));
}

/** True if the outcome must be written. False for an unchanged page, and for a page that could not be read. */
function isNews(page: FollowedPage, written: RoundPageUpdate): boolean {
  const { documentId, finalUrl, state, missing } = written;
  if (written.outcome === 'failed') return false;
  const isSame = page.documentId === documentId && page.finalUrl === finalUrl && page.state === state;
  return !isSame || page.missing !== missing;
}

/** Minimum share of common text, in characters, for a new page to count as an old page with a new URL. */
const SAME_TEXT_MIN = 0.8;
/** Minimum characters of the longer page to be compared. Short ones, such as "No news yet.", may be alike by chance. */
const TEXT_CHARS_MIN = 120;

type RenamedDeps = { roundPages: RoundPages; documents: DocumentStore; inTurn: RunWithCpuLock };

/**
 * Finds the old entry of a page that got a new URL. Either this round reported that the old entry redirects to the
 * page, or the old entry is missing and had most of the same text.
 * @returns `null` if the page is really new
 */
async function renamedFrom(
  { document, lines }: { document: Document; lines: readonly string[] },
  { follow, round, url }: { follow: string; round: number; url: string },
  signal: AbortSignal,
  { roundPages, documents, inTurn }: RenamedDeps,
): Promise<FollowedPage | null> {
  const redirected = await roundPages.movedTo(follow, round, url);
  if (redirected !== null) return redirected;
  const now = { lines, restStart: document.restStart };
  for (const page of await roundPages.missing(follow, round, document)) {
    const old = page.documentId === null ? null : await readWholeDocument(page.documentId, documents);
    if (old === null) continue;
    const share = await inTurn(signal, (pause) => runWithPauses(sameText(old, now), pause));
    if (share >= SAME_TEXT_MIN) return page;
  }
  return null;
}

/** Share of the text that both main parts have in common, relative to the longer one; 0 if there is too little text. */
function* sameText(old: DocumentLines, now: DocumentLines): WorkSteps<number> {
  const before = yield* divideMainPartIntoBlocks(old);
  const after = yield* divideMainPartIntoBlocks(now);
  const left = new Map<string, number>();
  for (const { key } of before) left.set(key, (left.get(key) ?? 0) + 1);
  let same = 0;
  for (const { key, text } of after) {
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    left.set(key, count - 1);
    same += text.length;
  }
  const longer = Math.max(charsOf(before), charsOf(after));
  return longer < TEXT_CHARS_MIN ? 0 : same / longer;
}

function charsOf(blocks: readonly { text: string }[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}
