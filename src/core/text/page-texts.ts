/**
 * Which texts of a message are a page's. What must not be read out of pages is taken out of those, and of no others. Each
 * type of message says so member by member, and the compiler asks about every new one.
 */

/** A text of a page that is longer than what is told of it. What is hidden in it is found before `leftOut` goes. */
export type Cut = { readonly uncut: string; readonly leftOut: LeftOut };
/** Parts of a text: from, and up to. */
export type LeftOut = readonly (readonly [start: number, end: number])[];

/** A message as it is told: texts in place of {@link Cut}. */
export type WithoutCuts<T> = T extends Cut ? string : T extends object ? { [K in keyof T]: WithoutCuts<T[K]> } : T;

/**
 * Whose the texts of a message are: the `page`'s, or `ours` – ids, words of our own lists or of the browser's, pictures.
 * What holds no text needs no word.
 */
export type Texts<T> = 'page' | (unknown extends T ? 'ours' : OfParts<Part<T>>);

type OfParts<T> = [T] extends [string | Cut] ? 'ours' : Members<Exclude<T, string | Cut>>;
type Members<T> = { readonly [K in TextKey<T>]: Texts<Member<T, K>> };
/** What a list holds, or a member that may be missing. */
type Part<T> = T extends NoText ? never : T extends readonly (infer One)[] ? Part<One> : T;
type NoText = number | boolean | bigint | null | undefined | ArrayBuffer | ArrayBufferView | Numbers;
type Numbers = { readonly [name: string]: number | boolean | null | undefined | Numbers };
type Member<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
type TextKey<T> = T extends unknown
  ? { [K in keyof T & string]-?: [Part<T[K]>] extends [never] ? never : K }[keyof T & string]
  : never;

/** What a text of a page becomes. Nothing of `leftOut` stays. */
export type Change = (text: string, leftOut: LeftOut) => string;

/** A message without a {@link Cut}, with other texts in place of a page's. */
export function withPageTexts<T>(said: T, texts: Texts<T>, change: Change): T;
export function withPageTexts(said: unknown, texts: unknown, change: Change): unknown {
  return changedTexts(said, texts, change);
}

/** The same where `texts` was checked against the type of the message elsewhere: a {@link WithoutCuts}. */
export function changedTexts(said: unknown, texts: unknown, change: Change): unknown {
  if (typeof said === 'string') return texts === 'ours' ? said : change(said, []);
  if (typeof said !== 'object' || said === null || texts === 'ours' || ArrayBuffer.isView(said)) return said;
  if (Array.isArray(said)) return said.map((one) => changedTexts(one, texts, change));
  if (isCut(said)) return change(said.uncut, said.leftOut);
  // What nobody has decided on is the page's: it comes from a neighbouring version, or holds no text.
  const members = isByMember(texts) ? texts : {};
  return Object.fromEntries(
    Object.entries(said).map(([name, member]) => [name, changedTexts(member, members[name] ?? 'page', change)]),
  );
}

function isByMember(texts: unknown): texts is Readonly<Record<string, unknown>> {
  return typeof texts === 'object' && texts !== null;
}

function isCut(value: object): value is Cut {
  return 'uncut' in value && typeof value.uncut === 'string' && 'leftOut' in value && Array.isArray(value.leftOut);
}

/** A text without parts of it. */
export function cutText(text: string, leftOut: LeftOut): string {
  let kept = '';
  let last = 0;
  for (const [start, end] of leftOut.toSorted(([one], [other]) => one - other)) {
    kept += text.slice(last, Math.max(last, start));
    last = Math.max(last, end);
  }
  return kept + text.slice(last);
}
