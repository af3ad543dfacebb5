const WORD = /[\p{L}\p{N}]+/gu;

/** Words, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
