import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitImageToBytes } from '#browsing/see/screenshot.ts';
import type { JpegQualityAndScale } from '#browsing/see/screenshot.ts';

/** An image whose size goes with quality and area, as a JPEG's does. */
function imageOf(bytesAtBest: number) {
  const attempts: JpegQualityAndScale[] = [];
  const take = async (attempt: JpegQualityAndScale) => {
    attempts.push(attempt);
    return 'x'.repeat(Math.ceil((bytesAtBest * attempt.quality * attempt.scale ** 2) / 85));
  };
  return { take, attempts };
}

describe('an image that must fit', () => {
  it('is taken once when it fits at once', async () => {
    const { take, attempts } = imageOf(900);
    expect(await fitImageToBytes(take, 1, [85, 75, 65], 1_000)).toMatchObject({ quality: 85, scale: 1 });
    expect(attempts).toHaveLength(1);
  });

  it('has the highest quality that fits, found in few tries', async () => {
    for (const [bytes, quality] of [
      [1_050, 75],
      [1_200, 65],
      [1_400, 55],
      [1_700, 45],
      [2_200, 35],
    ] as const) {
      const { take, attempts } = imageOf(bytes);
      expect(await fitImageToBytes(take, 1, [85, 75, 65, 55, 45, 35], 1_000)).toMatchObject({ quality, scale: 1 });
      expect(attempts.length).toBeLessThanOrEqual(4);
    }
  });

  it('is made smaller only when the lowest quality does not suffice', async () => {
    const { take } = imageOf(10_000);
    const taken = await fitImageToBytes(take, 1, [85, 75, 65, 55, 45, 35], 1_000);
    expect(taken?.quality).toBe(35);
    expect(taken?.scale).toBeLessThan(1);
    expect(taken?.data.length).toBeLessThanOrEqual(1_000);
  });

  it('is not returned when nothing makes it smaller', async () => {
    expect(await fitImageToBytes(async () => 'x'.repeat(2_000), 1, [85, 35], 1_000)).toBeNull();
  });

  it('never exceeds the limit, whatever its size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200_000 }), async (bytes) => {
        const taken = await fitImageToBytes(imageOf(bytes).take, 1, [85, 75, 65, 55, 45, 35], 1_000);
        expect(taken?.data.length ?? 0).toBeLessThanOrEqual(1_000);
        expect(taken).not.toBeNull();
      }),
    );
  });
});
