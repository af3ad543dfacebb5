import { REF_CONTEXT_CHARS_MAX } from './context-words.ts';

/** Maximum words that one typed value may replace, such as the earlier words of a table cell. */
const REPLACED_WORDS_MAX = 8;

/** True if the words differ only by values that the caller typed, such as a new quantity in a table row. */
export function differOnlyByTypedValues(written: readonly string[], before: string, now: string): boolean {
  const [was, is] = [wordsIn(before), wordsIn(now)];
  const values = written.map(wordsIn).filter((words) => words.length > 0);
  const isCut = Math.max(before.length, now.length) >= REF_CONTEXT_CHARS_MAX;
  const refused = new Set<string>();
  const fits = (at: number, to: number): boolean => {
    if (at === was.length && to === is.length) return true;
    if (isCut && (at === was.length || to === is.length) && to > 0) return true;
    const key = `${at} ${to}`;
    if (refused.has(key)) return false;
    const isEqual = at < was.length && was[at] === is[to] && fits(at + 1, to + 1);
    if (isEqual || values.some((value) => isValueAt(value, is, to) && goesOn(at, to + value.length))) return true;
    refused.add(key);
    return false;
  };
  const goesOn = (at: number, to: number) => {
    const last = Math.min(at + REPLACED_WORDS_MAX, was.length);
    for (let after = at; after <= last; after += 1) if (fits(after, to)) return true;
    return false;
  };
  return fits(0, 0);
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

function isValueAt(value: readonly string[], words: readonly string[], at: number): boolean {
  return at + value.length <= words.length && value.every((word, n) => isSame(word, words[at + n] ?? ''));
}

/** True for words that are equal in different notations: a page may show a typed `5` as `5.00` or `€5`. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)];
  return a === b || (a !== '' && b !== '' && Number(a) === Number(b));
}

function bare(word: string): string {
  return word.replaceAll(/[^\p{L}\p{N}.]+/gu, '').toLowerCase();
}
