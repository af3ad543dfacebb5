import { ascii, big16, big32, concat } from './make-image.ts';

/** One AV1 key frame of 64 × 48 pixels with the four colours of `QUARTERS`, as Chromium's video encoder wrote it. */
const KEY_FRAME =
  'EgAKDAAAAAKv94A0QENAQTKDARBKAAggghAAIMHC5OLFGXn9cEFO8O6vJxs1qqdBct64Toj+vb7ZW2KLhniLQjDRioeXj3iWJkKs' +
  'Fwdu7vbPXU6Tr/xDG3bXxDvz8ZPiUhOnOn6oofzPGm1lbX6HY4JW64300l53drOVU1jh6GSXNEZP71c38z7OvfLhIGxoI6PEoJAj';

/** ISO/IEC 23008-12 and the AV1 Image File Format: one item, its size, codec configuration and offset. */
export const AVIF = makeAvif(
  Uint8Array.from(atob(KEY_FRAME), (one) => one.charCodeAt(0)),
  64,
  48,
);

function makeAvif(frame: Uint8Array, width: number, height: number): Uint8Array {
  const brand = box('ftyp', ascii('avif'), big32(0), ascii('avifmif1miafMA1B'));
  const sizes = [
    fullBox('ispe', big32(width), big32(height)),
    fullBox('pixi', Uint8Array.from([3, 8, 8, 8])),
    box('av1C', Uint8Array.from([0x81, 0x00, 0x0c, 0x00])),
  ];
  const properties = box(
    'iprp',
    box('ipco', ...sizes),
    fullBox('ipma', big32(1), big16(1), Uint8Array.from([3, 1, 2, 0x83])),
  );
  const item = fullBox('infe', big16(1), big16(0), ascii('av01'), ascii('\0'));
  item.set([2], 8);
  const metaOf = (at: number) =>
    fullBox(
      'meta',
      fullBox('hdlr', big32(0), ascii('pict'), new Uint8Array(12), ascii('\0')),
      fullBox('pitm', big16(1)),
      // Offsets and lengths have four bytes; there is no base offset.
      fullBox(
        'iloc',
        Uint8Array.from([0x44, 0x00]),
        big16(1),
        big16(1),
        big16(0),
        big16(1),
        big32(at),
        big32(frame.length),
      ),
      fullBox('iinf', big16(1), item),
      properties,
    );
  const at = brand.length + metaOf(0).length + 8;
  return concat(brand, metaOf(at), box('mdat', frame));
}

function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = concat(...parts);
  return concat(big32(body.length + 8), ascii(type), body);
}

/** Version 0, no flags. */
function fullBox(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return box(type, big32(0), ...parts);
}
