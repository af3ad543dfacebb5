/** mulberry32: the same sequence of numbers from 0 up to 1 on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Number of events in a second with the average `mean`: Poisson, and normal for large means. */
export function arrivals(mean: number, random: () => number): number {
  if (mean > LARGE_MEAN) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = 0;
  for (let left = random(); left > Math.exp(-mean); left *= random()) count += 1;
  return count;
}

const LARGE_MEAN = 50;
