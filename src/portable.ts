import * as z from 'zod';
import { fromBase64, toBase64 } from '#core/text/base64.ts';

/** A stored value as JSON, so that it comes back as it was: bytes, and objects with any names, too. */
export type Portable =
  | null
  | boolean
  | number
  | string
  | { bytes: string }
  | { list: Portable[] }
  | { fields: [name: string, value: Portable][] }
  | { nothing: true };

const portable: z.ZodType<Portable> = z.lazy(() =>
  z.union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    z.strictObject({ bytes: z.base64() }),
    z.strictObject({ list: z.array(portable) }),
    z.strictObject({ fields: z.array(z.tuple([z.string(), portable])) }),
    z.strictObject({ nothing: z.literal(true) }),
  ]),
);

export const portableSchema = portable;

/** @throws when nothing that Periscope stores looks like this */
export function toPortable(value: unknown): Portable {
  if (value === undefined) return { nothing: true };
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (value instanceof ArrayBuffer) return { bytes: toBase64(new Uint8Array(value)) };
  if (value instanceof Uint8Array) return { bytes: toBase64(value) };
  if (Array.isArray(value)) return { list: value.map(toPortable) };
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new TypeError('a stored value of a kind that backups do not know');
  }
  return { fields: Object.entries(value).map(([name, one]) => [name, toPortable(one)]) };
}

export function fromPortable(value: Portable): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('bytes' in value) return fromBase64(value.bytes);
  if ('list' in value) return value.list.map(fromPortable);
  if ('nothing' in value) return undefined;
  return Object.fromEntries(value.fields.map(([name, one]) => [name, fromPortable(one)]));
}
