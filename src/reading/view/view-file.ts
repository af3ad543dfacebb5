import type { DrawnFile, FileToDraw } from '#core/document/file-facts.ts';
import { fileAddress, parseFileAddress, isFileAddress } from '#core/document/file-facts.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { fail } from '#core/failures/failure.ts';
import type { MemoryShare } from '#core/flow/memory.ts';
import { DRAWN_PICTURE_PIXELS_MAX, MINUTE_MS } from '#core/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { readPictureHeader } from '#extract/image/header.ts';
import type { PictureHeader } from '#extract/image/header.ts';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { checkUrlWithoutDns } from '#net/fetch/gate.ts';
import { HttpError, loadPage } from '#net/fetch/load.ts';
import { describeAiPreferences } from '#net/robots/content-signals.ts';
import { sniffFile } from '#net/types/sniff.ts';
import { quoteErrorPage } from '#reading/open/error-page.ts';
import { createBodyMemory, MEMORY_BEFORE_FETCH, memoryToRead } from '#reading/open/page-memory.ts';
import type { OpenPageDeps } from '#reading/opened.ts';

/** Draws a picture, or a page of a PDF, as a JPEG that fits a result. */
export type DrawPort = (file: FileToDraw) => Promise<DrawnFile>;

export type ViewDeps = OpenPageDeps & { draw: DrawPort | null };

/** A viewed file. `picture` is `null` for a PDF. */
export type FileViewResult = {
  url: string;
  drawn: DrawnFile;
  picture: PictureHeader | null;
  fileBytes: number;
  notes: string[];
};

const NOTHING_ELSE = { held: 0, work: 0 };

/**
 * Draws a picture or a page of a PDF in a browser. The file is fetched like a page, or is a stored file of the caller.
 * A picture's size is read from its header before anything is decoded.
 * @param page the page number in a PDF
 * @throws {PeriscopeError} as loading does; `render_disabled`, `not_viewable`, `view_failed`, `too_large`;
 * `invalid_argument` for a page that does not exist
 */
export async function viewFile(
  { url, page, onFetched }: { url: string; page: number; onFetched: () => void },
  signal: AbortSignal,
  deps: ViewDeps,
): Promise<FileViewResult> {
  const { draw } = deps;
  if (draw === null) return fail({ code: 'render_disabled', of: 'picture', reason: NO_BROWSER });
  return deps.inMemory(async (share) => {
    const file = await loadFile(url, share, signal, deps);
    onFetched();
    signal.throwIfAborted();
    const { kind, mediaType, bytes } = file;
    const about = { url: file.url, bytes, mediaType };
    if (kind === 'image') {
      const picture = drawablePicture(file);
      const size = picture.format === 'SVG' ? picture.size : null;
      const drawn = await draw({ ...about, mediaType: picture.mediaType, kind: 'picture', size });
      return { ...file, drawn, picture, fileBytes: bytes.length };
    }
    await deps.inTurn(signal, async () => blankCostlyStreams(file, true));
    const drawn = await draw({ ...about, kind: 'pdf', page });
    return { ...file, drawn, picture: null, fileBytes: bytes.length };
  });
}

const NO_BROWSER = 'the operator has not enabled it, or there is no browser';

async function loadFile(url: string, share: MemoryShare, signal: AbortSignal, deps: ViewDeps): Promise<ViewedFile> {
  if (isFileAddress(url)) return storedFile(url, share, signal, deps);
  const canonicalUrl = canonicalizeUrl(url);
  checkUrlWithoutDns(canonicalUrl, deps.net.policy);
  await deps.worksOn(canonicalUrl);
  const held = heldFile(deps.subject, canonicalUrl, deps.now());
  if (held !== null) {
    await share.take(memoryToRead(held.kind, held.bytes.length), signal);
    return held;
  }
  await share.take(MEMORY_BEFORE_FETCH, signal);
  const memory = createBodyMemory(share, NOTHING_ELSE);
  const loaded = await loadPage({ requestedUrl: canonicalUrl, signal, memory }, deps.net).catch(
    async (error: unknown) => {
      throw error instanceof HttpError ? await quoteErrorPage(error, signal, deps.inTurn) : error;
    },
  );
  if (loaded.notModified) return fail({ code: 'fetch_failed', url: redactUrl(canonicalUrl), reason: UNASKED });
  const { kind, mediaType, bytes, finalUrl } = loaded;
  requireViewable(kind, mediaType, finalUrl);
  await share.take(memoryToRead(kind, bytes.length), signal);
  const file = { url: finalUrl, kind, mediaType, bytes, notes: describeAiPreferences(loaded.preferences, false) };
  if (kind === 'pdf') holdFile(deps.subject, canonicalUrl, file, deps.now());
  return file;
}

const UNASKED = 'the site answered that it has not changed, which nobody had asked';

/**
 * Reads a stored file of the caller.
 * @throws {PeriscopeError} `unknown_file`, `too_large`; `not_viewable` if the file is neither a picture nor a PDF
 */
async function storedFile(url: string, share: MemoryShare, signal: AbortSignal, deps: ViewDeps): Promise<ViewedFile> {
  const id = parseFileAddress(url);
  const facts = id === null ? null : await deps.files.facts(id);
  if (id === null || facts === null) return fail({ code: 'unknown_file', file: id });
  const address = fileAddress(id);
  await deps.worksOn(address);
  if (facts.bytes > deps.fileBytesMax) fail({ code: 'too_large', url: address, limitBytes: deps.fileBytesMax });
  await share.take(memoryToRead(null, facts.bytes), signal);
  const bytes = await deps.files.read(facts);
  const { kind, mediaType } = sniffFile(facts.mediaType, facts.name, bytes);
  requireViewable(kind, mediaType, address);
  return { url: address, kind, mediaType, bytes, notes: [] };
}

function requireViewable(kind: BodyKind, mediaType: string, url: string): void {
  if (kind !== 'image' && kind !== 'pdf') fail({ code: 'not_viewable', url: redactUrl(url), mediaType });
}

/**
 * Reads the picture's header and refuses too many pixels, because Chromium decodes pictures until memory runs out. SVG
 * has no pixels, so its size is not limited.
 */
function drawablePicture({ url, bytes }: ViewedFile): PictureHeader {
  const picture = readPictureHeader(bytes);
  if (picture === null) return failView(url, 'it is broken or incomplete');
  const { width, height } = picture.size ?? { width: 0, height: 0 };
  if (picture.format !== 'SVG' && width * height > DRAWN_PICTURE_PIXELS_MAX) {
    const most = `${DRAWN_PICTURE_PIXELS_MAX / 1_000_000} million`;
    return failView(url, `it has ${width} × ${height} pixels, more than the ${most} that are drawn`);
  }
  return picture;
}

function failView(url: string, reason: string): never {
  return fail({ code: 'view_failed', url: redactUrl(url), reason });
}

/** Time in ms for which a file stays in memory. After one page of a PDF, a model usually views the next one soon. */
const HELD_MS = 2 * MINUTE_MS;
/**
 * Maximum bytes of the single file that an isolate keeps in memory. The file uses the 30 MB outside the memory budget.
 */
const HELD_BYTES_MAX = 6_000_000;

type ViewedFile = { url: string; kind: BodyKind; mediaType: string; bytes: Uint8Array; notes: string[] };

type Held = { subject: string; url: string; until: number; file: ViewedFile };

let held: Held | null = null;

/** Keeps the last viewed file in memory, so that it is not fetched again for each page. */
function holdFile(subject: string, url: string, file: ViewedFile, now: number): void {
  held = file.bytes.length > HELD_BYTES_MAX ? null : { subject, url, until: now + HELD_MS, file };
}

/**
 * Returns the file in memory only to the subject that fetched it, because the site may have sent the file only to this
 * user.
 */
function heldFile(subject: string, url: string, now: number): ViewedFile | null {
  if (held !== null && held.until <= now) held = null;
  return held?.subject === subject && held.url === url ? held.file : null;
}
