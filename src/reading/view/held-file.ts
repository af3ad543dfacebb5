import { MINUTE_MS } from '#core/limits.ts';
import type { Kind } from '#core/document/kinds.ts';

/**
 * Time in ms for which a file stays in memory. A model that views one page of a PDF usually views the next page soon.
 */
const HELD_MS = 2 * MINUTE_MS;
/**
 * Maximum bytes of the file in memory. An isolate holds one such file. It comes out of the 30 MB of an isolate that the
 * memory budget does not count.
 */
const HELD_BYTES_MAX = 6_000_000;

export type ViewedFile = { url: string; kind: Kind; mediaType: string; bytes: Uint8Array; notes: string[] };

type Held = { subject: string; url: string; until: number; file: ViewedFile };

let held: Held | null = null;

/** Holds the file that was viewed last in memory, so that it is not fetched again for each of its pages. */
export function holdFile(subject: string, url: string, file: ViewedFile, now: number): void {
  held = file.bytes.length > HELD_BYTES_MAX ? null : { subject, url, until: now + HELD_MS, file };
}

/**
 * Returns the file in memory only to the subject that fetched it, because the site may have sent it to this user alone.
 */
export function heldFile(subject: string, url: string, now: number): ViewedFile | null {
  if (held !== null && held.until <= now) held = null;
  return held?.subject === subject && held.url === url ? held.file : null;
}
