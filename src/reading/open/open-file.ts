import { isBlank } from '#core/text/blank.ts';
import { fail } from '#core/failures/failure.ts';
import { fileAddress, fileIdIn } from '#core/file-facts.ts';
import type { FileFacts } from '#core/file-facts.ts';
import { factsOf } from '#core/kinds.ts';
import type { MemoryShare } from '#core/flow/memory.ts';
import { decodeText } from '#net/types/charset.ts';
import { sniffFile } from '#net/types/file-type.ts';
import type { Opened, OpenPageDeps, OpenRequest, Target } from '#reading/opened.ts';
import { newestOf, pageKeys } from './page-keys.ts';
import { needOf } from './page-memory.ts';
import { storePage } from './store-page.ts';

/**
 * Opens a file that the caller keeps, by its address, through the extractors that read such a file of the web. It is read
 * once: what an id stands for never changes.
 * @throws {PeriscopeError} `unknown_file`, `too_large`, `unsupported_mime`, and what extraction throws
 */
export async function openFile(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<Opened> {
  const id = fileIdIn(request.url);
  const facts = id === null ? null : await deps.files.facts(id);
  if (id === null || facts === null) return fail({ code: 'unknown_file', file: id });
  const url = fileAddress(id);
  // A browser would run what it says; no browser sees the file.
  const asked: OpenRequest = { ...request, url, mode: request.mode === 'raw' ? 'raw' : 'readable' };
  const keys = await pageKeys(url, asked, deps.subject);
  const stored = request.refresh === true ? null : await newestOf(keys, request.holdUntil, deps);
  if (stored !== null) {
    const { document, snapshot } = stored;
    return { document, snapshot, isPrivate: true, url, origin: 'fresh', lines: null, notes: [] };
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
): Promise<Opened> {
  const { url } = target;
  await share.take(needOf(null, facts.bytes), signal);
  const started = deps.now();
  const bytes = await deps.files.read(facts);
  const { kind, mediaType } = sniffFile(facts.mediaType, facts.name, bytes);
  const { body } = factsOf(kind);
  const decoded =
    body === 'bytes' ? null : decodeText({ bytes, headerLabel: null, markup: body === 'text' ? 'none' : body });
  if (bytes.byteLength === 0 || (decoded !== null && isBlank(decoded.text))) {
    fail({ code: 'extract_failed', url, reason: 'the file is empty' });
  }
  const loaded = {
    ...UNASKED,
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

/** No site was asked for it. */
const UNASKED = {
  notModified: false as const,
  isPrivate: true,
  status: 200,
  headers: {},
  etag: null,
  lastModified: null,
  redirects: [],
  noindex: [],
};
