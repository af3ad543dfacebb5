import { kindFacts } from '#core/document/kinds.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { UNRESERVED_BODY_BYTES_MAX } from '#core/limits.ts';
import type { MemoryShare, MemoryNeed } from '#core/flow/memory.ts';
import type { AbortableBodyMemory } from '#net/fetch/load.ts';
import { kindFromMediaType } from '#net/types/sniff.ts';
import { PAGE_LINES_IN_MEMORY_BYTES_MAX } from '#reading/limits.ts';

/**
 * Bytes of memory needed per byte of a body. `held`: the body, its text, its lines and the database request. `work`: in
 * addition during extraction, for text with two bytes per character. `file`: in addition for unpacking a PDF or an
 * archive.
 */
const MEMORY_PER_BYTE = { held: 2.5, work: 6, file: 20 } as const;
/** Maximum additional memory in bytes for a PDF or an archive, because the extractors limit the unpacked size. */
const FILE_WORK_BYTES_MAX = 30_000_000;

/** Returns the memory needed to read and store a fetched body. An unknown kind counts as the most expensive. */
export function memoryToRead(kind: BodyKind | null, bytes: number): MemoryNeed {
  const { held, work, file } = MEMORY_PER_BYTE;
  const ofText = kind !== null && kindFacts(kind).body !== 'bytes';
  const most = ofText ? work * bytes : Math.min(file * bytes, FILE_WORK_BYTES_MAX);
  return { held: held * bytes, work: Math.ceil(kind === null ? Math.max(most, work * bytes) : most) };
}

/** Returns the memory needed while a body arrives, including that of extraction, which then never has to wait. */
export function memoryToDownload(kind: BodyKind | null, bytes: number): MemoryNeed {
  return { held: bytes, work: memoryToRead(kind, bytes).work };
}

export const MEMORY_BEFORE_FETCH: MemoryNeed = memoryToRead('html', UNRESERVED_BODY_BYTES_MAX);

/**
 * Combines the needs of two bodies. They are extracted one after the other, so the larger `work` is enough for both.
 */
export function combineMemoryNeeds(one: MemoryNeed, other: MemoryNeed): MemoryNeed {
  return { held: one.held + other.held, work: Math.max(one.work, other.work) };
}

/**
 * Creates functions that reserve memory while a body arrives.
 * @param alreadyHeld memory that the call already holds
 */
export function createBodyMemory(share: MemoryShare, alreadyHeld: MemoryNeed): AbortableBodyMemory {
  const need = (mediaType: string | null, bytes: number) => {
    const [essence = ''] = (mediaType ?? '').toLowerCase().split(';');
    return combineMemoryNeeds(alreadyHeld, memoryToDownload(kindFromMediaType(essence.trim()), bytes));
  };
  return {
    tryTake: (mediaType, bytes) => share.tryTake(need(mediaType, bytes)),
    take: (mediaType, bytes, signal) => share.take(need(mediaType, bytes), signal),
  };
}

/**
 * Copies a value so that the larger value that contains it can be freed. A substring, for example, keeps the whole
 * string in memory.
 */
export function copyDetached<T>(value: T): T {
  return structuredClone(value);
}

/** Returns a copy of the lines; `null` for a long document, because its lines are read from the store when needed. */
export function copyLinesIfShort(lines: readonly string[], bytes: number): readonly string[] | null {
  return bytes <= PAGE_LINES_IN_MEMORY_BYTES_MAX ? copyDetached(lines) : null;
}
