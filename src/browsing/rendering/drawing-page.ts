import { toBase64 } from '#core/text/base64.ts';
import type { SyntheticResponse } from '#browsing/gate/request-gate.ts';

/**
 * An origin that does not exist. The gate serves its URLs only to the document that draws a file, and serves that
 * document nothing else.
 */
const ORIGIN = 'https://periscope-drawing.invalid';
export const DRAWING_URL = `${ORIGIN}/`;
export const DRAWN_FILE_URL = `${ORIGIN}/file`;
export const PDFJS_URL = `${ORIGIN}/pdf.js`;

/** Content security policy of the document. The gate refuses other requests anyway; this is a second barrier. */
const POLICY =
  "default-src 'none'; img-src 'self' blob: data:; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'";
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Drawing</title><style>html,body{margin:0;overflow:hidden}canvas{display:block}</style><body></body></html>`;

export function isDrawingAddress(url: string): boolean {
  return url.startsWith(DRAWING_URL);
}

type FileBytes = { bytes: Uint8Array; mediaType: string };

export type DrawingResponses = ReadonlyMap<string, () => Promise<SyntheticResponse>>;

export function createDrawingResponses({ bytes, mediaType }: FileBytes): DrawingResponses {
  const text = new TextEncoder();
  return new Map([
    [DRAWING_URL, async () => answer('text/html; charset=utf-8', text.encode(HTML))],
    [DRAWN_FILE_URL, async () => answer(mediaType, bytes)],
    [PDFJS_URL, async () => answer('text/javascript', text.encode((await import('unpdf/pdfjs?raw')).default))],
  ]);
}

function answer(contentType: string, body: Uint8Array): SyntheticResponse {
  const headers = { 'content-type': contentType, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
  return { status: 200, headers, base64: toBase64(body) };
}
