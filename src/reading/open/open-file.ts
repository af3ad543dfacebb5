import { isBlank } from '#core/text/blank.ts';
import { fail } from '#core/failures/failure.ts';
import { fileAddress, parseFileAddress } from '#core/document/file-facts.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import { kindFacts } from '#core/document/kinds.ts';
import type { MemoryShare } from '#core/flow/memory.ts';
import { gunzip, isGzip, removeGzipSuffix } from '#net/fetch/read-body.ts';
import { decodeText } from '#net/types/charset.ts';
import { sniffFile } from '#net/types/sniff.ts';
import type { OpenResult, OpenPageDeps, OpenRequest, SnapshotToStore } from '#reading/opened.ts';
import { listPageNotes } from '#reading/page-result.ts';
import { findNewestSnapshot, computeSnapshotKeys } from './page-keys.ts';
import { memoryToRead } from './page-memory.ts';
import { storePage } from './store-page.ts';

/**
 * Opens a stored file of the caller. The content of a file ID never changes, so each file is extracted once per mode,
 * unless `refresh` is set.
 * @throws {PeriscopeError} `unknown_file`, `too_large`, `unsupported_mime`, and as extraction does
 */
export async function openFile(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<OpenResult> {
  const id = parseFileAddress(request.requestedUrl);
  const facts = id === null ? null : await deps.files.facts(id);
  if (id === null || facts === null) return fail({ code: 'unknown_file', file: id });
  const canonicalUrl = fileAddress(id);
  await deps.worksOn(canonicalUrl);
  // Files are never rendered in a browser, which would run their scripts.
  const asked: OpenRequest = {
    ...request,
    requestedUrl: canonicalUrl,
    mode: request.mode === 'raw' ? 'raw' : 'readable',
  };
  const keys = await computeSnapshotKeys(canonicalUrl, asked, deps.subject);
  const needed = { sites: null, lines: request.lines ?? null };
  const stored = request.refresh === true ? null : await findNewestSnapshot(keys, request.holdUntil, needed, deps);
  if (stored !== null) {
    const { document, snapshot } = stored;
    const notes = await listPageNotes(document, snapshot, deps);
    const { fetchedAt } = snapshot;
    return {
      document,
      snapshot,
      isPrivate: true,
      shownUrl: canonicalUrl,
      fetchedAt,
      origin: 'fresh',
      lines: null,
      notes,
    };
  }
  if (facts.bytes > deps.fileBytesMax) fail({ code: 'too_large', url: canonicalUrl, limitBytes: deps.fileBytesMax });
  return deps.inMemory((share) => readFile({ keys, canonicalUrl, request: asked, stored }, facts, share, signal, deps));
}

async function readFile(
  target: SnapshotToStore,
  facts: FileFacts,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<OpenResult> {
  const { canonicalUrl } = target;
  const makeRoom = (size: number) => share.take(memoryToRead(null, size), signal);
  await makeRoom(facts.bytes);
  const started = deps.now();
  const stored = await deps.files.read(facts);
  const isPacked = isGzip(stored);
  const bytes = isPacked
    ? await gunzip(stored, { url: canonicalUrl, limitBytes: deps.fileBytesMax, signal, makeRoom })
    : stored;
  const name = isPacked ? removeGzipSuffix(facts.name) : facts.name;
  const { kind, mediaType } = sniffFile(isPacked ? null : facts.mediaType, name, bytes);
  const { body } = kindFacts(kind);
  const decoded =
    body === 'bytes' ? null : decodeText({ bytes, headerLabel: null, markup: body === 'text' ? 'none' : body });
  if (bytes.byteLength === 0 || (decoded !== null && isBlank(decoded.text))) {
    fail({ code: 'extract_failed', url: canonicalUrl, reason: 'the file is empty' });
  }
  const loaded = {
    ...NO_RESPONSE,
    isCut: false,
    canonicalUrl,
    finalUrl: canonicalUrl,
    robots: { checked: false, allowed: true, robotsUrl: '', rule: null },
    fetchMs: deps.now() - started,
    mediaType,
    kind,
    charset: decoded?.charset ?? null,
    isCharsetGuessed: decoded?.isGuessed ?? false,
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
  range: null,
  refresh: null,
};
