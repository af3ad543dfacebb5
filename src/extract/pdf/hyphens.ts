import type { TextStyle } from './style.ts';

type Vocabulary = Pick<TextStyle, 'hyphenated' | 'words'>;

/** No word is longer. */
export const TAIL_CHARS = 80;
const DIVIDED = /(?<!\p{L})(\p{L}+)[-\u2010]$/u;
const HYPHEN = /[\p{L}\p{N}][-\u2010\u2011]$/u;
const WORD = /^\p{L}[\p{L}\p{M}]*/u;
const NEXT_PART = /^[\p{L}\p{N}]/u;
/** `pre- and post-war`: the hyphen stands for a part of the word. */
const SUSPENDED = /^(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of|och|og)\s/;
/** Parts that English writes with a hyphen before another word. */
const COMPOUND: ReadonlySet<string> = new Set(
  'cross double first five four free full half hard high ill large left long low non open real right second self short single six small three two well'.split(
    ' ',
  ),
);
/** Suffixes before which such a part may be divided at a line end. */
const ENDING =
  /^(?:ware|ness|less|able|ship|hand|most|light|i[sz]e|ful|ward|ing|ish|est|ar[iy]|is[mt]|dom|ton|ity|age|e[lr]y)/;
const CJK_AT_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}。、]$/u;
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Joins the end of a line and the next one, without the hyphen if a word is divided between them. */
export function joinLines(last: string, next: string, style: Vocabulary): string[] {
  const tail = last.slice(-TAIL_CHARS);
  if (!HYPHEN.test(tail) || !NEXT_PART.test(next))
    return [last, CJK_AT_END.test(tail) && CJK.test(next) ? next : ` ${next}`];
  if (SUSPENDED.test(next.slice(0, TAIL_CHARS))) return [last, ` ${next}`];
  const stem = DIVIDED.exec(tail)?.[1];
  const rest = WORD.exec(next.slice(0, TAIL_CHARS))?.[0];
  if (stem === undefined || rest === undefined) return [last, next];
  // Names keep their hyphen: Anglo-Saxon.
  const isDivided =
    isUpper(stem) === isUpper(rest) && (isUpper(stem) || /^\p{Ll}/u.test(rest)) && !keepsHyphen(stem, rest, style);
  return [isDivided ? last.slice(0, -1) : last, next];
}

function keepsHyphen(stem: string, rest: string, { hyphenated, words }: Vocabulary): boolean {
  const [first, second] = [stem.toLowerCase(), rest.toLowerCase()];
  if (hyphenated.has(`${first}-${second}`)) return true;
  if (words.has(first + second)) return false;
  // In capitals, names of several words are as frequent as divided words.
  if (isUpper(stem)) return words.has(first) && words.has(second);
  // No word is divided after its first letter.
  return first.length === 1 || (COMPOUND.has(first) && second.length > 2 && !ENDING.test(second));
}

function isUpper(text: string): boolean {
  return text.length > 1 && text === text.toUpperCase();
}
