import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseKeyChord,
  keyEvents,
  keyForCharacter,
  KEY_NAMES,
  keyPressEvents,
  isClipboardShortcut,
} from '#browsing/act/fields/type-text.ts';

const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

describe('the keys of a US keyboard', () => {
  it('write every printable ASCII character, and no others', () => {
    for (const character of PRINTABLE) expect(keyForCharacter(character)?.text).toBe(character);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), (character) => {
        expect(keyForCharacter(character) !== null).toBe(PRINTABLE.includes(character));
      }),
    );
  });

  it('have the codes of the UI Events standard', () => {
    expect(keyForCharacter('a')).toMatchObject({ code: 'KeyA', number: 65, isShifted: false });
    expect(keyForCharacter('A')).toMatchObject({ code: 'KeyA', number: 65, isShifted: true });
    expect(keyForCharacter('%')).toMatchObject({ code: 'Digit5', number: 53, isShifted: true });
    expect(keyForCharacter('?')).toMatchObject({ code: 'Slash', number: 191, isShifted: true });
    expect(keyPressEvents('ArrowDown')).toEqual([
      { type: 'rawKeyDown', key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40, modifiers: 0 },
      { type: 'keyUp', key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40, modifiers: 0 },
    ]);
  });

  it('are pressed together with those before them', () => {
    expect(parseKeyChord('ctrl+a')).toMatchObject({ key: { code: 'KeyA' }, modifiers: ['Control'] });
    expect(parseKeyChord('Control+Shift+Tab')).toMatchObject({ key: { code: 'Tab' }, modifiers: ['Control', 'Shift'] });
    expect(parseKeyChord('Control++')).toMatchObject({ key: { code: 'Equal' }, modifiers: ['Control'] });
    expect(parseKeyChord('esc')).toMatchObject({ key: { key: 'Escape' } });
    expect(parseKeyChord('+')).toMatchObject({ key: { code: 'Equal' } });
  });

  it('write nothing while a command key is pressed', () => {
    const chord = parseKeyChord('Control+A');
    expect(chord === null ? null : keyEvents(chord.key, chord.modifiers)[0]).toMatchObject({
      type: 'rawKeyDown',
      modifiers: 2,
    });
  });

  it.each(['Hyper', 'Control+', 'Foo+A', 'Control+Nothing', 'ab', ''])('do not include %j', (name) => {
    expect(parseKeyChord(name)).toBeNull();
  });

  it('are all available by name', () => {
    for (const name of KEY_NAMES) expect(keyPressEvents(name)).toHaveLength(2);
  });

  it.each([
    ['Control+C', true],
    ['Meta+v', true],
    ['Shift+Insert', true],
    ['Control+Shift+V', true],
    ['Control+A', false],
    ['Delete', false],
  ])('%s uses the clipboard: %s', (name, uses) => {
    const chord = parseKeyChord(name);
    expect(chord !== null && isClipboardShortcut(chord)).toBe(uses);
  });
});
