/**
 * What of a text counts when a value is looked for in it: letters without case, width, accents and ligatures. All that
 * nobody sees, spaces, and most signs count as nothing.
 */
export type Alphabet = {
  /** Signs that are letters. */
  signs: string;
  /** Whether marks on letters count as nothing. */
  dropsAccents: boolean;
  /** The letters of a text as a text, without line ends: what is looked for in it is nowhere when its letters are not in there. */
  lettersOfText: LettersOfText;
  /** The letters of a character. */
  lettersOf: (codePoint: number) => readonly number[];
  /** The same for ASCII, where a character is one letter at most; -1 for none. */
  ascii: Int32Array;
  /** Whether a word goes on behind spaces and line ends. */
  hasSpaces: boolean;
};

export type LettersOfText = (text: string) => string;

/** What sites put between the letters of keys and numbers, or leave out of them. */
const SIGNS = Array.from("-._+/|,*:·–‐‑‒—−•'’٬");
/** As many letters as a value has at least. With fewer, its signs count, too. */
const LETTERS_MIN = 6;

/** How a value is looked for. One that begins or ends with signs is looked for without them, and with them. */
export function alphabetsFor(value: string): Alphabet[] {
  const text = value.trim();
  const hasSpaces = /\s/u.test(text);
  const own = SIGNS.filter((sign) => text.includes(sign)).join('');
  const candidates = [alphabet('', true, hasSpaces), alphabet(own, true, hasSpaces), alphabet(own, false, hasSpaces)];
  const fitting = candidates.filter((one) => lettersIn(text, one).length >= LETTERS_MIN);
  const hasSignsOutside = own.includes(text.charAt(0)) || own.includes(text.charAt(text.length - 1));
  return [...new Set(fitting.length === 0 ? candidates.slice(-1) : fitting.slice(0, hasSignsOutside ? 2 : 1))];
}

/**
 * The same where line ends and tabs count as nothing, for all of a value alone: beginnings of words would be found in words of
 * neighbouring lines. None for a value that is found so anyway, for a number, as tables have many, or for a short one.
 */
export function alphabetsAcrossLines(value: string): Alphabet[] {
  const text = value.trim();
  if (/\s|^\d+$/u.test(text)) return [];
  return alphabetsFor(text)
    .filter((one) => lettersIn(text, one).length >= LETTERS_ACROSS_LINES_MIN)
    .map(({ signs, dropsAccents }) => alphabet(signs, dropsAccents, false, true));
}

const LETTERS_ACROSS_LINES_MIN = 8;

/** How bytes that are written as letters are looked for: programs break them into lines. */
export function alphabetForBytes(): Alphabet {
  return alphabet('', true, false, true);
}

export function lettersIn(text: string, { lettersOf }: Alphabet): number[] {
  return Array.from(text).flatMap((character) => lettersOf(character.codePointAt(0) ?? 0));
}

const known = new Map<string, Alphabet>();

/** @param dropsLineEnds whether line ends count as nothing, as spaces do */
function alphabet(signs: string, dropsAccents: boolean, hasSpaces: boolean, dropsLineEnds = hasSpaces): Alphabet {
  const key = `${signs}\n${dropsAccents}${hasSpaces}${dropsLineEnds}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const lettersOfText = lettersWithout(signs, dropsAccents);
  const lettersNow = (codePoint: number) =>
    !dropsLineEnds && isLineEnd(codePoint)
      ? [codePoint]
      : Array.from(lettersOfText(String.fromCodePoint(codePoint)), (one) => one.codePointAt(0) ?? 0);
  const ofOthers = new Map<number, readonly number[]>();
  const lettersOf = (codePoint: number) => {
    const letters = ofOthers.get(codePoint) ?? lettersNow(codePoint);
    // A page may have every character there is.
    if (ofOthers.size < CHARACTERS_REMEMBERED_MAX) ofOthers.set(codePoint, letters);
    return letters;
  };
  const ascii = Int32Array.from({ length: 0x80 }, (_, code) => lettersNow(code)[0] ?? -1);
  const made = { signs, dropsAccents, lettersOfText, lettersOf, ascii, hasSpaces };
  known.set(key, made);
  return made;
}

const CHARACTERS_REMEMBERED_MAX = 20_000;
const UNSEEN = '\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point} \\u2800';

/** Line ends, and what counts like them. */
export function isLineEnd(codePoint: number): boolean {
  return codePoint === 0x09 || codePoint === 0x0a;
}

const lettersBySigns = new Map<string, LettersOfText>();

/** One function for all alphabets that differ in line ends alone: what it gives for a text is the same for them. */
function lettersWithout(signs: string, dropsAccents: boolean): LettersOfText {
  const key = `${signs}\n${dropsAccents}`;
  const dropped = SIGNS.filter((sign) => !signs.includes(sign)).map((sign) => `\\u{${hexOf(sign)}}`);
  const nothing = new RegExp(`[${UNSEEN}${dropped.join('')}${dropsAccents ? '\\p{Mn}' : ''}]+`, 'gv');
  const made = lettersBySigns.get(key) ?? ((text: string) => folded(text).replace(nothing, ''));
  lettersBySigns.set(key, made);
  return made;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Without case, as Unicode folds it in full (ß is ss), and taken apart (NFKD), which makes wide and other forms plain. */
function folded(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  const plain = text.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().normalize('NFKD');
  // It is the other one at the end of a word.
  return plain.replaceAll('ς', 'σ').replace(DIGITS_OF_OTHERS, asciiDigit);
}

/** Sites write numbers in the digits of the reader's language. */
const DIGITS_OF_OTHERS = /[\p{Nd}--[0-9]]/gv;
const DIGIT = /\p{Nd}/v;

/** Unicode has the digits of a script in ascending order, and before each zero nothing or the nine of another script. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
