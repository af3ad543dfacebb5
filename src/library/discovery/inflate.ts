import { Decompress, Unzlib } from 'fflate';

/** Packed bytes per step: one of them unpacks to 1,032 at most, so a bomb is stopped at 17 MB above the limit. */
const STEP_BYTES = 16 * 1024;

/** `isCut`: the data went on after the limit, or is damaged there. */
type Unpacked = { bytes: Uint8Array; isCut: boolean };

/** Unpacks gzip (RFC 1952) or zlib (RFC 1950) data up to a limit. Never throws. */
export function inflate(packed: Uint8Array, format: 'gzip' | 'zlib', bytesMax: number): Unpacked {
  const chunks: Uint8Array[] = [];
  const unpacked = { size: 0 };
  const take = (chunk: Uint8Array) => {
    if (unpacked.size < bytesMax) chunks.push(chunk.subarray(0, bytesMax - unpacked.size));
    unpacked.size += chunk.length;
  };
  const stream = format === 'gzip' ? new Decompress(take) : new Unzlib(take);
  try {
    for (let at = 0; at < packed.length && unpacked.size <= bytesMax; at += STEP_BYTES) {
      stream.push(packed.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= packed.length);
    }
    return { bytes: joined(chunks), isCut: unpacked.size > bytesMax };
  } catch {
    // What was unpacked before the damage is good: both formats are read from their beginning.
    return { bytes: joined(chunks), isCut: true };
  }
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
