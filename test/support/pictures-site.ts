import { deflateSync } from 'node:zlib';
import { Response } from 'miniflare';
import { AVIF } from './avif.ts';
import {
  ascii,
  big32,
  concat,
  makeApng,
  makeBmp,
  makeGif,
  makeJpeg,
  makePng,
  makeSvg,
  makeWebp,
  pngChunk,
  SVG_QUARTERS,
} from './make-image.ts';
import { makePdf, stream } from './make-pdf.ts';

type Page = () => Response;

/** Requests to a tracker inside pictures. There must be none. */
let visits = 0;

export const FOUR_FIELDS: Page = picture('image/png', () => makePng({ width: 64, height: 48 }));

/** Harmless and hostile pictures. */
export const PICTURES_SITE: Record<string, Page> = {
  '/robots.txt': () =>
    new Response('User-agent: *\nDisallow: /closed/\n', { headers: { 'content-type': 'text/plain' } }),
  '/closed/a.png': picture('image/png', () => makePng({ width: 8, height: 8 })),
  '/a.png': picture('image/png', () => makePng({ width: 64, height: 48, chunks: [pngText('Title', 'Four fields')] })),
  '/wide.png': picture('image/png', () => makePng({ width: 3_136, height: 40 })),
  '/light.png': picture('image/png', () =>
    makePng({ width: 64, height: 48, alpha: 60, colour: () => [255, 255, 255] }),
  ),
  '/a.jpg': picture('image/jpeg', () => makeJpeg(64, 48)),
  '/cmyk.jpg': picture('image/jpeg', () => makeJpeg(64, 48, [255, 32, 32, 255])),
  '/a.gif': picture('image/gif', () => makeGif(64, 48)),
  '/moving.gif': picture('image/gif', () => makeGif(64, 48, 2)),
  '/moving.png': picture('image/png', () => makeApng(64, 48)),
  '/a.webp': picture('image/webp', () => makeWebp(64, 48, [16, 48, 224])),
  '/a.avif': picture('image/avif', () => AVIF),
  '/a.bmp': picture('image/bmp', () => makeBmp(64, 48)),
  '/large.bmp': picture('image/bmp', () => makeBmp(128, 96)),
  '/a.svg': picture('image/svg+xml', () =>
    ascii(makeSvg(`<title>Four fields</title><desc>Red, green, blue, yellow</desc>${SVG_QUARTERS}<text>North</text>`)),
  ),
  '/mislabelled': picture('text/html', () => makePng({ width: 64, height: 48 })),
  '/a.pdf': picture('application/pdf', twoPages),
  '/scan.pdf': picture('application/pdf', scanned),

  '/huge.png': picture('image/png', () => pngOf(40_000, 40_000)),
  '/limit.png': picture('image/png', () => greyPng(6_324, 6_324)),
  '/huge.webp': picture('image/webp', () => makeWebp(16_383, 16_383, [1, 2, 3])),
  '/cut.png': picture('image/png', () => makePng({ width: 64, height: 48 }).slice(0, 90)),
  '/broken.png': picture('image/png', () => pngOf(64, 48)),
  '/polyglot.gif': picture('image/gif', () => concat(makeGif(64, 48), ascii('<script>alert(1)</script>%PDF-1.7'))),
  '/script.svg': picture('image/svg+xml', () => ascii(makeSvg(HOSTILE_SVG))),
  '/endless.svg': picture('image/svg+xml', () => ascii(makeSvg(ENDLESS_SVG))),
  '/visited': () => {
    visits += 1;
    return new Response('seen', { headers: { 'content-type': 'text/plain' } });
  },
  '/visits': () => Response.json(visits),
  '/page': () => new Response('<!doctype html><p>A page.', { headers: { 'content-type': 'text/html' } }),
};

function picture(type: string, make: () => Uint8Array): Page {
  return () => new Response(make(), { headers: { 'content-type': type } });
}

/** A PNG whose header promises more pixels than the file has. */
function pngOf(width: number, height: number): Uint8Array {
  const real = makePng({ width: 4, height: 4 });
  const head = pngChunk('IHDR', Uint8Array.from([...big32(width), ...big32(height), 8, 2, 0, 0, 0]));
  return concat(real.slice(0, 8), head, real.slice(8 + head.length));
}

/** A complete PNG with one bit for each pixel. */
function greyPng(width: number, height: number): Uint8Array {
  const rows = deflateSync(new Uint8Array((Math.ceil(width / 8) + 1) * height));
  const head = pngChunk('IHDR', Uint8Array.from([...big32(width), ...big32(height), 1, 0, 0, 0, 0]));
  return concat(
    makePng({ width: 1, height: 1 }).slice(0, 8),
    head,
    pngChunk('IDAT', rows),
    pngChunk('IEND', ascii('')),
  );
}

function pngText(keyword: string, text: string): Uint8Array {
  return pngChunk('tEXt', ascii(`${keyword}\0${text}`));
}

function twoPages(): Uint8Array {
  return makePdf([
    { texts: [{ x: 60, y: 700, text: 'The first page has text.' }] },
    { texts: [], drawn: '1 0 0 rg 0 0 600 800 re f 0 0 1 rg 0 400 300 400 re f' },
  ]);
}

/** A PDF page that is a picture of 2 × 2 pixels, without text. */
function scanned(): Uint8Array {
  const pixels = '\xe0\x10\x10\x10\xc0\x10\x10\x30\xe0\xf0\xe0\x20';
  const image = stream(pixels).replace(
    '<<',
    '<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8',
  );
  return makePdf([{ texts: [], drawn: 'q 600 0 0 800 0 0 cm /Im Do Q', resources: '/XObject << /Im 6 0 R >>' }], {
    objects: [image],
  });
}

const TRACKER = 'http://pictures.acme.dev/visited';
/** Everything active in it is inert in an `<img>`. The quarters are below it. */
const HOSTILE_SVG = `${SVG_QUARTERS}
<script>document.documentElement.innerHTML = ''; fetch('${TRACKER}')</script>
<image href="${TRACKER}" width="9" height="9"/><use href="${TRACKER}#x"/>
<style>@import url("${TRACKER}"); circle { fill: url("${TRACKER}#y") }</style><circle r="9"/>
<foreignObject width="10" height="10"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${TRACKER}"/></foreignObject>
<a onload="fetch('${TRACKER}')"><set attributeName="href" to="${TRACKER}"/></a>`;

/** Ten times ten times ten … rectangles. */
const ENDLESS_SVG = `<defs><rect id="u0" width="1" height="1"/>${Array.from(
  { length: 12 },
  (_, at) => `<g id="u${at + 1}">${`<use href="#u${at}"/>`.repeat(10)}</g>`,
).join('')}</defs><use href="#u12"/>`;
