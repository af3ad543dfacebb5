import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

const PACK = {
  br: brotliCompressSync,
  deflate: deflateSync,
  'raw deflate': deflateRawSync,
  gzip: gzipSync,
  zstd: zstdCompressSync,
};
export type Packing = keyof typeof PACK;
type DamagedBody = { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/** Paragraphs after the beginning, each with another number, so that the compressed page is not tiny. */
const PARAGRAPHS = 9_000;

/** A compressed page with a fault in its middle. */
export function damagedBody(packing: Packing, fault: 'cut' | 'damaged', beginning: string): DamagedBody {
  const more = Array.from({ length: PARAGRAPHS }, (_, at) => `<p>${(at * 7_919) % 99_991} herons</p>`);
  const whole = PACK[packing](beginning + more.join(''));
  const middle = Math.floor(whole.length / 2);
  const body = fault === 'cut' ? whole.subarray(0, middle) : whole.fill(0xff, middle, middle + 200);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': packing === 'raw deflate' ? 'deflate' : packing,
    'content-length': String(body.length),
  };
  return { body: new Uint8Array(body), headers };
}
