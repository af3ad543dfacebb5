import { describe, expect, it } from 'vitest';
import { readBodyText, drainBody } from '#core/flow/read-capped.ts';
import { UNRESERVED_BODY_BYTES_MAX, KIB } from '#core/limits.ts';

const CHUNK = new Uint8Array(64 * KIB).fill(97);
const LARGE = UNRESERVED_BODY_BYTES_MAX * 4;

/** A body of this size that records how it ended for its sender. */
function sending(bytes: number) {
  const sent = { bytes: 0, isWhole: false, isReset: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent.bytes >= bytes) {
        sent.isWhole = true;
        controller.close();
        return;
      }
      sent.bytes += CHUNK.byteLength;
      controller.enqueue(CHUNK);
    },
    cancel: () => void (sent.isReset = true),
  });
  return { body, sent };
}

describe('a body for which there is no memory', () => {
  it('is read to its end before the refusal, because its sender would otherwise see only a connection reset', async () => {
    const { body, sent } = sending(LARGE);
    let asked = 0;
    const makeRoom = async () => {
      asked += 1;
      throw new Error('no room');
    };
    await expect(readBodyText(body, 2 * LARGE, makeRoom)).rejects.toThrow('no room');
    expect(sent).toEqual({ bytes: LARGE, isWhole: true, isReset: false });
    expect(asked).toBe(1);
  });

  it('is read no further than the maximum size of a body', async () => {
    const { body, sent } = sending(LARGE);
    expect(await readBodyText(body, LARGE / 2, async () => Promise.reject(new Error('no room')))).toBeNull();
    expect(sent.bytes).toBeLessThan(LARGE);
    const other = sending(LARGE);
    await drainBody(other.body, LARGE / 2);
    expect(other.sent).toMatchObject({ isWhole: false, isReset: true });
  });

  it('is drained if nobody has begun to read it, and otherwise left to its reader', async () => {
    const { body, sent } = sending(LARGE);
    await drainBody(body, 2 * LARGE);
    expect(sent.isWhole).toBe(true);
    const taken = sending(LARGE);
    const reader = taken.body.getReader();
    await drainBody(taken.body, 2 * LARGE);
    expect(taken.sent.isWhole).toBe(false);
    await reader.cancel();
  });
});
