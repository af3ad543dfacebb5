import { fail } from '#core/failures/failure.ts';
import { KIB } from '#core/limits.ts';
import { BodyInterrupted, BodyTooLarge, readBody } from './read-body.ts';

/** Text compresses ten to one, logs thirty to one, a bomb a thousand to one. */
const GZIP_RATIO_MAX = 100;
/** Small files may compress better than that without harm. */
const GZIP_RATIO_FREE_BYTES = 64 * KIB;

type Options = {
  /** For the failure. */
  url: string;
  limitBytes: number;
  signal: AbortSignal;
  /** Reserves memory for this many bytes, or waits for it. */
  makeRoom?: ((bytes: number) => Promise<void>) | undefined;
};

/** RFC 1952 §2.3.1. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Unpacks a file in gzip, once: what it holds is not unpacked again.
 * @throws {PeriscopeError} `too_large`, or `extract_failed` for a bomb or a damaged file
 */
export async function gunzip(packed: Uint8Array, options: Options): Promise<Uint8Array> {
  const { url, limitBytes, signal, makeRoom } = options;
  const byRatio = Math.max(GZIP_RATIO_FREE_BYTES, packed.byteLength * GZIP_RATIO_MAX);
  const most = Math.min(limitBytes, byRatio);
  await makeRoom?.(most);
  const source = new Response(packed).body?.pipeThrough(new DecompressionStream('gzip')) ?? null;
  try {
    return (await readBody(new Response(source), { limitBytes: most, onOverflow: 'fail', signal })).bytes;
  } catch (error) {
    const reason = 'the file unpacks to far more than its own size';
    if (error instanceof BodyTooLarge && byRatio < limitBytes)
      fail({ code: 'extract_failed', url, reason, of: 'file' });
    if (error instanceof BodyTooLarge) fail({ code: 'too_large', url, limitBytes });
    if (!(error instanceof BodyInterrupted)) throw error;
    return fail(
      { code: 'extract_failed', url, reason: 'its gzip data is damaged or cut off', of: 'file' },
      { cause: error },
    );
  }
}

/** The name of what a file in gzip holds: `notes.txt` for `notes.txt.gz`. */
export function unpackedName(name: string): string {
  return name.replace(/\.gz(?=$|[?#])/i, '').replace(/\.tgz(?=$|[?#])/i, '.tar');
}
