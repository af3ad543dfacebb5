/**
 * Declares which texts of a message come from a page, because secrets are masked only in page text. Each message type
 * needs a declaration for each member that contains text. The compiler reports a missing one.
 */

/**
 * A text and the ranges to remove from it. Secrets are masked in `uncut`, because a secret that was cut would not be
 * recognized.
 */
export type TextWithCuts = { readonly uncut: string; readonly leftOut: OmittedRanges };
export type OmittedRanges = readonly (readonly [start: number, end: number])[];

export type WithoutCuts<T> = T extends TextWithCuts
  ? string
  : T extends object
    ? { [K in keyof T]: WithoutCuts<T[K]> }
    : T;

/**
 * The origin of each text in a message. `page`: text from a page, in which secrets are masked. `ours`: IDs, pictures,
 * and words from fixed lists or of the browser. Members without text, such as numbers, need no declaration.
 */
export type TextOrigins<T> = 'page' | (unknown extends T ? 'ours' : OfParts<Part<T>>);

type OfParts<T> = [T] extends [string | TextWithCuts] ? 'ours' : Members<Exclude<T, string | TextWithCuts>>;
type Members<T> = { readonly [K in TextKey<T>]: TextOrigins<Member<T, K>> };
type Part<T> = T extends NoText ? never : T extends readonly (infer One)[] ? Part<One> : T;
type NoText = number | boolean | bigint | null | undefined | ArrayBuffer | ArrayBufferView | Numbers;
type Numbers = { readonly [name: string]: number | boolean | null | undefined | Numbers };
type Member<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
type TextKey<T> = T extends unknown
  ? { [K in keyof T & string]-?: [Part<T[K]>] extends [never] ? never : K }[keyof T & string]
  : never;

/**
 * Changes one page text, for example by masking secrets. The result must not contain any of the ranges in `leftOut`.
 */
export type ChangeText = (text: string, leftOut: OmittedRanges) => string;

export function mapPageTexts<T>(said: T, texts: TextOrigins<T>, change: ChangeText): T;
export function mapPageTexts(said: unknown, texts: unknown, change: ChangeText): unknown {
  return mapPageTextsUntyped(said, texts, change);
}

/**
 * Changes texts like `mapPageTexts`, but without type checks. For callers that check `texts` against the message type
 * elsewhere.
 */
export function mapPageTextsUntyped(said: unknown, texts: unknown, change: ChangeText): unknown {
  if (typeof said === 'string') return texts === 'ours' ? said : change(said, []);
  if (typeof said !== 'object' || said === null || texts === 'ours' || ArrayBuffer.isView(said)) return said;
  if (Array.isArray(said)) return said.map((one) => mapPageTextsUntyped(one, texts, change));
  if (isCut(said)) return change(said.uncut, said.leftOut);
  // A member without a declaration, as from another version of the server, is treated as page text.
  const members = isByMember(texts) ? texts : {};
  return Object.fromEntries(
    Object.entries(said).map(([name, member]) => [name, mapPageTextsUntyped(member, members[name] ?? 'page', change)]),
  );
}

function isByMember(texts: unknown): texts is Readonly<Record<string, unknown>> {
  return typeof texts === 'object' && texts !== null;
}

function isCut(value: object): value is TextWithCuts {
  return 'uncut' in value && typeof value.uncut === 'string' && 'leftOut' in value && Array.isArray(value.leftOut);
}

export function removeRanges(text: string, leftOut: OmittedRanges): string {
  let remaining = '';
  let last = 0;
  for (const [start, end] of leftOut.toSorted(([one], [other]) => one - other)) {
    remaining += text.slice(last, Math.max(last, start));
    last = Math.max(last, end);
  }
  return remaining + text.slice(last);
}
