import { BODY_BYTES_WITHOUT_ROOM } from '#core/limits.ts';

/**
 * A request body as text, or `null` when it is larger than `maxBytes`: it is then read no further.
 * @param makeRoom awaited before a large body is read on. When it fails, the rest is read and dropped before that is
 *   thrown: the connection of somebody who is still sending would be reset, and they would not get the answer
 * @throws what `makeRoom` fails with
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

/** A request body, or `null` when it is larger than `maxBytes`: it is then read no further. */
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

/** Reads a body to its end, up to `maxBytes`, and keeps nothing, so that its sender can be told that it was refused. */
export async function readOff(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  // Whoever goes away meanwhile hears nothing anyway.
  const next = () => reader.read().catch(() => ({ done: true, value: undefined }));
  let bytes = 0;
  for (let { done, value } = await next(); !done && bytes <= maxBytes; { done, value } = await next()) {
    bytes += value?.byteLength ?? 0;
  }
  await reader.cancel();
}
