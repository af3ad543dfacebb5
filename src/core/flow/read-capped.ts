import { BODY_BYTES_WITHOUT_ROOM } from '#core/limits.ts';

/**
 * A request body as text, or `null` when it is larger than `maxBytes`: it is then read no further.
 * @param makeRoom awaited before a large body is read on
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  makeRoom: () => Promise<void> = async () => undefined,
): Promise<string | null> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    const isLarge = bytes > BODY_BYTES_WITHOUT_ROOM;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    if (!isLarge && bytes > BODY_BYTES_WITHOUT_ROOM) await makeRoom();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
