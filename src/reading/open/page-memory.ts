import { kindFacts } from '#core/document/kinds.ts';
import type { Kind } from '#core/document/kinds.ts';
import { BODY_BYTES_WITHOUT_ROOM, RENDER_BYTES_MAX } from '#core/limits.ts';
import type { MemoryShare, Need } from '#core/flow/memory.ts';
import type { MemoryOfBody } from '#net/fetch/load.ts';
import { kindOfType } from '#net/types/sniff.ts';
import { LINES_KEPT_BYTES_MAX } from '#reading/limits.ts';

/**
 * Bytes of memory for each byte of a body. `held`: body, text, lines and what is sent to the database. `work`: what extraction
 * takes on top, of a text whose characters take two bytes each; `file`: the same of a PDF or an archive, which unpack.
 */
const MEMORY_PER_BYTE = { held: 2.5, work: 6, file: 20 } as const;
/** What reading a PDF or an archive takes at most, because their extractors limit what they unpack. */
const FILE_WORK_BYTES_MAX = 30_000_000;

/** While a fetched body is read and stored; an unknown kind counts as the most expensive. */
export function readingMemory(kind: Kind | null, bytes: number): Need {
  const { held, work, file } = MEMORY_PER_BYTE;
  const ofText = kind !== null && kindFacts(kind).body !== 'bytes';
  const most = ofText ? work * bytes : Math.min(file * bytes, FILE_WORK_BYTES_MAX);
  return { held: held * bytes, work: Math.ceil(kind === null ? Math.max(most, work * bytes) : most) };
}

/** While a body arrives. Memory for reading it is reserved already, so that this never has to wait. */
export function downloadMemory(kind: Kind | null, bytes: number): Need {
  return { held: bytes, work: readingMemory(kind, bytes).work };
}

export const MEMORY_BEFORE_FETCH: Need = readingMemory('html', BODY_BYTES_WITHOUT_ROOM);
export const MEMORY_BEFORE_RENDER: Need = readingMemory('html', RENDER_BYTES_MAX);

/** Only one of them is read at a time. */
export function combinedNeed(one: Need, other: Need): Need {
  return { held: one.held + other.held, work: Math.max(one.work, other.work) };
}

/** @param alreadyHeld what the call holds while the body is loaded */
export function bodyMemory(share: MemoryShare, alreadyHeld: Need): MemoryOfBody {
  const need = (mediaType: string | null, bytes: number) => {
    const [essence = ''] = (mediaType ?? '').toLowerCase().split(';');
    return combinedNeed(alreadyHeld, downloadMemory(kindOfType(essence.trim()), bytes));
  };
  return {
    tryTake: (mediaType, bytes) => share.tryTake(need(mediaType, bytes)),
    take: (mediaType, bytes, signal) => share.take(need(mediaType, bytes), signal),
  };
}

/** A copy that does not keep its source alive: a substring otherwise holds the whole string in memory. */
export function detachedCopy<T>(value: T): T {
  return structuredClone(value);
}

/** `null` for a long document, whose lines are read from the store when they are shown. */
export function linesIfShort(lines: readonly string[], bytes: number): readonly string[] | null {
  return bytes <= LINES_KEPT_BYTES_MAX ? detachedCopy(lines) : null;
}
