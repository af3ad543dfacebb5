import { expect, it } from 'vitest';
import { isBlank, removeBlanks } from '#core/text/blank.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';

const BRAILLE = '\u2800';

it.each([
  '',
  ' ',
  '\t\n',
  '\u00a0\u3000',
  BRAILLE,
  ` ${BRAILLE}\n${BRAILLE}`,
  '\u200b',
  '\u3164\u115f',
  '\u202e\u{e0041}',
])('a text without visible characters is blank: %j', (text) => {
  expect(isBlank(text)).toBe(true);
  expect(removeBlanks(text)).toBe('');
  expect(oneLine(text, 80)).toBe('');
});

it.each(['a', `${BRAILLE}a`, '\u2801', '⠃⠗⠁', '.', '👩', '\ud800'])(
  'a text with visible characters is not blank: %j',
  (text) => {
    expect(isBlank(text)).toBe(false);
    expect(oneLine(text, 80)).not.toBe('');
  },
);

it('blankness treats every character like its compatibility form', () => {
  const wrong: number[] = [];
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (isBlank(character) !== (sanitizeText(character).trim() === '')) wrong.push(code);
  }
  expect(wrong).toEqual([]);
});

it('blankness treats an empty Braille cell between words as a space', () => {
  expect(sanitizeText(`⠃⠗${BRAILLE}⠁⠊`)).toBe('⠃⠗ ⠁⠊');
  expect(removeBlanks(`a${BRAILLE}b \u200bc`)).toBe('abc');
});
