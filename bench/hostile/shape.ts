import { PeriscopeError } from '#core/failures/failure.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { extract } from '#extract/extract.ts';

/** The smallest of three sizes, each twice the previous one, and the work on a text of about that many characters. */
export type Shape = { from: number; work: (size: number) => unknown };

export const SITE = 'https://docs.example';

export const filled = (part: string, size: number) => part.repeat(Math.max(1, Math.floor(size / part.length)));

export const many = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join('');

export const bytes = (text: string) => new TextEncoder().encode(text);

/** Reads text, or the bytes of a file. */
export function reads(kind: BodyKind, make: (size: number) => string | Uint8Array, from = 300_000): Shape {
  return {
    from,
    work: async (size) => {
      const made = make(size);
      const body = typeof made === 'string' ? { text: made, bytes: new Uint8Array() } : { text: '', bytes: made };
      await extract({ kind, ...body, url: `${SITE}/a/b`, mode: 'readable' }).catch((error: unknown) => {
        if (!(error instanceof PeriscopeError)) throw error;
      });
    },
  };
}
