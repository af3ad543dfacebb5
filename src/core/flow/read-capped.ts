import { UNRESERVED_BODY_BYTES_MAX } from '#core/limits.ts';

/**
 * Reads a request body as text. Returns `null`, without reading further, if the body is larger than `maxBytes`.
 * @param makeRoom called when the body exceeds {@link UNRESERVED_BODY_BYTES_MAX}. If it fails, the body is first read to
 *   its end and discarded, because a client that is still sending would lose its connection, and with it the response
 * @throws the error of `makeRoom`
 */
export async function readBodyText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  makeRoom: () => Promise<void> = async () => undefined,
): Promise<string | null> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let refusal: { error: unknown } | null = null;
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    const isLarge = bytes > UNRESERVED_BODY_BYTES_MAX;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    if (refusal !== null) continue;
    if (!isLarge && bytes > UNRESERVED_BODY_BYTES_MAX) refusal = await makeRoom().then(noRefusal, asRefusal);
    text = refusal === null ? text + decoder.decode(chunk, { stream: true }) : '';
  }
  if (refusal !== null) throw refusal.error;
  return text + decoder.decode();
}

const noRefusal = () => null;
const asRefusal = (error: unknown) => ({ error });

/** Reads and discards a body, up to `maxBytes`, so that a client that is still sending can read the response. */
export async function drainBody(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  // A read error means that the client has disconnected and cannot receive the response, so it is ignored.
  const next = () => reader.read().catch(() => ({ done: true, value: undefined }));
  let bytes = 0;
  for (let { done, value } = await next(); !done && bytes <= maxBytes; { done, value } = await next()) {
    bytes += value?.byteLength ?? 0;
  }
  await reader.cancel();
}
