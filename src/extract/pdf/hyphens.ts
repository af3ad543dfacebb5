import { SOFT_HYPHEN } from '#extract/pdf/drawn/pieces.ts';
import type { TextStyle } from './style.ts';

type Vocabulary = Pick<TextStyle, 'hyphenated' | 'words'>;

/** Maximum characters at the end of a line that are searched for the start of a divided word. Words are shorter. */
export const LINE_TAIL_CHARS_MAX = 80;
export const DIVIDED_WORD = /(?<!\p{L})(\p{L}+)[-\u2010]$/u;
const HYPHEN = /[\p{L}\p{N}][-\u2010\u2011]$/u;
const WORD = /^\p{L}[\p{L}\p{M}]*/u;
/** Matches the dash of a range, as in `10–20`. */
const RANGE = /\d\u2013$/;
/** Matches the end of a chain of words, such as `state-of-the-`, whose hyphen stays. */
const CHAIN = /\p{L}-(?:\p{L}+-\p{L}+|a|an|and|by|in|of|on|or|the|to)[-\u2010]$/u;
/** Matches a prefix and half of a divided word, such as `non-in-` of `non-invasive`: the last hyphen is removed. */
const PREFIXED = /(?<!\p{L})(?:co|non|pre|re|self)-\p{L}+[-\u2010]$/iu;
const NEXT_PART = /^[\p{L}\p{N}]/u;
/** Matches the words after a hyphen that replaces part of a word, as `and` in `pre- and post-war`. */
const SUSPENDED = /^(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of|och|og)\s/;
/** First words of English compounds that keep their hyphen, such as `self-contained`. */
const COMPOUND: ReadonlySet<string> = new Set(
  'cross double first five four free full half hard high ill large left long low non open real right second self short single six small three two well twenty thirty forty fifty sixty seventy eighty ninety'.split(
    ' ',
  ),
);
/** Matches suffixes. `self-` and `ish` are one divided word (`selfish`), although `self` is in `COMPOUND`. */
const ENDING =
  /^(?:ware|ness|less|able|ship|hand|most|light|i[sz]e|ful|ward|ing|ish|est|ar[iy]|is[mt]|dom|ton|ity|age|e[lr]y)/;
const CJK_AT_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}。、]$/u;
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Joins two lines. A hyphen that divides a word at the line end is removed; a space is added where needed. */
export function joinHyphenatedLines(last: string, next: string, style: Vocabulary): string[] {
  if (last.endsWith(SOFT_HYPHEN)) return [last.slice(0, -SOFT_HYPHEN.length), next];
  const tail = last.slice(-LINE_TAIL_CHARS_MAX);
  if (RANGE.test(tail) && /^\d/.test(next)) return [last, next];
  if (!HYPHEN.test(tail) || !NEXT_PART.test(next))
    return [last, CJK_AT_END.test(tail) && CJK.test(next) ? next : ` ${next}`];
  if (SUSPENDED.test(next.slice(0, LINE_TAIL_CHARS_MAX))) return [last, ` ${next}`];
  const stem = DIVIDED_WORD.exec(tail)?.[1];
  const rest = WORD.exec(next.slice(0, LINE_TAIL_CHARS_MAX))?.[0];
  if (stem === undefined || rest === undefined) return [last, next];
  // A hyphen before a capital letter stays, as in Anglo-Saxon.
  const isDivided =
    isUpper(stem) === isUpper(rest) &&
    (isUpper(stem) || /^\p{Ll}/u.test(rest)) &&
    (!CHAIN.test(tail) || PREFIXED.test(tail)) &&
    !keepsHyphen(stem, rest, style);
  return [isDivided ? last.slice(0, -1) : last, next];
}

function keepsHyphen(stem: string, rest: string, { hyphenated, words }: Vocabulary): boolean {
  const [first, second] = [stem.toLowerCase(), rest.toLowerCase()];
  if (hyphenated.has(`${first}-${second}`)) return true;
  if (words.has(first + second)) return false;
  // In capitals, compounds are as frequent as divided words: the hyphen stays only between two known words.
  if (isUpper(stem)) return words.has(first) && words.has(second);
  // No word is divided after its first letter, so in `X-` and `ray` the hyphen stays.
  return first.length === 1 || (COMPOUND.has(first) && second.length > 2 && !ENDING.test(second));
}

function isUpper(text: string): boolean {
  return text.length > 1 && text === text.toUpperCase();
}
