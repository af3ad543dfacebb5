import { KIB } from '#core/limits.ts';
import { inflateRawSync } from 'node:zlib';
import { Inflate, inflateSync } from 'fflate';
import { ARCHIVE_UNPACKED_BYTES_MAX, ARCHIVE_ENTRIES_MAX, ARCHIVE_COMPRESSION_RATIO_MAX } from './limits.ts';
import { failUnreadableFile } from './extractor.ts';
import type { ExtractInput } from './extractor.ts';

/**
 * An entry up to this unpacked size may have any compression ratio, because a small file of equal bytes is not a ZIP
 * bomb.
 */
const ARCHIVE_RATIO_FREE_BYTES = 64 * KIB;

export type Archive = {
  names: readonly string[];
  bytes(name: string): Uint8Array | null;
  /** Decodes UTF-8, or UTF-16 with a byte order mark. `maxBytes` limits how many unpacked bytes are decoded. */
  text(name: string, maxBytes?: number): string | null;
  /** Unpacked size of the entry in bytes; 0 if the archive has no entry with this name. */
  size(name: string): number;
};

type Entry = { method: number; packed: number; size: number; offset: number };

const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const ENCRYPTED_FLAG = 1;
const STORED = 0;
const DEFLATED = 8;
/**
 * Packed bytes that are unpacked in one step. One packed byte yields at most 1,032 bytes, so a step yields at most 17
 * MB.
 */
const STEP_BYTES = 16 * 1024;
/**
 * Up to this size, an entry is unpacked by one call of `inflateRawSync`, which takes a fifth of the CPU time but twice
 * the memory.
 */
const AT_ONCE_BYTES_MAX = 12 * 1024 * 1024;
/** Maximum ratio of the unpacked start of an entry to its expected size. Above 1, because compression is uneven. */
const UNEVEN_TIMES_MAX = 2;
/** `Z_SYNC_FLUSH` (zlib.h): zlib returns the output so far, even if the data has not ended. */
const SYNC_FLUSH = 2;
/**
 * Up to this packed size, `unpackSmall` is faster, because each call of `inflateRawSync` has a high fixed cost. An
 * entry that declares a false size can unpack to 17 MB, but only once per archive: `keepsItsWord` then ends this
 * shortcut.
 */
const SMALL_BYTES_MAX = 16 * 1024;

/**
 * Opens a ZIP archive (APPNOTE 6.3.9, without ZIP64) by its central directory. Entries are unpacked when they are read,
 * up to their declared size. Too many entries, too large sizes or a high compression ratio are refused as a ZIP bomb.
 * @throws {PeriscopeError} `extract_failed` for an archive that is broken, encrypted, too large or compressed in an
 * unknown way
 */
export function openArchive(input: ExtractInput): Archive {
  const entries = directory(input);
  let keepsItsWord = true;
  const bytes = (name: string, maxBytes = Infinity): Uint8Array | null => {
    const entry = entries.get(name);
    if (entry === undefined) return null;
    const source = packedBytes(input, entry);
    if (entry.method === STORED) return source.subarray(0, Math.min(entry.size, maxBytes));
    if (entry.size > AT_ONCE_BYTES_MAX)
      return unpackStart(source, entry.size, maxBytes) ?? unpack(input, source, Math.min(entry.size, maxBytes));
    const isSmall = keepsItsWord && entry.packed <= SMALL_BYTES_MAX;
    const whole = (isSmall ? unpackSmall : unpackAtOnce)(source, entry.size);
    if (isSmall && whole === null) keepsItsWord = false;
    return whole?.subarray(0, maxBytes) ?? unpack(input, source, Math.min(entry.size, maxBytes));
  };
  return {
    names: [...entries.keys()],
    bytes,
    size: (name) => entries.get(name)?.size ?? 0,
    text(name, maxBytes) {
      const found = bytes(name, maxBytes);
      if (found === null) return null;
      const utf16 =
        found[0] === 0xff && found[1] === 0xfe
          ? 'utf-16le'
          : found[0] === 0xfe && found[1] === 0xff
            ? 'utf-16be'
            : null;
      return new TextDecoder(utf16 ?? 'utf-8').decode(found);
    },
  };
}

function directory(input: ExtractInput): Map<string, Entry> {
  const { bytes } = input;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end < 0) return failUnreadableFile(input, 'the file is not a complete ZIP archive');
  const count = view.getUint16(end + 10, true);
  if (count > ARCHIVE_ENTRIES_MAX) failUnreadableFile(input, `the file holds more than ${ARCHIVE_ENTRIES_MAX} entries`);
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  let size = 0;
  let packed = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL)
      return failUnreadableFile(input, 'the file is not a complete ZIP archive');
    const entry = {
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    if ((view.getUint16(at + 8, true) & ENCRYPTED_FLAG) !== 0) failUnreadableFile(input, 'the file is encrypted');
    size += entry.size;
    packed += entry.packed;
    const isBomb = entry.size > ARCHIVE_RATIO_FREE_BYTES && entry.size > entry.packed * ARCHIVE_COMPRESSION_RATIO_MAX;
    if (isBomb || size > ARCHIVE_UNPACKED_BYTES_MAX || packed > bytes.length)
      failUnreadableFile(input, 'the file unpacks to far more than its own size');
    const nameLength = view.getUint16(at + 28, true);
    entries.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)), entry);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** Finds the archive's end record by searching backwards, because a comment may follow it (APPNOTE 4.3.16). */
function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1) if (view.getUint32(at, true) === END) return at;
  return -1;
}

function packedBytes(input: ExtractInput, entry: Entry): Uint8Array {
  const { bytes } = input;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { offset, method } = entry;
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL)
    return failUnreadableFile(input, 'the file is not a complete ZIP archive');
  if (method !== STORED && method !== DEFLATED)
    return failUnreadableFile(input, 'the file is compressed in a way that cannot be read here');
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  return bytes.subarray(start, start + entry.packed);
}

function unpackSmall(source: Uint8Array, size: number): Uint8Array | null {
  try {
    const out = inflateSync(source, { out: new Uint8Array(size + 1) });
    return out.length > size ? null : out;
  } catch {
    return null;
  }
}

/**
 * Unpacks an entry. Returns `null` for broken or oversized data. `unpack` then returns the beginning of oversized data,
 * or fails.
 */
function unpackAtOnce(source: Uint8Array, size: number): Uint8Array | null {
  try {
    return inflateRawSync(source, { maxOutputLength: Math.max(1, size) });
  } catch {
    return null;
  }
}

/**
 * Unpacks the first `maxBytes` bytes of a large entry from the share of packed bytes that should contain them. May
 * return fewer bytes, because compression is uneven. Returns `null` if no such start can be unpacked: `maxBytes` is too
 * large or not below the entry's size, or the bytes are broken or unpack to more than `UNEVEN_TIMES_MAX` times
 * `maxBytes`.
 */
function unpackStart(source: Uint8Array, size: number, maxBytes: number): Uint8Array | null {
  if (maxBytes >= size || maxBytes > AT_ONCE_BYTES_MAX) return null;
  const packed = source.subarray(0, Math.ceil((source.length * maxBytes) / size));
  try {
    const options = { finishFlush: SYNC_FLUSH, maxOutputLength: UNEVEN_TIMES_MAX * maxBytes };
    return inflateRawSync(packed, options).subarray(0, maxBytes);
  } catch {
    return null;
  }
}

function unpack(input: ExtractInput, source: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const done = { bytes: 0 };
  const inflate = new Inflate((chunk) => {
    out.set(chunk.subarray(0, size - done.bytes), done.bytes);
    done.bytes = Math.min(size, done.bytes + chunk.length);
  });
  try {
    for (let at = 0; at < source.length && done.bytes < size; at += STEP_BYTES) {
      inflate.push(source.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= source.length);
    }
  } catch (error) {
    return failUnreadableFile(input, 'the file is not a complete ZIP archive', error);
  }
  return out.subarray(0, done.bytes);
}
