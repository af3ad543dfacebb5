import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeFileName } from '#core/document/file-facts.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { HOSTILE_CHARACTERS } from '#support/invisible.ts';
import { stories } from '#support/stories.ts';

describe('a safe file name', () => {
  it.each([
    ['report.csv', 'report.csv'],
    ['Žluťoučký kůň – 1.0 (final).tar.gz', 'Žluťoučký kůň – 1.0 (final).tar.gz'],
    ['報告書.pdf', '報告書.pdf'],
    ['../../x', 'x'],
    ['..\\..\\x', 'x'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Windows\\win.ini', 'win.ini'],
    ['a/b/', 'b'],
    ['..', 'file'],
    ['. . .', 'file'],
    ['...', 'file'],
    ['/', 'file'],
    ['', 'file'],
    ['\u202E\u200B', 'file'],
    ['.htaccess', 'htaccess'],
    ['name. . ', 'name'],
    ['two\r\nlines.txt', 'two lines.txt'],
    ['a\0b.txt', 'ab.txt'],
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h'],
    ['bi\u202Egpj.exe', 'bigpj.exe'],
    ['cafe\u0301.txt', 'caf\u00E9.txt'],
    ['lone\uD800.txt', 'lone\uFFFD.txt'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['NUL .txt', '_NUL.txt'],
    ['a .txt', 'a.txt'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['LPT¹', '_LPT¹'],
    ['console.txt', 'console.txt'],
  ])('is made from %j: %j', (given, safe) => {
    expect(safeFileName(given)).toBe(safe);
  });

  it('is short, and keeps its file extension', () => {
    expect(safeFileName(`${'n'.repeat(300)}.csv`)).toBe(`${'n'.repeat(96)}.csv`);
    expect(safeFileName(`${'n'.repeat(300)}.tar.gz`)).toBe(`${'n'.repeat(93)}.tar.gz`);
    expect(safeFileName(`x.${'n'.repeat(300)}`)).toHaveLength(100);
    const emoji = safeFileName(`${'😀'.repeat(300)}.csv`);
    expect(new TextEncoder().encode(emoji).byteLength).toBe(240);
    expect(emoji).toBe(`${'😀'.repeat(59)}.csv`);
  });

  it('is made from megabytes of text', () => {
    const given = ['a', '. '.repeat(500_000), '.'.repeat(1_000_000), 'x.csv'].join('b');
    expect(safeFileName(given)).toMatch(/x\.csv$/u);
  });

  it('has room for the mark of a device name', () => {
    const safe = safeFileName(`aux.${'n'.repeat(90)} ! ! !`);
    expect(safe).toMatch(/^_aux\.n{90}/u);
    expect(safeFileName(safe)).toBe(safe);
  });

  it('is valid on every system for any input, and a second pass leaves it unchanged', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('/', '\\', '.', ' ', 'CON', 'aux', 'é', '😀'.repeat(40), 'n'.repeat(90), ...HOSTILE_CHARACTERS),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const safe = safeFileName(parts.join(''));
        expect(safe).not.toMatch(/[/\\<>:"|?*\p{Cc}]|^[\s.]|[\s.]$|^$/u);
        expect(safe).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?:\.|$)/iu);
        expect(safe.isWellFormed()).toBe(true);
        expect(sanitizeText(safe)).toBe(safe);
        expect(new TextEncoder().encode(safe).byteLength).toBeLessThanOrEqual(240);
        expect(safeFileName(safe)).toBe(safe);
      }),
      { numRuns: stories(500) },
    );
  });
});
