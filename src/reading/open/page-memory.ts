import { factsOf } from '#core/kinds.ts';
import type { Kind } from '#core/kinds.ts';
import { BODY_BYTES_WITHOUT_ROOM, RENDER_BYTES_MAX } from '#core/limits.ts';
import type { MemoryShare, Need } from '#core/flow/memory.ts';
import type { MemoryOfBody } from '#net/fetch/load.ts';
import { kindOfType } from '#net/types/media-types.ts';
import { FILE_WORK_BYTES_MAX, LINES_KEPT_BYTES_MAX, MEMORY_PER_BYTE } from '#reading/limits.ts';

/** What a body needs that has come and is to be read and stored; when its kind is not known, the most. */
export function needOf(kind: Kind | null, bytes: number): Need {
  const { held, work, file } = MEMORY_PER_BYTE;
  const ofText = kind !== null && factsOf(kind).body !== 'bytes';
  const most = ofText ? work * bytes : Math.min(file * bytes, FILE_WORK_BYTES_MAX);
  return { held: held * bytes, work: Math.ceil(kind === null ? Math.max(most, work * bytes) : most) };
}

/** What a body needs while it comes: what reading it will take is kept free, so that this never has to be waited for. */
export function needToCome(kind: Kind | null, bytes: number): Need {
  return { held: bytes, work: needOf(kind, bytes).work };
}

/** What a page needs before its size is known. */
export const NEED_TO_ASK: Need = needOf('html', BODY_BYTES_WITHOUT_ROOM);
/** HTML of a browser, before its size is known. */
export const NEED_TO_RENDER: Need = needOf('html', RENDER_BYTES_MAX);

/** Both together: only one of them is read at a time. */
export function both(one: Need, other: Need): Need {
  return { held: one.held + other.held, work: Math.max(one.work, other.work) };
}

/** The memory of a body that is loaded beside what the share has for `beside`. */
export function memoryOfBody(share: MemoryShare, beside: Need): MemoryOfBody {
  const need = (mediaType: string | null, bytes: number) => {
    const [essence = ''] = (mediaType ?? '').toLowerCase().split(';');
    return both(beside, needToCome(kindOfType(essence.trim()), bytes));
  };
  return {
    tryTake: (mediaType, bytes) => share.tryTake(need(mediaType, bytes)),
    take: (mediaType, bytes, signal) => share.take(need(mediaType, bytes), signal),
  };
}

/**
 * The same without the text that it was made from: a string that was cut out of another one keeps all of that in memory, for
 * as long as it is needed itself.
 */
export function detached<T>(value: T): T {
  return structuredClone(value);
}

/** Lines that the call which read them may keep. Those of a long document are read from the store when they are shown. */
export function linesToHold(lines: readonly string[], bytes: number): readonly string[] | null {
  return bytes <= LINES_KEPT_BYTES_MAX ? detached(lines) : null;
}
