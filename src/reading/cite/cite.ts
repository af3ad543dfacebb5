import { citationPath } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { fail } from '#core/failures/failure.ts';
import { cutToBytes, createFence, oneLine, sha256Hex } from '#core/text/text.ts';
import { PATHS } from '#core/paths.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';
import { noPause } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { checkUrlWithoutDns } from '#net/fetch/gate.ts';
import { readShare } from '#storage/citations.ts';
import type { Audience, CitationStore, StoredCitation } from '#storage/citations.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import { findFenceAroundLine, findCitedSource, findNearestPassage } from './citation-page.ts';
import type { CitedSource } from '#core/document/citation.ts';
import { LineNormalizer, findQuote } from './quote-text.ts';
import type { FoundQuote } from './quote-text.ts';
import {
  CITATIONS_PER_SUBJECT_MAX,
  CITED_BYTES_PER_SUBJECT_MAX,
  QUOTE_CHARS_MAX,
  PUBLIC_LINKS_PER_SUBJECT_MAX,
} from '#reading/limits.ts';
import { sanitizeCursorForMessage } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';

/**
 * Maximum lines of a text that is searched immediately. For a longer text, the call waits for the isolate's CPU lock
 * (`inTurn`).
 */
const QUOTE_LINES_WITHOUT_TURN = 300;
/** Maximum bytes of the most similar passage that an error shows. It lets a model correct its quote. */
const NEAR_BYTES_MAX = 2_000;
/** Lines to show before and after a shared quote. */
const AROUND_LINES = 2;
/** Maximum characters of each line around a shared quote, and of the text before and after it in its own lines. */
const AROUND_CHARS_MAX = 300;
/** Random bytes of the ID in the URL of a shared quote. With 128 bits, the URL cannot be guessed. */
const SHARE_ID_BYTES = 16;

export type CiteDeps = ReaderDeps & {
  subject: string;
  citations: CitationStore;
  documents: DocumentStore;
  net: Pick<NetDeps, 'policy'>;
};

type CiteRequest = { cursor: string; quote: string; note?: string | undefined; share: boolean };

type CiteResult = { citation: StoredCitation; link: string; shareLink: string | null };

/**
 * Checks a quote against the page behind a cursor, and stores the quote.
 * @throws {PeriscopeError} `quote_not_found` if the page does not contain the quote; `invalid_argument` for a quote or
 *   cursor that cannot be cited; `unknown_cursor`; `citation_limit`; with `share` also the errors of {@link
 *   checkShareable}
 */
export async function citeQuote(request: CiteRequest, signal: AbortSignal, deps: CiteDeps): Promise<CiteResult> {
  const { cursor, quote, note, share } = request;
  checkQuote(quote);
  const source = await findCitedSource(cursor, deps);
  if (source === 'list') fail(NO_PAGE);
  if (typeof source === 'string') fail({ code: 'unknown_cursor', cursor: sanitizeCursorForMessage(cursor) });
  if (share) await checkShareable(source, deps);
  const look = (pause: Pause) => placeOrNearest(quote, source, pause, deps);
  const place = await (source.lineCount <= QUOTE_LINES_WITHOUT_TURN ? look(noPause) : deps.inTurn(signal, look));
  const citation = await storeCitation(source, place, note ?? null, deps);
  return citeResult(share ? await shareStored(citation, 'anyone', deps) : citation, deps);
}

/**
 * Stores lines that the user selected on the page as a citation. The lines come from the stored page, so no check is
 * needed.
 * @returns `null` if the lines have no text, or more than a quote may have
 */
export async function storeLinesAsCitation(
  source: CitedSource,
  lines: Viewport,
  signal: AbortSignal,
  deps: CiteDeps,
): Promise<StoredCitation | null> {
  const kept = await deps.citations.ofCursor(deps.subject, source.cursor, lines);
  if (kept !== null) return kept;
  const text = await readQuoteFromLines(source, lines, signal, deps);
  return text === null ? null : storeCitation(source, { lines, lead: '', text, tail: '' }, null, deps);
}

/** Returns the visible text of the lines; `null` if they have no text or too much for a quote. */
export async function readQuoteFromLines(
  source: CitedSource,
  { start, end }: Viewport,
  signal: AbortSignal,
  deps: Pick<CiteDeps, 'documents' | 'inTurn'>,
): Promise<string | null> {
  const form = new LineNormalizer('read', await findFenceAroundLine(source, start, signal, deps));
  const stored = await deps.documents.readLines(source.documentId, start, end);
  const text = stored
    .map((line) => form.take(line))
    .join('\n')
    .trim();
  return text === '' || text.length > QUOTE_CHARS_MAX ? null : text;
}

/**
 * Shares a citation with `audience`, which replaces an earlier audience.
 * @throws {PeriscopeError} `citation_limit`, and the errors of {@link checkShareable}
 */
export async function shareCitation(
  source: CitedSource,
  citation: StoredCitation,
  audience: Audience,
  deps: CiteDeps,
): Promise<StoredCitation> {
  await checkShareable(source, deps);
  return shareStored(citation, audience, deps);
}

function citeResult(citation: StoredCitation, { origin }: Pick<ReaderDeps, 'origin'>): CiteResult {
  const { cursor, firstLine, lastLine, shareId } = citation;
  const link = origin + citationPath(cursor, { start: firstLine, end: lastLine });
  return { citation, link, shareLink: shareId === null ? null : `${origin}${PATHS.quote}/${shareId}` };
}

/**
 * Checks the length of a quote, and that it contains a word.
 * @throws {PeriscopeError} `invalid_argument`
 */
export function checkQuote(quote: string): void {
  const hint = 'Pass the words of a sentence or two, as the page has them.';
  if (quote.length > QUOTE_CHARS_MAX) {
    fail({ code: 'invalid_argument', field: 'quote', problem: `must be at most ${QUOTE_CHARS_MAX} characters`, hint });
  }
  if (!/[\p{L}\p{N}]/u.test(quote)) {
    fail({ code: 'invalid_argument', field: 'quote', problem: 'must contain at least one word', hint });
  }
}

const NO_PAGE = {
  code: 'invalid_argument',
  field: 'cursor',
  problem: 'is the cursor of a result list',
  hint: 'Open a result with open_result, and cite the page with the cursor that it returns.',
} as const;

async function placeOrNearest(
  quote: string,
  { cursor, documentId }: CitedSource,
  pause: Pause,
  { documents }: CiteDeps,
): Promise<FoundQuote> {
  const place = await findQuote(quote, () => documents.scan(documentId), pause);
  if (place !== null) return place;
  const near = await findNearestPassage(quote, () => documents.scan(documentId), pause);
  if (near === null) return fail({ code: 'quote_not_found', cursor: sanitizeCursorForMessage(cursor), near: null });
  const text = cutToBytes(near.text, NEAR_BYTES_MAX);
  const fence = await createFence(text);
  const shown = `${fence.open}\n${text}${text === near.text ? '' : '…'}\n${fence.close}`;
  return fail({
    code: 'quote_not_found',
    cursor: sanitizeCursorForMessage(cursor),
    near: { start: near.lines.start, end: near.lines.end, quoted: shown },
  });
}

async function storeCitation(
  source: CitedSource,
  { lines, lead, text, tail }: FoundQuote,
  note: string | null,
  deps: CiteDeps,
): Promise<StoredCitation> {
  const { cursor, documentId, url, urlByScript, title, fetchedAt, isLive } = source;
  const id = await sha256Hex(JSON.stringify([deps.subject, cursor, lines.start, lines.end, text]));
  const isStored = (await deps.citations.find(deps.subject, id)) !== null;
  if (!isStored) await checkRoom(deps);
  return deps.citations.add({
    id,
    subject: deps.subject,
    cursor,
    documentId,
    url,
    urlByScript,
    title,
    firstLine: lines.start,
    lastLine: lines.end,
    quote: text,
    around: await surroundings(source, lines, { lead, tail }, deps),
    note,
    fetchedAt,
    isLive,
    createdAt: deps.now(),
  });
}

async function checkRoom({ citations, subject }: CiteDeps): Promise<void> {
  const used = await citations.usage(subject);
  if (used.citations >= CITATIONS_PER_SUBJECT_MAX) {
    fail({ code: 'citation_limit', of: 'citations', limit: CITATIONS_PER_SUBJECT_MAX });
  }
  if (used.bytes >= CITED_BYTES_PER_SUBJECT_MAX) {
    fail({ code: 'citation_limit', of: 'bytes', limit: CITED_BYTES_PER_SUBJECT_MAX });
  }
}

async function surroundings(
  { documentId, lineCount }: CitedSource,
  { start, end }: Viewport,
  { lead, tail }: Pick<FoundQuote, 'lead' | 'tail'>,
  { documents }: CiteDeps,
): Promise<StoredCitation['around']> {
  const first = Math.max(0, start - AROUND_LINES * READ_FACTOR);
  const last = Math.min(lineCount - 1, end + AROUND_LINES * READ_FACTOR);
  const form = new LineNormalizer('read');
  const lines = (await documents.readLines(documentId, first, last)).map((line) =>
    oneLine(form.take(line), AROUND_CHARS_MAX),
  );
  const notBlank = (some: readonly string[]) => some.filter((line) => line !== '');
  return {
    before: notBlank(lines.slice(0, start - first)).slice(-AROUND_LINES),
    lead: lead.length <= AROUND_CHARS_MAX ? lead : `…${lead.slice(-AROUND_CHARS_MAX).toWellFormed()}`,
    tail: tail.length <= AROUND_CHARS_MAX ? tail : oneLine(tail, AROUND_CHARS_MAX),
    after: notBlank(lines.slice(end - first + 1)).slice(0, AROUND_LINES),
  };
}

/** Lines read for each line to show before or after a quote, because blank lines are skipped. */
const READ_FACTOR = 3;

/**
 * Refuses to share a page that is not public or that the operator has blocked.
 * @throws {PeriscopeError} `not_shareable`, `ssrf_blocked`
 */
export async function checkShareable(source: CitedSource, { net }: CiteDeps): Promise<void> {
  const { isPrivate, isLive, url } = source;
  if (isLive) fail({ code: 'not_shareable', reason: 'it was read in a browser session' });
  const isForOne = isPrivate || hasSecretInUrl(url);
  if (isForOne) fail({ code: 'not_shareable', reason: 'the page may be shown to this user only' });
  checkUrlWithoutDns(url, net.policy);
}

async function shareStored(
  citation: StoredCitation,
  audience: Audience,
  { citations, subject, now }: CiteDeps,
): Promise<StoredCitation> {
  const share = readShare(citation);
  if (share?.audience === audience) return citation;
  const { shared } = await citations.usage(subject);
  if (share === null && shared >= PUBLIC_LINKS_PER_SUBJECT_MAX) {
    fail({ code: 'citation_limit', of: 'shared', limit: PUBLIC_LINKS_PER_SUBJECT_MAX });
  }
  const made = { id: randomBase64Url(SHARE_ID_BYTES), audience };
  return (await citations.share(subject, citation.id, made, now())) ?? citation;
}
