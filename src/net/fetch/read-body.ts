import { fail } from '#core/failures/failure.ts';
import { abortable } from '#core/flow/abort.ts';
import { UNRESERVED_BODY_BYTES_MAX, KIB } from '#core/limits.ts';

export type ReadOptions = {
  limitBytes: number;
  /** `cut`: returns the first `limitBytes` of a larger body. `fail`: refuses a larger body. */
  onOverflow: 'cut' | 'fail';
  signal: AbortSignal;
  /** Reserves memory for a body of this media type and size. Waits until the memory is free. */
  makeRoom?: ((mediaType: string | null, bytes: number) => Promise<void>) | undefined;
};

type ReadResult = { bytes: Uint8Array; complete: boolean };

/** The body exceeds the limit. The error has no message, because the caller reports a failure that names the URL. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** The connection ended before the end of the body. */
export class BodyInterrupted extends Error {
  override name = 'BodyInterrupted';
}

/**
 * Reads a body and counts its bytes *after* decompression. Neither an endless body nor a decompression bomb can take
 * more memory than the limit. Memory for more than {@link UNRESERVED_BODY_BYTES_MAX} bytes is reserved: the declared size
 * at the start, or the full limit when an undeclared body exceeds these bytes. The body is cancelled unless it was read
 * to its end.
 * @throws {BodyTooLarge} {@link BodyInterrupted}, or the signal's reason
 */
export async function readBody(response: Response, options: ReadOptions): Promise<ReadResult> {
  const { body } = response;
  if (body === null) return { bytes: new Uint8Array(0), complete: true };
  const announced = announcedBytes(response.headers);
  if (options.onOverflow === 'fail' && announced !== null && announced > options.limitBytes) {
    await cancelBody(body);
    throw new BodyTooLarge();
  }
  const result = await collect(body, options, roomFor(response.headers, announced, options));
  const expected = response.headers.has('content-encoding') ? null : announced;
  // Some network stacks end a stream without an error when the peer disconnects. A body that is shorter than declared
  // is incomplete (RFC 9112 §8).
  if (result.complete && expected !== null && result.bytes.byteLength < expected) throw new BodyInterrupted();
  return result;
}

export async function cancelBody(body: ReadableStream | null): Promise<void> {
  if (body === null || body.locked) return;
  // Cancelling a body that has already failed rejects. The error is ignored, because there is nothing left to cancel.
  await body.cancel().catch(() => {});
}

type Room = (total: number) => Promise<void>;

function roomFor(headers: Headers, announced: number | null, { limitBytes, makeRoom }: ReadOptions): Room {
  const isKnown = announced !== null && !headers.has('content-encoding');
  const expected = isKnown ? Math.min(announced, limitBytes) : limitBytes;
  const from = isKnown ? 0 : UNRESERVED_BODY_BYTES_MAX;
  let isMade = expected <= UNRESERVED_BODY_BYTES_MAX;
  return async (total) => {
    if (isMade || total < from) return;
    isMade = true;
    await makeRoom?.(headers.get('content-type'), expected);
  };
}

async function collect(body: ReadableStream<Uint8Array>, options: ReadOptions, room: Room): Promise<ReadResult> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  let ended = false;
  try {
    while (total <= options.limitBytes) {
      await room(total);
      const { done, value } = await nextChunk(reader, options.signal);
      ended = done;
      if (done) return { bytes: concatBytes(chunks, total), complete: true };
      chunks.push(value);
      total += value.byteLength;
    }
    if (options.onOverflow === 'fail') throw new BodyTooLarge();
    return { bytes: concatBytes(chunks, options.limitBytes), complete: false };
  } finally {
    // The result does not wait for `cancel`, because a source's `cancel` may never finish.
    if (!ended) reader.cancel().catch(() => {});
  }
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal) {
  try {
    return await abortable(reader.read(), signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new BodyInterrupted(undefined, { cause: error });
  }
}

function concatBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, length - at);
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

function announcedBytes(headers: Headers): number | null {
  const value = headers.get('content-length');
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
}

/**
 * Maximum ratio of decompressed to compressed size. Text compresses about 10:1, logs 30:1, a decompression bomb 1000:1.
 */
const GZIP_RATIO_MAX = 100;
/** Decompressed size in bytes up to which the ratio is not checked, because a small result is harmless. */
const GZIP_RATIO_FREE_BYTES = 64 * KIB;

type Options = {
  url: string;
  limitBytes: number;
  signal: AbortSignal;
  /** Reserves memory for this many bytes. Waits until the memory is free. */
  makeRoom?: ((bytes: number) => Promise<void>) | undefined;
};

/** Reason of the failure for a body whose compression has an error. */
export const BODY_DAMAGED = 'its compressed body is damaged or cut off';

const HEAD_BYTES = 512;

/** True for compressed data, and false for text, which has no such characters. */
function hasControls(bytes: Uint8Array): boolean {
  return bytes.subarray(0, HEAD_BYTES).some((byte) => byte < 9 || (byte > 13 && byte < 27));
}

/** Returns true if the bytes begin with the magic number of Zstandard (RFC 8878 §3.1.1). */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** Returns true if the bytes begin with the gzip magic number (RFC 1952 §2.3.1). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Decompresses a gzip file. A gzip file inside it stays compressed.
 * @throws {PeriscopeError} `too_large`, or `extract_failed` for a decompression bomb or a corrupt file
 */
export async function gunzip(packed: Uint8Array, options: Options): Promise<Uint8Array> {
  const { url, limitBytes, signal, makeRoom } = options;
  const byRatio = Math.max(GZIP_RATIO_FREE_BYTES, packed.byteLength * GZIP_RATIO_MAX);
  const most = Math.min(limitBytes, byRatio);
  await makeRoom?.(most);
  const { bytes, end } = await decompress(packed, 'gzip', most, signal);
  if (end === 'whole') return bytes;
  if (end === 'limit' && byRatio >= limitBytes) fail({ code: 'too_large', url, limitBytes });
  const reason =
    end === 'limit' ? 'the file unpacks to far more than its own size' : 'its gzip data is damaged or cut off';
  return fail({ code: 'extract_failed', url, reason, of: 'file' });
}

/**
 * Decompresses a body sent with `Content-Encoding: deflate`. The format should be zlib (RFC 9110 §8.4.1.2), but some
 * servers send raw deflate data. Text was already decompressed by the platform, and is returned unchanged.
 * @throws {PeriscopeError} `too_large`, `extract_failed` for a decompression bomb, `fetch_failed` for a damaged body
 */
export async function inflate(packed: Uint8Array, options: Options): Promise<Uint8Array> {
  const { url, limitBytes, signal, makeRoom } = options;
  const byRatio = Math.max(GZIP_RATIO_FREE_BYTES, packed.byteLength * GZIP_RATIO_MAX);
  const most = Math.min(limitBytes, byRatio);
  const [first = 0, second = 0] = packed;
  const isFramed = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  await makeRoom?.(most);
  const { bytes, end } = await decompress(packed, isFramed ? 'deflate' : 'deflate-raw', most, signal);
  if (end === 'whole') return bytes;
  if (end === 'damaged') {
    // The first bytes of a text may be valid raw data.
    const isCompressed = hasControls(packed) && (isFramed || bytes.byteLength > 0);
    return isCompressed ? fail({ code: 'fetch_failed', url, reason: BODY_DAMAGED }) : packed;
  }
  if (byRatio >= limitBytes) fail({ code: 'too_large', url, limitBytes });
  return fail({ code: 'extract_failed', url, reason: 'the page unpacks to far more than its own size', of: 'file' });
}

/**
 * The result of a decompression. `limit`: there is more data than the limit. `damaged`: the data is corrupt, and
 * `bytes` contains the part before the corruption.
 */
type Unpacked = { bytes: Uint8Array; end: 'whole' | 'limit' | 'damaged' };

/**
 * Compressed bytes per step. A step decompresses to at most 17 MB. If data is corrupt, only the output of its step is
 * lost.
 */
const STEP_BYTES = 16 * KIB;

/**
 * Decompresses gzip (RFC 1952), zlib (RFC 1950, named `deflate`) or raw deflate (RFC 1951) data up to a limit in bytes.
 * @throws the signal's reason
 */
export async function decompress(
  packed: Uint8Array,
  format: 'gzip' | 'deflate' | 'deflate-raw',
  limitBytes: number,
  signal: AbortSignal,
): Promise<Unpacked> {
  const reader = inSteps(packed).pipeThrough(new DecompressionStream(format)).getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  let end: Unpacked['end'] | null = null;
  while (end === null) {
    const step = await abortable(reader.read(), signal).catch(() => null);
    signal.throwIfAborted();
    if (step === null) end = 'damaged';
    else if (step.done) end = 'whole';
    else {
      chunks.push(step.value);
      total += step.value.byteLength;
      if (total > limitBytes) end = 'limit';
    }
  }
  if (end === 'limit') reader.cancel().catch(() => {});
  return { bytes: concatBytes(chunks, Math.min(total, limitBytes)), end };
}

function inSteps(packed: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= packed.byteLength) return controller.close();
      controller.enqueue(packed.slice(at, at + STEP_BYTES));
      at += STEP_BYTES;
    },
  });
}

/** Returns the name of the decompressed file: `notes.txt` for `notes.txt.gz`, `notes.tar` for `notes.tgz`. */
export function removeGzipSuffix(name: string): string {
  return name.replace(/\.gz(?=$|[?#])/i, '').replace(/\.tgz(?=$|[?#])/i, '.tar');
}
