import { citationPath } from '#core/citation.ts';
import type { Viewport } from '#core/document.ts';
import { fail } from '#core/failures/failure.ts';
import { cutToBytes, fenceFor, oneLine, sha256Hex } from '#core/text/text.ts';
import { PATHS } from '#core/paths.ts';
import { randomText } from '#core/secrets/sealed.ts';
import { hasSecret } from '#core/secrets/secret-addresses.ts';
import { noPause } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import type { NetDeps } from '#net/fetch/deps.ts';
import { checkStoredAddress } from '#net/fetch/gate.ts';
import type { CitationStore, StoredCitation } from '#storage/citations.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import { citedSource } from './citation-page.ts';
import type { CitedSource } from '#core/citation.ts';
import { LineForm, findQuote } from './quote-text.ts';
import type { QuoteMatch } from './quote-text.ts';
import {
  AROUND_CHARS_MAX,
  AROUND_LINES,
  CITATIONS_PER_SUBJECT_MAX,
  CITED_BYTES_PER_SUBJECT_MAX,
  NEAR_BYTES_MAX,
  QUOTE_CHARS_MAX,
  QUOTE_LINES_WITHOUT_TURN,
  SHARE_ID_BYTES,
  SHARED_PER_SUBJECT_MAX,
} from '#reading/limits.ts';
import { nearestPassage } from './near-passage.ts';
import { shortCursor } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';

export type CiteDeps = ReaderDeps & {
  subject: string;
  citations: CitationStore;
  documents: DocumentStore;
  net: Pick<NetDeps, 'policy'>;
};

export type CiteRequest = { cursor: string; quote: string; note?: string | undefined; share: boolean };

/** A kept citation and where people open it. */
export type Cited = { citation: StoredCitation; link: string; shareLink: string | null };

/**
 * Checks a quote against the page behind a cursor, and keeps it for the subject with its page.
 * @throws {PeriscopeError} `quote_not_found` when the page does not say so, `not_shareable`, `citation_limit`
 */
export async function cite(request: CiteRequest, signal: AbortSignal, deps: CiteDeps): Promise<Cited> {
  const { cursor, quote, note, share } = request;
  checkWords(quote);
  const source = await citedSource(cursor, deps);
  if (source === 'list') fail(NO_PAGE);
  if (typeof source === 'string') fail({ code: 'unknown_cursor', cursor: shortCursor(cursor) });
  if (share) await checkShareable(source, deps);
  const look = (pause: Pause) => placeOrNearest(quote, source, pause, deps);
  const place = await (source.lineCount <= QUOTE_LINES_WITHOUT_TURN ? look(noPause) : deps.inTurn(signal, look));
  const citation = await keep(source, place, note ?? null, deps);
  return shownAs(share ? await shareKept(citation, deps) : citation, deps);
}

/** Keeps whole lines, which a person has chosen. @returns `null` when they are too long for a quote */
export async function citeLines(source: CitedSource, lines: Viewport, deps: CiteDeps): Promise<StoredCitation | null> {
  const kept = await deps.citations.ofCursor(deps.subject, source.cursor, lines);
  if (kept !== null) return kept;
  const form = new LineForm('read');
  const stored = await deps.documents.readLines(source.documentId, lines.start, lines.end);
  const text = stored
    .map((line) => form.take(line))
    .join('\n')
    .trim();
  if (text === '' || text.length > QUOTE_CHARS_MAX) return null;
  return keep(source, { lines, lead: '', text, tail: '' }, null, deps);
}

/** Makes a public link to a kept quote. @throws {PeriscopeError} `not_shareable`, `citation_limit` */
export async function shareCitation(
  source: CitedSource,
  citation: StoredCitation,
  deps: CiteDeps,
): Promise<StoredCitation> {
  await checkShareable(source, deps);
  return shareKept(citation, deps);
}

export function shownAs(citation: StoredCitation, { origin }: Pick<ReaderDeps, 'origin'>): Cited {
  const { cursor, firstLine, lastLine, shareId } = citation;
  const link = origin + citationPath(cursor, { start: firstLine, end: lastLine });
  return { citation, link, shareLink: shareId === null ? null : `${origin}${PATHS.quote}/${shareId}` };
}

function checkWords(quote: string): void {
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
): Promise<QuoteMatch> {
  const place = await findQuote(quote, () => documents.scan(documentId), pause);
  if (place !== null) return place;
  const near = await nearestPassage(quote, documents.scan(documentId), pause);
  if (near === null) return fail({ code: 'quote_not_found', cursor: shortCursor(cursor), near: null });
  const text = cutToBytes(near.text, NEAR_BYTES_MAX);
  const fence = await fenceFor(text);
  const shown = `${fence.open}\n${text}${text === near.text ? '' : '…'}\n${fence.close}`;
  return fail({
    code: 'quote_not_found',
    cursor: shortCursor(cursor),
    near: { start: near.lines.start, end: near.lines.end, quoted: shown },
  });
}

async function keep(
  source: CitedSource,
  { lines, lead, text, tail }: QuoteMatch,
  note: string | null,
  deps: CiteDeps,
): Promise<StoredCitation> {
  const { cursor, documentId, url, urlByScript, title, fetchedAt, isLive } = source;
  const id = await sha256Hex(JSON.stringify([deps.subject, cursor, lines.start, lines.end, text]));
  const isKept = (await deps.citations.find(deps.subject, id)) !== null;
  if (!isKept) await checkRoom(deps);
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

/** The lines nearest to a quote that say something, and what stands beside it in its own. */
async function surroundings(
  { documentId, lineCount }: CitedSource,
  { start, end }: Viewport,
  { lead, tail }: Pick<QuoteMatch, 'lead' | 'tail'>,
  { documents }: CiteDeps,
): Promise<StoredCitation['around']> {
  const first = Math.max(0, start - AROUND_LINES * LOOK_FACTOR);
  const last = Math.min(lineCount - 1, end + AROUND_LINES * LOOK_FACTOR);
  const form = new LineForm('read');
  const lines = (await documents.readLines(documentId, first, last)).map((line) =>
    oneLine(form.take(line), AROUND_CHARS_MAX),
  );
  const saying = (some: readonly string[]) => some.filter((line) => line !== '');
  return {
    before: saying(lines.slice(0, start - first)).slice(-AROUND_LINES),
    lead: lead.length <= AROUND_CHARS_MAX ? lead : `…${lead.slice(-AROUND_CHARS_MAX).toWellFormed()}`,
    tail: tail.length <= AROUND_CHARS_MAX ? tail : oneLine(tail, AROUND_CHARS_MAX),
    after: saying(lines.slice(end - first + 1)).slice(0, AROUND_LINES),
  };
}

/** Blank lines say nothing. */
const LOOK_FACTOR = 3;

/** Only what everybody can see anyway may be shown to everybody. */
export async function checkShareable(source: CitedSource, { net, citations }: CiteDeps): Promise<void> {
  const { documentId, isPrivate, isLive, url } = source;
  if (isLive) fail({ code: 'not_shareable', reason: 'it was read in a browser session' });
  const isForOne = isPrivate || hasSecret(url) || (await citations.isWithheld(documentId));
  if (isForOne) fail({ code: 'not_shareable', reason: 'its page is for one person alone' });
  checkStoredAddress(url, net.policy);
}

async function shareKept(citation: StoredCitation, { citations, subject, now }: CiteDeps): Promise<StoredCitation> {
  if (citation.shareId !== null) return citation;
  const { shared } = await citations.usage(subject);
  if (shared >= SHARED_PER_SUBJECT_MAX) fail({ code: 'citation_limit', of: 'shared', limit: SHARED_PER_SUBJECT_MAX });
  return (await citations.share(subject, citation.id, randomText(SHARE_ID_BYTES), now())) ?? citation;
}
