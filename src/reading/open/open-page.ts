import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { RENDER_RETRY_MS } from '#reading/limits.ts';
import { isFileAddress, fileAddress, fileIdIn } from '#core/document/file-facts.ts';
import type { MemoryShare } from '#core/flow/memory.ts';
import { canonicalUrl } from '#net/fetch/canonical-url.ts';
import { checkStoredAddress, judgeUrl } from '#net/fetch/gate.ts';
import { gunzip, isGzip, unpackedName } from '#net/fetch/gunzip.ts';
import { HttpError, loadPage } from '#net/fetch/load.ts';
import type { LoadedPage, LoadInput, ErrorPage } from '#net/fetch/load.ts';
import type { Needed } from '#storage/pages/snapshots.ts';
import type { StoredPage } from '#storage/pages/stored-page.ts';
import { fetchOnce } from './fetch-once.ts';
import type { OpenResult, OpenPageDeps, OpenRequest, Target } from '#reading/opened.ts';
import { findNewest, newestOf, pageKeys } from './page-keys.ts';
import type { PageKeys } from './page-keys.ts';
import { bodyMemory, MEMORY_BEFORE_FETCH, readingMemory } from './page-memory.ts';
import { pageNotes, siteConfigNotes } from '#reading/page-result.ts';
import { awaitsRendering, NO_BROWSER, extractInTurn } from './extract-page.ts';
import { storePage } from './store-page.ts';
import { isBlank } from '#core/text/blank.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import { kindFacts } from '#core/document/kinds.ts';
import { decodeText } from '#net/types/charset.ts';
import { sniffFile } from '#net/types/file-type.ts';
import { mainLines } from '#core/document/document.ts';
import type { InTurn } from '#core/flow/turns.ts';
import { redactText, redactUrl } from '#core/secrets/secret-addresses.ts';
import { fenceFor, oneLine } from '#core/text/text.ts';
import { LineForm } from '#reading/cite/quote-text.ts';
import type { Extracted } from '#extract/extractor.ts';
import { linksOf } from './markdown-twin.ts';

/**
 * Returns the stored page while it is fresh; otherwise asks the origin, extracts and stores. Concurrent callers share
 * one fetch. When the origin fails, the result is a stored copy, marked as stale.
 * @throws {PeriscopeError} any failure of fetching or extraction; nothing is stored then
 */
export async function openPage(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<OpenResult> {
  if (isFileAddress(request.url)) return openFile(request, signal, deps);
  if (request.mode === 'rendered' && deps.render === null) fail(NO_BROWSER);
  const url = canonicalUrl(request.url);
  checkStoredAddress(url, deps.net.policy);
  await deps.worksOn(url);
  if (request.siteconfig !== undefined) {
    const { siteConfigOf } = await import('#extract/siteconfigs/read-site.ts');
    siteConfigOf(request.siteconfig);
  }
  const keys = await pageKeys(url, request, deps.subject);
  const startedAt = deps.now();
  const stored =
    remembered(keys, request, deps) ??
    (await newestAllowed(keys, request, deps.unknownSite(new URL(url).origin), deps));
  const maxAgeMs =
    request.refresh === true ? 0 : Math.min(request.maxAgeMs ?? deps.cacheTtlMs, maxStoredAgeMs(stored, deps));
  if (stored !== null && stored.snapshot.validatedAt + maxAgeMs > startedAt) {
    return fromStore(stored, 'fresh', request);
  }
  return fetchOnce(
    keys.shared ?? keys.own,
    signal,
    deps,
    (until) => deps.inMemory((share) => askOrigin({ keys, url, request, stored }, share, until, deps)),
    async () => {
      const newer = await newestAllowed(keys, request, null, deps);
      return newer === null || newer.snapshot.validatedAt < startedAt ? null : fromStore(newer, 'fresh', request);
    },
  );
}

/** The operator may have blocked the site that answered, since the page was stored. Its copy does not count then. */
async function newestAllowed(
  keys: PageKeys,
  { holdUntil, lines, isRound }: OpenRequest,
  sites: Needed['sites'],
  deps: OpenPageDeps,
): Promise<StoredPage | null> {
  const stored = await findNewest(keys, isRound === true ? null : holdUntil, { sites, lines: lines ?? null }, deps);
  return stored !== null && judgeUrl(stored.snapshot.finalUrl, deps.net.policy).allowed ? stored : null;
}

/**
 * The page that the caller holds, from the memory of the isolate. Its object has just said that no purge of the caller took
 * it. Others may have fetched it again since: that is no reason to ask, as it is younger than a stored page may be.
 */
function remembered(keys: PageKeys, { held }: OpenRequest, deps: OpenPageDeps): StoredPage | null {
  const page = held === undefined ? null : deps.snapshots.remembered(held.snapshot, held.documentId);
  const stored = page === null ? null : newestOf(keys, [page]);
  if (stored === null || awaitsRendering(stored.snapshot, deps.render)) return null;
  return judgeUrl(stored.snapshot.finalUrl, deps.net.policy).allowed ? stored : null;
}

const NOTHING_ELSE = { held: 0, work: 0 };

function maxStoredAgeMs(stored: StoredPage | null, { render }: OpenPageDeps): number {
  return stored !== null && awaitsRendering(stored.snapshot, render) ? RENDER_RETRY_MS : Infinity;
}

async function askOrigin(
  target: Target,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<OpenResult> {
  const { url, request, stored } = target;
  await share.take(MEMORY_BEFORE_FETCH, signal);
  try {
    const conditional = request.refresh === true ? {} : conditionalOn(stored, deps);
    const loaded = await loadPage({ url, signal, memory: bodyMemory(share, NOTHING_ELSE), ...conditional }, deps.net);
    if (!loaded.notModified) return await storePage(loaded, target, share, signal, deps);
    const confirmed = stored === null ? null : await confirm(stored, loaded, request, deps);
    if (confirmed !== null) return confirmed;
  } catch (error) {
    if (stored !== null && request.isRound !== true && isOriginFailure(error))
      return fromStore(stored, 'stale', request);
    throw error instanceof HttpError ? await withWordsOfPage(error, signal, deps.inTurn) : error;
  }
  // The stored copy has become private, so a confirmation is no use: ask for the whole page.
  return askOrigin({ ...target, stored: null }, share, signal, deps);
}

async function confirm(
  stored: StoredPage,
  { isPrivate }: LoadedPage,
  request: OpenRequest,
  deps: OpenPageDeps,
): Promise<OpenResult | null> {
  if (isPrivate && stored.owner === null) return null;
  if (request.isRound !== true) await deps.snapshots.revalidated(stored.snapshot.key, deps.now());
  return fromStore(stored, 'confirmed', request);
}

async function fromStore(
  { document, snapshot, owner }: StoredPage,
  origin: 'fresh' | 'confirmed' | 'stale',
  request: OpenRequest,
): Promise<OpenResult> {
  const staleNote = `The site is not answering; this is the stored copy of ${new Date(snapshot.validatedAt).toISOString()}.`;
  const notes = [
    ...(origin === 'stale' ? [staleNote] : []),
    ...siteConfigNotes(request, snapshot.meta.siteconfig),
    ...(await pageNotes(document, snapshot)),
  ];
  const { finalUrl: url, fetchedAt } = snapshot;
  return { document, snapshot, isPrivate: owner !== null, url, fetchedAt, origin, lines: null, notes };
}

/** The site is down or overloaded, which says nothing about whether the page exists. */
function isOriginFailure(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return false;
  const { failure } = error;
  if (failure.code === 'http_error') return failure.statusCode >= 500 || failure.statusCode === 429;
  return (failure.code === 'fetch_failed' && failure.only === undefined) || failure.code === 'timeout';
}

/** A 304 says nothing about a text that came from elsewhere: a browser, or the page's Markdown version. */
function conditionalOn(stored: StoredPage | null, { render }: OpenPageDeps): Pick<LoadInput, 'conditional'> {
  if (stored === null || awaitsRendering(stored.snapshot, render)) return {};
  const { etag, lastModified, meta } = stored.snapshot;
  if (meta.rendering || meta.markdownTwin) return {};
  return etag === null && lastModified === null ? {} : { conditional: { etag, lastModified } };
}

/**
 * Opens a stored file of the caller with the extractors for fetched files. It is extracted once: the content of an id
 * never changes.
 * @throws {PeriscopeError} `unknown_file`, `too_large`, `unsupported_mime`, and what extraction throws
 */
async function openFile(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<OpenResult> {
  const id = fileIdIn(request.url);
  const facts = id === null ? null : await deps.files.facts(id);
  if (id === null || facts === null) return fail({ code: 'unknown_file', file: id });
  const url = fileAddress(id);
  await deps.worksOn(url);
  // No browser gets the file, because it would run its scripts.
  const asked: OpenRequest = { ...request, url, mode: request.mode === 'raw' ? 'raw' : 'readable' };
  const keys = await pageKeys(url, asked, deps.subject);
  const needed = { sites: null, lines: request.lines ?? null };
  const stored = request.refresh === true ? null : await findNewest(keys, request.holdUntil, needed, deps);
  if (stored !== null) {
    const { document, snapshot } = stored;
    const notes = await pageNotes(document, snapshot);
    const { fetchedAt } = snapshot;
    return { document, snapshot, isPrivate: true, url, fetchedAt, origin: 'fresh', lines: null, notes };
  }
  if (facts.bytes > deps.fileBytesMax) fail({ code: 'too_large', url, limitBytes: deps.fileBytesMax });
  return deps.inMemory((share) => readFile({ keys, url, request: asked, stored }, facts, share, signal, deps));
}

async function readFile(
  target: Target,
  facts: FileFacts,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<OpenResult> {
  const { url } = target;
  const makeRoom = (size: number) => share.take(readingMemory(null, size), signal);
  await makeRoom(facts.bytes);
  const started = deps.now();
  const stored = await deps.files.read(facts);
  const isPacked = isGzip(stored);
  const bytes = isPacked ? await gunzip(stored, { url, limitBytes: deps.fileBytesMax, signal, makeRoom }) : stored;
  const name = isPacked ? unpackedName(facts.name) : facts.name;
  const { kind, mediaType } = sniffFile(isPacked ? null : facts.mediaType, name, bytes);
  const { body } = kindFacts(kind);
  const decoded =
    body === 'bytes' ? null : decodeText({ bytes, headerLabel: null, markup: body === 'text' ? 'none' : body });
  if (bytes.byteLength === 0 || (decoded !== null && isBlank(decoded.text))) {
    fail({ code: 'extract_failed', url, reason: 'the file is empty' });
  }
  const loaded = {
    ...NO_RESPONSE,
    isCut: false,
    requestedUrl: url,
    finalUrl: url,
    robots: { checked: false, allowed: true, robotsUrl: '', rule: null },
    fetchMs: deps.now() - started,
    mediaType,
    kind,
    charset: decoded?.charset ?? null,
    size: bytes.byteLength,
    bytes: decoded === null ? bytes : new Uint8Array(),
    text: decoded?.text ?? null,
  };
  return storePage(loaded, target, share, signal, deps);
}

const NO_RESPONSE = {
  notModified: false as const,
  isPrivate: true,
  status: 200,
  headers: {},
  etag: null,
  lastModified: null,
  redirects: [],
  noindex: [],
  preferences: undefined,
};

/** Of what an error page says: what happened stands at its beginning. */
const WORDS_CHARS_MAX = 600;
/** Of its text before secrets are taken out, so that a secret is never cut to a part that nobody knows as one. */
const READ_CHARS_MAX = 8_000;
/** Such as to where a page has moved. */
const LINKS_MAX = 8;
const LINK_TEXT_CHARS_MAX = 80;
const LINK_URL_CHARS_MAX = 300;

/** What servers say by themselves: no more than the status. */
const STATUS_WORDS =
  /\b(?:http|error|status|page|not found|forbidden|gone|bad request|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests|(?:nginx|openresty|apache|cloudflare|microsoft-iis)(?:\/[\d.]+)?|\d{3})\b|[\s:.!–—-]+/gi;

/** The same error, with the first words and links of its page. They are read as those of any page, and not stored. */
export async function withWordsOfPage(error: HttpError, signal: AbortSignal, inTurn: InTurn): Promise<HttpError> {
  const { failure, page, isPrivate } = error;
  const read = page === null ? null : await readErrorPage(page, signal, inTurn);
  if (page === null || read === null) return error;
  const secrets = page.addresses.flatMap(secretsOf);
  const links = linkLines(read, page, secrets);
  const words = wordsOf(mainLines(read), secrets);
  if (links.length === 0 && words.join(' ').replace(STATUS_WORDS, '').trim() === '') return error;
  const text = [...words, ...links].join('\n');
  const { open, close } = await fenceFor(text);
  return new HttpError({ ...failure, quoted: `${open}\n${text}\n${close}` }, null, isPrivate);
}

async function readErrorPage(page: ErrorPage, signal: AbortSignal, inTurn: InTurn): Promise<Extracted | null> {
  const { kind, text, url } = page;
  try {
    const input = { kind, text, url, bytes: new Uint8Array(), mode: 'readable' } as const;
    return await extractInTurn(input, signal, inTurn);
  } catch (error) {
    if (error instanceof PeriscopeError && error.failure.code === 'extract_failed') return null;
    throw error;
  }
}

/** Those parts of an address that are not shown. An error page likes to repeat the address. */
function secretsOf(url: string): string[] {
  const parts = (text: string) => text.split(/[/?&;=#]/);
  const shown = new Set(parts(redactUrl(url)));
  return parts(url).filter((part) => !shown.has(part));
}

function wordsOf(lines: readonly string[], secrets: readonly string[]): string[] {
  const form = new LineForm('read');
  const read: string[] = [];
  let chars = 0;
  for (const line of lines) {
    const text = form.take(line).trimEnd();
    if (text.trim() !== '') read.push(text.slice(0, READ_CHARS_MAX));
    chars += text.length;
    if (chars > READ_CHARS_MAX) break;
  }
  const words: string[] = [];
  let left = WORDS_CHARS_MAX;
  for (const line of redactText(read.join('\n'), secrets).split('\n')) {
    words.push(line.length <= left ? line : oneLine(line, Math.max(1, left)));
    left -= line.length + 1;
    if (left < 0) break;
  }
  return words.filter((line) => line !== '');
}

/** Of the main part; of the rest, such as menus, where it has none. */
function linkLines(read: Extracted, page: ErrorPage, secrets: readonly string[]): string[] {
  const linksIn = (lines: readonly string[]) =>
    linksOf(lines).filter(({ url }) => url !== page.url && url.length <= LINK_URL_CHARS_MAX);
  const ofMain = linksIn(mainLines(read));
  const links = ofMain.length > 0 ? ofMain : linksIn(read.lines);
  return [
    ...links.slice(0, LINKS_MAX).map(({ url, text }) => {
      const name = redactText(oneLine(text, LINK_TEXT_CHARS_MAX), secrets);
      const address = redactText(url, secrets);
      return name === '' ? `- ${address}` : `- ${name}: ${address}`;
    }),
    ...(links.length > LINKS_MAX ? ['- …'] : []),
  ];
}
