import { BLANK_LINE } from '#core/text/line-kinds.ts';
import { CodeFences } from '#core/text/plain.ts';
import { STRIKE_MARK, readableText } from '#core/text/visible-text.ts';

/** Stands for the mark of struck-out text: a control character, which no document contains. */
const STRIKE = '\u0001';
const LETTER = /[\p{L}\p{N}]/u;

/**
 * True if struck-out text is open after these lines: a document may mark only the first and the last line of a struck-out
 * paragraph.
 */
export function endsStruck(lines: readonly string[]): boolean {
  const fences = new CodeFences();
  let marks = 0;
  for (const line of lines) {
    // Neither code nor a blank line continues struck-out text.
    if (fences.take(line) || BLANK_LINE.test(line)) marks = 0;
    else marks += readableText(line, STRIKE).split(STRIKE).length - 1;
  }
  return marks % 2 === 1;
}

/**
 * True if the same letters of two readable texts are struck out, wherever the marks are: `~~a b~~` equals `~~a~~ ~~b~~`.
 * Texts with other letters are equal if both have a mark or neither.
 */
export function haveSameStrikes(one: string, other: string): boolean {
  const [first, second] = [struckLetters(one), struckLetters(other)];
  if (first.letters === second.letters) return first.struck === second.struck;
  return one.includes(STRIKE_MARK) === other.includes(STRIKE_MARK);
}

function struckLetters(text: string): { letters: string; struck: string } {
  let isStruck = false;
  let letters = '';
  let struck = '';
  for (const part of text.normalize('NFKC').toLowerCase().split(STRIKE_MARK)) {
    for (const character of part) {
      if (!LETTER.test(character)) continue;
      letters += character;
      struck += isStruck ? '~' : '-';
    }
    isStruck = !isStruck;
  }
  return { letters, struck };
}
