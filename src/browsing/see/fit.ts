import { SCREENSHOT_BASE64_BYTES_MAX, SCREENSHOT_QUALITIES, SCREENSHOT_SHRINKS_MAX } from './limits.ts';

/** One try: the compression quality and the scale. */
export type Attempt = { quality: number; scale: number };
/** Base64, as it stands in the result. */
export type Taken = Attempt & { data: string };

/**
 * Finds the best image that fits the result: the highest possible quality, or a smaller image if even the lowest
 * quality is too large. Most images fit at once; otherwise the qualities are searched by halves.
 *
 * @param take makes the image
 * @param qualities from the best down
 */
export async function fitImage(
  take: (attempt: Attempt) => Promise<string>,
  scale: number,
  qualities: readonly number[] = SCREENSHOT_QUALITIES,
  maxBytes: number = SCREENSHOT_BASE64_BYTES_MAX,
): Promise<Taken | null> {
  const tryWith = async (attempt: Attempt): Promise<Taken> => ({ ...attempt, data: await take(attempt) });
  const [best = 0, ...worse] = qualities;
  const first = await tryWith({ quality: best, scale });
  if (first.data.length <= maxBytes) return first;

  let fitting: Taken | null = null;
  let smallest = first;
  let ladder = worse;
  while (ladder.length > 0) {
    const middle = Math.floor(ladder.length / 2);
    const taken = await tryWith({ quality: ladder[middle] ?? best, scale });
    if (taken.data.length < smallest.data.length) smallest = taken;
    const fits = taken.data.length <= maxBytes;
    if (fits) fitting = taken;
    ladder = fits ? ladder.slice(0, middle) : ladder.slice(middle + 1);
  }
  return fitting ?? (await shrink(tryWith, smallest, maxBytes));
}

async function shrink(
  tryWith: (attempt: Attempt) => Promise<Taken>,
  smallest: Taken,
  maxBytes: number,
): Promise<Taken | null> {
  let last = smallest;
  for (let shrinks = 0; shrinks < SCREENSHOT_SHRINKS_MAX; shrinks += 1) {
    // The size falls with the area, or more slowly: noise does not shrink when it is averaged.
    const factor = Math.sqrt(maxBytes / last.data.length) * SHRINK_MARGIN;
    last = await tryWith({ quality: last.quality, scale: last.scale * factor });
    if (last.data.length <= maxBytes) return last;
  }
  return null;
}

const SHRINK_MARGIN = 0.95;
