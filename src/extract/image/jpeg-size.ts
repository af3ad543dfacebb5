export type Size = { width: number; height: number };

/**
 * Returns a JPEG's size in pixels, from its first start-of-frame segment (ITU-T T.81 B.2.2); `null` without such a
 * segment, and for other files.
 */
export function jpegSize(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 2 || view.getUint16(0) !== START_OF_IMAGE) return null;
  let at = 2;
  while (at + SEGMENT_HEAD_BYTES <= bytes.byteLength) {
    if (view.getUint8(at) !== MARKER) return null;
    const marker = view.getUint8(at + 1);
    if (marker === MARKER) {
      at += 1; // `0xff` may be repeated before a marker, as a fill byte
      continue;
    }
    if (isStandalone(marker)) {
      at += 2;
      continue;
    }
    if (isStartOfFrame(marker)) {
      if (at + FRAME_HEAD_BYTES > bytes.byteLength) return null;
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    const length = view.getUint16(at + 2);
    if (marker === START_OF_SCAN || length < 2) return null;
    at += 2 + length;
  }
  return null;
}

const START_OF_IMAGE = 0xffd8;
const MARKER = 0xff;
const START_OF_SCAN = 0xda;
/** Bytes of a segment's marker and length, which begin each segment. */
const SEGMENT_HEAD_BYTES = 4;
/** Bytes of a start-of-frame segment up to the width: marker, length, precision, height, width. */
const FRAME_HEAD_BYTES = 9;

/** True for a marker without a length: TEM and the restart markers. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/** True for SOF0 to SOF15. DHT, JPG and DAC are in the same range, but do not start a frame. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
