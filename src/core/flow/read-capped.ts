import { BODY_BYTES_WITHOUT_ROOM } from '#core/limits.ts';

/**
 * A request body as text, or `null` if it is larger than `maxBytes`; its rest is then not read.
 * @param makeRoom awaited before a large body is read further. If it fails, the rest is first read and discarded,
 * because a client that is still sending would lose its connection, and with it the response
 * @throws the error of `makeRoom`
 */
export async function readCapped(
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
    const isLarge = bytes > BODY_BYTES_WITHOUT_ROOM;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    if (refusal !== null) continue;
    if (!isLarge && bytes > BODY_BYTES_WITHOUT_ROOM) refusal = await makeRoom().then(noRefusal, asRefusal);
    text = refusal === null ? text + decoder.decode(chunk, { stream: true }) : '';
  }
  if (refusal !== null) throw refusal.error;
  return text + decoder.decode();
}

/** A request body, or `null` if it is larger than `maxBytes`; its rest is then not read. */
export async function readCappedBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

const noRefusal = () => null;
const asRefusal = (error: unknown) => ({ error });

/** Reads and discards a body, up to `maxBytes`, so that its sender receives the refusal. */
export async function drainBody(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  // The error is ignored: a sender that disconnects cannot receive the refusal anyway.
  const next = () => reader.read().catch(() => ({ done: true, value: undefined }));
  let bytes = 0;
  for (let { done, value } = await next(); !done && bytes <= maxBytes; { done, value } = await next()) {
    bytes += value?.byteLength ?? 0;
  }
  await reader.cancel();
}
