import { fail } from '#core/failures/failure.ts';
import { abortable } from '#core/flow/abort.ts';
import { UNRESERVED_BODY_BYTES_MAX } from '#core/limits.ts';

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

export function concatBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
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

export function failBodyRead(error: unknown, url: string, limitBytes: number): never {
  if (error instanceof BodyTooLarge) fail({ code: 'too_large', url, limitBytes });
  if (error instanceof BodyInterrupted) {
    const isDamaged = error.cause instanceof Error && /gzip|brotli|deflate|decompress/i.test(error.cause.message);
    const reason = isDamaged
      ? 'its compressed body is damaged or cut off'
      : 'the connection broke off before the page was complete';
    fail({ code: 'fetch_failed', url, reason }, { cause: error });
  }
  throw error;
}
