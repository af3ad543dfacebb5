import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainText, sanitizeJson, sanitizeText } from '#core/text/plain.ts';
import { HOSTILE_CHARACTERS, isArrived } from '#support/invisible.ts';

describe('sanitizeText', () => {
  it('removes every invisible character', () => {
    for (const hidden of HOSTILE_CHARACTERS) expect(sanitizeText(`a${hidden}b`)).toMatch(/^a[\n \ufffd]?b$/);
  });

  it.each([
    ['Persian', 'می\u200cخواهم'],
    ['Persian, with a mark before', 'مَ\u200cم'],
    ['Persian, before a space', 'ه\u200d است'],
    ['Hindi', 'क्\u200dष'],
    ['Hindi, at the end of a word', 'राष्ट्\u200d।'],
    ['an emoji family', '👨\u200d👩\u200d👧'],
    ['a kiss', '👩🏻\u200d❤\ufe0f\u200d💋\u200d👨🏾'],
    ['a pirate flag beside a family', '🏴\u200d☠\ufe0f👨\u200d👩\u200d👧'],
    ['a heart on fire, without a selector', '❤\u200d🔥'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['skin and hair', '👩🏽\u200d🦱'],
    ['a symbol drawn as text', '☺\ufe0e'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['an emoji that is a letter', 'ℹ\ufe0e'],
  ])('keeps the joiners and selectors of %s', (_, text) => {
    expect(sanitizeText(text)).toBe(text);
    expect(isArrived(text)).toBeNull();
  });

  it('removes joiners from Latin words and from the ends of words', () => {
    expect(sanitizeText('ad\u200cmin\u200d \u200dx👩\u200d.')).toBe('admin x👩.');
  });

  it('removes joiners between pictures that are not one emoji', () => {
    expect(sanitizeText('👨\u200d'.repeat(500))).toBe('👨'.repeat(500));
    expect(sanitizeText('👨\u200d👩\u200d👧\u200d🔥\u200d❤\ufe0f\u200d🔥')).toBe('👨\u200d👩\u200d👧🔥❤\ufe0f\u200d🔥');
    expect(sanitizeText('🏽\u200d🔥')).toBe('🏽🔥');
  });

  it('removes bytes hidden in variation selectors but keeps one that draws a symbol', () => {
    expect(sanitizeText('☺\ufe0f\ufe01\ufe02')).toBe('☺\ufe0f');
    expect(sanitizeText('a\ufe01b\u{e0101}\u{e0102}葛\u{e0100}1\ufe0f')).toBe('ab葛1');
  });

  it('keeps one joiner of several in a row, because the others could carry hidden data', () => {
    expect(sanitizeText('می\u200c\u200d\u200c\u200cخ')).toBe('می\u200cخ');
  });

  it('turns every line end into a line feed', () => {
    expect(sanitizeText('a\r\nb\rc\u2028d\u0085e')).toBe('a\nb\nc\nd\ne');
  });

  it('replaces half a surrogate pair', () => {
    expect(sanitizeText('a\ud800b')).toBe('a\ufffdb');
  });

  it('is idempotent when a removed character was between two others', () => {
    expect(sanitizeText('\ufe0f\u200d👩')).toBe('👩');
  });
});

describe('isPlainText', () => {
  const UNSEEN =
    /[[\u2800\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Cs}\u2028\u2029\ufff9-\ufffb\u{13430}-\u{1345f}]--[\t\n]]/v;

  it('is false for exactly the characters that sanitizeText examines', () => {
    const wrong: number[] = [];
    for (let code = 0; code <= 0x10_ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (isPlainText(`a${character}b`) === UNSEEN.test(character)) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });
});

describe('plain text of any input', () => {
  const RUNS = 20_000;
  const letters = [
    '👩',
    '❤',
    '🏽',
    '🔥',
    '©',
    'م',
    'َ',
    'क',
    '्',
    '葛',
    'a',
    '1',
    '#',
    '\u20e3',
    ' ',
    '\n',
    '\t',
    '\ud83d',
  ];
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_CHARACTERS) },
    { weight: 3, arbitrary: fc.constantFrom('\u200c', '\u200d', '\ufe0e', '\ufe0f') },
    { weight: 3, arbitrary: fc.constantFrom(...letters) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  );
  const text = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''));

  it('is clean, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const once = sanitizeText(raw);
        expect(isArrived(once)).toBe(null);
        expect(sanitizeText(once)).toBe(once);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['❤\u200d🔥', '👩\u200d❤\ufe0f\u200d👩'])('keeps %s whole when a skin tone follows it', (emoji) => {
    expect(sanitizeText(emoji)).toBe(emoji);
    expect(sanitizeText(`${emoji}🏽`)).toBe(`${emoji}🏽`);
  });

  it('stays clean when clean texts are joined, so a stored line is shown as stored', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom('', '\n', ': '), (first, second, between) => {
        const joined = sanitizeText(first) + between + sanitizeText(second);
        expect(sanitizeText(joined)).toBe(joined);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('sanitizeJson', () => {
  it('cleans texts and names at every depth, and leaves other values unchanged', () => {
    const value = { 'a\u200b': ['b\u202e', 1, null, true, { c: 'd\u{e0041}' }] };
    expect(sanitizeJson(value)).toEqual({ a: ['b', 1, null, true, { c: 'd' }] });
  });

  it('keeps members whose plain names collide', () => {
    expect(sanitizeJson({ a: 1, 'a\u200b': 2, 'a\u200d': 3 })).toEqual({ a: 1, 'a (2)': 2, 'a (3)': 3 });
  });
});
