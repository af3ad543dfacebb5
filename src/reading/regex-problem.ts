import { RE2JSSyntaxException } from 're2js';
import { oneLine } from '#core/text.ts';

const FRAGMENT_CHARS_MAX = 30;

/** What the engine says → what that means for somebody who writes patterns for other engines. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['missing closing )', 'has a ( that is never closed'],
  ['unexpected )', 'has a ) that was never opened'],
  ['missing closing ]', 'has a [ that is never closed'],
  ['trailing backslash at end of expression', 'ends in a backslash that escapes nothing'],
  ['invalid nested repetition operator', 'repeats a repetition'],
  ['missing argument to repetition operator', 'has a repetition with nothing before it to repeat'],
  ['invalid repeat count', 'has a repetition count that is not possible; at most 1000, the smaller first'],
  ['invalid character class range', 'has a range or class of characters that does not exist'],
  ['invalid escape sequence', 'escapes something that has no meaning here'],
  ['invalid named capture', 'has a named group that is not well formed'],
  ['duplicate capture group name', 'has two groups of the same name'],
  ['invalid or unsupported Perl syntax', 'uses a kind of group that RE2 does not have'],
  ['expression nests too deeply', 'nests too deeply'],
  ['expression too large', 'is too large once its repetitions are expanded'],
]);

/** What other engines have and a linear-time one cannot have. */
const MISSING: readonly [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'uses look-around, which RE2 does not have'],
  [/^\\[1-9]/, 'uses a back-reference, which RE2 does not have'],
  [/^\(\?>|^(?:[*+?]|\{[\d,]*\})\+/, 'uses a possessive or atomic repetition, which RE2 neither has nor needs'],
];

/** The fault of a regular expression and its place, in our words around a few characters of the caller's own pattern. */
export function regexProblem(pattern: string, error: unknown): string {
  if (!(error instanceof RE2JSSyntaxException)) return 'is not a regular expression that can be used here';
  const fault = error.getDescription();
  const fragment = error.getPattern() ?? '';
  const words =
    MISSING.find(([sign]) => sign.test(fragment))?.[1] ??
    WORDS.get(fault) ??
    'is not a regular expression that can be used here';
  const at = placeOf(pattern, fault, fragment);
  return at === null
    ? words
    : `${words}: at character ${at + 1}, ${JSON.stringify(oneLine(pattern.slice(at), FRAGMENT_CHARS_MAX))}`;
}

function placeOf(pattern: string, fault: string, fragment: string): number | null {
  if (fault === 'trailing backslash at end of expression') return pattern.length - 1;
  // Of brackets that do not match, the engine names the whole pattern only.
  if (fault === 'missing closing )' || fault === 'unexpected )') return unmatched(pattern);
  const at = fragment === '' ? -1 : pattern.indexOf(fragment);
  return at < 0 ? null : at;
}

/** The first round bracket without its partner. */
function unmatched(pattern: string): number | null {
  const open: number[] = [];
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') open.push(at);
    else if (character === ')' && open.pop() === undefined) return at;
  }
  return open.at(-1) ?? null;
}
