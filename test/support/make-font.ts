/** Small font programs of our own, byte by byte. */

const int = (number: number) => [29, ...[24, 16, 8, 0].map((shift) => (number >> shift) & 255)];

function index(items: readonly (readonly number[])[]): number[] {
  if (items.length === 0) return [0, 0];
  const offsets = [1];
  for (const item of items) offsets.push((offsets.at(-1) ?? 0) + item.length);
  return [items.length >> 8, items.length & 255, 2, ...offsets.flatMap((at) => [at >> 8, at & 255]), ...items.flat()];
}

/** A CFF font with global subroutines. `entries` are bytes of its dictionary. */
export function makeCff(
  glyphs: readonly (readonly number[])[],
  subroutines: readonly (readonly number[])[],
  entries: readonly number[] = [],
): number[] {
  const head = [1, 0, 4, 2, ...index([[65]])];
  const globals = [...index([]), ...index(subroutines)];
  const programs = index(glyphs);
  const top = (start: number) =>
    index([[...entries, ...int(start), 17, ...int(2), ...int(start + programs.length), 18]]);
  const start = head.length + top(0).length + globals.length;
  return [...head, ...top(start), ...globals, ...programs, 139, 20];
}

/** An OpenType font that has only the table of its glyphs. */
export function makeOpenType(cff: readonly number[]): number[] {
  const long = (number: number) => int(number).slice(1);
  const text = (letters: string) => Array.from(letters, (letter) => letter.charCodeAt(0));
  return [
    ...text('OTTO'),
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    ...text('CFF '),
    ...long(0),
    ...long(28),
    ...long(cff.length),
    ...cff,
  ];
}

function encrypt(bytes: readonly number[], key: number): number[] {
  let state = key;
  return [0, 0, 0, 0, ...bytes].map((byte) => {
    const cipher = byte ^ (state >> 8);
    state = ((cipher + state) * 52_845 + 22_719) & 65_535;
    return cipher;
  });
}

/** A Type 1 font with subroutines. `head` is before its encrypted part. */
export function makeType1(
  glyphs: readonly (readonly number[])[],
  subroutines: readonly (readonly number[])[],
  head = '',
): number[] {
  const text = (letters: string) => Array.from(letters, (letter) => letter.charCodeAt(0));
  const program = (bytes: readonly number[]) => {
    const cipher = encrypt(bytes, 4_330);
    return [...text(`${cipher.length} RD `), ...cipher];
  };
  const secret = [
    ...text(`dup /Private 9 dict dup begin /lenIV 4 def /Subrs ${subroutines.length} array\n`),
    ...subroutines.flatMap((bytes, number) => [...text(`dup ${number} `), ...program(bytes), ...text(' NP\n')]),
    ...text(`ND 2 index /CharStrings ${glyphs.length} dict dup begin\n`),
    ...glyphs.flatMap((bytes, number) => [...text(`/g${number} `), ...program(bytes), ...text(' ND\n')]),
    ...text('end\n'),
  ];
  return [...text(`%!PS-AdobeFont-1.0: A\n${head}currentfile eexec\n`), ...encrypt(secret, 55_665)];
}
