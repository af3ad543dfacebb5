/** Characters that people do not see and models read, listed here independently of the product's own definition. */
export const HOSTILE_CHARACTERS: readonly string[] = [
  '\0\b\v\f\r\u001b\u007f\u0085\u009b', // controls
  '\u2028\u2029', // line and paragraph separators
  '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069', // bidi
  '\u200e\u200f\u061c', // direction marks
  '\u200b\u200c\u200d\u2060\ufeff\u180e', // zero width
  '\u2061\u2062\u2063\u2064\u206a\u206f', // invisible operators, deprecated marks
  '\u2800', // a Braille cell without dots
  '\u00ad\u034f\u115f\u1160\u17b4\u3164\uffa0', // soft hyphen, joiner, fillers
  '\ufe00\ufe0e\ufe0f\u{e0100}\u{e01ef}\u180b', // variation selectors
  '\u{e0001}\u{e0020}\u{e0041}\u{e007f}\u{e0fff}', // tags
  '\ufff9\ufffa\ufffb\u{13430}\u{1bca0}\u{1d173}', // annotation, format controls
  '\ufdd0\ufffe\uffff\u{1ffff}\u{10fffe}', // noncharacters
  '\udfff\ud800', // halves of pairs
].flatMap((characters) => Array.from(characters));

/** Words with all of these characters between the letters. UTF-8 replaces what it cannot carry. */
export const HOSTILE_TEXT = `Walrus ${HOSTILE_CHARACTERS.map((character) => `a${character}b`).join('')} song`;

const ARRIVED = new RegExp(
  [
    '\\p{Cs}\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad',
    '\\u034f',
    '\\u061c\\u115f\\u1160\\u17b4-\\u17b5\\u3164\\uffa0',
    '\\u180b-\\u180f',
    '\\u2800',
    '\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff',
    '\\ufe00-\\ufe0d',
    '\\ufff0-\\ufffb\\ufdd0-\\ufdef\\ufffe\\uffff\\u{1fffe}\\u{1ffff}\\u{10fffe}\\u{10ffff}',
    '\\u{13430}-\\u{1345f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}',
  ]
    .map((characters) => `[${characters}]`)
    .join('|'),
  'u',
);
/** Joiners and selectors that neither a script nor an emoji needs. */
const JOINER = '[\\u200c-\\u200d]';
const SELECTOR = '[\\ufe0e-\\ufe0f]';
const STRAY = new RegExp(
  [
    `^(?:${JOINER}|${SELECTOR})`,
    `${JOINER}{2}|${SELECTOR}{2}`,
    `(?<![\\p{L}\\p{M}])\\u200c`,
    `(?<=[\\p{sc=Latin}\\p{sc=Han}\\p{N}\\p{P}\\s])${JOINER}`,
    // The information sign is a letter and an emoji.
    `(?<=[\\p{L}\\p{M}\\s])(?<!\\p{Extended_Pictographic})${SELECTOR}`,
  ].join('|'),
  'u',
);

/** The code point of a character that should have been removed; `null` if there is none. */
export function isArrived(text: string): string | null {
  const found = ARRIVED.exec(text) ?? STRAY.exec(text);
  return found === null ? null : `U+${(found[0].codePointAt(0) ?? 0).toString(16)} at ${found.index}`;
}

/** All texts of a value, including the names of members, each with its path: `$.results[].title`. */
export function textsOf(value: unknown, path = '$'): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    [`${path}{}`, name] as [string, string],
    ...textsOf(one, `${path}.${name}`),
  ]);
}
