import { describe, expect, it } from 'vitest';
import { readDisposition } from '#net/types/sniff.ts';

describe('Content-Disposition', () => {
  it.each([
    [null, false],
    ['', false],
    ['inline', false],
    ['INLINE; filename="x.txt"', false],
    ['attachment', true],
    ['Attachment ; filename=x', true],
    ['form-data; name="field"', true],
    ['unknown', true],
    ['filename=x.txt', false],
    ['filename="x.txt"; attachment', false],
    ['; filename=x', false],
  ])('is read: %j means a download: %s', (header, isAttachment) => {
    expect(readDisposition(header).isAttachment).toBe(isAttachment);
  });

  it.each([
    ['attachment', null],
    ['attachment; filename=', null],
    ['attachment; filename=""', null],
    ['attachment; filename=plain.txt', 'plain.txt'],
    ['attachment; filename=two words.txt; size=3', 'two words.txt'],
    ['attachment; FileName = "quoted; and = more.txt"', 'quoted; and = more.txt'],
    ['attachment; filename="a \\"b\\" c.txt"', 'a "b" c.txt'],
    ['attachment; filename="first.txt"; filename="second.txt"', 'first.txt'],
    ['attachment; filename="fallback.txt"; filename*=UTF-8\'\'na%C3%AFve.txt', 'naïve.txt'],
    ["attachment; filename*=utf-8'en'na%C3%AFve.txt; filename=fallback.txt", 'naïve.txt'],
    ['attachment; filename*="UTF-8\'\'quoted%20too.txt"', 'quoted too.txt'],
    ["attachment; filename*=ISO-8859-1''na%EFve.txt", 'naïve.txt'],
    ["attachment; filename*=UTF-8''broken%C3.txt; filename=fallback.txt", 'fallback.txt'],
    ["attachment; filename*=klingon''x.txt; filename=fallback.txt", 'fallback.txt'],
    ['attachment; filename="na\u00C3\u00AFve.txt"', 'naïve.txt'],
    ['attachment; filename="na\u00EFve.txt"', 'naïve.txt'],
    ['attachment; filename="na%C3%AFve.txt"', 'naïve.txt'],
    ['attachment; filename="100%.txt"', '100%.txt'],
    ['attachment; filename="unclosed.txt', 'unclosed.txt'],
    ['attachment; xfilename=no.txt', null],
    ['filename="bare.txt"', 'bare.txt'],
    ['inline; filename="shown.txt"', 'shown.txt'],
  ])('is read: %j has the name %j', (header, name) => {
    expect(readDisposition(header).name).toBe(name);
  });

  it.each(['; ', ' ', '"', '\\', ';filename', "filename*=UTF-8'", '%', '=', 'x'])(
    'is read at any length: megabytes of %j',
    (part) => {
      const long = part.repeat(500_000);
      expect(readDisposition(`attachment; filename="${long}`).isAttachment).toBe(true);
      expect(() => readDisposition(`attachment${long}x`)).not.toThrow();
    },
  );
});
