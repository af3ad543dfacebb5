import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import { makeCff, makeOpenType, makeType1 } from '#support/make-font.ts';
import { makePdf } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

const TEXT = 'The keeper of the lamp.';
const [MOVE, END, RETURN] = [22, 14, 11];
const number = (value: number) => value + 139;
/** Each subroutine calls the next one ten times; `bias` is added to the number of a call. */
const nested = (levels: number, call: number, bias = 0) =>
  Array.from({ length: levels }, (_, at) =>
    at === levels - 1
      ? [number(1), MOVE, RETURN]
      : [...Array.from({ length: 10 }, () => [number(at + 1 - bias), call]).flat(), RETURN],
  );
const GLOBAL = 29;
const LOCAL = 10;
const BIAS = 107;
const called = [number(-BIAS), GLOBAL, END];
const cff = (levels: number) => makeCff([[END], called], nested(levels, GLOBAL, BIAS));
const type1 = (levels: number, head?: string) =>
  makeType1([[number(0), number(5), 13, number(0), LOCAL, END]], nested(levels, LOCAL), head);
/** A call whose number is the result of an addition. */
const sum = [number(-BIAS), number(0), 12, 10, GLOBAL, END];
/** A call after a mask whose length depends on the hints before it. */
const masked = [number(1), number(1), 19, 0, number(-BIAS), GLOBAL, END];

type Program = { font: readonly number[]; key?: string; entries?: string; descriptor?: string };

function pdfWith({ font, key = 'FontFile3', entries, descriptor = 'FontDescriptor' }: Program): Uint8Array {
  const data = Buffer.from(font).toString('latin1');
  const fonts = `/B << /Type /Font /Subtype /Type1 /BaseFont /AB /FirstChar 32 /LastChar 126 /Widths [${'500 '.repeat(95)}] /Encoding /WinAnsiEncoding /${descriptor} << /Type /FontDescriptor /FontName /AB /Flags 32 /${key} 6 0 R >> >>`;
  const objects = [`<< ${entries ?? `/Length ${data.length}`} >>\nstream\n${data}\nendstream`];
  return makePdf([{ texts: [{ x: 60, y: 700, text: TEXT, font: 'B' }], fonts }], { objects });
}

/** True if pdf.js still gets the program of the font. */
function isKept(program: Program): boolean {
  const pdf = pdfWith(program);
  const { bytes, cut } = blankCostlyStreams({ bytes: pdf, url: 'https://pier.example/a.pdf' });
  expect(cut).toBe(false);
  return Buffer.from(bytes).equals(Buffer.from(pdf));
}

const packed = [...deflateSync(Uint8Array.from(cff(9)))];

const large = [...deflateSync(Buffer.concat([Uint8Array.from(cff(2)), new Uint8Array(3_000_000)]))];

const COSTLY: Readonly<Record<string, Program>> = {
  'CFF subroutines that call each other': { font: cff(9) },
  'CFF subroutines in an OpenType font': { font: makeOpenType(cff(9)) },
  'CFF subroutines in a compressed stream': {
    font: packed,
    entries: `/Length ${packed.length} /Filter /FlateDecode`,
  },
  'a descriptor that is spelled in another way': { font: cff(9), descriptor: 'Font#44escriptor' },
  'a descriptor that is spelled in codes alone': {
    font: cff(9),
    descriptor: Array.from('FontDescriptor', (letter) => `#${letter.charCodeAt(0).toString(16)}`).join(''),
  },
  'a program that is declared as a picture': {
    font: cff(9),
    entries: `/Type /XObject /Subtype /Image /Length ${cff(9).length}`,
  },
  'a program that is declared as an object stream': { font: cff(9), entries: `/Type /ObjStm /Length ${cff(9).length}` },
  'a program whose end is not certain': { font: cff(2), entries: '/Length 30' },
  'a program with a filter that is not known': { font: cff(2), entries: `/Filter /None /Length ${cff(2).length}` },
  'a program without a length': { font: cff(2), entries: '' },
  'a program that is larger than the guard reads': {
    font: large,
    entries: `/Length ${large.length} /Length1 3000000 /Filter /FlateDecode`,
  },
  'a call of a number that is calculated': { font: makeCff([[END], sum], nested(2, GLOBAL, BIAS)) },
  'operators after the end of a glyph': { font: makeCff([[END, number(1), MOVE]], []) },
  'a mask without hints': { font: makeCff([[19, 0, END]], []) },
  'a call of itself': { font: makeCff([called], [[number(-BIAS), GLOBAL, RETURN]]) },
  'data before the font': { font: [7, 7, 7, 1, ...cff(2)] },
  'Type 1 subroutines that call each other': { font: type1(9), key: 'FontFile' },
  'a Type 1 subroutine that calls itself': {
    font: makeType1([[number(0), LOCAL]], [[number(0), LOCAL]]),
    key: 'FontFile',
  },
  'a Type 1 font with a code in the billions': {
    font: type1(2, '/Encoding 1 array dup 2000000000 /A put def\n'),
    key: 'FontFile',
  },
  'a Type 1 font with two encrypted parts': { font: type1(2, 'currentfile eexec\n'), key: 'FontFile' },
};

const GOOD: Readonly<Record<string, Program>> = {
  'a few levels of CFF subroutines': { font: cff(3) },
  'an OpenType font': { font: makeOpenType(cff(3)) },
  'hints and a mask': { font: makeCff([[END], masked], nested(2, GLOBAL, BIAS)) },
  'a few levels of Type 1 subroutines': { font: type1(3), key: 'FontFile' },
  'an encoding of its own': {
    font: type1(3, '/Encoding 256 array 0 1 255 {1 index exch /.notdef put} for dup 65 /A put def\n'),
    key: 'FontFile',
  },
};

describe('the program of a font', () => {
  it.each(Object.entries(COSTLY))('is left out, and its text is read: %s', async (_, program) => {
    expect(isKept(program)).toBe(false);
    expect((await readBytes('pdf', pdfWith(program))).lines.join('\n')).toContain(TEXT);
  });

  it.each(Object.entries(GOOD))('is kept: %s', (_, program) => {
    expect(isKept(program)).toBe(true);
  });

  it('counts for each font that uses it', () => {
    const glyphs = Array.from({ length: 10 }, () => called);
    const font = String.fromCharCode(...makeCff(glyphs, nested(4, GLOBAL, BIAS)));
    const objects = [`<< /Length ${font.length} >>\nstream\n${font}\nendstream`];
    const pdf = (uses: number) => {
      const one = (at: number) => `/B${at} << /Type /Font /FontDescriptor << /FontFile3 6 0 R >> >>`;
      return makePdf([{ texts: [], fonts: Array.from({ length: uses }, (_, at) => one(at)).join(' ') }], { objects });
    };
    const isWhole = (bytes: Uint8Array) =>
      Buffer.from(blankCostlyStreams({ bytes, url: 'https://pier.example/a.pdf' }).bytes).equals(Buffer.from(bytes));
    expect(isWhole(pdf(10))).toBe(true);
    expect(isWhole(pdf(1_000))).toBe(false);
  });
});
