import { toBase64 } from '#core/text/base64.ts';
import type { DownloadInPage } from '#browsing/in-page/script-types.ts';
import { scriptState } from './script-state.ts';

type Reading = { reader: ReadableStreamDefaultReader<Uint8Array>; rest: Uint8Array };

declare global {
  interface ScriptState {
    saved?: Map<number, Reading>;
  }
}

/**
 * Starts reading a download by `fetch`. Returns `null` if the document is not allowed to read it, or if the request
 * fails.
 */
export async function openDownloadStream(url: string, key: number): Promise<DownloadInPage | null> {
  try {
    const { ok, headers, body } = await fetch(url);
    if (!ok || body === null) return null;
    const open = (scriptState().saved ??= new Map<number, Reading>());
    open.set(key, { reader: body.getReader(), rest: new Uint8Array() });
    const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
    return { contentType: headers.get('content-type'), bytes: length === null ? null : Number(length) };
  } catch {
    return null;
  }
}

/** The next bytes of a download, in base64; `null` at the end, `false` if another document than this began it. */
export async function readDownloadChunk(key: number, bytesMax: number): Promise<string | null | false> {
  const reading = scriptState().saved?.get(key);
  if (reading === undefined) return false;
  while (reading.rest.byteLength === 0) {
    const { done, value } = await reading.reader.read();
    if (done) return null;
    reading.rest = value;
  }
  const part = reading.rest.subarray(0, bytesMax);
  reading.rest = reading.rest.subarray(part.byteLength);
  return toBase64(part);
}

export function closeDownloadStream(key: number): void {
  scriptState()
    .saved?.get(key)
    ?.reader.cancel()
    .catch(() => undefined);
  scriptState().saved?.delete(key);
}
