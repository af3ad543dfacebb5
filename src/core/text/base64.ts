/**
 * Bytes per call of `String.fromCharCode`, because JavaScript engines limit the number of arguments of a call to tens
 * of thousands.
 */
const CHARS_AT_ONCE = 8_192;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += CHARS_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHARS_AT_ONCE));
  }
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
}
