import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';

/** `at` is the position of the first character in the text. */
type Word = { left: number; right: number; text: string; at: number };

/** Relative widths of characters. Only their proportions matter. */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[ijl|!'.,:;]/, 0.25],
  [/[ ftrI()[\]/-]/, 0.3],
  [/[mwMW%@—…]/, 0.86],
  [/\p{Lu}/u, 0.68],
];
const USUAL_WIDTH = 0.54;

/** Returns words at estimated positions: pdf.js reports only the start and width of the whole text. */
export function estimateWordPositions({ text, x, width, mono }: PdfPiece): Word[] {
  const widths = Array.from(text, (character) => (mono ? 1 : estimateCharacterWidth(character)));
  const scale = width / widths.reduce((sum, one) => sum + one, 0);
  const words: Word[] = [];
  let left = x;
  let word: Word | null = null;
  for (const [index, character] of Array.from(text).entries()) {
    const right = left + (widths[index] ?? 0) * scale;
    if (character === ' ') word = null;
    else if (word === null) {
      word = { left, right, text: character, at: index };
      words.push(word);
    } else {
      word.right = right;
      word.text += character;
    }
    left = right;
  }
  return words;
}

/** Returns the relative width of a character in a usual proportional font. */
export function estimateCharacterWidth(character: string): number {
  return WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? USUAL_WIDTH;
}
