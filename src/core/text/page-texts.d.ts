/**
 * Declares which texts of a message come from a page, because secrets are masked only in page text. Each message type
 * declares the origin of each member. The compiler requires a declaration for new members.
 */
/** A text with the ranges `leftOut` to remove. Secrets are searched in `uncut`, before the ranges are removed. */
export type TextWithCuts = {
  readonly uncut: string;
  readonly leftOut: LeftOut;
};
export type LeftOut = readonly (readonly [start: number, end: number])[];
export type WithoutCuts<T> = T extends TextWithCuts
  ? string
  : T extends object
    ? {
        [K in keyof T]: WithoutCuts<T[K]>;
      }
    : T;
/**
 * The origin of each text in a message. `page`: text from a page. `ours`: IDs, pictures, and words from fixed lists or
 * of the browser. Members without text need no declaration.
 */
export type TextOrigins<T> = 'page' | (unknown extends T ? 'ours' : OfParts<Part<T>>);
type OfParts<T> = [T] extends [string | TextWithCuts] ? 'ours' : Members<Exclude<T, string | TextWithCuts>>;
type Members<T> = {
  readonly [K in TextKey<T>]: TextOrigins<Member<T, K>>;
};
type Part<T> = T extends NoText ? never : T extends readonly (infer One)[] ? Part<One> : T;
type NoText = number | boolean | bigint | null | undefined | ArrayBuffer | ArrayBufferView | Numbers;
type Numbers = {
  readonly [name: string]: number | boolean | null | undefined | Numbers;
};
type Member<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
type TextKey<T> = T extends unknown
  ? {
      [K in keyof T & string]-?: [Part<T[K]>] extends [never] ? never : K;
    }[keyof T & string]
  : never;
/** Changes one page text. The result must not contain any of the ranges in `leftOut`. */
export type ChangeText = (text: string, leftOut: LeftOut) => string;
export declare function mapPageTexts<T>(said: T, texts: TextOrigins<T>, change: ChangeText): T;
/**
 * The same as `mapPageTexts` without type checks, for callers that check `texts` against the message type elsewhere.
 */
export declare function mapPageTextsUntyped(said: unknown, texts: unknown, change: ChangeText): unknown;
export declare function removeParts(text: string, leftOut: LeftOut): string;
export {};
