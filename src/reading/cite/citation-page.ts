import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { CodeFences, sanitizeText } from '#core/text/plain.ts';
import { diffWords } from '#core/text/word-diff.ts';
import type { DiffPart } from '#core/text/word-diff.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { STRIKE_MARK, readableText } from '#core/text/visible-text.ts';
import type { CitationStore, StoredCitation } from '#storage/citations.ts';
import type { DocumentOrigin, DocumentStore } from '#storage/pages/documents.ts';
import { QUOTE_CHARS_PER_PAUSE } from '#reading/limits.ts';
import { computePinEnd, findCursor } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import { runWithPauses } from '#core/flow/turns.ts';
import type { RunWithCpuLock, Pause } from '#core/flow/turns.ts';
import { findQuote, readVisibleLines, LineNormalizer } from './quote-text.ts';
import { splitIntoChunks } from '#reading/find/find-matches.ts';
import { openAtFragment } from '#reading/open/fragments.ts';
import type { OpenPageDeps } from '#reading/opened.ts';
import type { StoredLineChunks } from './quote-text.ts';
import { foldForSearch } from '#core/text/fold.ts';
import { questionFromQuote } from '#ranking/question.ts';
import { PassageRanking } from '#ranking/rank.ts';
import { rankDocuments } from '#reading/passages/rank-documents.ts';
import { BLANK_LINE } from '#core/text/line-kinds.ts';

const CITATION_PAGE_LINES_MAX = 300;

/**
 * Maximum characters of a citation that are compared with the live page word by word: some 2,000 words, whose table of
 * word pairs takes 15 MB.
 */
const CHECK_CHARS_MAX = 12_000;
/** Lines before the cited ones that are searched for the mark that begins struck-out text. */
const STRUCK_LINES_MAX = 200;
const CITATION_LINES_BEFORE = 100;
/**
 * Maximum HTML bytes of the lines on one citation page, so that the whole page has less than 100 KB. A single long line
 * may exceed the maximum.
 */
const CITATION_BYTES_MAX = 75_000;

/**
 * Reason why a cursor leads to no page. `unknown`: there is no such cursor. `list`: it shows search results. `purged`:
 * its text was deleted.
 */
export type CitationSourceProblem = 'unknown' | 'list' | 'purged';

type SourceDeps = Pick<ReaderDeps, 'client' | 'cursorTtlMs' | 'documents' | 'renewHold'> & {
  subject: string;
  citations: CitationStore;
};

/**
 * Finds the page of a cursor and renews the cursor. An expired cursor still leads to its page if a citation uses it.
 */
export async function findCitedSource(cursor: string, deps: SourceDeps): Promise<CitedSource | CitationSourceProblem> {
  // `worksOn` normally throws for a page at which the server hung twice. Citations of such a page may still be shown.
  const shown = await findCursor(cursor, { ...deps, worksOn: async () => undefined });
  if (shown === null) {
    const stored = await deps.citations.ofCursor(deps.subject, cursor);
    return stored === null ? 'unknown' : loadCitedSource(stored, deps);
  }
  const { page } = shown;
  if (page === null) return 'list';
  const origin = await deps.documents.origin(page.documentId);
  if (origin === null) return 'purged';
  const { documentId, url, title, fetchedAt } = page;
  const urlByScript = page.urlByScript ?? (await deps.citations.urlByScript(documentId, url));
  const place = sourceFields(origin);
  const isLive = place.isLive || page.isLive === true;
  return { ...place, isLive, cursor, documentId, url, urlByScript, title, fetchedAt };
}

export async function loadCitedSource(stored: StoredCitation, deps: SourceDeps): Promise<CitedSource | 'purged'> {
  const { cursor, documentId, url, title, fetchedAt } = stored;
  const origin = await deps.documents.origin(documentId);
  if (origin === null) return 'purged';
  const place = sourceFields(origin);
  const isLive = stored.isLive || place.isLive;
  const urlByScript = stored.urlByScript ?? (await deps.citations.urlByScript(documentId, url));
  return { ...place, isLive, cursor, documentId, url, urlByScript, title, fetchedAt };
}

function sourceFields({ lineCount, restStart, isPrivate, isLive }: DocumentOrigin) {
  return { lineCount, restStart, isPrivate, isLive };
}

type CitationWindow = { start: number; lines: string[] };

/**
 * Returns the lines of a citation page. The cited lines take precedence over the lines around them.
 * @param at the first line of a continued page, instead of the cited lines
 */
export async function readCitationPageLines(
  { documentId, lineCount }: CitedSource,
  cited: Viewport | null,
  at: number | null,
  { documents }: Pick<ReaderDeps, 'documents'>,
): Promise<CitationWindow> {
  const from = Math.min(at ?? cited?.start ?? 0, lineCount - 1);
  const first = at === null ? Math.max(0, from - CITATION_LINES_BEFORE) : from;
  const last = Math.min(lineCount, first + CITATION_PAGE_LINES_MAX) - 1;
  const lines = (await documents.readLines(documentId, first, last)).map(sanitizeText);
  const to = at === null ? (cited?.end ?? from) : from;
  return fitWindow({ start: first, lines }, { start: from, end: to });
}

/**
 * Chooses the lines that fit on the page: first the wanted lines (at least one), then lines after them until a third of
 * the limit is left, then lines before them, then further lines after them.
 */
function fitWindow({ start, lines }: CitationWindow, wanted: Viewport): CitationWindow {
  const sizes = lines.map(escapedBytes);
  const index = wanted.start - start;
  const spare = (end: number) => (index === 0 || start + end <= wanted.end ? 0 : CITATION_BYTES_MAX / 3);
  let left = CITATION_BYTES_MAX;
  let end = index;
  while (end < lines.length && (end === index || left >= (sizes[end] ?? 0) + spare(end))) {
    left -= sizes[end] ?? 0;
    end += 1;
  }
  let begin = index;
  while (begin > 0 && left >= (sizes[begin - 1] ?? 0)) {
    begin -= 1;
    left -= sizes[begin] ?? 0;
  }
  while (end < lines.length && left >= (sizes[end] ?? 0)) {
    left -= sizes[end] ?? 0;
    end += 1;
  }
  return { start: start + begin, lines: lines.slice(begin, end) };
}

/** HTML bytes of the elements around each line. */
const ITEM_BYTES = 120;
/**
 * Maximum additional UTF-8 bytes of a special character in HTML: `<` becomes `&lt;`, and Markdown marks become
 * elements.
 */
const ESCAPED_BYTES = 10;
/** HTML bytes of a link element without its URL. */
const LINK_BYTES = 60;

function escapedBytes(line: string): number {
  const escaped = line.match(/[&<>"'|*_~`]/g)?.length ?? 0;
  const links = line.match(/\]\(/g)?.length ?? 0;
  return utf8Bytes(line) + escaped * ESCAPED_BYTES + links * LINK_BYTES + ITEM_BYTES;
}

/** Returns the fence of the code block that contains a line; `null` if the line is not in code. */
export async function findFenceAroundLine(
  { documentId }: CitedSource,
  line: number,
  signal: AbortSignal,
  { documents, inTurn }: Pick<CheckDeps, 'documents' | 'inTurn'>,
): Promise<string | null> {
  if (line === 0) return null;
  return inTurn(signal, async (pause) => {
    const fences = new CodeFences();
    for await (const { firstLine, lines } of documents.scan(documentId)) {
      for (const text of lines.slice(0, Math.max(0, line - firstLine))) fences.take(text);
      if (firstLine + lines.length >= line) break;
      await pause();
    }
    return fences.open;
  });
}

type LiveAnswer = {
  checkedAt: number;
  outcome:
    | { kind: 'unchanged' }
    | { kind: 'same'; lines: Viewport }
    | { kind: 'differs'; parts: DiffPart[] }
    | { kind: 'gone' }
    | { kind: 'silent' }
    | { kind: 'too_long' };
};

type CheckDeps = OpenPageDeps & ReaderDeps & { inTurn: RunWithCpuLock; documents: DocumentStore };

/**
 * Compares the citation with the live page, which is opened as `open_url` opens it.
 * @throws {PeriscopeError} as `openPage` does
 */
export async function compareCitationWithLivePage(
  source: CitedSource,
  cited: Viewport,
  signal: AbortSignal,
  deps: CheckDeps,
): Promise<LiveAnswer> {
  const answer = (said: LiveAnswer['outcome']): LiveAnswer => ({ checkedAt: deps.now(), outcome: said });
  const lines = await deps.documents.readLines(source.documentId, cited.start, cited.end);
  const text = lines.join('\n');
  if (text.length > CHECK_CHARS_MAX) return answer({ kind: 'too_long' });
  const request = {
    requestedUrl: source.url,
    mode: 'auto',
    maxAgeMs: 0,
    holdUntil: computePinEnd(deps),
  } as const;
  const { opened } = await openAtFragment(request, signal, deps);
  if (opened.origin === 'stale') return answer({ kind: 'silent' });
  const { document } = opened;
  if (document.id === source.documentId) return answer({ kind: 'unchanged' });
  const scan = (): StoredLineChunks =>
    opened.lines === null ? deps.documents.scan(document.id) : splitIntoChunks(opened.lines);
  const before = cited.start === 0 ? [] : await readLinesBefore(source, cited.start, deps);
  return answer(await deps.inTurn(signal, (pause) => compare(text, endsStruck(before), scan, pause)));
}

async function readLinesBefore(
  { documentId }: CitedSource,
  line: number,
  { documents }: Pick<CheckDeps, 'documents'>,
): Promise<string[]> {
  return documents.readLines(documentId, Math.max(0, line - STRUCK_LINES_MAX), line - 1);
}

/** @param isStruck true if the text begins within struck-out text */
async function compare(
  text: string,
  isStruck: boolean,
  scan: () => StoredLineChunks,
  pause: () => Promise<void>,
): Promise<LiveAnswer['outcome']> {
  const place = await findQuote(text, scan, pause);
  const read = (isStruck ? STRIKE_MARK : '') + readVisibleLines(text).join('\n');
  if (place !== null && haveSameStrikes(place.text, read)) return { kind: 'same', lines: place.lines };
  const near = place ?? (await findNearestPassage(text, scan, pause));
  if (near === null) return { kind: 'gone' };
  const diff = diffWords(read, near.text.slice(0, CHECK_CHARS_MAX * 2), { keyOf: foldForSearch });
  return { kind: 'differs', parts: await runWithPauses(diff, pause) };
}

/** Minimum share of the quote's words that a similar passage has. A passage with fewer is a different text. */
const NEAR_SHARE_MIN = 0.4;

type NearPassage = { lines: Viewport; text: string };

/**
 * Returns the passage that is most similar to the quote; `null` if no passage has enough of its words.
 * @param scan reads the text from its beginning
 */
export async function findNearestPassage(
  quote: string,
  scan: () => StoredLineChunks,
  pause: Pause,
): Promise<NearPassage | null> {
  const ranking = new PassageRanking(questionFromQuote(quote));
  await rankDocuments([{ title: null, restStart: null, chunks: scan }], ranking, pause);
  const [best] = ranking.passages(1);
  if (best === undefined || best.share < NEAR_SHARE_MIN) return null;
  const { start, end } = best.tight;
  const form = new LineNormalizer('read');
  const texts: string[] = [];
  let chars = 0;
  for await (const { firstLine, lines } of scan()) {
    if (firstLine > end) break;
    for (const [offset, line] of lines.entries()) {
      const text = form.take(line);
      const loc = firstLine + offset;
      if (loc >= start && loc <= end && text !== '') texts.push(text);
      chars += line.length;
    }
    if (chars < QUOTE_CHARS_PER_PAUSE) continue;
    chars = 0;
    await pause();
  }
  return { lines: best.tight, text: texts.join('\n') };
}

/** Stands for the mark of struck-out text: a control character, which no document contains. */
const STRIKE = '\u0001';
const LETTER = /[\p{L}\p{N}]/u;

/**
 * True if struck-out text is open after these lines: a document may mark only the first and the last line of a struck-out
 * paragraph.
 */
export function endsStruck(lines: readonly string[]): boolean {
  const fences = new CodeFences();
  let marks = 0;
  for (const line of lines) {
    // Neither code nor a blank line continues struck-out text.
    if (fences.take(line) || BLANK_LINE.test(line)) marks = 0;
    else marks += readableText(line, STRIKE).split(STRIKE).length - 1;
  }
  return marks % 2 === 1;
}

/**
 * True if the same letters of two readable texts are struck out, wherever the marks are: `~~a b~~` equals `~~a~~ ~~b~~`.
 * Texts with other letters are equal if both have a mark or neither.
 */
export function haveSameStrikes(one: string, other: string): boolean {
  const [first, second] = [struckLetters(one), struckLetters(other)];
  if (first.letters === second.letters) return first.struck === second.struck;
  return one.includes(STRIKE_MARK) === other.includes(STRIKE_MARK);
}

function struckLetters(text: string): { letters: string; struck: string } {
  let isStruck = false;
  let letters = '';
  let struck = '';
  for (const part of text.normalize('NFKC').toLowerCase().split(STRIKE_MARK)) {
    for (const character of part) {
      if (!LETTER.test(character)) continue;
      letters += character;
      struck += isStruck ? '~' : '-';
    }
    isStruck = !isStruck;
  }
  return { letters, struck };
}
