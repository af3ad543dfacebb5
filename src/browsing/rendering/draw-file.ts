import type { DrawnFile, FileToDraw } from '#core/document/file-facts.ts';
import { countWithUnit } from '#core/text/text.ts';
import { fail } from '#core/failures/failure.ts';
import { DRAWN_PICTURE_PIXELS_MAX, SCREENSHOT_SIDE_PX_DEFAULT, SECOND_MS } from '#core/limits.ts';
import { PageActivity } from '#browsing/settle/page-activity.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { captureArea, fitImageToBytes, jpegBytes, jpegSizeOf } from '#browsing/see/screenshot.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { toBase64 } from '#core/text/base64.ts';
import type { SyntheticResponse } from '#browsing/gate/request-gate.ts';

/** Minimum longest side of a drawn SVG in pixels, because icons declare smaller sizes. */
const DRAWN_SVG_SIDE_MIN_PX = 512;
/** Time limit for opening the blank document. This usually takes a tenth of a second. */
const OPEN_MS_MAX = 5 * SECOND_MS;

/**
 * Draws an image, or a page of a PDF, in a blank document without network access, and takes a screenshot of it.
 * @throws {PeriscopeError} `view_failed`, `invalid_argument` for a page that the PDF does not have, `render_failed`,
 * `timeout`
 */
export async function drawFile(tab: OpenTab, request: FileToDraw, signal: AbortSignal): Promise<DrawnFile> {
  await openDrawing(tab, request, signal);
  const drawn = request.kind === 'pdf' ? await drawPdf(tab, request, signal) : await drawPicture(tab, request, signal);
  const { width, height } = drawn;
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await abortable(tab.session.send('Emulation.setDeviceMetricsOverride', metrics), signal);
  const area = { clip: { x: 0, y: 0, width, height }, isInView: true };
  const taken = await fitImageToBytes((attempt) => captureArea(tab, area, attempt, 1, signal, TRIES_MAX), 1);
  const size = taken === null ? null : jpegSizeOf(taken.data);
  if (taken === null || size === null) return failView(request, 'even its smallest picture is too large');
  const { pages, leftOut, isDark } = { ...NOTHING_SPECIAL, ...drawn };
  return { jpegBase64: taken.data, ...size, bytes: jpegBytes(taken.data), pages, leftOut, isDark };
}

async function openDrawing(tab: OpenTab, { url }: FileToDraw, signal: AbortSignal): Promise<void> {
  const seen = new PageActivity(tab);
  try {
    await abortable(tab.session.send('Page.navigate', { url: DRAWING_URL }), signal);
    // `Page.navigate` returns when the browser has received the document. The tab shows the document a moment later.
    await seen.until(() => !tab.isBlank, OPEN_MS_MAX, signal);
    if (tab.isBlank) fail({ code: 'render_failed', url: redactUrl(url), reason: 'the browser opened no page' });
  } finally {
    seen.stop();
  }
}

/** Unlimited attempts at the screenshot, because `signal` limits the time of the whole drawing. */
const TRIES_MAX = Infinity;

const NOTHING_SPECIAL = { pages: null, leftOut: 0, isDark: false };

async function drawPicture(tab: OpenTab, request: Extract<FileToDraw, { kind: 'picture' }>, signal: AbortSignal) {
  const { size } = request;
  const sideMin = request.mediaType === 'image/svg+xml' ? DRAWN_SVG_SIDE_MIN_PX : 0;
  const asked = { url: DRAWN_FILE_URL, size, sideMax: SCREENSHOT_SIDE_PX_DEFAULT, sideMin };
  const drawn = await callIn(tab, tab.main(), pageScripts.drawPicture, [asked], signal);
  return 'problem' in drawn ? failView(request, 'the browser cannot decode it: it is broken or incomplete') : drawn;
}

async function drawPdf(tab: OpenTab, request: Extract<FileToDraw, { kind: 'pdf' }>, signal: AbortSignal) {
  const { page } = request;
  const asked = { page, sideMax: SCREENSHOT_SIDE_PX_DEFAULT, pixelsMax: DRAWN_PICTURE_PIXELS_MAX };
  const addresses = { url: DRAWN_FILE_URL, scriptUrl: PDFJS_URL };
  const drawn = await callIn(tab, tab.main(), pageScripts.drawPdf, [{ ...addresses, ...asked }], signal);
  if (!('problem' in drawn)) return drawn;
  if (drawn.problem === 'page') {
    const problem = `the PDF has ${countWithUnit(drawn.pages, 'page')}`;
    return fail({ code: 'invalid_argument', field: 'page', problem, hint: `Pass a page from 1 to ${drawn.pages}.` });
  }
  return failView(request, drawn.problem === 'password' ? 'it is encrypted and asks for a password' : 'it is broken');
}

function failView({ url }: FileToDraw, reason: string): never {
  return fail({ code: 'view_failed', url: redactUrl(url), reason });
}

/**
 * An origin that does not exist. The gate serves its URLs only to the document that draws a file, and serves that
 * document nothing else.
 */
const ORIGIN = 'https://periscope-drawing.invalid';
export const DRAWING_URL = `${ORIGIN}/`;
const DRAWN_FILE_URL = `${ORIGIN}/file`;
const PDFJS_URL = `${ORIGIN}/pdf.js`;

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
