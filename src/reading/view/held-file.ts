import { MINUTE_MS } from '#core/limits.ts';
import type { Kind } from '#core/document/kinds.ts';

/** A model that looks at one page of a PDF looks at the next one soon. */
const HELD_MS = 2 * MINUTE_MS;
/** One file of this size for an isolate, which has 30 MB for what is not counted. */
const HELD_BYTES_MAX = 6_000_000;

export type ViewedFile = { url: string; kind: Kind; mediaType: string; bytes: Uint8Array; notes: string[] };

type Held = { subject: string; url: string; until: number; file: ViewedFile };

let held: Held | null = null;

/** Keeps the file that was looked at last, so that it is not fetched again for each of its pages. */
export function holdFile(subject: string, url: string, file: ViewedFile, now: number): void {
  held = file.bytes.length > HELD_BYTES_MAX ? null : { subject, url, until: now + HELD_MS, file };
}

/** Only for who fetched it: it may have been sent to one person. */
export function heldFile(subject: string, url: string, now: number): ViewedFile | null {
  if (held !== null && held.until <= now) held = null;
  return held?.subject === subject && held.url === url ? held.file : null;
}
